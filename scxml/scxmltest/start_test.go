package scxmltest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Door">
  <datamodel><data id="force" expr="0"/></datamodel>
  <state id="closed">
    <transition event="push" cond="_event.data &gt; 5" target="open"/>
  </state>
  <state id="open">
    <onentry><send event="close" delay="5s"/></onentry>
    <transition event="close" target="closed"/>
  </state>
</scxml>`

func parse(t testing.TB, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("door.scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func TestStart(t *testing.T) {
	s := Start(t, parse(t, door))
	if e := s.Do("push", 3); e.Handled || !e.Taken {
		t.Errorf("a weak push: %+v", e)
	}
	if e := s.Do("push", 9); !e.Handled || len(e.Entered) != 1 || e.Entered[0].ID() != "open" || !s.In("open") {
		t.Errorf("a push: %+v", e)
	}
	if e := s.Advance(5*time.Second - 1); len(e.Exited) > 0 || s.Now().Sub(Epoch) != 5*time.Second-1 {
		t.Errorf("too early: %+v", e)
	}
	if e := s.Advance(1); len(e.Sent) != 1 || len(e.Transitions) != 1 || !s.In("closed") {
		t.Errorf("after five seconds: %+v", e)
	}
}

// Each delayed event comes at its own time, and what happens is told in order.
func TestAdvanceIsStepByStep(t *testing.T) {
	s := Start(t, parse(t, blinker))
	var times []time.Duration
	s.OnState("on", func(active bool) { times = append(times, s.Now().Sub(Epoch)) })
	e := s.Advance(3500 * time.Millisecond)
	if got := fmt.Sprint(times); got != "[1s 2s 3s]" || len(e.Entered) != 3 || e.Entered[0].ID() != "on" || len(e.Sent) != 3 {
		t.Errorf("at %s: %+v", got, e)
	}
}

// Do and Advance wait for services, and meanwhile time does not advance.
func TestStartWaitsForServices(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="idle"><transition event="go" target="busy"/></state>
  <state id="busy">
    <onentry><send event="late" delay="1s"/></onentry>
    <invoke type="slow" id="x"/>
    <transition event="done.invoke.x" target="idle"/>
    <transition event="late" target="missed"/>
  </state>
  <state id="missed"/>
</scxml>`
	c := parse(t, chart)
	for range 200 { // so that the service ends at different moments
		s := Start(t, c, scxml.WithInvoker("slow", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
			runtime.Gosched()
			return 1, nil
		})))
		if e := s.Do("go"); len(e.Entered) != 2 || !s.In("idle") {
			t.Fatalf("got %+v", e)
		}
	}
}

// A service that begins while the time advances ends before it advances further.
func TestTimeStandsStillForServices(t *testing.T) {
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="idle">
    <onentry><send event="go" delay="1s"/><send event="late" delay="2s"/></onentry>
    <transition event="go" target="busy"/>
  </state>
  <state id="busy">
    <invoke type="slow" id="x"/>
    <transition event="done.invoke.x" target="served"/>
    <transition event="late" target="missed"/>
  </state>
  <state id="served"/>
  <state id="missed"/>
</scxml>`
	s := Start(t, parse(t, chart), scxml.WithInvoker("slow", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
		for range 100 {
			runtime.Gosched()
		}
		return nil, nil
	})))
	var served time.Duration
	s.OnState("served", func(bool) { served = s.Now().Sub(Epoch) })
	if s.Advance(3 * time.Second); served != time.Second || s.Now().Sub(Epoch) != 3*time.Second {
		t.Errorf("served at %v, now %v in %v", served, s.Now().Sub(Epoch), s.Configuration())
	}
}

// Services end with the test.
func TestSessionEndsWithTest(t *testing.T) {
	ended := make(chan error)
	invoker := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		_, err := inv.Receive(ctx)
		ended <- err
		return nil, err
	})
	chart := parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><invoke type="x"/></state></scxml>`)
	if log, failed := run(t, func(f *fakeT) { Start(f, chart, scxml.WithInvoker("x", invoker)) }); failed {
		t.Fatal(log)
	}
	if err := <-ended; err == nil {
		t.Error("the service got an event")
	}
}

// fakeT is a test that may fail.
type fakeT struct {
	testing.TB
	failed   bool
	log      strings.Builder
	cleanups []func()
}

func (f *fakeT) Helper()          {}
func (f *fakeT) Failed() bool     { return f.failed }
func (f *fakeT) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fakeT) Log(args ...any)  { fmt.Fprintln(&f.log, args...) }
func (f *fakeT) Fatal(args ...any) {
	f.failed = true
	f.Log(args...)
	runtime.Goexit()
}
func (f *fakeT) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

// run runs a test and returns what it logs.
func run(t *testing.T, test func(f *fakeT)) (log string, failed bool) {
	f := &fakeT{TB: t}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			for _, c := range f.cleanups {
				c()
			}
		}()
		test(f)
	}()
	<-over
	return f.log.String(), f.failed
}

// A failed test shows what the session did, and where in the document.
func TestFailureShowsTraceAndDocument(t *testing.T) {
	chart := parse(t, door)
	log, failed := run(t, func(f *fakeT) {
		s := Start(f, chart)
		s.Do("push", 9)
		f.Fatal("not open")
	})
	const want = `not open
the last 8 of 8 lines of the trace:
  enter closed                      door.scxml:3:3: <state id="closed">
  stable closed
  event push 9
  exit closed
  transition closed -> open         door.scxml:4:5: <transition event="push" cond="_event.data &gt; 5" target="open"/>
  enter open                        door.scxml:6:3: <state id="open">
  send close in 5s
  stable open
`
	if !failed || log != want {
		t.Errorf("got\n%s\nwant\n%s", log, want)
	}
	if log, failed := run(t, func(f *fakeT) { Start(f, chart).Do("push", 9) }); failed || log != "" {
		t.Errorf("a test that passes logs\n%s", log)
	}
}

// A trace of any length shows its last lines only.
func TestFailureShowsLastLines(t *testing.T) {
	chart := parse(t, blinker)
	log, _ := run(t, func(f *fakeT) {
		Start(f, chart).Advance(time.Minute)
		f.Fatal("x")
	})
	if lines := strings.Split(strings.TrimSpace(log), "\n"); len(lines) != 2+maxLines || !strings.HasPrefix(lines[1], "the last 40 of 4") ||
		!strings.HasPrefix(lines[len(lines)-1], "  stable off") {
		t.Errorf("got\n%s", log)
	}
}

// What is wrong with a test, or ends a session, fails the test and says why.
func TestStartErrors(t *testing.T) {
	chart := parse(t, door)
	for _, test := range []struct {
		want string
		test func(f *fakeT)
	}{
		{`has no top-level <data id="weight">`, func(f *fakeT) { Start(f, chart, scxml.WithData("weight", 1)) }},
		{`Do: the event does not have a name`, func(f *fakeT) { Start(f, chart).Do("") }},
		{`Do("push"): got 2 values: want at most one`, func(f *fakeT) { Start(f, chart).Do("push", 1, 2) }},
		{`Do("push"): `, func(f *fakeT) { Start(f, chart).Do("push", make(chan int)) }},
		{`Do("done.x"): `, func(f *fakeT) { Start(f, chart, scxml.WithAccept(chart.IsUserEvent)).Do("done.x") }},
		{`Advance(-1s): cannot advance by a negative time`, func(f *fakeT) { Start(f, chart).Advance(-time.Second) }},
		{`Do("push"): scxml: session has ended`, func(f *fakeT) {
			Start(f, parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml>`)).Do("push")
		}},
		{`waiting for service "stuck"`, func(f *fakeT) {
			defer func(before time.Duration) { patience = before }(patience)
			patience = time.Millisecond
			invoker := scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done()
				return nil, errors.New("ended")
			})
			Start(f, parse(t, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><invoke type="x" id="stuck"/></state></scxml>`),
				scxml.WithInvoker("x", invoker))
		}},
	} {
		if log, failed := run(t, test.test); !failed || !strings.Contains(log, test.want) {
			t.Errorf("got %s\nwant %q", log, test.want)
		}
	}
}
