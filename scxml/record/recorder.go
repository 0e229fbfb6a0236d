package record

import (
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Recorder makes records from the trace of a session tree.
type Recorder struct {
	start time.Time
	kinds Set
	tell  func(*Record)
	seq   int64
	rec   Record // the present one

	// Anonymous leaves out Session. Asking a session for its id generates one, which takes a random
	// number.
	Anonymous bool

	// Limit and Timeout tell why the driver is about to stop the session tree, unless a session's
	// Err does.
	Limit   error
	Timeout bool
}

// NewRecorder returns a recorder that calls tell for each record of the given kinds when it
// happens, on the goroutine that owns the session. A record is valid during the call and may be
// copied; what it points to does not change and must not be modified. Times count from start on the
// session's clock.
func NewRecorder(start time.Time, kinds Set, tell func(*Record)) *Recorder {
	return &Recorder{start: start, kinds: kinds, tell: tell}
}

// Tell numbers and reports a record that does not come from a trace, if the recorder has its kind.
// It sets the time and the ids of the session. It may be called while another record is told.
func (c *Recorder) Tell(s *scxml.Session, r Record) {
	if c.kinds.Has(r.Kind) {
		outer := c.rec
		c.rec = r
		c.about(s, r.Kind)
		c.tell(&c.rec)
		c.rec = outer
	}
}

// begin returns a record that the caller fills in and tells.
func (c *Recorder) begin(s *scxml.Session, k Kind) *Record {
	c.rec = Record{}
	return c.about(s, k)
}

func (c *Recorder) about(s *scxml.Session, k Kind) *Record {
	r := &c.rec
	c.seq++
	r.Kind, r.Seq, r.Time, r.InvokeID = k, c.seq, max(0, s.Now().Sub(c.start)), s.InvokeID()
	if !c.Anonymous {
		r.Session = s.ID()
	}
	return r
}

// Trace returns the trace for [scxml.WithTrace]. It has only the functions that the recorder's
// kinds need.
func (c *Recorder) Trace() *scxml.Trace {
	t := &scxml.Trace{}
	c.traceInputs(t)
	c.traceEvents(t)
	c.traceSelection(t)
	c.traceMicrosteps(t)
	c.traceSends(t)
	if c.kinds.Has(Log) {
		t.Log = func(s *scxml.Session, label string, value datamodel.Value) {
			r := c.begin(s, Log)
			r.Label, r.Value = label, value
			c.tell(r)
		}
	}
	if c.kinds.Has(Error) {
		t.Error = func(s *scxml.Session, err *scxml.ExecutionError) { c.failed(s, Error, err) }
	}
	if c.kinds.Has(Done) {
		t.Done = c.done
	}
	return t
}

func (c *Recorder) traceInputs(t *scxml.Trace) {
	if c.kinds.Has(Clock) {
		t.Clock = func(s *scxml.Session, now time.Time) {
			r := c.begin(s, Clock)
			r.Now = now
			c.tell(r)
		}
	}
	if c.kinds.Has(Arrive) {
		t.Arrive = func(s *scxml.Session, ev *scxml.Event) {
			r := c.begin(s, Arrive)
			r.Event = *ev
			c.tell(r)
		}
	}
	if c.kinds.Has(Outcome) {
		t.Outcome = func(s *scxml.Session, err *scxml.ExecutionError) { c.failed(s, Outcome, err) }
	}
}

func (c *Recorder) traceEvents(t *scxml.Trace) {
	of := func(k Kind) func(*scxml.Session, *scxml.Event) {
		if !c.kinds.Has(k) {
			return nil
		}
		return func(s *scxml.Session, ev *scxml.Event) {
			r := c.begin(s, k)
			r.Event = *ev
			r.Event.Raw = ""
			if k != Event {
				r.Event.Origin, r.Event.OriginType, r.Event.InvokeID = "", "", ""
			}
			c.tell(r)
		}
	}
	t.Event, t.InternalEvent, t.Raise = of(Event), of(Internal), of(Raise)
}

func (c *Recorder) traceSelection(t *scxml.Trace) {
	if c.kinds.Has(Cond) {
		t.Cond = func(s *scxml.Session, tr scxml.Transition, ok bool, err error) {
			r := c.begin(s, Cond).describe(tr)
			if r.Value = ok; err != nil {
				r.Message = err.Error()
			}
			c.tell(r)
		}
	}
	if c.kinds.Has(Unhandled) {
		t.Unhandled = func(s *scxml.Session, ev *scxml.Event) {
			r := c.begin(s, Unhandled)
			r.Event.Name = ev.Name
			r.ForHost = ev.Origin != "" && ev.InvokeID == "" && s.Chart().IsHostEvent(ev.Name)
			c.tell(r)
		}
	}
}

// describe sets what there is to say about a transition.
func (r *Record) describe(t scxml.Transition) *Record {
	r.State, r.Events, r.Cond, r.At = t.Source().Name(), t.Events(), t.Cond(), place(t.Pos())
	for _, target := range t.Targets() {
		r.Targets = append(r.Targets, target.Name())
	}
	return r
}

func (c *Recorder) traceMicrosteps(t *scxml.Trace) {
	if c.kinds.Has(Microstep) {
		t.Microstep = func(s *scxml.Session, ev *scxml.Event, transitions []scxml.Transition) {
			r := c.begin(s, Microstep)
			if ev != nil {
				r.Event.Name = ev.Name
			}
			r.Count = len(transitions)
			c.tell(r)
		}
	}
	of := func(k Kind) func(*scxml.Session, scxml.State) {
		if !c.kinds.Has(k) {
			return nil
		}
		return func(s *scxml.Session, state scxml.State) {
			r := c.begin(s, k)
			r.State = state.Name()
			c.tell(r)
		}
	}
	t.Exit, t.Enter = of(Exit), of(Enter)
	if c.kinds.Has(Transition) {
		t.Transition = func(s *scxml.Session, tr scxml.Transition) {
			c.tell(c.begin(s, Transition).describe(tr))
		}
	}
	if c.kinds.Has(Stable) {
		t.Stable = func(s *scxml.Session) {
			r := c.begin(s, Stable)
			r.configure(s)
			c.tell(r)
		}
	}
}

func (c *Recorder) traceSends(t *scxml.Trace) {
	of := func(k Kind) func(*scxml.Session, scxml.Message) {
		if !c.kinds.Has(k) {
			return nil
		}
		return func(s *scxml.Session, m scxml.Message) {
			r := c.begin(s, k)
			r.Event.Name, r.Event.Data, r.Event.SendID, r.Target = m.Event.Name, m.Event.Data, m.Event.SendID, m.Target
			if k == Send {
				r.Processor, r.Delay = m.Type, m.Delay
			}
			c.tell(r)
		}
	}
	t.Send, t.Timer = of(Send), of(Timer)
	if c.kinds.Has(Cancel) {
		t.Cancel = func(s *scxml.Session, sendID string, n int) {
			r := c.begin(s, Cancel)
			r.Event.SendID, r.Count = sendID, n
			c.tell(r)
		}
	}
	invocation := func(k Kind) func(*scxml.Session, string, *scxml.Session) {
		if !c.kinds.Has(k) {
			return nil
		}
		return func(s *scxml.Session, id string, child *scxml.Session) {
			r := c.begin(s, k)
			r.Event.InvokeID = id
			if child != nil { // a session
				r.Child, r.Chart = child.ID(), child.Chart().Name()
			}
			c.tell(r)
		}
	}
	t.Invoke, t.CancelInvoke = invocation(Invoke), invocation(CancelInvoke)
}

func (c *Recorder) failed(s *scxml.Session, k Kind, err *scxml.ExecutionError) {
	r := c.begin(s, k)
	r.Event.Name, r.Event.SendID = err.Event, err.SendID
	if k == Outcome {
		r.Event.InvokeID = err.InvokeID
	}
	r.Message, r.Element, r.At = err.Msg, err.Element, place(err.Pos)
	for _, f := range err.Stack {
		r.Stack = append(r.Stack, Frame{f.Func, f.Pos.String()})
	}
	c.tell(r)
}

// done reports the end of a session, after the limit that has caused it, if any.
func (c *Recorder) done(s *scxml.Session) {
	reason, root := "stopped", s.InvokeID() == ""
	var limit error
	if l := new(scxml.LimitError); errors.As(s.Err(), &l) {
		limit = l
	} else if root {
		limit = c.Limit
	}
	switch {
	case limit != nil:
		reason = "limit"
		c.Tell(s, Record{Kind: Error, Event: scxml.Event{Name: reason}, Message: limit.Error()})
	case s.Status() == scxml.Final:
		reason = "final"
	case root && c.Timeout:
		reason = "timeout"
	}
	r := c.begin(s, Done)
	r.Reason, r.State, r.Value = reason, s.FinalState(), s.DoneData()
	c.tell(r)
}

// configure sets the configuration.
func (r *Record) configure(s *scxml.Session) {
	r.Configuration, r.Atomic = s.Configuration(), scxml.ForTools(s).Atomic()
}

// AtRest returns an Idle record about the root of a session tree.
func AtRest(s *scxml.Session, start time.Time) Record {
	r := Record{Kind: Idle}
	r.configure(s)
	if due, ok := s.NextDue(); ok {
		r.Due, r.Delayed = due.Sub(start), true
	}
	return r
}

// place writes a position, or "" for an unknown one.
func place(p datamodel.Position) string {
	if !p.IsValid() {
		return ""
	}
	return p.String()
}
