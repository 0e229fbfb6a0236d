package debug_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// A recording is looked at in both directions, and cannot be changed.
func TestRecording(t *testing.T) {
	for name, restored := range map[string]bool{"from the start": false, "from a snapshot": true} {
		t.Run(name, func(t *testing.T) {
			s := recorded(t, restored)
			first := "0.0"
			if restored {
				first = "1.0"
			} else {
				s.want(s.Continue, "ended 4.0 rest: in a (past)")
			}
			s.SetBreakpoints("all", []debug.Breakpoint{{Line: 13}})
			s.want(func(ctx context.Context) (debug.Stop, error) { return s.Goto(ctx, debug.Place{Macrostep: 4}) }, "goto 4.0 rest: in a (past)")
			s.want(s.Continue, "ended 4.0 rest: in a (past)")
			s.want(s.ReverseContinue, "breakpoint 3.10 element: assign n (past)")
			s.value("n", "3")
			s.value("n * 2", "6")
			s.want(s.RestartFrame, "step 3.0 rest: in a (past)")
			s.want(s.ReverseContinue, "breakpoint 2.10 element: assign n (past)")
			stop := s.want(s.ReverseContinue, "breakpoint 1.10 element: assign n (past)")
			for stop.Reason != debug.Beginning {
				var err error
				if stop, err = s.StepBackIn(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if stop.Place.String() != first {
				t.Errorf("it begins at %v, want %s", stop.Place, first)
			}
			if err := s.Send("", scxml.Event{Name: "up"}); !errors.Is(err, debug.ErrNoPresent) {
				t.Error(err)
			}
			if _, err := s.Advance(t.Context(), time.Second); !errors.Is(err, debug.ErrNoPresent) {
				t.Error(err)
			}
			if _, err := s.Set(t.Context(), "", "n", "1"); !errors.Is(err, debug.ErrNoPresent) {
				t.Error(err)
			}
			if p, err := s.Present(); err != nil || p.String() != "4.0" {
				t.Error(p, err)
			}
		})
	}
}

// recorded opens a recording of three events in a debugger. If it begins with a snapshot, the first of
// them is not part of it.
func recorded(t *testing.T, restored bool) *session {
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+counter+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	h, err := history.New(history.Config{Chart: chart, Recording: &written})
	if err != nil {
		t.Fatal(err)
	}
	clock := scxml.WithClock(func() time.Time { return epoch })
	events := []int{3, -27, -27}
	do := func(s *scxml.Session) {
		t.Helper()
		if _, err := s.Do(t.Context(), epoch, scxml.Event{Name: "up", Data: events[0]}); err != nil {
			t.Fatal(err)
		}
		events = events[1:]
	}
	var s *scxml.Session
	if restored {
		if s, err = scxml.New(chart, clock); err == nil {
			err = s.Start(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		do(s)
		saved, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if s, err = scxml.Restore(chart, saved, clock, h.Option()); err == nil {
			err = h.Attach(s)
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, -27)
	} else if s, err = scxml.New(chart, clock, h.Option()); err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for len(events) > 0 {
		do(s)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := history.Open(&written)
	if err != nil {
		t.Fatal(err)
	}
	if h, err = rec.Replay(t.Context(), history.Config{Chart: chart}, false, nil); err != nil {
		t.Fatal(err)
	}
	d, err := debug.New(debug.Config{Recording: h})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return &session{T: t, Debugger: d}
}

// A bounded past begins later, and data that cannot be saved make the way longer.
func TestPastOfOtherKinds(t *testing.T) {
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="next" expr="(function() { var n = 0; return function() { return ++n; }; })()"/><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="up"><assign location="n" expr="next()"/></transition></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := debug.New(debug.Config{Chart: chart})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s := &session{T: t, Debugger: d}
	for range 3 {
		s.send("up", nil)
	}
	s.want(s.Continue, "idle 4.0 rest: in a")
	s.want(s.StepBack, "step 3.2 microstep: a up (past)")
	s.value("n", "2")
	s.value("next()", "3")
	s.value("n", "2")
	s.want(s.Continue, "idle 4.0 rest: in a")
	if v, err := s.Set(t.Context(), "", "n", "10"); err != nil || v != int64(10) {
		t.Error(v, err)
	}
	s.send("up", nil)
	s.want(s.Continue, "idle 5.0 rest: in a")
	s.want(s.StepBack, "step 4.2 microstep: a up (past)")
	s.value("n", "10")

	chart, err = scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+counter+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	bounded, err := debug.New(debug.Config{Chart: chart, Bytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer bounded.Close()
	s = &session{T: t, Debugger: bounded}
	for range 4000 {
		s.send("up", -27)
		if stop, err := s.Continue(t.Context()); err != nil || stop.Reason != debug.Idle {
			t.Fatal(stop, err)
		}
	}
	stop, err := s.ReverseContinue(t.Context())
	if err != nil || stop.Reason != debug.Beginning || stop.Place.Macrostep != s.History().First()+1 || stop.Place.Macrostep < 1000 {
		t.Errorf("%+v, %v; the first position is %d", stop, err, s.History().First())
	}
	if again, err := s.StepBack(t.Context()); err != nil || again.Reason != debug.Beginning || again.Place != stop.Place {
		t.Errorf("%+v, %v", again, err)
	}
	if stop, err = s.Continue(t.Context()); err != nil || stop.Reason != debug.Idle {
		t.Errorf("%+v, %v", stop, err)
	}
}
