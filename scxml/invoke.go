package scxml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// invoke is an <invoke> (REC 6.4).
type invoke struct {
	pos              datamodel.Position
	typ, src         text
	id               string
	idLocation       datamodel.Expr
	namelist, params []param
	content          *content
	inline           func() (*Chart, error) // compiles the <scxml> in <content>; nil without one
	autoforward      bool
	finalize         block
	updates          bool // <finalize/> is empty: it updates the locations of namelist and params
	retry            *Retry
}

// invocation is a running invoke.
type invocation struct {
	*invoke
	invokeID string
	state    table.State
	child    *Session    // for an SCXML session
	source   chartSource // of child's chart
	service  *Invocation // for any other type
	cancel   func()      // stops a service
}

// deliver passes the event of m, which s sends, to the invoked session or service.
func (inv *invocation) deliver(s *Session, m Message) error {
	switch {
	case inv.service == nil:
		return inv.child.post(&m.Event, false)
	case inv.service.task != 0:
		return s.forward(inv.service, m)
	}
	return inv.service.post(m.Event)
}

// invocation returns the running invocation with the target "#_ID", or nil.
func (s *Session) invocation(target string) *invocation {
	for _, inv := range s.running {
		if "#_"+inv.invokeID == target {
			return inv
		}
	}
	return nil
}

// invoke starts the invocations. REC 3.13: "After completing a macrostep, the
// SCXML Processor MUST execute in document order the invoke handlers in all
// states that have been entered (and not exited) since the completion of the
// last macrostep."
func (s *Session) invoke() {
	if !s.chart.hasInvokes {
		return
	}
	for st := s.toInvoke.Next(0); st != table.None; st = s.toInvoke.Next(st + 1) {
		for _, inv := range s.chart.states[st].invokes {
			if err := s.start(inv, st); err != nil {
				s.fail("invoke", inv.pos, err)
			}
		}
	}
	s.toInvoke.Clear()
}

// invoker returns what runs services of a type, or nil.
func (t *tree) invoker(typ string) Invoker {
	if invoker := t.given(typ); invoker != nil || doc.IsSCXMLType(typ) {
		return invoker
	}
	return t.given("*")
}

// start starts one invocation, or nothing if it returns an error. The child's first macrostep is
// its first turn.
func (s *Session) start(inv *invoke, st table.State) error {
	typ, err := inv.typ.value(s)
	if err != nil {
		return err
	}
	invoker := s.tree.invoker(typ)
	if invoker == nil && !doc.IsSCXMLType(typ) {
		s.looked(LookService, inv.pos)
		return fmt.Errorf("no invoker for the type %q", typ)
	}
	id := inv.id
	if id == "" {
		// REC 6.4: a generated id has "the form stateid.platformid".
		id = s.newID(s.chart.states[st].name)
	}
	if inv.idLocation != nil {
		s.looked(datamodel.LookID, inv.pos)
		if err := s.data().AssignValue(inv.idLocation, id); err != nil {
			return err
		}
	}
	if invoker != nil {
		service, err := s.invokedService(inv)
		if err != nil {
			return err
		}
		service.ID, service.Type = id, typ
		cancel := s.startService(invoker, service)
		s.running = append(s.running, &invocation{invoke: inv, invokeID: id, state: st, service: service, cancel: cancel})
		s.traceInvoke(id, nil)
		return nil
	}
	source, err := s.chartSource(inv)
	if err != nil {
		return err
	}
	chart, err := s.chart.invoked(inv, source)
	if err != nil {
		return err
	}
	preset, err := s.invokeData(inv, chart)
	if err != nil {
		return err
	}
	t := s.tree
	if limit := t.limits.InvokeDepth; int(s.depth) >= limit {
		return &LimitError{Limit: "InvokeDepth", Value: limit}
	}
	if limit := t.limits.Sessions; len(t.sessions) >= limit {
		return &LimitError{Limit: "Sessions", Value: limit}
	}
	child := newSession(chart, t)
	child.parent, child.invokeID, child.depth, child.preset = s, id, s.depth+1, preset
	t.addSession(child)
	s.running = append(s.running, &invocation{invoke: inv, invokeID: id, state: st, child: child, source: source})
	s.traceInvoke(id, child)
	return nil
}

func (s *Session) traceInvoke(id string, child *Session) {
	if tr := s.tree.trace; tr != nil && tr.Invoke != nil {
		tr.Invoke(s, id, child)
	}
}

// chartSource is the origin of the chart of an invoked session: a file or a computed document. It
// is zero for an <scxml> element inside the <invoke>.
type chartSource struct {
	src     string
	content datamodel.Value
}

// chartSource evaluates the src or content of inv.
func (s *Session) chartSource(inv *invoke) (from chartSource, err error) {
	switch {
	case inv.inline != nil:
		return from, nil
	case inv.content != nil && inv.content.value != nil:
		from.content, err = s.data().Value(inv.content.value)
		return from, err
	}
	if from.src, err = inv.src.value(s); err == nil && from.src == "" {
		err = errors.New("nothing to invoke: add the attribute src or a <content>")
	}
	return from, err
}

// invoked returns the chart that inv invokes.
func (c *Chart) invoked(inv *invoke, from chartSource) (*Chart, error) {
	switch {
	case inv.inline != nil:
		return inv.inline()
	case from.src != "":
		return c.children.load(c, from.src)
	}
	return c.children.computed(c, from.content, inv.content.pos)
}

// invokedService evaluates the arguments of a service.
func (s *Session) invokedService(inv *invoke) (*Invocation, error) {
	src, err := inv.src.value(s)
	if err != nil {
		return nil, err
	}
	service := &Invocation{Src: src}
	if inv.content != nil && inv.content.value != nil {
		if service.Content, err = s.data().Value(inv.content.value); err != nil {
			return nil, err
		}
	}
	if service.Params, err = s.invokeParams(inv); err != nil {
		return nil, err
	}
	return service, s.tree.limits.checkData(service.Content)
}

// invokeParams evaluates namelist and params; it returns nil if there are none.
func (s *Session) invokeParams(inv *invoke) (*datamodel.Object, error) {
	var failed error
	keep := func(_ param, err error) { failed = cmp.Or(failed, err) }
	obj := s.values(inv.params, s.values(inv.namelist, nil, keep), keep)
	if failed != nil || obj == nil {
		return nil, failed
	}
	return obj, s.tree.limits.checkData(obj)
}

// invokeData evaluates namelist and params. REC 6.4.3: names that are not ids of top-level data
// items of the invoked session are ignored.
func (s *Session) invokeData(inv *invoke, chart *Chart) ([]presetData, error) {
	obj, err := s.invokeParams(inv)
	if err != nil || obj == nil {
		return nil, err
	}
	var preset []presetData
	for id, v := range obj.All() {
		if chart.declares(id) {
			preset = append(preset, presetData{id, v})
		}
	}
	return preset, nil
}

// receive does what invocations do with an external event before transitions are selected for it:
// the <finalize> of the invocation that sent it, and autoforwarding (REC 6.4, 6.5, and
// mainEventLoop of Appendix D).
func (s *Session) receive(ev *Event) {
	if ev.InvokeID == "" && !s.chart.autoforwards {
		return
	}
	for _, inv := range slices.Clone(s.running) {
		if inv.invokeID == ev.InvokeID {
			s.applyFinalize(inv, ev)
		}
		if inv.autoforward {
			// An invocation that has ended ignores the event.
			_ = inv.deliver(s, Message{Event: *ev, Type: SCXMLEventProcessor})
		}
	}
}

func (s *Session) applyFinalize(inv *invocation, ev *Event) {
	if !inv.updates {
		inv.finalize.execute(s)
		return
	}
	// REC 6.5.2: an empty <finalize> updates the locations of the namelist and of params from the
	// data of the same name.
	data, ok := ev.Data.(*datamodel.Object)
	if !ok {
		return
	}
	for _, p := range slices.Concat(inv.namelist, inv.params) {
		if v, ok := data.Get(p.name); ok && p.location {
			if err := s.data().AssignValue(p.value, v); err != nil {
				s.fail("finalize", p.pos, err)
				return
			}
		}
	}
}

// cancelInvocations cancels what the state st has invoked. REC 6.4: the invoked session exits at
// once, its onexit handlers run, and nothing it sends from then on reaches this session.
func (s *Session) cancelInvocations(st table.State) {
	for i := 0; i < len(s.running); {
		inv := s.running[i]
		if inv.state != st {
			i++
			continue
		}
		s.running = slices.Delete(s.running, i, i+1)
		child := inv.child
		if child != nil && child.ended {
			continue
		}
		if tr := s.tree.trace; tr != nil && tr.CancelInvoke != nil {
			tr.CancelInvoke(s, inv.invokeID, child)
		}
		if child == nil {
			inv.cancel()
			continue
		}
		child.cancelled = true
		child.enterTurn(s.ctx)
		child.exitInterpreter(Stopped, ErrStopped)
		child.leaveTurn()
	}
}

// childEnded tells the parent that this session has ended by itself.
func (s *Session) childEnded() {
	p := s.parent
	i := slices.IndexFunc(p.running, func(inv *invocation) bool { return inv.child == s })
	if s.cancelled || i < 0 {
		return
	}
	if s.status != Final {
		p.running = slices.Delete(p.running, i, i+1)
		p.raiseError(&ExecutionError{
			Event: "error.execution", Element: "invoke", Pos: s.chart.states[0].pos, Err: s.err,
			Msg: fmt.Sprintf("invoked session %q was stopped: %v", s.invokeID, s.err),
		})
		return
	}
	// The invocation stays on the list until its state is exited, so that a <finalize> still sees
	// this last event.
	p.lookedEnd(s.invokeID)
	err := p.post(&Event{Name: doneInvoke + s.invokeID, Type: datamodel.Platform, Data: s.done, InvokeID: s.invokeID}, false)
	if err != nil {
		p.raiseError(&ExecutionError{Event: "error.communication", Element: "invoke", Pos: s.chart.states[0].pos, Msg: err.Error(), Err: err})
	}
}
