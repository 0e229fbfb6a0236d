package scxml

import (
	"context"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// The files interpret.go, select.go, microstep.go and entry.go are Appendix D of the REC. Functions
// keep their names from there. A comment "Differs from D" marks each departure from the pseudocode.
//
// Procedure interpret is initialise here. Its mainEventLoop is cut into turns that the host drives:
// Step in drive.go picks a session, takeTurn processes one external event, and macrostep is the
// inner loop.

// initialise does what procedure interpret does before it enters the main loop.
func (s *Session) initialise() {
	c := s.chart
	// REC 5.3.3: all data items exist from the start. With late binding they get their values when
	// their state is first entered.
	for _, st := range c.withData {
		for _, d := range c.states[st].data {
			if err := s.data().Declare(d.id); err != nil {
				s.fail("data", d.pos, err)
			}
		}
	}
	s.initData(0)
	s.preset = nil // for the top-level items only
	if !c.late {
		for _, st := range c.withData {
			if st != 0 {
				s.initData(st)
			}
		}
	}
	for _, sc := range c.scripts {
		block{sc}.execute(s)
	}
	if t := s.tree.trace; t != nil && t.Microstep != nil {
		t.Microstep(s, nil, nil)
	}
	if b := s.tree.beginning; b != nil && s.parent == nil {
		s.beginIn(b.states)
		return
	}
	s.enabled = append(s.enabled[:0], c.states[0].initial)
	if t := &c.transitions[c.states[0].initial]; t.plain {
		s.enterSolo(t)
		return
	}
	s.needScratch()
	s.findDomains()
	s.enterStates()
}

// initData gives the data items of a state their initial values.
func (s *Session) initData(st table.State) {
	data := s.chart.states[st].data
items:
	for i := range data {
		d := &data[i]
		for _, p := range slices.Backward(s.preset) { // the last one wins
			if p.id == d.id {
				s.failData(d, s.data().Set(d.id, p.value))
				continue items
			}
		}
		err := d.err
		if d.init != nil {
			err = s.data().Init(d.id, d.init)
		}
		s.failData(d, err)
	}
}

// failData reports why a data item has no value, except one that cannot be declared: that has been
// reported.
func (s *Session) failData(d *dataItem, err error) {
	if err != nil && s.data().Declare(d.id) == nil {
		s.fail("data", d.pos, err)
	}
}

// takeTurn processes the external event that was taken, if any, and completes the macrostep.
func (s *Session) takeTurn(ctx context.Context, took bool) error {
	if s.status == Unstarted { // an invoked session
		if err := s.open(); err != nil {
			s.exitInterpreter(Stopped, err)
			return nil
		}
		s.enterTurn(ctx)
		defer s.leaveTurn()
		s.initialise()
		return s.completeMacrostep(ctx)
	}
	s.enterTurn(ctx)
	defer s.leaveTurn()
	if took {
		s.externalEvent()
	}
	return s.completeMacrostep(ctx)
}

// externalEvent processes s.event, which was taken from the external queue.
func (s *Session) externalEvent() {
	s.eventTaken()
	s.notifyEvent(s.event)
	if t := s.tree.trace; t != nil && t.Event != nil {
		t.Event(s, s.event)
	}
	if len(s.running) > 0 {
		s.receive(s.event)
	}
	s.selectTransitions(s.event)
	if len(s.enabled) > 0 {
		s.microstep(s.event)
	} else {
		s.unhandled(s.event)
	}
}

func (s *Session) unhandled(ev *Event) {
	if e := s.effect(); e != nil && ev.Type == datamodel.External {
		e.Handled = false
	}
	if t := s.tree.trace; t != nil && t.Unhandled != nil {
		t.Unhandled(s, ev)
	}
}

// completeMacrostep continues until the configuration is stable, and ends the session if it has
// reached a final state or exceeded a limit.
func (s *Session) completeMacrostep(ctx context.Context) error {
	for {
		if s.settled() {
			s.endMacrostep()
			return nil
		}
		if err := s.macrostep(ctx); err != nil {
			if _, ok := err.(*LimitError); ok {
				s.exitInterpreter(Stopped, err)
			}
			return err // the cause of ctx: the macrostep can be continued
		}
		if s.status == Final {
			s.endReports()
			s.stable()
			s.exitInterpreter(Final, nil)
			return nil
		}
		s.invoke()
		if s.internal.len() == 0 {
			s.endMacrostep()
			return nil
		}
	}
}

// endMacrostep runs when nothing is left to invoke. The counts of a macrostep are reset only here,
// because a failing <invoke> can lead to another macrostep that leads to the same <invoke>.
func (s *Session) endMacrostep() {
	s.unstable = false
	s.steps, s.logged = 0, 0
	if s.scratch != nil && s.errors > 0 {
		s.endReports()
	}
	s.stable()
}

// macrostep runs microsteps until the configuration is stable: no eventless transition is enabled
// and the internal queue is empty. It returns early when ctx is done, and can then be called again.
func (s *Session) macrostep(ctx context.Context) error {
	s.unstable = true
	for s.status == Running {
		// First, because a macrostep that is interrupted after its last event is not looked at again.
		if err := s.checkLimits(); err != nil {
			return err
		}
		// Checking the context costs a tenth of a small microstep, so it is done only now and then
		// while nothing but microsteps of the chart runs.
		if (s.steps%16 == 15 || s.store != nil || s.watched()) && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.selectTransitions(nil)
		if len(s.enabled) == 0 {
			if s.internal.len() == 0 {
				break
			}
			s.take(&s.internal)
			ev := s.event
			s.eventTaken()
			if t := s.tree.trace; t != nil && t.InternalEvent != nil {
				t.InternalEvent(s, ev)
			}
			s.selectTransitions(ev)
			if len(s.enabled) == 0 {
				s.unhandled(ev)
				// This counts too: a failing condition of an eventless transition raises an error
				// event, for which the condition is evaluated again.
				s.steps++
				continue
			}
			s.microstep(ev)
		} else {
			s.microstep(nil)
		}
	}
	s.unstable = false
	return nil
}

func (s *Session) stable() {
	if t := s.tree.trace; t != nil && t.Stable != nil {
		t.Stable(s)
	}
}

// exitInterpreter runs the onexit handlers of all active states and ends the session.
func (s *Session) exitInterpreter(status Status, err error) {
	c := s.chart
	for st := s.config.Prev(c.lastState()); st != table.None; st = s.config.Prev(st - 1) {
		s.exitState(st)
		if st == s.final && status == Final {
			s.done = s.doneData(c.states[st].donedata)
		}
	}
	s.become(status, err)
	s.atomic = nil
	s.unstable = false
	s.internal.drop()
	s.toInvoke.Clear()
	s.dropTimers()
	s.closeProcessors()
	if r := s.tree.router; r != nil {
		r.Leave(s)
	}
	t := s.tree
	t.mu.Lock()
	s.ended = true
	s.external.drop()
	s.fence, s.arrived = 0, 0
	if s.parent == nil { // nothing will serve them
		for _, c := range t.calls {
			if c.done != nil {
				c.done <- ErrEnded
			}
		}
		t.calls = nil
	}
	t.mu.Unlock()
	s.endReports()
	if tr := t.trace; tr != nil && tr.Done != nil {
		tr.Done(s)
	}
	if s.parent != nil {
		t.removeSession(s)
		s.childEnded()
	}
}

func (c *Chart) lastState() table.State { return table.State(len(c.states) - 1) }
