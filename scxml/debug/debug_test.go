package debug_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// A session is a debugger in a test.
type session struct {
	*testing.T
	*debug.Debugger
	said []string
}

// open starts to debug a chart whose first line is that of <scxml>.
func open(t *testing.T, inside string, opts ...scxml.Option) *session {
	t.Helper()
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s := &session{T: t}
	s.Debugger, err = debug.New(debug.Config{
		Chart: chart, Options: append(opts, scxml.WithSeed(1)), Start: epoch,
		Log:      func(o debug.Output) { s.said = append(s.said, fmt.Sprintf("%v: %s", o.Position, o.Text)) },
		Sessions: func(c debug.Session, began bool) { s.said = append(s.said, fmt.Sprint(c.InvokeID, " ", began)) },
		Changed:  func(b debug.Breakpoint) { s.said = append(s.said, fmt.Sprint(b.ID, " at ", b.At)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, debug.ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

// want takes a step, and compares where it leads with a line such as "breakpoint 1.3 element: assign n".
func (s *session) want(step func(context.Context) (debug.Stop, error), want string) debug.Stop {
	s.Helper()
	stop, err := step(s.Context())
	got := fmt.Sprintf("%v %v %v: %s", stop.Reason, stop.Place, stop.Kind, stop.Text)
	if stop.Past {
		got += " (past)"
	}
	if err != nil {
		got = err.Error()
	}
	if got != want {
		s.Errorf("got  %s\nwant %s", got, want)
	}
	return stop
}

func (s *session) send(name string, data any) {
	s.Helper()
	if err := s.Send("", scxml.Event{Name: name, Data: data}); err != nil {
		s.Error(err)
	}
}

func (s *session) value(expr, want string) {
	s.Helper()
	v, err := s.Eval(s.Context(), "", expr)
	got := datamodel.Text(v)
	if err != nil {
		got = err.Error()
	}
	if got != want {
		s.Errorf("%s is %s, want %s", expr, got, want)
	}
}

func (s *session) stack(want ...string) {
	s.Helper()
	frames, err := s.Stack("")
	if err != nil {
		s.Error(err)
	}
	var got []string
	for _, f := range frames {
		got = append(got, fmt.Sprintf("%s %d:%d", f.Name, f.At.Line, f.At.Col))
	}
	if !slices.Equal(got, want) {
		s.Errorf("got  %q\nwant %q", got, want)
	}
}

const counter = `
<datamodel><data id="n" expr="0"/></datamodel>
<state id="a">
  <onexit><log label="bye" expr="n"/></onexit>
  <transition event="up" target="b">
    <assign location="n" expr="n + _event.data"/>
    <raise event="more"/>
  </transition>
</state>
<state id="b">
  <onentry>
    <if cond="n &gt; 2">
      <assign location="n" expr="n * 10"/>
    </if>
  </onentry>
  <transition event="more" cond="n &lt; 100" target="a"/>
  <transition event="late" target="a"/>
</state>`

// Steps go by element, microstep and macrostep, and back the same way.
func TestSteps(t *testing.T) {
	s := open(t, counter)
	s.want(func(context.Context) (debug.Stop, error) { return s.Stop() }, "entry 0.0 rest: before the start")
	s.value("n", "debug: the session has not started: it has no data yet")
	s.want(s.StepIn, "step 0.1 microstep: the initial states")
	s.want(s.StepIn, "step 0.2 enter: enter a")
	s.stack("a 3:1")
	s.value("n + 1", "1")
	s.want(s.StepBack, "step 0.1 microstep: the initial states (past)")
	s.value("n + 1", "1")
	s.want(s.StepIn, "step 0.2 enter: enter a")
	s.want(s.StepIn, "step 1.0 rest: in a")
	s.want(s.StepIn, "idle 1.0 rest: in a")
	s.send("up", 3)
	s.want(s.StepIn, "step 1.2 microstep: a up -> b")
	s.stack("a up -> b 5:3", "a 3:1")
	s.want(s.StepIn, "step 1.3 element: log bye")
	s.stack("log bye 4:11", "onexit of a 4:3", "a 3:1")
	s.want(s.StepIn, "step 1.6 element: assign n")
	s.stack("assign n 6:5", "a up -> b 5:3")
	s.value("n", "0")
	s.want(s.StepIn, "step 1.7 element: raise more")
	s.value("n", "3")
	s.want(s.StepIn, "step 1.8 enter: enter b")
	s.want(s.StepIn, "step 1.9 element: if n > 2")
	s.want(s.StepIn, "step 1.10 element: assign n")
	s.stack("assign n 13:7", "if n > 2 12:5", "onentry of b 11:3", "b 10:1")
	s.want(s.StepBackIn, "step 1.9 element: if n > 2 (past)")
	s.want(s.StepBack, "step 1.2 microstep: a up -> b (past)")
	s.value("n", "0")
	s.want(s.StepOut, "step 2.0 rest: in a")
	s.value("n", "30")
	s.want(s.StepBack, "step 1.12 microstep: b more -> a if n < 100 (past)")
	s.value("n + 1", "31")
	s.want(s.StepBack, "step 1.2 microstep: a up -> b (past)")
	s.want(s.Next, "step 1.12 microstep: b more -> a if n < 100 (past)")
	s.want(s.Next, "step 2.0 rest: in a")
	s.want(s.Continue, "idle 2.0 rest: in a")
	s.want(s.RestartFrame, "step 1.0 rest: in a (past)")
	s.want(s.RestartFrame, "step 0.0 rest: before the start (past)")
	s.want(s.StepBack, "beginning 0.0 rest: before the start (past)")
	s.want(s.Continue, "idle 2.0 rest: in a")
	s.want(func(ctx context.Context) (debug.Stop, error) { return s.Goto(ctx, debug.Place{1, 6}) }, "goto 1.6 element: assign n (past)")
	if want := []string{"c.scxml:4:11: bye: 0"}; !slices.Equal(s.said, want) {
		t.Errorf("said %q, want %q", s.said, want)
	}
}

// A debugger can be closed wherever the session is, and nothing of the chart runs after that.
func TestClose(t *testing.T) {
	for steps := range 12 {
		ran := 0
		s := open(t, `<state id="a">
			<onentry><script>count()</script><foreach array="[1, 2]" item="x"><script>count()</script></foreach><script>count()</script></onentry>
			<invoke type="service" id="i"/>
			<transition event="go" target="b"><script>count()</script></transition>
		</state><state id="b"/>`, scxml.WithFunc("count", func() { ran++ }),
			scxml.WithInvoker("service", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done()
				return nil, nil
			})))
		for range steps {
			if stop, err := s.StepIn(t.Context()); err != nil {
				t.Fatal(err)
			} else if stop.Reason == debug.Idle {
				s.send("go", nil)
			}
		}
		before := ran
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if ran != before {
			t.Errorf("after %d steps: %d elements ran after the end", steps, ran-before)
		}
	}
}

// Places that do not exist are refused.
func TestNoPlace(t *testing.T) {
	s := open(t, counter)
	s.want(s.Continue, "idle 1.0 rest: in a")
	s.send("up", 3)
	s.want(s.Continue, "idle 2.0 rest: in a")
	for place, want := range map[debug.Place]string{
		{Macrostep: -1}:        "debug: there is no place -1.0",
		{Macrostep: 2, At: 1}:  "debug: there is no place 2.1 yet: the present is 2.0",
		{Macrostep: 0, At: 99}: "debug: there is no place 0.99: the macrostep ends before",
		{Macrostep: 1, At: 99}: "debug: there is no place 1.99: the macrostep ends before",
	} {
		s.want(func(ctx context.Context) (debug.Stop, error) { return s.Goto(ctx, place) }, want)
		s.want(func(context.Context) (debug.Stop, error) { return s.Stop() }, "idle 2.0 rest: in a")
	}
}

// The present can be left and reached in the middle of a macrostep.
func TestBackFromInside(t *testing.T) {
	s := open(t, counter)
	s.want(s.Continue, "idle 1.0 rest: in a")
	s.send("up", 3)
	s.SetBreakpoints("c", []debug.Breakpoint{{Line: 13}})
	s.want(s.Continue, "breakpoint 1.10 element: assign n")
	s.value("n", "3")
	s.value("n = 7", "7") // in a copy
	s.value("n", "3")
	s.want(s.StepBackIn, "step 1.9 element: if n > 2 (past)")
	s.want(s.StepBackIn, "step 1.8 enter: enter b (past)")
	if err := s.Send("", scxml.Event{Name: "late"}); !errors.Is(err, debug.ErrPast) {
		t.Error(err)
	}
	if _, err := s.Set(t.Context(), "", "n", "1"); !errors.Is(err, debug.ErrPast) {
		t.Error(err)
	}
	s.want(s.Continue, "breakpoint 1.10 element: assign n")
	s.want(s.StepIn, "step 1.12 microstep: b more -> a if n < 100")
	s.want(s.ReverseContinue, "breakpoint 1.10 element: assign n (past)")
	s.want(s.ReverseContinue, "beginning 0.0 rest: before the start (past)")
	s.want(s.Continue, "breakpoint 1.10 element: assign n (past)")
	s.want(s.Continue, "idle 2.0 rest: in a")
}

// What is set is part of the past, in the middle of a macrostep and between two of them.
func TestSet(t *testing.T) {
	s := open(t, counter)
	s.want(s.Continue, "idle 1.0 rest: in a")
	s.send("up", 3)
	s.SetBreakpoints("c", []debug.Breakpoint{{Line: 12}})
	s.want(s.Continue, "breakpoint 1.9 element: if n > 2")
	set := func(location, expr, want string) {
		t.Helper()
		v, err := s.Set(t.Context(), "", location, expr)
		if got := fmt.Sprint(datamodel.Text(v), err); got != want {
			t.Errorf("%s = %s: %s, want %s", location, expr, got, want)
		}
	}
	set("n", "n - 2", "1<nil>")
	s.value("n + 0", "1")
	s.want(s.StepIn, "step 1.11 microstep: b more -> a if n < 100")
	s.want(s.StepBackIn, "step 1.9 element: if n > 2 (past)")
	s.want(s.StepBackIn, "step 1.8 enter: enter b (past)")
	s.value("n", "3")
	s.want(s.StepOut, "breakpoint 1.9 element: if n > 2 (past)")
	s.want(s.StepOut, "step 2.0 rest: in a")
	s.value("n", "1")
	set("n", "50", "50<nil>")
	s.want(func(context.Context) (debug.Stop, error) { return s.Stop() }, "step 3.0 rest: in a")
	s.value("n * 1", "50")
	s.want(s.StepBack, "step 2.0 rest: in a (past)")
	s.value("n", "1")
	s.want(s.Continue, "idle 3.0 rest: in a")
	s.send("up", 4)
	s.want(s.Continue, "breakpoint 3.9 element: if n > 2")
	s.value("n", "54")
	set("m", "1", "undefinedReferenceError: m is not defined")
}
