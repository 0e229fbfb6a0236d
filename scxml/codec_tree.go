package scxml

import (
	"bytes"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// This file is the walk of a codec over the state of a tree. The caller holds mu.

func (c *codec) tree() {
	t := c.t
	if !c.key {
		c.chart(t.sessions[0].chart)
		c.time(&t.now)
	}
	c.flag(&t.stop)
	if !c.key || t.watch == nil {
		c.random()
	}
	if t.config.outbox != nil && !c.key {
		number(c, &t.out().last)
	}
	n := c.length(len(t.sessions))
	c.turn(n)
	if c.reads {
		c.clear(n)
	}
	for i := 0; i < n && c.err == nil; i++ {
		if t.sessions[i] == nil { // no invocation of an earlier session has it
			c.fail(errState)
			break
		}
		c.session(t.sessions[i])
	}
	c.delayed()
	if c.reads {
		clear(c.sessions)
		if c.err != nil {
			t.sessions = t.sessions[:1]
		}
	}
}

// chart is the codec of the first bytes of the chart's hash.
func (c *codec) chart(chart *Chart) {
	hash := chart.hash[:min(8, len(chart.hash))]
	if !bytes.Equal(c.bytes(hash), hash) {
		c.fail(errState)
	}
}

// turn is the codec of the turn. In a key, a turn after the last one of n sessions is the first.
func (c *codec) turn(n int) {
	turn := c.t.turn
	if c.key && int(turn) >= n {
		turn = 0
	}
	if number(c, &turn); c.reads {
		if turn < 0 || int(turn) > n {
			c.fail(errState)
		}
		c.t.turn = turn
	}
}

// random is the codec of the source of random numbers.
func (c *codec) random() {
	t := c.t
	drawn := t.random != nil
	c.flag(&t.seeded)
	number(c, &t.seed)
	if c.flag(&drawn); !drawn {
		t.random = nil
		return
	}
	if t.random == nil {
		t.random = newRandom()
	}
	var err error
	if c.reads {
		err = t.random.pcg.UnmarshalBinary(c.bytes(nil))
	} else {
		c.space, err = t.random.pcg.AppendBinary(c.space[:0])
		c.bytes(c.space)
	}
	c.check(err)
}

// clear makes the tree one of n sessions, of which only the root is there.
func (c *codec) clear(n int) {
	t := c.t
	if n < 1 || n > t.limits.Sessions {
		c.fail(errState)
		n = 1
	}
	root := t.sessions[0]
	c.sessions = append(c.sessions[:0], t.sessions...)
	t.sessions = slices.Grow(t.sessions[:0], n)[:n]
	clear(t.sessions)
	t.sessions[0] = root
	t.ready = nil
	if n > 1 {
		for range (n + 63) / 64 {
			t.ready = append(t.ready, ^uint64(0))
		}
	}
	clear(t.timers)
	t.timers, t.seq = t.timers[:0], 0
	t.asked, t.news = t.stop || len(t.calls) > 0, false
}

func (c *codec) session(s *Session) {
	if c.reads {
		s.addr, s.cancelled, s.arrived = "", false, 0
		s.enabled = s.enabled[:0]
		clear(s.delayed)
		if s.scratch != nil {
			s.errors = 0
		}
	}
	chart := s.chart
	number(c, &s.status)
	c.state(chart, &s.final)
	c.set(chart, s.config)
	c.set(chart, s.bound)
	c.set(chart, s.toInvoke)
	for i := range s.history {
		s.history[i] = c.states(chart, s.history[i])
	}
	c.work(s)
	if c.ids {
		c.text(&s.id)
		number(c, &s.ids)
	}
	past := c.key && c.isPast(s)
	if !past {
		c.lastEvent(s)
	}
	c.invocations(s)
	if c.reads {
		s.ended = s.status > Running
		s.findAtomic()
		if s.locations = nil; s.status == Running {
			s.openProcessors() // those of an outbox, which have nothing to close
		}
	}
	if c.err == nil {
		c.store(s, past)
	}
}

// work is the codec of what a session has only at work, before its first turn or after its end. For
// all others it is a byte.
func (c *codec) work(s *Session) {
	if c.key && s.status > Running { // how it came to that makes no difference any more
		c.value(&s.done)
		s.err = c.reason(s.err)
		return
	}
	none := s.status == Running && !s.unstable && s.internal.len() == 0 && s.external.len() == 0 &&
		s.fence == 0 && s.steps == 0 && s.logged == 0 && s.limit == nil
	if c.flag(&none); none {
		if c.reads {
			s.internal.clear()
			s.external.clear()
			s.fence, s.unstable, s.steps, s.logged, s.limit = 0, false, 0, 0, nil
			s.done, s.err, s.preset = nil, nil, nil
		}
		return
	}
	c.queue(s, &s.internal)
	c.queue(s, &s.external)
	number(c, &s.fence)
	c.flag(&s.unstable)
	number(c, &s.steps)
	number(c, &s.logged)
	c.value(&s.done)
	s.err = c.reason(s.err)
	c.limit(s)
	c.preset(s)
}

func (c *codec) states(chart *Chart, list []table.State) []table.State {
	n := c.length(len(list))
	if c.reads {
		list = slices.Grow(list[:0], n)[:n]
	}
	for i := range list {
		c.state(chart, &list[i])
	}
	return list
}

func (c *codec) queue(s *Session, q *queue) {
	n := c.length(q.len())
	if c.reads {
		q.clear()
		for range n {
			c.event(s, q.add())
		}
		return
	}
	for i := range n {
		c.event(s, q.at(i))
	}
}

// event is the codec of an event of s. Many have no more than a name.
func (c *codec) event(s *Session, ev *Event) {
	c.text(&ev.Name)
	number(c, &ev.Type)
	bare := ev.Data == nil && ev.SendID == "" && ev.Origin == "" && ev.OriginType == "" && ev.InvokeID == "" && ev.Raw == ""
	if c.flag(&bare); bare {
		if c.reads {
			*ev = Event{Name: ev.Name, Type: ev.Type}
		}
		return
	}
	if c.reads && ev == s.event {
		c.pastData(&ev.Data)
	} else {
		c.value(&ev.Data)
	}
	c.text(&ev.SendID)
	if !c.ids {
		c.sender(s, ev.InvokeID)
		return
	}
	c.text(&ev.Origin)
	c.text(&ev.OriginType)
	c.text(&ev.InvokeID)
	c.text(&ev.Raw)
}

// sender writes the id of the invocation that an event came from, or for a generated one its place. In a
// key without ids no code can see the id, but it tells which <finalize> runs.
func (c *codec) sender(s *Session, id string) {
	place := -1
	if id != "" && !s.chart.invokesAs(id) {
		place = slices.IndexFunc(s.running, func(inv *invocation) bool { return inv.invokeID == id })
		id = ""
	}
	c.text(&id)
	number(c, &place)
}

// invokesAs reports whether an <invoke> has the id.
func (c *Chart) invokesAs(id string) bool {
	return slices.ContainsFunc(c.states, func(st state) bool {
		return slices.ContainsFunc(st.invokes, func(inv *invoke) bool { return inv.id == id })
	})
}

func (c *codec) limit(s *Session) {
	var err error
	if s.limit != nil {
		err = s.limit
	}
	s.limit, _ = c.reason(err).(*LimitError)
}

func (c *codec) preset(s *Session) {
	n := c.length(len(s.preset))
	if c.reads {
		s.preset = nil
		if n > 0 {
			s.preset = make([]presetData, n)
		}
	}
	for i := range s.preset {
		c.text(&s.preset[i].id)
		c.value(&s.preset[i].value)
	}
}

// lastEvent is the codec of the event that is being processed, or of the last one.
func (c *codec) lastEvent(s *Session) {
	has := s.event != nil
	if c.flag(&has); !has {
		s.event = nil
		return
	}
	if s.event == nil {
		s.event = new(Event)
	}
	c.event(s, s.event)
}

// pastData reads the data of the last event. States that are loaded in turn often have the same.
func (c *codec) pastData(v *datamodel.Value) {
	from := c.data
	text := c.bytes(nil)
	if !bytes.Equal(text, c.past.text) {
		c.data = from
		c.value(v)
		c.past.text, c.past.value = append(c.past.text[:0], text...), *v
	}
	*v = c.past.value
}

// isPast reports whether nothing can see the last event of s any more: its macrostep is over, and no
// onexit handler will run before the next event comes. Only Stop can exit the root before.
func (c *codec) isPast(s *Session) bool {
	if s.unstable || s.internal.len() > 0 {
		return false
	}
	if s.parent == nil {
		return true
	}
	for st := s.config.Next(0); st != table.None; st = s.config.Next(st + 1) {
		if len(s.chart.states[st].onexit) > 0 {
			return false
		}
	}
	return true
}

func (c *codec) invocations(s *Session) {
	n := c.length(len(s.running))
	if c.reads {
		clear(s.running)
		s.running = s.running[:0]
		for range n {
			s.running = append(s.running, &invocation{})
		}
	}
	for _, inv := range s.running {
		if c.invocation(s, inv); c.err != nil {
			return
		}
	}
}

func (c *codec) invocation(s *Session, inv *invocation) {
	c.state(s.chart, &inv.state)
	index, place := 0, 0
	if !c.reads {
		index = slices.Index(s.chart.states[inv.state].invokes, inv.invoke)
		if i := int(inv.child.place); !inv.child.ended && i < len(c.t.sessions) && c.t.sessions[i] == inv.child {
			place = i
		}
	}
	number(c, &index)
	number(c, &place) // 0 if the invoked session has ended
	if c.ids {
		c.text(&inv.invokeID)
	}
	c.text(&inv.source.src)
	c.value(&inv.source.content)
	if !c.reads {
		return
	}
	t := c.t
	if inv.state == table.None || index < 0 || index >= len(s.chart.states[inv.state].invokes) ||
		place < 0 || place >= len(t.sessions) || place > 0 && (place <= int(s.place) || t.sessions[place] != nil) {
		c.fail(errState)
		return
	}
	inv.invoke = s.chart.states[inv.state].invokes[index]
	if place == 0 {
		inv.child = endedChild(s, inv.invokeID)
		return
	}
	chart, err := c.invoked(s.chart, inv)
	if c.check(err); err != nil {
		return
	}
	child := c.child(chart, place)
	child.parent, child.invokeID, child.depth, child.place = s, inv.invokeID, s.depth+1, int32(place)
	inv.child, t.sessions[place] = child, child
}

// invoked returns the chart of an invocation that is read.
func (c *codec) invoked(chart *Chart, inv *invocation) (*Chart, error) {
	if inv.inline != nil || inv.source.src != "" {
		return chart.invoked(inv.invoke, inv.source)
	}
	if inv.content == nil {
		return nil, errState
	}
	name := computed{inv.invoke, string(datamodel.AppendJSON(nil, inv.source.content))}
	known, ok := c.charts[name]
	if ok {
		return known, nil
	}
	made, err := chart.invoked(inv.invoke, inv.source)
	if err == nil {
		if c.charts == nil || len(c.charts) == codecMemory {
			c.charts = make(map[computed]*Chart)
		}
		c.charts[name] = made
	}
	return made, err
}

// child returns a session of the chart: the one that had the place before, if it fits.
func (c *codec) child(chart *Chart, place int) *Session {
	if place < len(c.sessions) && c.sessions[place].chart == chart {
		return c.sessions[place]
	}
	return newSession(chart, c.t)
}

// store is the codec of the data of s. In a key, _event counts only unless it is past.
func (c *codec) store(s *Session, past bool) {
	has := s.store != nil && s.status != Unstarted && (!c.key || s.chart.usesData) // without data only Eval opens one
	if c.flag(&has); !has {
		s.store = nil
		return
	}
	if c.reads {
		if data := c.bytes(nil); c.err == nil {
			c.check(s.loadStore(data))
		}
		return
	}
	var err error
	switch store := s.store.(type) {
	case datamodel.Resetter:
		if past {
			c.space, err = store.AppendKey(c.space[:0], s.chart.exprs)
		} else {
			c.space, err = store.AppendState(c.space[:0], s.chart.exprs)
		}
		c.check(s.saveError(err))
		c.bytes(c.space)
	default:
		data, err := s.saveData()
		c.check(err)
		c.bytes(data)
	}
}

// loadStore gives the session's store saved data. A store that cannot be reset is made anew.
func (s *Session) loadStore(data []byte) error {
	if s.store == nil {
		if err := s.openStore(); err != nil {
			return err
		}
	}
	if r, ok := s.store.(datamodel.Resetter); ok {
		s.store.SetEvent(s.event)
		return r.Reset(data, s.chart.exprs)
	}
	if err := s.openStore(); err != nil {
		return err
	}
	saver, ok := s.store.(datamodel.Saver)
	if !ok {
		return errState
	}
	if s.event != nil {
		s.eventTaken()
	}
	return saver.Load(data, s.chart.exprs)
}

// delayed is the codec of the delayed events.
func (c *codec) delayed() {
	t := c.t
	n := c.length(len(t.timers))
	if !c.reads {
		c.timers = append(c.timers[:0], t.timers...)
		slices.SortFunc(c.timers, (*timer).compare)
		for _, tm := range c.timers {
			c.timer(tm)
		}
		clear(c.timers)
		return
	}
	for range n {
		tm := &timer{msg: Message{Type: SCXMLEventProcessor}}
		if c.timer(tm); c.err != nil {
			return
		}
		t.add(tm)
	}
}

func (c *codec) timer(tm *timer) {
	m := &tm.msg
	place := 0
	if !c.reads {
		place = int(tm.from.place)
	}
	number(c, &place)
	if c.reads {
		if place < 0 || place >= len(c.t.sessions) {
			c.fail(errState)
			return
		}
		tm.from = c.t.sessions[place]
		m.Session = tm.from
	}
	if c.key {
		left := tm.due.Sub(c.t.now)
		number(c, &left)
	} else {
		c.time(&tm.due)
		number(c, &m.Delay)
	}
	c.text(&m.Target)
	c.event(tm.from, &m.Event)
	c.text(&m.Pos.File)
	number(c, &m.Pos.Line)
	number(c, &m.Pos.Col)
}
