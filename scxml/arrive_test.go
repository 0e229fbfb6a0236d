package scxml_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// arriving returns a Trace that records what arrives from outside and what is taken.
func arriving(got *[]string) *scxml.Trace {
	note := func(what string) func(*scxml.Session, *scxml.Event) {
		return func(_ *scxml.Session, ev *scxml.Event) { *got = append(*got, what+" "+ev.Name) }
	}
	return &scxml.Trace{
		Arrive: note("arrive"), Event: note("event"),
		Clock: func(_ *scxml.Session, now time.Time) { *got = append(*got, fmt.Sprint("clock ", now.Second())) },
	}
}

// An event that arrives during a step is reported after it, and comes after those that the step
// itself sends.
func TestArriveBetweenSteps(t *testing.T) {
	var got []string
	s, clock := start(t, `<state id="a"><transition event="go"><send event="first"/><send event="second"/></transition></state>`, scxml.WithTrace(arriving(&got)))
	s.OnSend("first", func(scxml.Event) {
		if err := s.Send(scxml.Event{Name: "from.callback"}); err != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(s.Send(scxml.Event{Name: "go"}), clock.Advance(t.Context(), s, time.Second)); err != nil {
		t.Fatal(err)
	}
	want := []string{"clock 0", "arrive go", "event go", "arrive from.callback", "event first", "event second", "event from.callback", "clock 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A snapshot contains what has arrived, so that is reported before it is taken.
func TestArriveBeforeSnapshot(t *testing.T) {
	var got []string
	s, clock := start(t, lamp, scxml.WithTrace(arriving(&got)))
	if err := s.Send(scxml.Event{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Snapshot(); err != nil {
			t.Fatal(err)
		}
	}
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	if want := []string{"clock 0", "arrive x", "event x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Events that wait to be reported count for the limit of the queue, and Step knows of them.
func TestArriveCounts(t *testing.T) {
	var got []string
	s, clock := start(t, lamp, scxml.WithTrace(arriving(&got)), scxml.WithLimits(scxml.Limits{ExternalQueue: 2}))
	x := scxml.Event{Name: "x"}
	if err := errors.Join(s.Send(x), s.Send(x)); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(x); !errors.Is(err, scxml.ErrQueueFull) {
		t.Errorf("a third event: %v", err)
	}
	for _, want := range []bool{true, false} {
		if more, err := s.Step(t.Context(), clock.Now()); more != want || err != nil {
			t.Errorf("more %v, %v", more, err)
		}
	}
	if len(got) != 5 {
		t.Error(got)
	}
}

// Events of another session tree arrive from outside; those of the same tree do not.
func TestArriveFromAnotherTree(t *testing.T) {
	var got []string
	shared := new(scxml.Directory)
	to, clock := start(t, `<state id="a"><invoke><content><scxml version="1.0"><state><onentry><send event="own" target="#_parent"/></onentry></state></scxml></content></invoke></state>`,
		scxml.WithRouter(shared), scxml.WithSessionID("to"), scxml.WithTrace(arriving(&got)))
	if err := clock.Advance(t.Context(), to, 0); err != nil {
		t.Fatal(err)
	}
	start(t, `<state id="a"><onentry><send event="other" target="#_scxml_to"/></onentry></state>`, scxml.WithRouter(shared))
	if err := clock.Advance(t.Context(), to, 0); err != nil {
		t.Fatal(err)
	}
	if want := []string{"clock 0", "event own", "arrive other", "event other"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
