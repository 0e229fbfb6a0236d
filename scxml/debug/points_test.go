package debug_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

const kinds = `
<datamodel><data id="n" expr="0"/><data id="o" expr="{ list: [] }"/></datamodel>
<parallel id="p">
  <state id="a">
    <transition event="up"><assign location="n" expr="n + 1"/></transition>
    <transition event="push"><script>
      o.list.push(n);
      n = n;
    </script></transition>
    <transition event="fail"><assign location="nope" expr="1"/></transition>
    <transition event="loop" target="a1"/>
    <transition event="send"><send event="far" target="#_scxml_nobody"/></transition>
    <state id="a0"/>
    <state id="a1"><transition target="a1"/></state>
  </state>
  <state id="b">
    <history id="h"><transition target="b0"/></history>
    <state id="b0"><transition event="up" cond="n == 2" target="b1"/></state>
    <state id="b1"/>
  </state>
</parallel>`

// Each kind of breakpoint stops where it says.
func TestBreakpoints(t *testing.T) {
	for _, test := range []struct {
		name   string
		point  debug.Breakpoint
		events string
		want   string // stops
	}{
		{"line", debug.Breakpoint{Line: 5}, "up push up", "microstep a up; microstep a up"},
		{"element", debug.Breakpoint{Line: 5, Col: 20}, "up push up", "element assign n; element assign n"},
		{"script", debug.Breakpoint{Line: 8}, "up push", "element script"},
		{"state", debug.Breakpoint{Line: 16}, "", "enter enter b"},
		{"entered", debug.Breakpoint{Kind: debug.OnState, Name: "b0", Entered: true}, "up up up", "enter enter b0"},
		{"exited", debug.Breakpoint{Kind: debug.OnState, Name: "b0", Exited: true}, "up up up", "exit exit b0"},
		{"both", debug.Breakpoint{Kind: debug.OnState, Name: "b0"}, "up up up", "enter enter b0; exit exit b0"},
		{"event", debug.Breakpoint{Kind: debug.OnEvent, Name: "error"}, "up fail", "internal event internal event error.execution"},
		{"data", debug.Breakpoint{Kind: debug.OnData, Name: "n"}, "up push up", "stable n: 0 -> 1, by c.scxml:5:28; stable n: 1 -> 2, by c.scxml:5:28"},
		{"path", debug.Breakpoint{Kind: debug.OnData, Name: "o.list.length"}, "up push", "stable o.list.length: 0 -> 1, by c.scxml:6:30"},
		{"error", debug.Breakpoint{Kind: debug.OnError}, "fail send", "error error.execution: c.scxml:10:52: <assign>: ReferenceError: nope is not defined; " +
			"error error.communication: c.scxml:12:30: <send>: target \"#_scxml_nobody\" does not reach a running session or service"},
		{"execution", debug.Breakpoint{Kind: debug.OnError, Name: "error.communication"}, "fail", ""},
		{"limit", debug.Breakpoint{Kind: debug.OnError, Name: "limit"}, "loop", "done scxml: limit Microsteps"},
		{"unhandled", debug.Breakpoint{Kind: debug.OnUnhandled}, "up other", "unhandled unhandled other"},
		{"condition", debug.Breakpoint{Line: 5, Condition: "n == 1"}, "up up up", "microstep a up"},
		{"failing condition", debug.Breakpoint{Line: 5, Condition: "m"}, "up", "microstep the condition of breakpoint 1 fails: ReferenceError: m is not defined"},
		{"count", debug.Breakpoint{Line: 5, Condition: "n > 0", Count: "2"}, "up up up up", "microstep a up, b0 up -> b1 if n == 2; microstep a up"},
		{"every", debug.Breakpoint{Line: 5, Count: "%2"}, "up up up up up", "microstep a up; microstep a up"},
		{"below", debug.Breakpoint{Line: 5, Count: "<2"}, "up up up", "microstep a up"},
		{"once", debug.Breakpoint{Line: 5, Once: true}, "up up", "microstep a up"},
		{"log", debug.Breakpoint{Line: 5, Log: "{ {n: n}.n } of {m}", Condition: "n < 2"}, "up up up", "said c.scxml:5:5: 0 of {ReferenceError: m is not defined}; said c.scxml:5:5: 1 of {ReferenceError: m is not defined}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, kinds, scxml.WithLimits(scxml.Limits{Microsteps: 10}))
			if b := s.SetBreakpoints("all", []debug.Breakpoint{test.point})[0]; !b.Verified || b.ID != 1 {
				t.Fatalf("%+v", b)
			}
			var got []string
			events := strings.Fields(test.events)
			for {
				stop, err := s.Continue(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, said := range s.said {
					got = append(got, "said "+said)
				}
				s.said = nil
				if stop.Reason == debug.Hit {
					if stop.Hits[0] != 1 {
						t.Error(stop.Hits)
					}
					got = append(got, fmt.Sprint(stop.Kind, " ", stop.Text))
				} else if len(events) == 0 || stop.Reason == debug.Ended {
					break
				} else {
					s.send(events[0], nil)
					events = events[1:]
				}
			}
			if got := strings.Join(got, "; "); got != test.want && (test.name != "limit" || !strings.HasPrefix(got, test.want)) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// What cannot be a breakpoint is not verified, with the reason, and does not stop anything.
func TestUnverified(t *testing.T) {
	s := open(t, kinds)
	for want, b := range map[string]debug.Breakpoint{
		"nothing runs in line 40 or after it":   {Line: 40},
		"line 0: lines count from 1":            {},
		"other.scxml does not run yet":          {File: "other.scxml", Line: 3},
		"which state?":                          {Kind: debug.OnState},
		`no document that runs has a state "x"`: {Kind: debug.OnState, Name: "x"},
		"which event?":                          {Kind: debug.OnEvent},
		"which data item?":                      {Kind: debug.OnData},
		`count "x": want a number, or one after >=, >, ==, <, <= or %`:         {Line: 5, Count: "x"},
		`count "%0": want a number, or one after >=, >, ==, <, <= or %`:        {Line: 5, Count: "%0"},
		`the message "n is {n": a { has no }`:                                  {Line: 5, Log: "n is {n"},
		`the condition "n ==": SyntaxError: unexpected end of input`:           {Line: 5, Condition: "n =="},
		`the condition "n = 5": it changes data (n = 5); to compare, write ==`: {Kind: debug.OnEvent, Name: "up", Condition: "n = 5"},
		`the expression "n++": it changes data (n++)`:                          {Kind: debug.OnData, Name: "n++"},
		`the message has "n +": SyntaxError: unexpected end of input`:          {Line: 5, Log: "{n} {n +}"},
	} {
		if got := s.SetBreakpoints("all", []debug.Breakpoint{b})[0]; got.Verified || got.Reason != want {
			t.Errorf("got %q, want %q", got.Reason, want)
		}
		s.want(s.Goto0, "goto 0.0 rest: before the start")
	}
	moved := s.SetBreakpoints("all", []debug.Breakpoint{{Line: 2}, {Line: 9}, {Line: 17}})
	for i, want := range []string{"3:1 nothing runs in line 2: moved to line 3", "6:30 ", "18:5 nothing runs in line 17: moved to line 18"} {
		if got := fmt.Sprintf("%d:%d %s", moved[i].At.Line, moved[i].At.Col, moved[i].Reason); got != want || !moved[i].Verified {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if lines := s.Lines("", 4, 5); len(lines) != 3 || lines[2].Col != 28 {
		t.Errorf("lines %v", lines)
	}
}

func (s *session) Goto0(ctx context.Context) (debug.Stop, error) { return s.Goto(ctx, debug.Place{}) }

// A breakpoint keeps its number of hits with its id, and loses it with another one.
func TestGroups(t *testing.T) {
	s := open(t, kinds)
	s.SetBreakpoints("a", []debug.Breakpoint{{Line: 5, Count: ">9"}})
	other := s.SetBreakpoints("b", []debug.Breakpoint{{Line: 6}, {Line: 10}})
	s.send("up", nil)
	s.want(s.Continue, "idle 2.0 rest: in a0 b0")
	s.SetBreakpoints("b", other[1:])
	again := s.SetBreakpoints("a", slices.Concat(s.Breakpoints()[:1], []debug.Breakpoint{{Line: 12}}))
	if again[0].Hits != 1 || again[0].ID != 1 || again[1].ID != 4 {
		t.Errorf("%+v", again)
	}
	if n := len(s.Breakpoints()); n != 3 {
		t.Errorf("%d breakpoints", n)
	}
}

// An invoked document has breakpoints, a stack, and data of its own, in the past too.
func TestInvoked(t *testing.T) {
	files := fstest.MapFS{"kid.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="m" expr="5"/></datamodel>
<state id="k"><transition event="go" target="e"><assign location="m" expr="m + 1"/></transition></state>
<final id="e"/></scxml>`)}}
	chart, err := scxml.Parse("parent.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="a"><invoke type="scxml" src="kid.scxml" id="kid" autoforward="true"/><transition event="done.invoke.kid" target="z"/></state><final id="z"/></scxml>`), scxml.WithLoader(files))
	if err != nil {
		t.Fatal(err)
	}
	s := &session{T: t}
	s.Debugger, err = debug.New(debug.Config{
		Chart: chart, Start: epoch,
		Sessions: func(c debug.Session, began bool) { s.said = append(s.said, fmt.Sprint(c.InvokeID, " ", began)) },
		Changed:  func(b debug.Breakpoint) { s.said = append(s.said, fmt.Sprint(b.ID, " at ", b.At)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.SetBreakpoints("kid", []debug.Breakpoint{{File: "kid.scxml", Line: 3, Col: 40}, {Kind: debug.OnState, Name: "e", Entered: true}})
	s.send("go", nil)
	stop := s.want(s.Continue, "breakpoint 3.5 element: assign m")
	sessions, err := s.Sessions()
	if err != nil || len(sessions) != 2 || !sessions[1].Stopped || sessions[1].ID != stop.Session {
		t.Fatalf("%v, %v", sessions, err)
	}
	look := func(expr, want string) {
		t.Helper()
		if v, err := s.Eval(t.Context(), stop.Session, expr); fmt.Sprint(v, err) != want {
			t.Errorf("%s is %v, %v, want %s", expr, v, err, want)
		}
	}
	look("m", "5 <nil>")
	look("m + 1", "6 <nil>")
	if v, err := s.Set(t.Context(), stop.Session, "m", "7"); err != nil || v != int64(7) {
		t.Error(v, err)
	}
	s.want(s.StepIn, "breakpoint 3.6 enter: enter e")
	look("m", "8 <nil>")
	s.want(s.StepBack, "step 3.2 microstep: k go -> e (past)")
	s.want(s.Continue, "breakpoint 3.5 element: assign m (past)")
	s.want(s.Continue, "breakpoint 3.6 enter: enter e")
	s.want(s.Continue, "ended 5.0 rest: final state z")
	if want := []string{"1 at kid.scxml:3:49", "2 at -", "kid true", "kid false"}; !slices.Equal(s.said, want) {
		t.Errorf("said %q, want %q", s.said, want)
	}
}

// Pause stops a session that runs, from another goroutine, and so does the end of a context. Breakpoints
// can be set meanwhile; everything else has to wait.
func TestPause(t *testing.T) {
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><onentry><send event="tick"/></onentry><transition event="tick" target="a"/></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	runs := make(chan struct{}, 1)
	d, err := debug.New(debug.Config{Chart: chart, Log: func(debug.Output) {
		select {
		case runs <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	point := debug.Breakpoint{Kind: debug.OnEvent, Name: "tick", Log: "runs"}
	d.SetBreakpoints("log", []debug.Breakpoint{point})
	type end struct {
		debug.Stop
		error
	}
	ends := make(chan end)
	run := func(ctx context.Context) {
		select {
		case <-runs: // before
		default:
		}
		go func() {
			stop, err := d.Continue(ctx)
			ends <- end{stop, err}
		}()
		<-runs
	}
	run(t.Context())
	for name, f := range map[string]func() error{
		"StepIn": func() error { _, err := d.StepIn(t.Context()); return err },
		"Stack":  func() error { _, err := d.Stack(""); return err },
		"Set":    func() error { _, err := d.Set(t.Context(), "", "n", "1"); return err },
	} {
		if err := f(); !errors.Is(err, debug.ErrRunning) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.SetBreakpoints("more", []debug.Breakpoint{{Kind: debug.OnState, Name: "a"}})
	if e := <-ends; e.error != nil || e.Reason != debug.Hit {
		t.Errorf("%+v", e)
	}
	d.SetBreakpoints("more", nil)
	run(t.Context())
	if err := d.Send("", scxml.Event{Name: "other"}); err != nil {
		t.Error(err)
	}
	d.Pause()
	if e := <-ends; e.error != nil || e.Reason != debug.Paused {
		t.Errorf("%+v", e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	run(ctx)
	cancel()
	if e := <-ends; e.error != nil || e.Reason != debug.Paused {
		t.Errorf("%+v", e)
	}
	if stop, err := d.Continue(ctx); err != nil || stop.Reason != debug.Paused {
		t.Errorf("with a context that is done: %+v, %v", stop, err)
	}
	run(t.Context())
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if e := <-ends; !errors.Is(e.error, debug.ErrClosed) {
		t.Errorf("%+v", e)
	}
	if _, err := d.Stack(""); !errors.Is(err, debug.ErrClosed) {
		t.Error(err)
	}
}

// With nobody to send events, the real clock waits for delayed ones alone.
func TestUnattendedRealClockStopsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<state id="a"><onentry><send event="tick" delay="10s"/></onentry><transition event="tick" target="b"/></state><state id="b"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		d, err := debug.New(debug.Config{Chart: chart, Real: true, Unattended: true})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if stop, err := d.Continue(t.Context()); stop.Reason != debug.Idle || time.Since(began) != 10*time.Second || err != nil {
			t.Errorf("stopped with %v after %v: %v", stop.Reason, time.Since(began), err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

// The real clock stands still while the session does not move.
func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<state id="a"><onentry><send event="tick" delay="10s"/></onentry><transition event="tick" target="a"/></state></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		d, err := debug.New(debug.Config{Chart: chart, Real: true})
		if err != nil {
			t.Fatal(err)
		}
		s := &session{T: t, Debugger: d}
		s.SetBreakpoints("all", []debug.Breakpoint{{Kind: debug.OnEvent, Name: "tick"}})
		began := time.Now()
		s.want(s.Continue, "breakpoint 1.1 event: event tick")
		time.Sleep(time.Hour)
		s.want(s.Continue, "breakpoint 2.1 event: event tick")
		if passed := time.Since(began) - time.Hour; passed != 20*time.Second {
			t.Errorf("%v have passed, want 20s", passed)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		s.want(func(context.Context) (debug.Stop, error) { return s.Continue(ctx) }, "pause 3.0 rest: in a")
		now, due, ok, err := s.Now()
		if now != 20*time.Second || due != 30*time.Second || !ok || err != nil {
			t.Errorf("%v, %v, %v, %v", now, due, ok, err)
		}
		go func() {
			time.Sleep(time.Second)
			s.send("tick", nil)
		}()
		s.want(s.Continue, "breakpoint 3.1 event: event tick")
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}
