package scxml_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
	"github.com/scxmlrun/scxmlrun/scxml/internal/reference"
)

// This file records what the engine and the reference do, in one form.

// A record has one line for each thing that an interpreter does, with the number of the session
// first. At the beginning of each microstep and the end of each macrostep it has the whole state of
// the session.
type record struct{ buf []byte }

func (r *record) begin(session int, what string) {
	r.buf = strconv.AppendInt(r.buf, int64(session), 10)
	r.word(what)
}

func (r *record) word(w string) { r.buf = append(append(r.buf, ' '), w...) }

func (r *record) value(v datamodel.Value) { r.buf = appendValue(append(r.buf, ' '), v) }

func (r *record) end() { r.buf = append(r.buf, '\n') }

func (r *record) line(session int, what string, words ...string) {
	r.begin(session, what)
	for _, w := range words {
		r.word(w)
	}
	r.end()
}

func (r *record) timer(due time.Time, ev *datamodel.Event) {
	r.word(ev.Name)
	r.word(ev.SendID)
	r.buf = strconv.AppendInt(append(r.buf, ' '), due.UnixMilli(), 10)
}

// appendValue writes a value. The text of errors may differ.
func appendValue(dst []byte, v datamodel.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "undefined"...)
	case string:
		return strconv.AppendQuote(dst, v)
	case []datamodel.Value:
		dst = append(dst, '[')
		for _, item := range v {
			dst = append(appendValue(dst, item), ',')
		}
		return append(dst, ']')
	case *datamodel.Object:
		_, isError := v.Get("message")
		dst = append(dst, '{')
		for key, item := range v.All() {
			if !isError || key == "element" {
				dst = append(append(dst, key...), ':')
				dst = append(appendValue(dst, item), ',')
			}
		}
		return append(dst, '}')
	}
	return datamodel.AppendJSON(dst, v)
}

// add numbers a session of the engine.
func (b *bench) add(s *scxml.Session) {
	n := len(b.active)
	b.numbers[s] = n
	if b.plan {
		s.PlanAtOnce()
	}
	b.ids["#_scxml_"+s.ID()] = n
	b.active = append(b.active, map[string]bool{})
}

// trace records what the engine does.
func (b *bench) trace() *scxml.Trace {
	r := &b.engine
	event := func(s *scxml.Session, what string, ev *scxml.Event, words ...string) {
		r.begin(b.numbers[s], what)
		r.word(ev.Name)
		r.word(ev.Type.String())
		r.value(ev.Data)
		r.word(ev.SendID)
		r.word(b.address(ev.Origin))
		r.word(ev.OriginType)
		r.word(ev.InvokeID)
		for _, w := range words {
			r.word(w)
		}
		r.end()
	}
	breaks := func(err error) {
		if b.broken == nil {
			b.broken = err
		}
	}
	return &scxml.Trace{
		Event:         func(s *scxml.Session, ev *scxml.Event) { event(s, "event", ev) },
		InternalEvent: func(s *scxml.Session, ev *scxml.Event) { event(s, "internal", ev) },
		Raise:         func(s *scxml.Session, ev *scxml.Event) { event(s, "raise", ev) },
		Send: func(s *scxml.Session, m scxml.Message) {
			event(s, "send", &m.Event, b.address(m.Target), m.Delay.String())
		},
		Timer: func(s *scxml.Session, m scxml.Message) {
			b.timers++
			event(s, "due", &m.Event)
		},
		Microstep: func(s *scxml.Session, ev *scxml.Event, _ []scxml.Transition) {
			b.microsteps++
			name := ""
			if ev != nil {
				name = ev.Name
			}
			r.line(b.numbers[s], "microstep", name)
			b.snapshot(s)
			breaks(s.CheckInvariants(false))
		},
		Stable: func(s *scxml.Session) {
			if s.Planned() {
				b.planned++
			}
			r.line(b.numbers[s], "stable")
			b.snapshot(s)
			breaks(s.CheckInvariants(true))
		},
		Exit: func(s *scxml.Session, st scxml.State) {
			n := b.numbers[s]
			if !b.active[n][st.Name()] {
				breaks(fmt.Errorf("%s is exited, but is not active", st.Name()))
			}
			delete(b.active[n], st.Name())
			r.line(n, "exit", st.Name())
		},
		Enter: func(s *scxml.Session, st scxml.State) {
			n := b.numbers[s]
			if b.active[n][st.Name()] {
				breaks(fmt.Errorf("%s is entered, but is active already", st.Name()))
			}
			b.active[n][st.Name()] = true
			r.line(n, "enter", st.Name())
		},
		Transition: func(s *scxml.Session, t scxml.Transition) {
			r.begin(b.numbers[s], "transition")
			r.word(t.Source().Name())
			for _, target := range t.Targets() {
				r.word(target.Name())
			}
			r.end()
		},
		Cancel: func(s *scxml.Session, id string, n int) { r.line(b.numbers[s], "cancel", id, strconv.Itoa(n)) },
		Invoke: func(s *scxml.Session, id string, child *scxml.Session) {
			b.invocations++
			if child != nil {
				b.add(child)
			} else {
				b.services = true
			}
			r.line(b.numbers[s], "invoke", id)
		},
		CancelInvoke: func(s *scxml.Session, id string, _ *scxml.Session) { r.line(b.numbers[s], "cancelinvoke", id) },
		Log: func(s *scxml.Session, label string, v datamodel.Value) {
			r.begin(b.numbers[s], "log")
			r.word(label)
			r.value(v)
			r.end()
		},
		Error: func(s *scxml.Session, e *scxml.ExecutionError) {
			var limit *scxml.LimitError
			if errors.As(e.Err, &limit) && limit.Limit == "DataSize" {
				b.tooLarge = true
			}
			r.line(b.numbers[s], "error", e.Event, e.Element, e.SendID)
		},
		Done: func(s *scxml.Session) {
			n := b.numbers[s]
			if len(b.active[n]) > 0 {
				breaks(fmt.Errorf("a session has ended with active states"))
			}
			r.begin(n, "done")
			r.word(s.FinalState())
			r.value(s.DoneData())
			r.end()
		},
	}
}

// address writes a target so that the ids of sessions do not matter.
func (b *bench) address(target string) string {
	if n, ok := b.ids[target]; ok {
		return "#_scxml_" + strconv.Itoa(n)
	}
	return target
}

// snapshot records the state of a session of the engine.
func (b *bench) snapshot(s *scxml.Session) {
	r := &b.engine
	r.begin(b.numbers[s], " in")
	for _, name := range s.Configuration() {
		r.word(name)
	}
	for h, names := range s.Remembered() {
		if len(names) > 0 {
			r.word(h)
			r.word("=")
			for _, name := range names {
				r.word(name)
			}
		}
	}
	r.word("internal")
	for ev := range s.Internal() {
		r.word(ev.Name)
	}
	r.word("external")
	for ev := range s.External() {
		r.word(ev.Name)
	}
	if s.Chart().Datamodel() != "null" {
		for id, v := range s.Data(b.expr) {
			if id != "_event" {
				r.word(id)
				r.value(v)
			}
		}
	}
	r.word("timers")
	for due, ev := range s.Pending() {
		r.timer(due, &ev)
	}
	r.end()
}

// tell records what the reference does.
func (b *bench) tell(s *reference.Session, what string, words ...string) {
	b.reference.line(s.Number, what, words...)
	if what == "microstep" || what == "stable" {
		b.referenceSnapshot(s)
	}
}

func (b *bench) referenceSnapshot(s *reference.Session) {
	r := &b.reference
	states := s.Chart().Doc.States
	names := func(active []*doc.State) {
		for _, st := range states {
			if slices.Contains(active, st) {
				r.word(reference.NameOf(st))
			}
		}
	}
	r.begin(s.Number, " in")
	names(s.Configuration)
	for _, h := range states {
		if value := s.HistoryValue[h]; len(value) > 0 {
			r.word(reference.NameOf(h))
			r.word("=")
			names(value)
		}
	}
	r.word("internal")
	for _, ev := range s.InternalQueue {
		r.word(ev.Name)
	}
	r.word("external")
	for _, ev := range s.ExternalQueue {
		r.word(ev.Name)
	}
	if s.Chart().Doc.Datamodel != "null" {
		for _, st := range states {
			for _, d := range st.Data {
				if d.ID == "_event" {
					continue
				}
				v, err := s.Store().Value(b.expr(d.ID))
				if err != nil {
					v = err.Error()
				}
				r.word(d.ID)
				r.value(v)
			}
		}
	}
	r.word("timers")
	timers := slices.Clone(b.world.Timers)
	slices.SortStableFunc(timers, func(a, b *reference.Timer) int { return a.Due.Compare(b.Due) })
	for _, t := range timers {
		r.timer(t.Due, &t.Event)
	}
	r.end()
}
