package scxml_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// TestWake: a host is told once of each change from rest to work.
func TestWake(t *testing.T) {
	calls := 0
	var woken *scxml.Session
	var handler func()
	s, clock := start(t, `<state id="a"><onentry><send event="later" delay="1s"/></onentry>
		<transition event="self"><send event="own"/></transition><transition event="*"/></state>`,
		scxml.WithWake(func(s *scxml.Session) { woken = s; calls++ }))
	s.OnEvent("call", func(scxml.Event) { handler() })
	expect := func(what string, want int) {
		t.Helper()
		if calls != want {
			t.Errorf("%s: called %d times, want %d", what, calls, want)
		}
		calls = 0
	}
	send := func(name string) {
		t.Helper()
		if err := s.Send(scxml.Event{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	step := func() bool {
		t.Helper()
		more, err := s.Step(t.Context(), clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return more
	}
	expect("Start", 0)
	send("a")
	send("b")
	expect("two events", 1)
	if woken != s {
		t.Error("it is told of another session")
	}
	if !step() {
		t.Error("there is more to do")
	}
	send("c")
	expect("while the host knows that there is more", 0)
	for step() {
	}
	expect("driving", 0)
	send("d")
	expect("after that", 1)
	do(t, s, 0, "")
	do(t, s, 0, "self")
	expect("Do, which does all", 0)
	handler = func() { send("from.callback") }
	do(t, s, 0, "call")
	expect("what Do has done already", 0)
	s.Stop()
	expect("Stop", 1)
	if err := s.Advance(t.Context(), clock.Now()); !errors.Is(err, scxml.ErrStopped) {
		t.Error(err)
	}
	expect("the end", 0)
}

// TestWakeAfterSnapshot: looking at a session does not make the host forget, and
// what arrives meanwhile is told.
func TestWakeAfterSnapshot(t *testing.T) {
	calls := 0
	s, _ := start(t, `<state id="a"><transition event="*"/></state>`, scxml.WithWake(func(*scxml.Session) { calls++ }))
	if err := s.Send(scxml.Event{Name: "e"}); err != nil {
		t.Fatal(err)
	}
	snapshot(t, s)
	if calls != 1 {
		t.Errorf("called %d times", calls)
	}
}

// TestWakeLeavesNothing: whatever arrives whenever, somebody is told.
func TestWakeLeavesNothing(t *testing.T) {
	const senders, each = 8, 200
	wake := make(chan bool, 1)
	taken := 0
	s, _ := start(t, `<state id="a"><transition event="*"/></state>`, scxml.WithWake(func(*scxml.Session) { wake <- true }))
	s.OnEvent("*", func(scxml.Event) { taken++ })
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for range each {
				if err := s.Send(scxml.Event{Name: "e"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for taken < senders*each {
		select {
		case <-wake:
		case <-time.After(10 * time.Second):
			t.Fatalf("nobody is told of what is left after %d events", taken)
		}
		do(t, s, 0, "")
	}
	all.Wait()
}

// TestWakeKnowsEarlierWork: an event or a Stop between the last step and the first call of
// Wake is not missed.
func TestWakeKnowsEarlierWork(t *testing.T) {
	for name, cause := range map[string]func(*scxml.Session){
		"event": func(s *scxml.Session) {
			if err := s.Send(scxml.Event{Name: "e"}); err != nil {
				t.Fatal(err)
			}
		},
		"stop": (*scxml.Session).Stop,
		"rest": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s, clock := start(t, `<state><transition event="e"/></state>`)
			if err := s.Advance(t.Context(), clock.Now()); err != nil {
				t.Fatal(err)
			}
			if cause != nil {
				cause(s)
			}
			if got := len(s.Wake()) == 1; got != (cause != nil) {
				t.Errorf("Wake receives: %v", got)
			}
		})
	}
}

// TestAdvanceNamesTheService: who waits for a service learns which one it is.
func TestAdvanceNamesTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := new(scxmltest.Clock)
		s := newSession(t, parse(t, `<state><invoke type="bank" id="pay"/></state>`), scxml.WithClock(clock.Now),
			scxml.WithInvoker("bank", scxml.InvokerFunc(func(ctx context.Context, _ *scxml.Invocation) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond) // of the bubble: it passes when all wait
		defer cancel()
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := s.Advance(ctx, clock.Now().Add(time.Hour))
		if want := `waiting for service "pay" of type "bank"`; !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		s.Stop()
		if _, err := s.Step(t.Context(), clock.Now()); !errors.Is(err, scxml.ErrStopped) { // which cancels the service
			t.Error(err)
		}
	})
}

var errMine = errors.New("mine")

// TestErrorOfServiceHasInvokeID: error.communication of a service says whose it is,
// and the host gets the error that the service returned.
func TestErrorOfServiceHasInvokeID(t *testing.T) {
	clock := new(scxmltest.Clock)
	var failed error
	s := newSession(t, parse(t, `<state><invoke type="bank" id="pay"/>
			<transition event="error.communication" cond="_event.invokeid === 'pay'" target="failed"/></state><state id="failed"/>`),
		scxml.WithClock(clock.Now),
		scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, err *scxml.ExecutionError) { failed = err }}),
		scxml.WithInvoker("bank", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { return nil, errMine })))
	if err := errors.Join(s.Start(t.Context()), s.Advance(t.Context(), clock.Now())); err != nil {
		t.Fatal(err)
	}
	if !s.In("failed") || !errors.Is(failed, errMine) {
		t.Errorf("%v, %v", s.Configuration(), failed)
	}
}

func TestData(t *testing.T) {
	s, _ := start(t, `<datamodel><data id="total" expr="12.5"/><data id="items" expr="[{name: 'a', n: 2}]"/><data id="f" expr="null"/><data id="other"/></datamodel>
		<state><onentry><script>f = function () {}</script></onentry></state>`)
	type order struct {
		Sum   float64 `json:"total"`
		Items []struct {
			Name string
			N    int
		}
		Missing string
	}
	got, err := scxml.Data[order](s)
	if err != nil || got.Sum != 12.5 || len(got.Items) != 1 || got.Items[0].Name != "a" || got.Items[0].N != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if all, err := scxml.Data[map[string]any](s); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := scxml.Data[struct{ Total int }](s); err == nil || !strings.Contains(err.Error(), "total: cannot put 12.5 into int") {
		t.Errorf("a number that does not fit: %v", err)
	}
	if _, err := scxml.Data[order](newSession(t, parse(t, `<state/>`))); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("before Start: %v", err)
	}
}
