package machine

import (
	"container/heap"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// ErrChart is wrapped by the error of [Restore] for a snapshot of another document, or of another version of it.
var ErrChart = errors.New("the snapshot is of another chart")

// Restore makes a machine that is not started continue where a snapshot was taken, by [Snapshot] or by a session of
// package scxml. It runs no handler and processes no event. [SetUp] comes before it, if at all; session id and data are
// those of the snapshot. Services that were running are invoked again; what they do to the machine before Restore returns
// waits for its next event, or for [Advance].
//
// It fails for a snapshot of another document, a damaged one, and one with something that the machine cannot hold: a
// value that the Go type of a data item has no room for, a message to an Event I/O Processor or a service that [Options]
// do not have, an invoked document that was computed at run time. The error names it. The machine is of no use then.
//
// A snapshot can be changed by anyone who can write it. It must be a trusted one.
func Restore(n Node, snapshot []byte) (err error) {
	s := of(n)
	if s.status != unstarted || s.busy() {
		return fmt.Errorf("cannot restore the machine: %w", errStart)
	}
	defer func() {
		if err != nil {
			s.status, s.err = stopped, errStopped // of no use
			s.core.Flags |= Started | Ended
			err = fmt.Errorf("cannot restore the machine: %w", err)
		}
	}()
	defer catch(&err)
	r := &restorer{tree: s.tree, children: map[int]*session{}, states: map[*Chart]map[string]uint16{}}
	r.restore(s, whole(string(snapshot), (*reader).saved))
	s.tree.enter() // what a service does to the machine waits for its next event
	defer func() { s.core.Flags &^= Driven }()
	return r.start()
}

// A restorer builds a tree.
type restorer struct {
	tree     *tree
	data     []string                     // of sessions
	children map[int]*session             // by their numbers, until they are restored
	states   map[*Chart]map[string]uint16 // by name
	services []func() error               // what starts them
}

func (r *restorer) restore(root *session, snap saved) {
	t := r.tree
	if snap.text("format") != snapshotFormat {
		throw("its format is not %q", snapshotFormat)
	}
	if version := snap.int("version"); version != snapshotVersion {
		throw("its version is %d: want %d", version, snapshotVersion)
	}
	if snap["signature"] != "" {
		throw("it is signed: check and remove the signature first, see SNAPSHOT.md")
	}
	checkChart(root.chart, snap.object("chart"))
	t.now, t.turn, t.stopping = snap.time("now"), snap.int("turn"), snap.bool("stop")
	t.random, t.outbox = snap.raw("random"), snap.raw("outbox")
	sessions := snap.objects("sessions")
	r.data = take(snap, "data", list((*reader).skip))
	if n := len(sessions); n == 0 || len(r.data) != n || t.turn > n {
		throw("it has %d sessions, data for %d, and turn %d", n, len(r.data), t.turn)
	}
	checkLimit("Sessions", t.options.Limits.Sessions, len(sessions))
	t.sessions = t.sessions[:0]
	for i, saved := range sessions {
		r.session(root, i, saved)
	}
	if len(r.children) > 0 {
		throw("an invocation names a session that does not exist")
	}
	timers := snap.objects("timers")
	checkLimit("Timers", t.options.Limits.Timers, len(timers))
	for i, saved := range timers {
		r.timer(i, saved)
	}
	snap.end()
	root.core.Flags |= Posted // look for what waits before the next event
}

// start starts the services, all or none.
func (r *restorer) start() error {
	for _, start := range r.services {
		if err := start(); err != nil {
			for _, s := range r.tree.sessions {
				for _, inv := range s.running {
					if inv.service != nil {
						inv.service.Cancel()
					}
				}
			}
			return err
		}
	}
	return nil
}

func checkLimit(name string, limit, n int) {
	if n > limit {
		throw("%w", &LimitError{name, limit})
	}
}

func checkChart(c *Chart, saved saved) {
	file, hash := saved.text("file"), saved.text("hash")
	if saved.end(); hash != c.Hash {
		throw("%w: its document %q has the hash %q, and the compiled chart %q", ErrChart, file, hash, c.Hash)
	}
}

// session restores the i-th session.
func (r *restorer) session(root *session, i int, saved saved) {
	defer within("session %d", i)
	t, s := r.tree, root
	if i > 0 {
		s = r.children[i]
		delete(r.children, i)
		parent, id := saved.int("parent"), saved.text("invokeid")
		if s == nil || parent >= i || t.sessions[parent] != s.parent || id != s.invokeID {
			throw("it is not that of an invocation")
		}
		checkChart(s.chart, saved.object("chart"))
	}
	t.sessions = append(t.sessions, s)
	if s.id = saved.text("id"); s.id == "" && s == root {
		s.id = t.options.SessionID
	}
	s.preset = nil
	c, name, active := s.chart, saved.text("status"), saved.texts("configuration")
	status := status(max(0, slices.Index(statusNames[:], name)))
	s.err, s.limit = reason(saved.object("stopped")), reason(saved.object("limit"))
	if _, ok := s.limit.(*LimitError); s.limit != nil && !ok {
		throw("its limit is not one")
	}
	if name != statusNames[status] || (status == unstarted) && s == root || status > running && s != root ||
		(status == stopped) != (s.err != nil) || status != running && active != nil {
		throw("it has the status %q", name)
	}
	s.status = status
	if status == running {
		r.configuration(s, active)
	}
	if saved["final"] != "" {
		s.final = r.state(c, saved.text("final"))
	}
	for _, h := range saved.objects("history") {
		r.history(s, h)
	}
	s.bound = r.list(c, saved.texts("bound"), func(st uint16) bool { return c.Flags[st]&LateData != 0 })
	s.toInvoke = r.list(c, saved.texts("toinvoke"), func(st uint16) bool { return c.Flags[st]&Invokes != 0 && c.Active(s.regs, st) })
	r.queue(s, &s.internal, saved.objects("internal"), false)
	r.queue(s, &s.external, saved.objects("external"), true)
	checkLimit("ExternalQueue", t.options.Limits.ExternalQueue, s.external.len())
	s.unstable, s.steps, s.ids, s.locations = saved.bool("unstable"), saved.int("steps"), saved.number("ids"), saved.raw("locations")
	if s.fence = saved.int("fence"); s.fence > s.external.len() {
		throw("its fence is %d, with %d external events", s.fence, s.external.len())
	}
	saved.raw("logged") // a limit that machines do not have
	s.done = r.value(s, saved, "done")
	if preset := r.value(s, saved, "preset"); preset != nil {
		if s.preset = members(preset); status != unstarted {
			throw("values are given to it, and it is started")
		}
	}
	if ev := saved.object("event"); ev != nil {
		s.current = r.event(s, ev, false)
	}
	for _, inv := range saved.objects("invocations") {
		r.invocation(s, inv, i)
	}
	saved.end()
	if status == unstarted {
		return
	}
	s.core.Flags |= Started
	if status > running {
		s.core.Flags |= Ended
	}
	if s.internal.len() > 0 {
		s.core.Flags |= Raised
	}
	r.load(s, r.data[i])
}

// load restores data.
func (r *restorer) load(s *session, data string) {
	switch n := s.node.(type) {
	case Storing:
		var text []byte
		if data != "null" {
			text = []byte(data)
		}
		if err := n.LoadData(text, s.current); err != nil {
			throw("%w", err)
		}
		return
	case Typed:
		if all := n.Variables(); data != "null" || all != nil {
			loadVariables(data, all)
		}
	}
	if s.current != nil {
		s.node.Event(s.current)
	}
}

// reason is the inverse of writer.reason.
func reason(saved saved) error {
	if saved == nil {
		return nil
	}
	limit, message, value := saved.text("limit"), saved.text("message"), 0
	if strings.HasPrefix(saved["value"], `"`) { // of a limit that machines do not have
		d, err := time.ParseDuration(saved.text("value"))
		if err != nil {
			throw("the value of the limit %s is not a duration", limit)
		}
		value = int(d)
	} else {
		value = saved.int("value")
	}
	saved.raw("states") // machines do not tell them
	saved.raw("transitions")
	saved.end()
	if limit == "" && message == stoppedText {
		return errStopped
	} else if limit == "" {
		return errors.New(message)
	}
	return &LimitError{limit, value}
}

// state returns the state with a name, as stateName has it, or its number alone.
func (r *restorer) state(c *Chart, name string) uint16 {
	if r.states[c] == nil {
		all := make(map[string]uint16, 2*len(c.IDs))
		for st := range c.IDs {
			all["#"+strconv.Itoa(st)] = uint16(st)
		}
		for st := range c.IDs {
			all[c.stateName(uint16(st))] = uint16(st)
		}
		r.states[c] = all
	}
	st, ok := r.states[c][name]
	if !ok {
		throw("%s has no state %q", c.File, name)
	}
	return st
}

// list returns states, in document order.
func (r *restorer) list(c *Chart, names []string, fits func(st uint16) bool) (all []uint16) {
	for _, name := range names {
		st := r.state(c, name)
		if !fits(st) || slices.Contains(all, st) {
			throw("the state %q does not belong there", name)
		}
		all = append(all, st)
	}
	slices.Sort(all)
	return all
}

// configuration sets the registers of states.
func (r *restorer) configuration(s *session, names []string) {
	c := s.chart
	in := make([]bool, len(c.IDs))
	in[0] = true
	for _, st := range r.list(c, names, func(st uint16) bool { return st != 0 && !c.isHistory(st) }) {
		if in[st] = true; !in[c.Parent[st]] {
			throw("%q is active, but its parent is not", c.stateName(st))
		}
		s.regs[c.part(st)] = st
	}
	c.check(in, 0, c.Last[0])
}

// check checks the active states from one to another.
func (c *Chart) check(in []bool, from, to uint16) {
	for st := from; st <= to; st++ {
		if in[st] {
			if err := c.checkChildren(st, in); err != nil {
				throw("%w", err)
			}
		}
	}
}

// history sets what a history remembers: it records a configuration that has it.
func (r *restorer) history(s *session, saved saved) {
	c, name := s.chart, saved.text("state")
	defer within("the history %q", name)
	state := r.state(c, name)
	if !c.isHistory(state) {
		throw("it is not one")
	}
	deep, parent := c.Kinds[state] == Deep, c.Parent[state]
	value := r.list(c, saved.texts("value"), func(st uint16) bool {
		return c.descends(st, parent) && !c.isHistory(st) && (deep && (c.Kinds[st] == Atomic || c.Kinds[st] == Final) || !deep && c.Parent[st] == parent)
	})
	if saved.end(); value == nil {
		return
	}
	present := slices.Clone(s.regs[:c.parts()])
	clear(s.regs[:c.parts()])
	in := make([]bool, len(c.IDs))
	in[parent] = true
	for _, st := range value {
		s.regs[c.part(st)] = st
		for ; st != parent; st = c.Parent[st] {
			if in[st] = true; s.regs[c.part(st)] == 0 {
				s.regs[c.part(st)] = st
			}
		}
	}
	if deep {
		c.check(in, parent, c.Last[parent])
	} else {
		c.check(in, parent, parent)
	}
	s.record(c.history(state), parent)
	copy(s.regs, present)
}

func (r *restorer) queue(s *session, q *queue, saved []saved, external bool) {
	for _, e := range saved {
		ev := r.event(s, e, external)
		if ev.Name == "" {
			throw("a queued event has no name")
		}
		q.add(entry{s.chart.Match(ev.Name), ev.Type, ev})
	}
}

// event restores an event. One that comes from outside has data that the machine accepts.
func (r *restorer) event(s *session, saved saved, external bool) *Event {
	ev := &Event{
		Name: saved.text("name"), SendID: saved.text("sendid"), Origin: saved.text("origin"), OriginType: saved.text("origintype"),
		InvokeID: saved.text("invokeid"), Raw: saved.text("raw"),
	}
	defer within("the event %q", ev.Name)
	if typ := saved.text("type"); typ != "" {
		if ev.Type = EventTypeOf(typ); ev.Type.String() != typ {
			throw("it has the type %q", typ)
		}
	}
	// The platform builds names from ids, which may contain more than names.
	if ev.Name != "" && !(ev.Type == Platform && strings.HasPrefix(ev.Name, "done.")) {
		if err := checkEventName(ev.Name); err != nil {
			throw("%w", err)
		}
	}
	v := r.value(s, saved, "data")
	if saved.end(); v == nil {
		return ev
	}
	if _, ok := s.node.(Storing); ok {
		ev.Data = v // of its data model
		return ev
	}
	var err error
	ev.Data, err = s.node.Accept(v)
	if _, plain := js.ValueOf(v); err != nil && plain && !external {
		ev.Data = v // the machine itself has made it
	} else if err != nil {
		throw("%w", err)
	}
	return ev
}

// value is the inverse of writer.value.
func (r *restorer) value(s *session, saved saved, name string) (v any) {
	text := saved.raw(name)
	if text == "" {
		return nil
	}
	defer within("the field %q", name)
	own, ok := s.node.(Storing)
	if !ok {
		v = whole(text, (*reader).value)
		if list, ok := v.([]any); ok {
			v = fromHost(list, true) // a list of the host has null for nil
		}
		return v
	}
	v, err := own.ParseValue([]byte(text))
	if err != nil {
		throw("%w", err)
	}
	return v
}

// members returns an object as Fields.
func members(v any) (fields Fields) {
	switch v := v.(type) {
	case Fields:
		return v
	case interface{ All() iter.Seq2[string, any] }: // an object of a data model
		for name, value := range v.All() {
			fields = append(fields, Field{Name: name, Value: value})
		}
	default:
		throw("it has params that are not an object")
	}
	return fields
}

// invocation restores an invocation of the session with number parent.
func (r *restorer) invocation(s *session, saved saved, parent int) {
	id := saved.text("id")
	defer within("the invocation %q", id)
	name, index := saved.text("state"), saved.int("invoke")
	st := r.state(s.chart, name)
	if index >= len(s.chart.Invokes[st]) || !s.chart.Active(s.regs, st) {
		throw("the state %q cannot have invoked it", name)
	}
	inv := s.chart.Invokes[st][index]
	inv.ID = id
	out := &invocation{Invocation: &inv, state: st, index: index}
	s.running = append(s.running, out)
	number, src, computed := saved.int("session"), saved.text("src"), saved.raw("content") != ""
	service := saved.object("service")
	saved.end()
	switch {
	case service != nil:
		r.service(s, out, service)
	case number == 0:
		out.child = s.endedChild(id)
	case number <= parent || r.children[number] != nil:
		throw("session %d belongs to another invocation", number)
	case inv.New == nil || computed || src != inv.Src:
		throw("<invoke> at %s: its document was computed at run time, which a compiled chart cannot hold", inv.At)
	default:
		checkLimit("InvokeDepth", r.tree.options.Limits.InvokeDepth, s.depth+1)
		out.child = s.child(&inv)
		r.children[number] = out.child
	}
}

// endedChild returns an invoked session that has ended, while the state that invoked it is still active.
func (s *session) endedChild(id string) *session {
	return &session{core: &Core{Flags: Started | Ended}, chart: s.chart, tree: s.tree, parent: s, invokeID: id, status: final}
}

func (r *restorer) service(s *session, out *invocation, saved saved) {
	if out.New != nil {
		throw("<invoke> at %s: it is a chart, not a service", out.At)
	}
	out.Type, out.Src, out.Restored = saved.text("type"), saved.text("src"), true
	if params := r.value(s, saved, "params"); params != nil {
		out.Params = members(params)
	}
	out.Content = r.value(s, saved, "content")
	var inbox []*Event
	for _, ev := range saved.objects("inbox") {
		inbox = append(inbox, r.event(s, ev, false))
	}
	over := saved.bool("over")
	out.Task, out.Seq = saved.number("task"), saved.number("seq")
	saved.end()
	runs := r.tree.runs(out.Type)
	switch err := r.tree.checkInvoker(out.Type); {
	case over:
		out.over = true
		return
	case err != nil:
		throw("%w", err)
	case runs != (out.Task != 0):
		throw("<invoke> at %s: the service was handed out: %t, and the machine has a Host for it: %t", out.At, out.Task != 0, runs)
	case runs:
		return
	}
	invoker := r.tree.options.Invoker
	r.services = append(r.services, func() (err error) {
		if out.service, err = invoker(out.Invocation); err != nil {
			return err
		}
		for _, ev := range inbox {
			_ = out.service.Deliver(*ev) // one that has ended ignores it
		}
		return nil
	})
}

func (r *restorer) timer(i int, saved saved) {
	defer within("timer %d", i)
	t, number := r.tree, saved.int("session")
	if number >= len(t.sessions) || t.sessions[number].status != running {
		throw("it does not belong to a running session")
	}
	s, due, at := t.sessions[number], saved.time("due"), saved.object("at")
	m := Message{Target: saved.text("target"), Type: SCXMLEventProcessor, At: fmt.Sprintf("%d:%d", at.int("line"), at.int("col"))}
	at.raw("file")
	at.end()
	if typ := saved.text("type"); typ != "" {
		m.Type = typ
	}
	if err := r.tree.checkProcessor(m.Type); err != nil {
		throw("<send> at %s: %w", m.At, err)
	}
	for _, p := range saved.objects("params") {
		m.Params = append(m.Params, Field{Name: p.text("name"), Value: r.value(s, p, "value")})
		p.end()
	}
	m.Retry = saved.text("retry")
	var err error
	if m.Delay, err = time.ParseDuration(saved.text("delay")); err != nil || m.Delay < 0 {
		throw("its delay is not one")
	}
	m.Event = *r.event(s, saved.object("event"), false)
	saved.end()
	t.seq++
	heap.Push(&t.timers, &timer{due, t.seq, s, m})
}
