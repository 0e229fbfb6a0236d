package debug

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Session is a session of the tree.
type Session struct {
	ID       string
	InvokeID string // "" for the root
	Chart    *scxml.Chart
	Status   scxml.Status
	Stopped  bool // the session has stopped at an element or between two of them, not at rest
}

// A Frame is something that a session is inside: the element that is being executed, the handler or
// transition around it, or an active state.
type Frame struct {
	Kind  FrameKind
	Name  string // "<assign> n", "a -> b on tap", "onentry of a", "a"
	State string // the state, or the one that the element belongs to
	At    datamodel.Position
	End   datamodel.Position // of the first character after the start tag or the element
}

// A FrameKind is the kind of a Frame.
type FrameKind uint8

const (
	FrameElement FrameKind = iota
	FrameHandler           // a transition, or <onentry>, <onexit>, <finalize>, <initial>
	FrameState
)

// describe returns what is known of a session.
func describe(s *scxml.Session, stopped bool) Session {
	return Session{s.ID(), s.InvokeID(), s.Chart(), s.Status(), stopped}
}

// Sessions returns the sessions of the tree in the order of their creation.
func (d *Debugger) Sessions() (all []Session, err error) {
	err = d.look(func() error {
		for _, s := range d.here.root().Sessions() {
			all = append(all, describe(s, s == d.here.in))
		}
		return nil
	})
	return all, err
}

// named returns the session with an id, "" is the root.
func (d *Debugger) named(id string) (*scxml.Session, error) {
	all := d.here.root().Sessions()
	if id == "" {
		return all[0], nil
	}
	for _, s := range all {
		if s.ID() == id {
			return s, nil
		}
	}
	if s := d.here.in; s != nil && s.ID() == id { // it has just ended
		return s, nil
	}
	return nil, fmt.Errorf("debug: there is no session %q here", id)
}

// Stack returns what a session is inside, innermost first: the element, the elements and the handler
// around it, and the active states outwards; those of other regions follow.
func (d *Debugger) Stack(session string) (frames []Frame, err error) {
	err = d.look(func() error {
		s, err := d.named(session)
		if err != nil {
			return err
		}
		frames = d.here.stack(s)
		return nil
	})
	return frames, err
}

func (r *run) stack(s *scxml.Session) (frames []Frame) {
	chart := s.Chart()
	var inner string // the state that the session is in just now
	if r.in == s {
		if e := chart.ElementAt(r.element); e != nil {
			for ; e.Parent != nil && isContent(e); e = e.Parent {
				frames = append(frames, elementFrame(e))
			}
			var f Frame
			if f, inner = handlerFrame(chart, e); f.Name != "" {
				frames = append(frames, f)
			}
		} else if r.element.IsValid() {
			frames = append(frames, Frame{Name: "element", At: r.element, End: r.element})
		}
		for _, t := range r.transitions {
			inner = t.Source().Name()
			frames = append(frames, Frame{FrameHandler, transitionName(t), inner, t.Pos(), end(t.Element(), t.Pos())})
		}
		if r.kind == AtEnter || r.kind == AtExit {
			inner = r.state.Name()
		}
		for i := range frames {
			frames[i].State = inner
		}
		if r.kind == AtExit { // it is not active any more
			frames = append(frames, stateFrame(r.state))
		}
	}
	outward := map[string]bool{}
	for st, ok := chart.State(inner); ok && inner != ""; st, ok = st.Parent() {
		if s.In(st.Name()) {
			outward[st.Name()] = true
			frames = append(frames, stateFrame(st))
		}
	}
	for _, name := range slices.Backward(s.Configuration()) {
		if st, ok := chart.State(name); ok && !outward[name] {
			frames = append(frames, stateFrame(st))
		}
	}
	return frames
}

func end(e *scxml.Element, at datamodel.Position) datamodel.Position {
	if e == nil {
		return at
	}
	return e.End
}

func stateFrame(s scxml.State) Frame {
	return Frame{FrameState, s.Name(), s.Name(), s.Pos(), end(s.Element(), s.Pos())}
}

func elementFrame(e *scxml.Element) Frame {
	return Frame{Kind: FrameElement, Name: elementName(e), At: e.Pos, End: e.End}
}

// elementName returns the name of an element and what tells it from others.
func elementName(e *scxml.Element) string {
	for _, name := range []string{"location", "event", "eventexpr", "cond", "array", "sendid", "sendidexpr", "label", "expr"} {
		if v := e.Attr(name); v != "" {
			return e.Name + " " + strings.Join(strings.Fields(v), " ")
		}
	}
	return e.Name
}

// handlerFrame describes what executable content is in, and the state to which that belongs.
func handlerFrame(chart *scxml.Chart, e *scxml.Element) (f Frame, state string) {
	f = Frame{Kind: FrameHandler, At: e.Pos, End: e.End}
	owner := e.Parent
	switch e.Name {
	case "transition":
		for _, t := range chart.Transitions() {
			if t.Pos() == e.Pos {
				f.Name = transitionName(t)
				return f, t.Source().Name()
			}
		}
		f.Name = "transition"
		if owner != nil { // <initial> or <history>
			f.Name = owner.Name
			owner = owner.Parent
		}
	case "finalize":
		f.Name = e.Name
		if owner != nil { // <invoke>
			owner = owner.Parent
		}
	case "onentry", "onexit":
		f.Name = e.Name
	default: // the <scxml> of a script
		return Frame{}, ""
	}
	for _, st := range chart.States() {
		if owner != nil && st.Pos() == owner.Pos {
			state = st.Name()
			f.Name += " of " + state
			break
		}
	}
	return f, state
}

func transitionName(t scxml.Transition) string {
	name := t.String()
	if cond := t.Cond(); cond != "" {
		name += " if " + strings.Join(strings.Fields(cond), " ")
	}
	return name
}

// positions returns the elements that are reached: those of breakpoints AtLine.
func (r *run) positions() (all []datamodel.Position) {
	switch r.kind {
	case AtElement:
		return []datamodel.Position{r.element}
	case AtEnter:
		return []datamodel.Position{r.state.Pos()}
	case AtMicrostep:
		for _, t := range r.transitions {
			all = append(all, t.Pos())
		}
	}
	return all
}

// position returns the element that is shown first.
func (r *run) position() (at datamodel.Position) {
	switch {
	case r.element.IsValid():
		return r.element
	case len(r.transitions) > 0:
		return r.transitions[0].Pos()
	case r.kind == AtEnter || r.kind == AtExit:
		return r.state.Pos()
	}
	return at
}

// stopAt describes where the session is.
func (d *Debugger) stopAt(reason Reason) Stop { return d.here.stopAt(reason) }

func (r *run) stopAt(reason Reason) Stop {
	in := r.in
	if in == nil {
		in = r.root()
	}
	stop := Stop{Reason: reason, Place: r.place, Kind: r.kind, Session: in.ID(), At: r.position(), Past: r.player != nil, Text: r.text()}
	switch r.kind {
	case AtError:
		stop.Err = r.failure
	case AtDone, AtRest:
		stop.Err = in.Err()
	}
	return stop
}

// text says what happens.
func (r *run) text() string {
	switch r.kind {
	case AtEvent, AtInternal, AtUnhandled:
		return r.kind.String() + " " + r.event
	case AtMicrostep, AtTransition:
		var all []string
		for _, t := range r.transitions {
			all = append(all, transitionName(t))
		}
		if all == nil {
			return "the initial states"
		}
		return strings.Join(all, ", ")
	case AtEnter, AtExit:
		return r.kind.String() + " " + r.state.Name()
	case AtElement:
		if e := r.in.Chart().ElementAt(r.element); e != nil {
			return elementName(e)
		}
		return "element"
	case AtError:
		return r.failure.Event + ": " + r.failure.Error()
	case AtDone:
		if err := r.in.Err(); err != nil {
			return err.Error()
		}
		return "done"
	case AtStable:
		return "stable"
	}
	switch s := r.root(); s.Status() {
	case scxml.Unstarted:
		return "before the start"
	case scxml.Running:
		return "in " + strings.Join(scxml.ForTools(s).Atomic(), " ")
	case scxml.Final:
		return "final state " + s.FinalState()
	default:
		return s.Err().Error()
	}
}

func isLimit(err error) bool {
	var limit *scxml.LimitError
	return errors.As(err, &limit)
}
