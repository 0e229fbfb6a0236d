package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// document puts an <scxml> element around inside.
func document(inside string, attrs ...string) string {
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" ` + strings.Join(attrs, " ") + `>` + inside + `</scxml>`
}

// parse compiles the inside of an <scxml> element.
func parse(t testing.TB, inside string, attrs ...string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse("chart.scxml", []byte(document(inside, attrs...)))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func newSession(t testing.TB, chart *scxml.Chart, opts ...scxml.Option) *scxml.Session {
	t.Helper()
	s, err := scxml.New(chart, append([]scxml.Option{scxml.WithMissing()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start returns a started session on a virtual clock.
func start(t testing.TB, inside string, opts ...scxml.Option) (*scxml.Session, *scxmltest.Clock) {
	t.Helper()
	clock := new(scxmltest.Clock)
	s := newSession(t, parse(t, inside), append([]scxml.Option{scxml.WithClock(clock.Now)}, opts...)...)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, clock
}

func send(t testing.TB, s *scxml.Session, clock *scxmltest.Clock, name string, data any) {
	t.Helper()
	if err := s.Send(scxml.Event{Name: name, Data: data}); err != nil {
		t.Fatal(err)
	}
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
}

func wantConfiguration(t testing.TB, s *scxml.Session, want ...string) {
	t.Helper()
	if got := s.Configuration(); !slices.Equal(got, want) {
		t.Errorf("configuration is %v, want %v", got, want)
	}
}

const lamp = `
<state id="off"><transition event="toggle" target="on"/></state>
<state id="on">
  <onentry><send event="timeout" delay="10s" id="timer"/></onentry>
  <onexit><cancel sendid="timer"/></onexit>
  <transition event="toggle timeout" target="off"/>
  <transition event="break" target="broken"/>
</state>
<final id="broken"><donedata><content expr="'glass'"/></donedata></final>`

func TestStepDrives(t *testing.T) {
	now := scxmltest.Epoch
	s := newSession(t, parse(t, lamp), scxml.WithClock(func() time.Time { return now }))
	if _, err := s.Step(t.Context(), now); !errors.Is(err, scxml.ErrNotStarted) {
		t.Errorf("Step before Start: %v", err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err == nil {
		t.Error("a second Start is not an error")
	}
	wantConfiguration(t, s, "off")
	for range 2 {
		if err := s.Send(scxml.Event{Name: "toggle"}); err != nil {
			t.Fatal(err)
		}
	}
	// One event a step.
	more, err := s.Step(t.Context(), now)
	if err != nil || !more {
		t.Errorf("Step = %v, %v, want more", more, err)
	}
	wantConfiguration(t, s, "on")
	if due, ok := s.NextDue(); !ok || !due.Equal(now.Add(10*time.Second)) {
		t.Errorf("NextDue = %v, %v", due, ok)
	}
	if more, err = s.Step(t.Context(), now); err != nil || more {
		t.Errorf("Step = %v, %v, want no more", more, err)
	}
	wantConfiguration(t, s, "off")
	if due, ok := s.NextDue(); ok {
		t.Errorf("NextDue = %v after the cancel", due)
	}
}

func TestFinal(t *testing.T) {
	s, clock := start(t, lamp)
	send(t, s, clock, "toggle", nil)
	send(t, s, clock, "break", nil)
	if s.Status() != scxml.Final || s.FinalState() != "broken" || s.DoneData() != "glass" || s.Err() != nil {
		t.Errorf("status %v, final state %q, data %v, error %v", s.Status(), s.FinalState(), s.DoneData(), s.Err())
	}
	wantConfiguration(t, s)
	for expr, want := range map[string]bool{"In('broken')": true, "In('on')": false, "In('off')": false} {
		if got, err := s.Eval(t.Context(), expr); got != want || err != nil {
			t.Errorf("%s after the end: %v, %v", expr, got, err)
		}
	}
	if err := s.Send(scxml.Event{Name: "toggle"}); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("Send after the end: %v", err)
	}
	if more, err := s.Step(t.Context(), clock.Now()); more || err != nil {
		t.Errorf("Step after the end = %v, %v", more, err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Errorf("Run after the end: %v", err)
	}
	if _, ok := s.NextDue(); ok {
		t.Error("a timer outlives the session")
	}
}

func TestWithData(t *testing.T) {
	const inside = `<datamodel><data id="grid" expr="nowhere"/><data id="sum" expr="grid[1][1] + 1"/></datamodel>
		<state id="s"><onentry><log expr="sum"/></onentry><datamodel><data id="inner"/></datamodel></state>`
	var logged []datamodel.Value
	trace := &scxml.Trace{Log: func(_ *scxml.Session, _ string, v datamodel.Value) { logged = append(logged, v) }}
	grid := [2][2]int{{1, 2}, {3, 4}}
	s, _ := start(t, inside, scxml.WithData("grid", 1), scxml.WithData("grid", grid), scxml.WithTrace(trace))
	if want := []datamodel.Value{int64(5)}; !reflect.DeepEqual(logged, want) {
		t.Errorf("logged %v, want %v", logged, want)
	}
	v, err := s.Eval(t.Context(), "grid")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := scxml.EventData[[2][2]int](scxml.Event{Data: v}); err != nil || got != grid {
		t.Errorf("grid is %v, %v", got, err)
	}
	for _, id := range []string{"nope", "inner"} {
		if _, err := scxml.New(parse(t, inside), scxml.WithData(id, 1)); err == nil || !strings.Contains(err.Error(), `no top-level <data id="`+id) {
			t.Errorf("WithData(%q): %v", id, err)
		}
	}
	if _, err := scxml.New(parse(t, inside), scxml.WithData("grid", make(chan int))); err == nil {
		t.Error("a channel is taken as data")
	}
}

func TestObservers(t *testing.T) {
	s, clock := start(t, `
<datamodel><data id="n" expr="0"/></datamodel>
<state id="a">
  <onentry><send event="hello" id="x"/></onentry>
  <transition event="go" target="b"><send event="said.something"><param name="n" expr="n"/></send><assign location="n" expr="n + 1"/></transition>
</state>
<state id="b"><transition event="go" target="a"/><transition event="said"/></state>`)
	var got []string
	note := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	s.OnState("b", func(active bool) { note("b %v, in b %v", active, s.In("b")) })
	off := s.OnSend("said", func(ev scxml.Event) {
		n, err := scxml.EventData[struct{ N int }](ev)
		note("said %d %v", n.N, err)
	})
	s.OnEvent("*", func(ev scxml.Event) { note("event %s", ev.Name) })
	s.OnSend("hello", func(ev scxml.Event) {
		note("hello %s", ev.SendID)
		if err := s.Send(scxml.Event{Name: "from.callback"}); err != nil {
			t.Error(err)
		}
	})
	send(t, s, clock, "go", nil)
	send(t, s, clock, "go", nil)
	off()
	send(t, s, clock, "go", nil)
	want := []string{
		"event hello", "event go", "said 0 <nil>", "b true, in b true", "event said.something",
		"event go", "b false, in b false", "hello x", "event from.callback", "event hello",
		"event go", "b true, in b true", "event said.something",
	}
	if !slices.Equal(got, want) {
		t.Errorf("observed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOnStateUnknownPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("OnState accepts an unknown state")
		}
	}()
	newSession(t, parse(t, lamp)).OnState("nope", func(bool) {})
}

// TestOnSendUnknownPanics: only for an event that this session certainly never sends.
func TestOnSendUnknownPanics(t *testing.T) {
	static := `<state id="s"><onentry><send event="said.twice"/><raise event="raised"/></onentry></state>`
	computed := `<state id="s"><onentry><send event="said"/><send eventexpr="'x'"/></onentry></state>`
	for _, test := range []struct{ chart, descriptor, want string }{
		{static, "said", ""}, {static, "said.twice", ""}, {static, "said.*", ""}, {static, "*", ""}, {computed, "x", ""}, {`<state id="s"/>`, "*", ""},
		{static, "said.once", `scxml: OnSend: chart.scxml never sends "said.once" (did you mean "said.twice"?)`},
		{static, "said.twice.more", `scxml: OnSend: chart.scxml never sends "said.twice.more" (did you mean "said.twice"?)`},
		{static, "raised", `scxml: OnSend: chart.scxml never sends "raised"`},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); got != test.want {
					t.Errorf("%s: got  %s\nwant %s", test.descriptor, got, test.want)
				}
			}()
			newSession(t, parse(t, test.chart)).OnSend(test.descriptor, func(scxml.Event) {})
		}()
	}
}

// TestOnSendOfAnOlderChart: a restored session can have a delayed event that its chart does not send
// any more.
func TestOnSendOfAnOlderChart(t *testing.T) {
	s, clock := start(t, `<state id="s"><onentry><send event="old" delay="1s"/></onentry></state>`)
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	s, err = scxml.Restore(parse(t, `<state id="s"/>`), snapshot,
		scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) { return b, nil }))
	if err != nil {
		t.Fatal(err)
	}
	heard := false
	s.OnSend("old", func(scxml.Event) { heard = true })
	if err := clock.Advance(t.Context(), s, time.Second); err != nil || !heard {
		t.Errorf("heard %v, %v", heard, err)
	}
}

func TestEnabled(t *testing.T) {
	s, _ := start(t, `<state id="s"><transition event="a b.c"/><transition cond="false"/><state id="t"><transition event="b.c d"/></state></state><state id="u"><transition event="never"/></state>`)
	if got, want := s.Enabled(), []string{"a", "b.c", "d"}; !slices.Equal(got, want) {
		t.Errorf("Enabled = %v, want %v", got, want)
	}

	// A transition in <scxml> is taken too, though it is not part of SCXML.
	s, clock := start(t, `<transition event="quit" target="f"/><state id="s"><transition event="a"/></state><final id="f"/>`)
	if got, want := s.Enabled(), []string{"quit", "a"}; !slices.Equal(got, want) {
		t.Errorf("Enabled = %v, want %v", got, want)
	}
	if _, err := s.Do(t.Context(), clock.Now(), scxml.Event{Name: "quit"}); err != nil || s.Status() != scxml.Final || s.Enabled() != nil {
		t.Errorf("%v, %v, then %v", err, s.Status(), s.Enabled())
	}
}

func TestStop(t *testing.T) {
	s, clock := start(t, `<state id="s"><onexit><send event="bye"/></onexit></state>`)
	var bye int
	s.OnSend("bye", func(scxml.Event) { bye++ })
	s.Stop()
	s.Stop()
	if err := clock.Advance(t.Context(), s, time.Hour); !errors.Is(err, scxml.ErrStopped) {
		t.Errorf("Advance: %v", err)
	}
	if bye != 1 || s.Status() != scxml.Stopped || !errors.Is(s.Err(), scxml.ErrStopped) {
		t.Errorf("bye %d, status %v, error %v", bye, s.Status(), s.Err())
	}
	if err := s.Run(t.Context()); !errors.Is(err, scxml.ErrStopped) {
		t.Errorf("Run: %v", err)
	}
}

func TestCancelledStepGoesOn(t *testing.T) {
	s, clock := start(t, `<state id="a"><transition event="go"><script>while (stuck) {}</script><log label="never"/></transition>
		<transition event="error.execution" target="b"/></state><state id="b"/>`+`<datamodel><data id="stuck" expr="true"/></datamodel>`)
	if err := s.Send(scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(reason) })
	more, err := s.Step(ctx, clock.Now())
	if !errors.Is(err, reason) || !more {
		t.Errorf("Step = %v, %v", more, err)
	}
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	wantConfiguration(t, s, "b")
}

func TestMisuse(t *testing.T) {
	s, clock := start(t, lamp)
	says := func(what string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want: %s", what, err, want)
		}
	}
	var stepped, advanced, started, ran, saved error
	unsubscribe := s.OnEvent("*", func(scxml.Event) {
		_, stepped = s.Step(t.Context(), clock.Now())
		advanced, started, ran = s.Advance(t.Context(), clock.Now()), s.Start(t.Context()), s.Run(t.Context())
		_, saved = s.Snapshot()
	})
	send(t, s, clock, "toggle", nil)
	unsubscribe()
	for what, err := range map[string]error{"Step": stepped, "Advance": advanced, "Start": started, "Run": ran} {
		says(what+" in a callback", err, "the session is being driven")
	}
	says("Snapshot in a callback", saved, "called during a macrostep")
	says("Start", s.Start(t.Context()), "the session was started before")
	says("Send", s.Send(scxml.Event{}), "scxml: Send: the event has no name")
	says("Send", s.Send(scxml.Event{Name: "x", Data: func() {}}), `scxml: Send: data of event "x": cannot use a func() as data`)
	_, err := s.Eval(t.Context(), "1 +")
	says("Eval", err, "SyntaxError")
	if eval := (*datamodel.EvalError)(nil); !errors.As(err, &eval) {
		t.Errorf("Eval: %T is not an EvalError", err)
	}
	send(t, s, clock, "toggle", nil) // and the session is as it was
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, parse(t, lamp))
		began := time.Now()
		var on, off time.Duration
		s.OnState("on", func(active bool) {
			if active {
				on = time.Since(began)
			} else {
				off = time.Since(began)
			}
		})
		done := make(chan error)
		go func() { done <- s.Run(t.Context()) }()
		time.Sleep(3 * time.Second)
		if err := s.Send(scxml.Event{Name: "toggle"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(15 * time.Second)
		var configuration []string
		if err := s.Call(t.Context(), func(s *scxml.Session) { configuration = s.Configuration() }); err != nil {
			t.Fatal(err)
		}
		if on != 3*time.Second || off != 13*time.Second || !slices.Equal(configuration, []string{"off"}) {
			t.Errorf("on at %v, off at %v, then %v", on, off, configuration)
		}
		s.Send(scxml.Event{Name: "toggle"})
		s.Send(scxml.Event{Name: "break"})
		if err := <-done; err != nil || s.FinalState() != "broken" {
			t.Errorf("Run: %v in %q", err, s.FinalState())
		}
		if err := s.Call(t.Context(), func(*scxml.Session) {}); !errors.Is(err, scxml.ErrEnded) {
			t.Errorf("Call after the end: %v", err)
		}
	})
}

// Nothing wakes Run after the last event, which may reach the final state.
func TestRunEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="s"><transition event="go" target="f"/></state><final id="f"/>`))
		time.AfterFunc(time.Second, func() { s.Send(scxml.Event{Name: "go"}) })
		if err := s.Run(t.Context()); err != nil || s.FinalState() != "f" {
			t.Errorf("Run: %v in %q", err, s.FinalState())
		}
	})
}

func TestRunCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="s"><onexit><send event="bye"/></onexit></state>`))
		bye := 0
		s.OnSend("bye", func(scxml.Event) { bye++ })
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run: %v", err)
		}
		if bye != 1 || s.Status() != scxml.Stopped {
			t.Errorf("bye %d, status %v", bye, s.Status())
		}
	})
}

func TestRunStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, parse(t, `<state id="s"/>`))
		time.AfterFunc(time.Second, s.Stop)
		if err := s.Run(t.Context()); !errors.Is(err, scxml.ErrStopped) {
			t.Errorf("Run: %v", err)
		}
	})
}

// TestRunInterruptsScript does not use a bubble: fake time does not pass while a script computes.
func TestRunInterruptsScript(t *testing.T) {
	s := newSession(t, parse(t, `<state id="s"><onentry><script>while (true) {}</script></onentry></state>`))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := s.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v", err)
	}
}

func TestSendFromManyGoroutines(t *testing.T) {
	s := newSession(t, parse(t, `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="s"><transition event="tick"><assign location="n" expr="n + _event.data"/></transition>
		<transition cond="n == 1000" target="f"/></state><final id="f"><donedata><content expr="n"/></donedata></final>`))
	var senders sync.WaitGroup
	for range 10 {
		senders.Go(func() {
			for range 100 {
				if err := s.Send(scxml.Event{Name: "tick", Data: 1}); err != nil {
					t.Error(err)
				}
				if err := s.Call(t.Context(), func(s *scxml.Session) { s.Configuration() }); err != nil && !errors.Is(err, scxml.ErrEnded) {
					t.Error(err)
				}
			}
		})
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	senders.Wait()
	if s.DoneData() != int64(1000) {
		t.Errorf("counted %v", s.DoneData())
	}
}

// TestChartIsShared runs one chart in many goroutines, for the race detector.
func TestChartIsShared(t *testing.T) {
	chart := parse(t, lamp)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			clock := new(scxmltest.Clock)
			s, err := scxml.New(chart, scxml.WithClock(clock.Now))
			if err == nil {
				err = s.Start(t.Context())
			}
			for _, name := range []string{"toggle", "toggle", "toggle", "break"} {
				if err == nil {
					err = s.Send(scxml.Event{Name: name})
				}
				if err == nil {
					err = clock.Advance(t.Context(), s, time.Second)
				}
			}
			if err != nil || s.FinalState() != "broken" {
				t.Errorf("%v, %q", err, s.FinalState())
			}
		})
	}
	all.Wait()
}

func TestSeedRepeats(t *testing.T) {
	const inside = `<state id="s"><onentry><log expr="[Math.random(), _sessionid, new Date().toISOString()]"/></onentry></state>`
	run := func(seed uint64) string {
		var got string
		start(t, inside, scxml.WithSeed(seed), scxml.WithTrace(&scxml.Trace{Log: func(_ *scxml.Session, _ string, v datamodel.Value) { got = datamodel.Text(v) }}))
		return got
	}
	if a, b, c := run(1), run(1), run(2); a != b || a == c || !strings.Contains(a, "2000-01-01T00:00:00") {
		t.Errorf("seed 1: %s and %s, seed 2: %s", a, b, c)
	}
}

func TestMacrostepDoesNotAllocate(t *testing.T) {
	s, clock := start(t, `
<parallel id="p">
  <state id="r1"><state id="a"><onentry><raise event="i"/></onentry><transition event="t" target="b"/></state>
    <state id="b"><transition event="t" target="a"/></state></state>
  <state id="r2"><history id="h"><transition target="c"/></history>
    <state id="c"><transition event="i" target="d"/></state><state id="d"><transition event="t" target="h"/></state></state>
</parallel>`)
	ctx := t.Context()
	got := testing.AllocsPerRun(100, func() {
		if s.Send(scxml.Event{Name: "t"}) != nil || s.Advance(ctx, clock.Now()) != nil {
			t.Error("the session does not continue")
		}
	})
	if got != 0 {
		t.Errorf("a macrostep allocates %v times", got)
	}
}

func TestIntrospection(t *testing.T) {
	chart := parse(t, `<datamodel><data id="d"/></datamodel>
<state id="s"><state><transition event="a b" cond="x &lt; 1" target="t"><send event="e" target="#_parent" namelist="d"><param name="p" expr="1"/></send></transition></state>
<history id="h"><transition target="u"/></history><state id="u"/></state>
<final id="t"/>`, `name="Chart"`)
	var names []string
	for _, st := range chart.States() {
		names = append(names, st.Kind().String()+" "+st.Name())
	}
	if want := []string{"scxml scxml#0", "state s", "state state#2", "history h", "state u", "final t"}; !slices.Equal(names, want) {
		t.Errorf("states %q, want %q", names, want)
	}
	tr := chart.Transitions()
	if len(tr) != 1 || !slices.Equal(tr[0].Events(), []string{"a", "b"}) || tr[0].Cond() != "x < 1" ||
		tr[0].Source().Name() != "state#2" || tr[0].Targets()[0].ID() != "t" || tr[0].Pos().String() != "chart.scxml:2:22" {
		t.Errorf("transitions %+v", tr)
	}
	sends := chart.Sends()
	if len(sends) != 1 || sends[0].Event != "e" || sends[0].Target != "#_parent" || !slices.Equal(sends[0].Params, []string{"d", "p"}) {
		t.Errorf("sends %+v", sends)
	}
	if chart.Name() != "Chart" || chart.Datamodel() != "ecmascript" || !slices.Equal(chart.Data(), []string{"d"}) {
		t.Errorf("chart %q, data model %q, data %q", chart.Name(), chart.Datamodel(), chart.Data())
	}
}

func TestRunIsTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, parse(t, lamp))
		done := make(chan error)
		go func() { done <- s.Run(t.Context()) }()
		synctest.Wait()
		if err := s.Run(t.Context()); err == nil {
			t.Error("a second Run is not an error")
		}
		if _, err := s.Step(t.Context(), time.Now()); err == nil {
			t.Error("Step during Run is not an error")
		}
		s.Stop()
		if err := <-done; !errors.Is(err, scxml.ErrStopped) {
			t.Errorf("Run: %v", err)
		}
	})
}

// A host that is late gets the same result as one in time.
func TestLateStep(t *testing.T) {
	s, clock := start(t, `<state id="a">
		<onentry><send event="one" delay="300ms"/><send event="two" delay="600ms" id="two"/></onentry>
		<transition event="one"><cancel sendid="two"/></transition>
		<transition event="two" target="bad"/></state><state id="bad"/>`)
	for more := true; more; {
		var err error
		if more, err = s.Step(t.Context(), clock.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	wantConfiguration(t, s, "a")
}

// The arguments of <send> are evaluated once.
func TestSendEvaluatesOnce(t *testing.T) {
	s, clock := start(t, `<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><onentry><send event="x"><param name="p" expr="++n"/><param name="p" expr="++n"/></send></onentry></state>`)
	var raw string
	s.OnEvent("x", func(ev scxml.Event) { raw = ev.Raw })
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Eval(t.Context(), "n"); err != nil || v != int64(2) || raw != "p=1&p=2" {
		t.Errorf("n is %v (%v), raw %q", v, err, raw)
	}
}
