package debug

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A run is a session tree that is driven from place to place: the session itself, or a copy. Between
// two moves it waits inside a callback, or between two steps. It is a coroutine, and whoever moves it
// looks at the session meanwhile, see inside.
type run struct {
	d       *Debugger
	player  *history.Player // of a copy; nil for the session itself
	session *scxml.Session  // the root of the session itself, see root
	next    func() (struct{}, bool)
	stop    func()
	wait    func()          // ends next
	asked   func()          // what is to be done while it waits, or nil
	stops   func(*run) bool // whether the run waits at the present place
	active  bool            // what happens counts
	stepped bool            // the session has taken a step
	idle    bool            // nothing is left to do now
	ended   bool            // there is nothing after the present place
	err     error           // why it has ended

	place Place
	moment
	begun  datamodel.Position // the last element that was executed in this macrostep
	ran    datamodel.Position // the one before if that has not run yet, otherwise the same
	kinds  []Kind             // of what has happened in this macrostep, that of At 1 first
	before []Kind             // of the macrostep before
}

// A moment is what is happening.
type moment struct {
	kind        Kind
	in          *scxml.Session     // nil at rest
	element     datamodel.Position // that was executed last in the present handler
	state       scxml.State        // entered or exited
	transitions []scxml.Transition // that are taken
	event       string             // that is processed; "" for none
	forHost     bool               // it is, see [scxml.Chart.IsHostEvent]
	failure     *scxml.ExecutionError
}

// errAbandoned unwinds a run that is not continued.
var errAbandoned = errors.New("errAbandoned")

// start makes the coroutine, which waits before drive.
func (r *run) start(drive func()) {
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			r.active, r.ended = false, true
			if x := recover(); x != nil && x != errAbandoned {
				panic(x)
			}
		}()
		r.wait = func() {
			for yield(struct{}{}) {
				if r.asked == nil {
					return
				}
				r.asked()
			}
			panic(errAbandoned)
		}
		r.wait()
		drive()
	})
	r.next()
	r.active = true
}

// inside calls f where the run waits: inside a callback only its own goroutine may read the session.
func (r *run) inside(f func() error) (err error) {
	r.asked = func() { err = f() }
	defer func() { r.asked = nil }()
	if _, waits := r.next(); !waits {
		return f()
	}
	return err
}

// abandon ends the run where it is: nothing of the chart runs any more.
func (r *run) abandon() {
	r.active = false
	r.stop()
}

// copyAt returns a copy at the beginning of a macrostep.
func (d *Debugger) copyAt(ctx context.Context, macrostep int) (*run, error) {
	r := &run{d: d}
	var err error
	if r.player, err = d.history.Play(ctx, max(macrostep, d.first())-1, r.trace()); err != nil {
		return nil, err
	}
	r.know()
	r.place.Macrostep = r.player.At() + 1
	r.start(func() {
		for d.live != nil || r.player.At() < d.history.Len()-1 {
			if r.err = r.player.Next(d.ctx); r.err != nil {
				return
			}
			r.rest()
			r.mayStop()
		}
	})
	return r, nil
}

// newSession returns the session itself, before its start.
func (d *Debugger) newSession() (*run, error) {
	r := &run{d: d}
	opts := append(slices.Clone(d.cfg.Options), d.history.Option(), scxml.WithTrace(r.trace()), scxml.WithClock(d.now))
	var err error
	if r.session, err = scxml.New(d.chart, opts...); err != nil {
		return nil, err
	}
	r.know()
	r.start(r.drive)
	return r, nil
}

// drive drives the session itself.
func (r *run) drive() {
	s, d := r.session, r.d
	r.err = s.Start(d.ctx)
	if !r.stepped {
		return
	}
	at := s.Now()
	for r.err = nil; ; {
		if r.stepped {
			r.stepped = false
			r.rest()
			if r.mayStop(); s.Status() != scxml.Running {
				return
			}
		}
		if d.cfg.Real {
			at = d.now()
		}
		more, err := s.Step(d.ctx, at)
		if d.ctx.Err() != nil {
			return
		}
		// Other errors of the session are told by its end.
		switch due, ok := s.NextDue(); {
		case more || r.stepped || err != nil:
		case !d.cfg.Real && at.Before(d.to):
			if at = d.to; ok && due.Before(at) {
				at = due
			}
		default:
			r.idle = true
			r.wait()
			r.idle = false
		}
	}
}

// root returns the root of the tree.
func (r *run) root() *scxml.Session {
	if r.player != nil {
		return r.player.Session()
	}
	return r.session
}

// know tells the breakpoints of the documents that run.
func (r *run) know() {
	for _, s := range r.root().Sessions() {
		r.d.points.know(s.Chart())
	}
}

// rest ends a macrostep.
func (r *run) rest() {
	r.place = Place{r.place.Macrostep + 1, 0}
	r.kinds, r.before = r.before[:0], r.kinds
	r.moment = moment{kind: AtRest}
	r.begun, r.ran = datamodel.Position{}, datamodel.Position{}
}

// at waits at a place if the run stops there.
func (r *run) at(kind Kind, s *scxml.Session) {
	if !r.active {
		return
	}
	r.place.At++
	r.kinds = append(r.kinds, kind)
	r.kind, r.in = kind, s
	if r.ran = r.begun; kind == AtElement {
		r.begun = r.element
	}
	r.mayStop()
}

// mayStop waits if the run stops where it is.
func (r *run) mayStop() {
	if r.stops(r) {
		r.wait()
	}
}

// trace returns the trace of the session. The places are those that [history.History.ChangedInside] counts.
func (r *run) trace() *scxml.Trace {
	event := func(kind Kind) func(*scxml.Session, *scxml.Event) {
		return func(s *scxml.Session, ev *scxml.Event) {
			r.moment = moment{event: ev.Name, forHost: kind == AtUnhandled && s.Chart().IsHostEvent(ev.Name)}
			r.at(kind, s)
		}
	}
	t := &scxml.Trace{
		Event:         event(AtEvent),
		InternalEvent: event(AtInternal),
		Unhandled:     event(AtUnhandled),
		Microstep: func(s *scxml.Session, ev *scxml.Event, ts []scxml.Transition) {
			r.moment = moment{transitions: slices.Clone(ts)}
			if ev != nil {
				r.event = ev.Name
			}
			r.at(AtMicrostep, s)
		},
		Exit: func(s *scxml.Session, st scxml.State) {
			r.moment = moment{event: r.event, state: st}
			r.at(AtExit, s)
		},
		Transition: func(s *scxml.Session, t scxml.Transition) {
			r.moment = moment{event: r.event, transitions: []scxml.Transition{t}}
			r.at(AtTransition, s)
		},
		Enter: func(s *scxml.Session, st scxml.State) {
			r.moment = moment{event: r.event, state: st}
			r.at(AtEnter, s)
		},
		Element: func(s *scxml.Session, at datamodel.Position) {
			r.moment = moment{event: r.event, element: at}
			r.at(AtElement, s)
		},
		Error: func(s *scxml.Session, err *scxml.ExecutionError) {
			r.failure = err
			r.at(AtError, s)
		},
		Stable: func(s *scxml.Session) {
			r.moment = moment{}
			r.at(AtStable, s)
		},
		Done: func(s *scxml.Session) {
			r.moment = moment{}
			r.at(AtDone, s)
			if s.InvokeID() != "" {
				r.tellSession(s, false)
			}
		},
		Invoke: func(_ *scxml.Session, _ string, child *scxml.Session) {
			if child == nil {
				return
			}
			child.ID() // as a history draws it
			r.d.points.know(child.Chart())
			r.tellSession(child, true)
		},
		Step: func(*scxml.Session, error) { r.stepped = true },
	}
	if r.d.cfg.Log != nil {
		t.Log = func(s *scxml.Session, label string, v datamodel.Value) {
			if r.player != nil {
				return
			}
			text := label
			if v != nil && label != "" {
				text += ": "
			}
			if v != nil || label == "" {
				text += datamodel.Text(v)
			}
			r.d.cfg.Log(Output{Session: s.ID(), Text: text, Position: r.element})
		}
	}
	return t
}

func (r *run) tellSession(s *scxml.Session, began bool) {
	if r.player == nil && r.d.cfg.Sessions != nil {
		r.d.cfg.Sessions(describe(s, false), began)
	}
}
