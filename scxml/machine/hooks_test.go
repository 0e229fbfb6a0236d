package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go testdata/nested.scxml -o nested_gen_test.go

// callers are hooks that call a function at the first event of their kind.
var callers = map[string]func(h *Hooks, call func()){
	"quick": func(h *Hooks, call func()) { h.Quick = call },
	"sent":  func(h *Hooks, call func()) { h.Sent = func(machine.Message) { call() } },
	"log": func(h *Hooks, call func()) {
		h.Log = func(label string, _ any) {
			if label == "child" {
				call()
			}
		}
	},
	"error": func(h *Hooks, call func()) { h.Error = func(*machine.Error) { call() } },
}

// situations are what makes hooks run, of the machine itself and of the one that it has invoked.
var situations = []struct {
	name, hook string
	do         func(m *Machine)
}{
	{"the machine sends, by a shortcut", "quick", func(m *Machine) { m.Out() }},
	{"the machine sends", "sent", func(m *Machine) { m.Out() }},
	{"the machine sends when time passes", "quick", func(m *Machine) {
		m.Later()
		m.Advance(time.Time{}.Add(2 * time.Hour))
	}},
	{"the invoked machine sends", "sent", func(m *Machine) {
		m.Begin()
		m.SendSend()
	}},
	{"the invoked machine logs", "log", func(m *Machine) {
		m.Begin()
		m.Log()
	}},
	{"the invoked machine logs when time passes", "log", func(m *Machine) {
		m.Begin()
		m.Later()
		m.Advance(time.Time{}.Add(2 * time.Hour))
	}},
	{"the invoked machine fails", "error", func(m *Machine) {
		m.Begin()
		m.Fail()
	}},
}

// inHook runs a situation with a hook that calls f once.
func inHook(t *testing.T, hook string, limits machine.Limits, do func(*Machine), f func(m *Machine)) *Machine {
	t.Helper()
	var m *Machine
	called := false
	var hooks Hooks
	callers[hook](&hooks, func() {
		if !called {
			called = true
			f(m)
		}
	})
	m = New(hooks)
	if limits != (machine.Limits{}) {
		m.SetUp(machine.Options{Limits: limits, Hooks: hooks.Hooks})
	}
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	do(m)
	if !called {
		t.Fatal("the hook was not called")
	}
	return m
}

// What a hook gives to the machine waits until the step is over, also in a hook of an invoked machine.
func TestEventOfHook(t *testing.T) {
	calls := map[string]func(m *Machine) (handled bool, err error){
		"Send":     func(m *Machine) (bool, error) { return m.Send("hooked", nil) },
		"data":     func(m *Machine) (bool, error) { return m.Send("hooked", machine.Fields{{Name: "a", Value: 1.0}}) },
		"Handle":   func(m *Machine) (bool, error) { return m.Handle(EventHooked), nil },
		"a method": func(m *Machine) (bool, error) { return m.Hooked(), nil },
		"Do": func(m *Machine) (bool, error) {
			effect, err := m.Do("hooked", nil)
			return effect.Handled || len(effect.Sent)+len(effect.Errors) > 0, err
		},
	}
	for _, s := range situations {
		for name, call := range calls {
			t.Run(s.name+", "+name, func(t *testing.T) {
				m := inHook(t, s.hook, machine.Limits{}, s.do, func(m *Machine) {
					if handled, err := call(m); handled || err != nil || m.Data().Got != 0 {
						t.Errorf("it is handled within the step: %t, %v, %v", handled, err, m.Data().Got)
					}
				})
				if got := m.Data().Got; got != 1 && got != -1 || !m.Running() {
					t.Errorf("after the step the data item is %v, and the machine runs: %t", got, m.Running())
				}
			})
		}
	}
}

// Stop in a hook ends the machine after the macrostep: what is queued, or due later, is not processed any more.
func TestStopInHook(t *testing.T) {
	for i, s := range append(situations, situations...) {
		t.Run(s.name, func(t *testing.T) {
			m := inHook(t, s.hook, machine.Limits{}, s.do, func(m *Machine) {
				if i < len(situations) {
					m.Hooked()
				}
				m.Stop()
				m.Stop()
				if !m.Running() {
					t.Error("it stops within the step")
				}
			})
			if m.Running() || m.Data().Got != 0 || m.Err() != nil {
				t.Errorf("after the step it runs: %t, the data item is %v, the error %v", m.Running(), m.Data().Got, m.Err())
			}
			if due, ok := m.NextDue(); ok {
				t.Errorf("an event is due: %v", due)
			}
			if m.Hooked() {
				t.Error("it handles an event after its end")
			}
		})
	}
}

// What an invoked machine does at its end, when the host stops, is told.
func TestStopExitsTheInvoked(t *testing.T) {
	var log []string
	var m *Machine
	m = New(Hooks{Hooks: machine.Hooks{Log: func(label string, _ any) {
		log = append(log, fmt.Sprint(label, " ", m.Running()))
		m.Stop()
	}}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.Begin()
	if want := []string{"entered true", "left true"}; !slices.Equal(log, want) || m.Running() {
		t.Errorf("got %q, want %q", log, want)
	}
}

// An event of a hook that the external queue has no room for is lost, of which Send and Do tell.
func TestFullQueueInHook(t *testing.T) {
	const full = "external queue is full"
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			m := inHook(t, s.hook, machine.Limits{ExternalQueue: 2}, s.do, func(m *Machine) {
				var last error
				for range 3 { // the events of the situation are in the queue too
					_, last = m.Send("hooked", nil)
				}
				if last == nil || last.Error() != full {
					t.Errorf("Send: %v", last)
				}
				if effect, err := m.Do("hooked", nil); effect.Handled || err == nil || err.Error() != full {
					t.Errorf("Do: %+v, %v", effect, err)
				}
				if m.Handle(EventHooked) || m.Hooked() {
					t.Error("an event is handled that has no room")
				}
			})
			if got := m.Data().Got; got != 2 && got != 1 && got != -1 || !m.Running() {
				t.Errorf("after the step the data item is %v, and the machine runs: %t", got, m.Running())
			}
			if !m.Hooked() && m.Data().Got >= 0 {
				t.Error("the machine takes no event afterwards")
			}
		})
	}
}

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go testdata/shortcut.scxml --type Flat -o shortcut_gen_test.go

// The same in a transition that generated code takes by itself.
func TestStopInShortcut(t *testing.T) {
	for name, handle := range map[string]func(*Flat) bool{"out": (*Flat).Out, "raise": (*Flat).Raise} {
		for queued := range 2 {
			var m *Flat
			m = NewFlat(FlatHooks{Quick: func() {
				for range queued {
					m.Hooked()
				}
				m.Stop()
			}})
			if err := m.Start(time.Time{}); err != nil {
				t.Fatal(err)
			}
			handled, want := handle(m), 0.0
			if name == "raise" {
				want = 1 // in the same macrostep
			}
			if !handled || m.Running() || m.Data().Got != want {
				t.Errorf("%s, %d queued: handled %t, it runs: %t, the data item is %v", name, queued, handled, m.Running(), m.Data().Got)
			}
		}
	}
}

// A condition that fails in a shortcut raises an event, which is processed in the same step, and tells a hook.
func TestConditionFailsInShortcut(t *testing.T) {
	for i, ask := range []func(m *Flat) bool{(*Flat).Ask, (*Flat).Ask, func(m *Flat) bool { return m.Handle(FlatEventAsk) }} {
		var m *Flat
		m = NewFlat(FlatHooks{Hooks: machine.Hooks{Error: func(*machine.Error) {
			for range i {
				if m.Hooked() || m.Data().Got != 0 {
					t.Error("an event is handled within the step")
				}
			}
		}}})
		if err := m.Start(time.Time{}); err != nil {
			t.Fatal(err)
		}
		if ask(m) {
			t.Error("a condition that fails is true")
		}
		if want := 10 + float64(i); m.Data().Got != want {
			t.Errorf("the data item is %v, want %v", m.Data().Got, want)
		}
	}
}

// Machines refuse the names that sessions refuse, with the same messages.
func TestEventNames(t *testing.T) {
	m := New(Hooks{})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a b", "a\x00", "a*", ".a", "a.", "a..ö", "\xff", strings.Repeat("a", 5000), "a", "a.b", "ö"} {
		_, err := m.Send(name, nil)
		if want := datamodel.CheckEventName(name); fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("%.40q: the error is %v, want %v", name, err, want)
		}
	}
}

// A data item takes a value from the host if it has room for it, and otherwise keeps none.
func TestGivenData(t *testing.T) {
	for _, given := range []struct {
		value any
		want  float64
		fails bool
	}{{3.5, 3.5, false}, {int32(4), 4, false}, {"5", 0, true}, {true, 0, true}, {machine.Null, 0, true}, {[]int{1}, 0, true}, {func() {}, 0, true}} {
		var failed []string
		m := New(Hooks{})
		m.SetUp(machine.Options{
			Data:  machine.Fields{{Name: "got", Value: given.value}},
			Hooks: machine.Hooks{Error: func(e *machine.Error) { failed = append(failed, e.Msg) }},
		})
		if err := m.Start(time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := m.Data().Got; got != given.want || (failed != nil) != given.fails {
			t.Errorf("%T: the item is %v, with the errors %q", given.value, got, failed)
		}
	}
}
