package scxml_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Findings of random charts (see random_test.go) that a scenario cannot express.

// TestFailingConditionHasAnEnd: REC 5.9.1 raises an error each time the condition is evaluated, and
// eventless transitions are evaluated after each event, that error included.
func TestFailingConditionHasAnEnd(t *testing.T) {
	s := newSession(t, parse(t, `<state id="s"><transition cond="nowhere" target="t"/></state><state id="t"/>`),
		scxml.WithLimits(scxml.Limits{Microsteps: 100}))
	var limit *scxml.LimitError
	if err := s.Start(t.Context()); !errors.As(err, &limit) || limit.Limit != "Microsteps" {
		t.Errorf("Start: %v", err)
	}
}

// TestInterruptedKeepsItsTurn: a macrostep that a context interrupts continues before another
// session has its turn.
func TestInterruptedKeepsItsTurn(t *testing.T) {
	run := func(ctx context.Context) string {
		var order []string
		trace := &scxml.Trace{Enter: func(_ *scxml.Session, st scxml.State) { order = append(order, st.Name()) }}
		s := newSession(t, parse(t, `
<state id="a">
  <invoke><content><scxml version="1.0"><state id="kid"/></scxml></content></invoke>
  <invoke type="unknown"/>
  <transition event="error" target="b"/>
</state>
<state id="b">
  <invoke><content><scxml version="1.0"><state id="second"/></scxml></content></invoke>
  <invoke type="unknown"/>
  <transition event="error"><raise event="x"/></transition>
  <transition event="x" target="c"/>
</state>
<state id="c">
  <invoke><content><scxml version="1.0"><state id="third"/></scxml></content></invoke>
</state>`), scxml.WithTrace(trace))
		err := s.Start(ctx)
		for tries := 0; tries < 100 && (err == nil || errors.Is(err, context.Canceled)); tries++ {
			if h, ok := ctx.(*hasty); ok {
				h.asked = 0
			}
			var more bool
			if more, err = s.Step(ctx, s.Now()); err == nil && !more {
				return strings.Join(order, " ")
			}
		}
		t.Fatalf("comes to no end: %v", err)
		return ""
	}
	want := run(t.Context())
	var got []string
	for patience := 2; patience < 8; patience++ {
		got = append(got, run(&hasty{Context: t.Context(), patience: patience}))
	}
	if i := slices.IndexFunc(got, func(order string) bool { return order != want }); i >= 0 {
		t.Errorf("interrupted at %d: %s\nwant %s", i, got[i], want)
	}
}
