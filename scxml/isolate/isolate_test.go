package isolate_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

func TestMain(m *testing.M) {
	isolate.Child(works...)
	os.Exit(m.Run())
}

// hang is a script that does not end for minutes, and that nothing in its process interrupts.
const hang = "var a = []; a[4294967294] = 1; a.reverse();"

var start = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

var atStart = scxml.WithClock(func() time.Time { return start })

// document makes a document of its content.
func document(content string) []byte {
	return []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + content + `</scxml>`)
}

// newPool returns a pool whose deadline no honest chart overruns, however busy the machine is.
func newPool(t testing.TB, cfg isolate.Config) *isolate.Pool {
	t.Helper()
	if cfg.Deadline == 0 {
		cfg.Deadline = time.Minute
	}
	pool, err := isolate.NewPool(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// begin starts a session of a document in a child of its own.
func begin(t testing.TB, pool *isolate.Pool, spec isolate.Spec, opts ...scxml.Option) *isolate.Session {
	t.Helper()
	spec.Name = "chart.scxml"
	s, err := pool.New(t.Context(), spec, append(opts, atStart)...)
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t testing.TB, s *isolate.Session, now time.Time, name string, data any) isolate.Effect {
	t.Helper()
	e, err := s.Do(t.Context(), now, scxml.Event{Name: name, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const door = `<datamodel><data id="code"/><data id="failures" expr="0"/></datamodel>
<state id="locked">
  <transition event="enter" cond="_event.data === code" target="open"/>
  <transition event="enter">
    <assign location="failures" expr="failures + 1"/>
    <send event="alarm"><param name="failures" expr="failures"/></send>
  </transition>
  <transition event="enter.wrong"><assign location="nowhere.x" expr="1"/></transition>
</state>
<state id="open">
  <onentry><log label="opened" expr="failures"/><send event="shut" delay="5s"/></onentry>
  <transition event="shut" target="locked"/>
  <transition event="burn" target="ash"/>
</state>
<final id="ash"><donedata><content expr="({left: failures})"/></donedata></final>`

// A session behind the wall does what one in this process does, and says the same.
func TestSessionIsLikeOneInProcess(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	var logged []string
	there := begin(t, pool, isolate.Spec{
		Source: document(door), Kinds: record.Kinds(record.Log),
		Records: func(r *record.Record) { logged = append(logged, r.String()) },
	}, scxml.WithData("code", 4711), scxml.WithSeed(1))
	chart, err := scxml.Parse("chart.scxml", document(door))
	if err != nil {
		t.Fatal(err)
	}
	here, err := scxml.New(chart, scxml.WithData("code", 4711), scxml.WithSeed(1), atStart)
	if err == nil {
		err = here.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	now := start
	for _, ev := range []scxml.Event{
		{Name: "enter", Data: 1}, {Name: "enter.wrong"}, {Name: "nothing"}, {Name: "enter", Data: 4711}, {}, {Name: "enter", Data: 4711}, {Name: "burn"}, {Name: "late"},
	} {
		now = now.Add(3 * time.Second)
		tried, tryErr := there.Try(t.Context(), ev)
		want, wantErr := here.Try(t.Context(), ev)
		if fmt.Sprint(tryErr) != fmt.Sprint(wantErr) || tried.Handled != want.Handled || len(tried.Candidates) != len(want.Candidates) {
			t.Errorf("Try %q: %+v, %v, want %+v, %v", ev.Name, tried, tryErr, want, wantErr)
		}
		for i, c := range want.Candidates {
			got := tried.Candidates[i]
			if got.Verdict != c.Verdict || got.Transition.Pos != c.Transition.Pos() || got.Transition.Source != c.Transition.Source().Name() {
				t.Errorf("Try %q: candidate %+v, want %v", ev.Name, got, c)
			}
		}
		got, err := there.Do(t.Context(), now, ev)
		effect, wantErr := here.Do(t.Context(), now, ev)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || errors.Is(err, scxml.ErrEnded) != errors.Is(wantErr, scxml.ErrEnded) {
			t.Errorf("Do %q: %v, want %v", ev.Name, err, wantErr)
		}
		if got, want := tell(got), tellLocal(effect); got != want {
			t.Errorf("Do %q: %s\nwant %s", ev.Name, got, want)
		}
		due, ok := there.NextDue()
		wantDue, wantOK := here.NextDue()
		enabled, _ := there.Enabled(t.Context())
		if !slices.Equal(there.Configuration(), here.Configuration()) || there.Status() != here.Status() || !due.Equal(wantDue) || ok != wantOK ||
			!slices.Equal(enabled, here.Enabled()) || !there.Now().Equal(here.Now()) || there.FinalState() != here.FinalState() ||
			!datamodel.Equal(there.DoneData(), here.DoneData()) {
			t.Errorf("after %q: %v %v %v %v, want %v %v %v %v", ev.Name, there.Configuration(), there.Status(), due, enabled,
				here.Configuration(), here.Status(), wantDue, here.Enabled())
		}
	}
	if !slices.Equal(logged, []string{"#1 +12s (" + here.ID() + ") log opened 2", "#2 +18s (" + here.ID() + ") log opened 2"}) {
		t.Errorf("records: %q", logged)
	}
}

// tell describes an effect.
func tell(e isolate.Effect) string {
	var transitions []string
	for _, tr := range e.Transitions {
		transitions = append(transitions, fmt.Sprintln(tr.Source, tr.Events, tr.Targets, tr.Pos))
	}
	return fmt.Sprint(e.Taken, e.Handled, transitions, e.Exited, e.Entered, messages(e.Sent), e.Errors)
}

func tellLocal(e scxml.Effect) string {
	var transitions []string
	for _, tr := range e.Transitions {
		transitions = append(transitions, fmt.Sprintln(tr.Source(), tr.Events(), tr.Targets(), tr.Pos()))
	}
	return fmt.Sprint(e.Taken, e.Handled, transitions, e.Exited, e.Entered, messages(e.Sent), e.Errors)
}

func messages(sent []scxml.Message) (texts []string) {
	for _, m := range sent {
		texts = append(texts, fmt.Sprint(m.Event.Name, datamodel.Text(m.Event.Data), m.Target, m.Type, m.Delay))
	}
	return texts
}

// Options that cannot cross the wall are refused by name.
// A session in the child begins in a configuration as one in process does, or is refused as there.
func TestConfigurationCrosses(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	spec := isolate.Spec{Source: document(`<state id="a"/><state id="b"><onentry><raise event="wrong"/></onentry><transition event="wrong" target="a"/></state>`)}
	s := begin(t, pool, spec, scxml.WithConfiguration("b"))
	if got := s.Configuration(); !slices.Equal(got, []string{"b"}) {
		t.Error(got)
	}
	for want, names := range map[string][]string{`no state "c"`: {"c"}, "no state is given": {}} {
		if _, err := pool.New(t.Context(), spec, scxml.WithConfiguration(names...)); err == nil || !strings.Contains(err.Error(), "scxml: WithConfiguration: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", names, err)
		}
	}
	if _, err := pool.Restore(t.Context(), spec, nil, scxml.WithConfiguration("b")); err == nil || !strings.Contains(err.Error(), "WithConfiguration is not allowed for Restore") {
		t.Error(err)
	}
}

func TestOptionsAreRefusedByName(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	spec := isolate.Spec{Name: "door.scxml", Source: document(door)}
	for name, opt := range map[string]scxml.Option{
		"WithAction": scxml.WithAction(xml.Name{Local: "x"}, func(*scxml.ActionCall) error { return nil }),
		"WithTrace":  scxml.WithTrace(&scxml.Trace{}), "WithLogger": scxml.WithLogger(slog.Default()),
		"WithWake": scxml.WithWake(func(*scxml.Session) {}), "WithRouter": scxml.WithRouter(new(scxml.Directory)),
		"WithIOProcessor": scxml.WithIOProcessor("x", nil), "WithSnapshotKey": scxml.WithSnapshotKey(make([]byte, 32)),
	} {
		if _, err := pool.New(t.Context(), spec, opt); err == nil || !strings.HasPrefix(err.Error(), "isolate: "+name+" cannot cross the wall: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	spec.Options = []scxml.ChartOption{scxml.WithLanguage(null.New())}
	if _, err := pool.New(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "WithLanguage cannot cross the wall") {
		t.Error(err)
	}
	spec.Options = nil
	migrate := scxml.WithMigration(func(snapshot []byte, _ *scxml.Chart) ([]byte, error) { return snapshot, nil })
	if _, err := pool.Restore(t.Context(), spec, nil, migrate); err == nil || !strings.Contains(err.Error(), "WithMigration cannot cross the wall") {
		t.Error(err)
	}
	if _, err := pool.Restore(t.Context(), spec, nil, scxml.WithData("code", 1)); err == nil || !strings.Contains(err.Error(), "WithData is not allowed for Restore") {
		t.Error(err)
	}
}

// Mistakes are the errors that they are in this process.
func TestErrorsCross(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	_, err := pool.New(t.Context(), isolate.Spec{Name: "bad.scxml", Source: document(`<state id="a"><transition target="b"/></state>`)})
	var refused *scxml.DocumentError
	if !errors.As(err, &refused) || refused.Diagnostics[0].Code != "unknown-target" || refused.Diagnostics[0].Pos.File != "bad.scxml" {
		t.Errorf("%v", err)
	}
	if _, err := pool.New(t.Context(), isolate.Spec{Name: "d.scxml", Source: document(door)}, scxml.WithData("cod", 1)); err == nil || !strings.Contains(err.Error(), `has no top-level <data id="cod">`) {
		t.Error(err)
	}
	if _, err := pool.Restore(t.Context(), isolate.Spec{Name: "d.scxml", Source: document(door)}, []byte("{}")); !errors.Is(err, scxml.ErrSnapshot) {
		t.Error(err)
	}
	s := begin(t, pool, isolate.Spec{Source: document(`<state id="a"><transition event="loop" target="b"/></state><state id="b"><transition target="b"/></state>`), UserEvents: true})
	if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "the session was started before") {
		t.Error(err)
	}
	if err := s.Send(scxml.Event{Name: "done.invoke.x"}); !errors.Is(err, scxml.ErrNotAccepted) {
		t.Error(err)
	}
	if err := s.Send(scxml.Event{Name: "a b"}); err == nil {
		t.Error("a name with a space is accepted")
	}
	if err := s.Send(scxml.Event{Name: "big", Data: strings.Repeat("x", 2<<20)}); err == nil || !strings.Contains(err.Error(), "limit DataSize = 1048576 exceeded") {
		t.Error(err)
	}
	_, err = s.Do(t.Context(), start, scxml.Event{Name: "loop"})
	var limit *scxml.LimitError
	if !errors.As(err, &limit) || limit.Limit != "Microsteps" || limit.Value != scxml.Strict().Microsteps || !slices.Equal(limit.States, []string{"b"}) || s.Status() != scxml.Stopped {
		t.Errorf("%v, %v", err, s.Status())
	}
	if !errors.As(s.Err(), &limit) {
		t.Error(s.Err())
	}
	if err := s.Send(scxml.Event{Name: "x"}); !errors.Is(err, scxml.ErrEnded) {
		t.Error(err)
	}
}

// Functions, files and data of the host cross the wall.
func TestHostCrosses(t *testing.T) {
	pool := newPool(t, isolate.Config{HostTime: time.Minute})
	files := fstest.MapFS{
		"lib/add.js":  {Data: []byte("function add(a, b) { return a + b }")},
		"child.scxml": {Data: document(`<state id="x"><onentry><send event="hello" target="#_parent"/></onentry></state>`)},
	}
	var s *isolate.Session
	s = begin(t, pool, isolate.Spec{Options: []scxml.ChartOption{scxml.WithLoader(files)}, Source: document(`
<datamodel><data id="x"/><data id="y"/></datamodel><script src="lib/add.js"/>
<state id="a"><invoke src="child.scxml"/><invoke src="none.scxml"/>
  <transition event="hello" target="b"/>
</state>
<state id="b">
  <transition event="call"><assign location="y" expr="twice(add(x.n, 1), {undefined: undefined})"/></transition>
  <transition event="fail"><script>try { fail() } catch (e) { y = e.message }</script></transition>
  <transition event="panic"><script>panics()</script></transition>
  <transition event="inner" target="c"/>
</state><state id="c"/>`)},
		scxml.WithData("x", map[string]int{"n": 20}),
		scxml.WithFunc("twice", func(n float64, o map[string]any) float64 {
			if err := s.Send(scxml.Event{Name: "inner"}); err != nil { // during a request
				t.Error(err)
			}
			return 2 * n
		}),
		scxml.WithFunc("fail", func(context.Context) error { return errors.New("no luck") }),
		scxml.WithFunc("panics", func() { panic("oh") }),
	)
	if e := do(t, s, start, "", nil); len(e.Errors) != 0 || !s.In("b") {
		t.Errorf("%v, %+v", s.Configuration(), e)
	}
	do(t, s, start, "fail", nil)
	if v, err := s.Get(t.Context(), "y"); v != "no luck" || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if e := do(t, s, start, "panic", nil); len(e.Errors) != 1 || !strings.Contains(e.Errors[0].Msg, "the function panicked") {
		t.Errorf("%+v", e)
	}
	do(t, s, start, "call", nil)
	if v, err := s.Get(t.Context(), "y"); v != int64(42) || err != nil || !s.In("c") {
		t.Errorf("%v, %v, %v", v, err, s.Configuration())
	}
}

// A function that does not return costs the chart an error, and the host the time of one call.
func TestHostThatHangs(t *testing.T) {
	pool := newPool(t, isolate.Config{HostTime: 50 * time.Millisecond})
	release := make(chan struct{})
	defer close(release)
	s := begin(t, pool, isolate.Spec{
		Source:  document(`<state id="a"><transition event="go"><script>hang()</script></transition></state>`),
		Options: []scxml.ChartOption{scxml.WithLimits(scxml.Limits{})},
	}, scxml.WithFunc("hang", func() { <-release }))
	if e := do(t, s, start, "go", nil); len(e.Errors) != 1 || !strings.Contains(e.Errors[0].Msg, "the host did not answer within 50ms") {
		t.Errorf("%+v", e)
	}
}

// The time of the host does not count for the child's deadline: not that of functions, of Records,
// and of the services that Advance waits for.
func TestHostTakesItsTime(t *testing.T) {
	pool := newPool(t, isolate.Config{Deadline: 500 * time.Millisecond})
	longer := func() { <-time.After(700 * time.Millisecond) }
	s := begin(t, pool, isolate.Spec{
		Source: document(`<state id="a"><transition event="go" target="b"><script>slow()</script><log expr="1"/></transition></state>
<state id="b"><invoke type="slow" id="slow"/><transition event="done.invoke.slow" target="c"/></state><state id="c"/>`),
		Kinds: record.Kinds(record.Log), Records: func(*record.Record) { longer() },
		Options: []scxml.ChartOption{scxml.WithLimits(scxml.Limits{ScriptTime: time.Hour})},
	}, scxml.WithFunc("slow", longer), scxml.WithInvoker("slow", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
		longer()
		return nil, nil
	})))
	do(t, s, start, "go", nil)
	if err := s.Advance(t.Context(), start.Add(time.Second)); err != nil || !s.In("c") {
		t.Errorf("%v, %v", err, s.Configuration())
	}
}

// A service in this process serves a session in a child: it gets its arguments and events, answers,
// and is cancelled. A virtual clock waits for it.
func TestServicesCross(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	cancelled := make(chan struct{})
	echo := scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
		n, _ := inv.Params.Get("n")
		if err := inv.Send(scxml.Event{Name: "ready", Data: n}); err != nil {
			return nil, err
		}
		ev, err := inv.Receive(ctx)
		if ev.Name == "wait" {
			_, err = inv.Receive(ctx)
			close(cancelled)
		}
		return ev.Data, err
	})
	s := begin(t, pool, isolate.Spec{Source: document(`<datamodel><data id="got" expr="[]"/></datamodel>
<state id="a"><invoke id="echo" type="echo"><param name="n" expr="7"/></invoke><invoke id="bad" type="bad"/><invoke id="ugly" type="ugly"/>
  <transition event="ready"><script>got.push(_event.data, _event.invokeid)</script><send target="#_echo" event="say"><content expr="'hi'"/></send></transition>
  <transition event="done.invoke.echo"><script>got.push(_event.data)</script></transition>
  <transition event="error.communication"><script>got.push('failed')</script></transition>
  <transition cond="got.length == 5" target="b"/>
</state>
<state id="b"><invoke id="again" type="echo"/>
  <transition event="ready"><send target="#_again" event="wait"/></transition>
  <transition event="leave" target="c"/>
</state><state id="c"/>`)},
		scxml.WithInvoker("echo", echo),
		scxml.WithInvoker("bad", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { return nil, errors.New("no") })),
		scxml.WithInvoker("*", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { panic("no") })))
	for !s.In("b") {
		<-s.Wake()
		do(t, s, start, "", nil)
	}
	if v, err := s.Get(t.Context(), "got.sort().join()"); v != "7,echo,failed,failed,hi" || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if err := s.Advance(t.Context(), start.Add(time.Second)); err != nil { // waits until the service waits
		t.Error(err)
	}
	do(t, s, start.Add(time.Second), "leave", nil)
	<-cancelled
}

// A session continues from the snapshot that its host took, or from one that SnapshotEvery took.
func TestRestoreAfterDeath(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1, Deadline: 2 * time.Second})
	spec := isolate.Spec{Source: document(counter), SnapshotEvery: 2}
	s := begin(t, pool, spec)
	for range 3 {
		do(t, s, start, "t", nil)
	}
	if _, err := s.Get(t.Context(), "(function () {"+hang+"})()"); err == nil {
		t.Fatal("a hang ends by itself")
	}
	saved, err := s.Saved()
	if err != nil || saved == nil {
		t.Fatalf("%s, %v", saved, err)
	}
	spec.Name = "chart.scxml"
	again, err := pool.Restore(t.Context(), spec, saved, atStart)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := again.Get(t.Context(), "n"); v != int64(1) || err != nil || !again.In("a") {
		t.Errorf("%v, %v, %v", v, err, again.Configuration())
	}
}

// A snapshot of another version of the document is restored only if it may be.
func TestRestoreAnotherVersion(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	s := begin(t, pool, isolate.Spec{Source: document(door)}, scxml.WithData("code", 4711))
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	spec := isolate.Spec{Name: "chart.scxml", Source: document(door + `<state id="more"/>`)}
	if _, err := pool.Restore(t.Context(), spec, snapshot); err == nil || !strings.Contains(err.Error(), scxml.ErrChartChanged.Error()) {
		t.Errorf("error %v, want that the chart has changed", err)
	}
	spec.Migrated = true
	moved, err := pool.Restore(t.Context(), spec, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if do(t, moved, start, "enter", 4711); !moved.In("open") {
		t.Errorf("configuration %q", moved.Configuration())
	}
}

// Stop ends a session with its handlers, at the next Do.
func TestStop(t *testing.T) {
	pool := newPool(t, isolate.Config{})
	var said []string
	s := begin(t, pool, isolate.Spec{
		Source: document(`<state id="a"><onexit><log expr="'bye'"/></onexit></state>`),
		Kinds:  record.Kinds(record.Log), Records: func(r *record.Record) { said = append(said, r.Value.(string)) },
	})
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), start, scxml.Event{}); !errors.Is(err, scxml.ErrStopped) || !slices.Equal(said, []string{"bye"}) || s.Status() != scxml.Stopped {
		t.Errorf("%v, %q, %v", err, said, s.Status())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	var died *isolate.Error
	if _, err := s.Get(t.Context(), "1"); !errors.As(err, &died) || died.Reason != isolate.Closed {
		t.Error(err)
	}
}

// A cancelled context interrupts a script, and the session continues.
func TestCancelledContext(t *testing.T) {
	pool := newPool(t, isolate.Config{Deadline: time.Minute})
	s := begin(t, pool, isolate.Spec{
		Source:  document(`<state id="a"><transition event="go"><script>for(;;);</script></transition></state>`),
		Options: []scxml.ChartOption{scxml.WithLimits(scxml.Limits{ScriptTime: time.Hour, MacrostepTime: time.Hour})},
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Do(ctx, start, scxml.Event{Name: "go"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := s.Tenant().Err(); err != nil {
		t.Error(err)
	}
}

// A regular expression that backtracks for ever is an error event, and not a match that fails.
func TestLongMatch(t *testing.T) {
	tenant, err := newPool(t, isolate.Config{Deadline: 5 * time.Second}).Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	spec := isolate.Spec{Source: document(`<datamodel><data id="matches" expr="'unknown'"/></datamodel>
<state id="a"><transition event="go"><script>matches = /(a*)*\1b/.test('a'.repeat(60))</script></transition></state>`)}
	for _, limit := range []time.Duration{scxml.Strict().ScriptTime, time.Second} { // the same document, once more
		s, err := tenant.New(t.Context(), spec, scxml.WithLimits(scxml.Limits{ScriptTime: limit}), atStart)
		if err == nil {
			err = s.Start(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if e := do(t, s, start, "go", nil); len(e.Errors) != 1 || !strings.Contains(e.Errors[0].Msg, "the script ran longer than its time limit") {
			t.Errorf("%v: %+v", limit, e)
		}
		if v, err := s.Get(t.Context(), "matches"); v != "unknown" || err != nil {
			t.Errorf("%v: %v, %v", limit, v, err)
		}
	}
}

// Sessions of one tenant share a child; those of different tenants do not, and no child has two
// tenants, one after the other.
func TestOneTenantAChild(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1})
	seen := map[int]bool{}
	for range 3 {
		tenant, err := pool.Tenant(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if seen[tenant.PID()] {
			t.Errorf("child %d has a second tenant", tenant.PID())
		}
		seen[tenant.PID()] = true
		var sessions []*isolate.Session
		for i := range 3 {
			s, err := tenant.New(t.Context(), isolate.Spec{Name: "c.scxml", Source: document(counter)}, atStart)
			if err == nil {
				err = s.Start(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			for range i {
				do(t, s, start, "t", nil)
			}
			sessions = append(sessions, s)
		}
		for i, s := range sessions {
			if v, err := s.Get(t.Context(), "n"); v != int64((i+1)/2) || err != nil {
				t.Errorf("session %d: %v, %v", i, v, err)
			}
		}
		if err := sessions[0].Close(); err != nil {
			t.Error(err)
		}
		if _, err := sessions[0].Get(t.Context(), "n"); !errors.Is(err, scxml.ErrEnded) {
			t.Error(err)
		}
		do(t, sessions[1], start, "t", nil)
		tenant.Close()
	}
}

// Lint reports what scxml.Lint does.
func TestLint(t *testing.T) {
	tenant, err := newPool(t, isolate.Config{}).Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	source := document(`<state id="a"><transition event="x" target="b"/></state><state id="c"/>`)
	got, err := tenant.Lint(t.Context(), "x.scxml", source, scxml.LintOptions{})
	if want := scxml.Lint("x.scxml", source, scxml.LintOptions{}); err != nil || !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// Data that JSON lacks crosses the wall in options, and in results of functions, as it is.
func TestDataThatJSONLacks(t *testing.T) {
	source := document(`<datamodel><data id="d"/><data id="r" expr="f(d)"/></datamodel><state id="a"/>`)
	data := map[string]any{"$key": start, "n": big.NewInt(1 << 60), "x": math.NaN()}
	opts := []scxml.Option{scxml.WithData("d", data), scxml.WithFunc("f", func(v any) []any { return []any{v, start, big.NewInt(-7)} }), atStart}
	chart, err := scxml.Parse("d.scxml", source)
	if err != nil {
		t.Fatal(err)
	}
	here, err := scxml.New(chart, opts...)
	if err == nil {
		err = here.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	there := begin(t, newPool(t, isolate.Config{}), isolate.Spec{Source: source}, opts...)
	for _, expr := range []string{"d", "r"} {
		want, err := here.Eval(t.Context(), expr)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := there.Get(t.Context(), expr); datamodel.Text(got) != datamodel.Text(want) || err != nil {
			t.Errorf("%s is %s, %v, want %s", expr, datamodel.Text(got), err, datamodel.Text(want))
		}
	}
}
