package scxmltest

import (
	"fmt"
	"io"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// NewTrace returns a trace that writes what a session does to w, one thing a
// line. Lines of invoked sessions begin with their invoke id in brackets.
func NewTrace(w io.Writer) *scxml.Trace {
	line := func(s *scxml.Session, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if id := s.InvokeID(); id != "" {
			text = "[" + id + "] " + text
		}
		fmt.Fprintln(w, text)
	}
	return &scxml.Trace{
		Event:         func(s *scxml.Session, ev *scxml.Event) { line(s, "event %s", event(ev)) },
		InternalEvent: func(s *scxml.Session, ev *scxml.Event) { line(s, "internal event %s", ev.Name) },
		Exit:          func(s *scxml.Session, st scxml.State) { line(s, "exit %s", st.Name()) },
		Transition:    func(s *scxml.Session, t scxml.Transition) { line(s, "transition %s", transition(t)) },
		Enter:         func(s *scxml.Session, st scxml.State) { line(s, "enter %s", st.Name()) },
		Stable:        func(s *scxml.Session) { line(s, "stable %s", strings.Join(atomic(s), " ")) },
		Raise: func(s *scxml.Session, ev *scxml.Event) {
			if !strings.HasPrefix(ev.Name, "error.") {
				line(s, "raise %s", event(ev))
			}
		},
		Send: func(s *scxml.Session, m scxml.Message) {
			text := "send " + event(&m.Event)
			if m.Target != "" {
				text += " to " + m.Target
			}
			if m.Delay != 0 {
				text += " in " + m.Delay.String()
			}
			if m.Event.SendID != "" {
				text += " as " + m.Event.SendID
			}
			line(s, "%s", text)
		},
		Timer:  func(s *scxml.Session, m scxml.Message) { line(s, "due %s", event(&m.Event)) },
		Cancel: func(s *scxml.Session, id string, n int) { line(s, "cancel %s (%d)", id, n) },
		Log: func(s *scxml.Session, label string, v datamodel.Value) {
			line(s, "log %s", strings.TrimSpace(label+" "+text(v)))
		},
		Error: func(s *scxml.Session, e *scxml.ExecutionError) {
			line(s, "error %s %s", e.Event, e)
		},
		Done: func(s *scxml.Session) {
			end := s.Status().String() + " " + s.FinalState()
			if s.DoneData() != nil {
				end += " " + text(s.DoneData())
			}
			line(s, "done %s", strings.TrimSpace(end))
		},
	}
}

func event(ev *scxml.Event) string {
	if ev.Data == nil {
		return ev.Name
	}
	return ev.Name + " " + text(ev.Data)
}

func text(v datamodel.Value) string {
	if v == nil {
		return ""
	}
	return string(datamodel.AppendJSON(nil, v))
}

func transition(t scxml.Transition) string {
	s := t.Source().Name()
	if ts := t.Targets(); len(ts) > 0 {
		s += " ->"
		for _, target := range ts {
			s += " " + target.Name()
		}
	}
	return s
}

// atomic returns the names of the active atomic states.
func atomic(s *scxml.Session) []string {
	var names []string
	for _, name := range s.Configuration() {
		if st, ok := s.Chart().State(name); ok && st.IsAtomic() {
			names = append(names, name)
		}
	}
	return names
}
