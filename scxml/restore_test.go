package scxml_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// saved returns a chart with something of everything, and a snapshot of a
// session of it.
func saved(t testing.TB) (*scxml.Chart, []byte) {
	chart, err := scxml.Parse("t.scxml", []byte(document(`
		<parallel id="p">
			<state id="a" initial="a1">
				<history id="h"><transition target="a1"/></history>
				<state id="a1"><transition event="go" target="a2"/></state>
				<state id="a2"><onentry><send event="late" id="s" delay="1s"/></onentry></state>
				<transition event="again" target="h"/>
			</state>
			<state id="b"><invoke id="k"><content><scxml version="1.0" datamodel="null"><state id="x"/></scxml></content></invoke></state>
		</parallel>`, `datamodel="null"`)))
	if err != nil {
		t.Fatal(err)
	}
	clock := new(scxmltest.Clock)
	s := newSession(t, chart, scxml.WithClock(clock.Now), scxml.WithSeed(3), scxml.WithSessionID("S"))
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"go", "again"} {
		send(t, s, clock, event, nil)
	}
	if err := s.Send(scxml.Event{Name: "go", Data: []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	return chart, snapshot(t, s)
}

// TestRestoreRefuses checks the messages for snapshots that cannot be restored.
func TestRestoreRefuses(t *testing.T) {
	chart, good := saved(t)
	for _, test := range []struct{ name, old, new, want string }{
		{"foreign", `"format":"scxml-snapshot"`, `"format":"zip"`, `its format is not "scxml-snapshot"`},
		{"newer", `"version":1`, `"version":2`, "its version is 2, which is newer than 1"},
		{"no version", `"version":1,`, ``, "it has no version"},
		{"unknown field", `"turn":`, `"whose":1,"turn":`, `unknown field "whose"`},
		{"wrong type", `"turn":`, `"turn":"x","turn":`, "cannot unmarshal string"},
		{"turn", `"turn":2`, `"turn":9`, "turn is 9, but it has 2 sessions"},
		{"more data", `"data":[null,`, `"data":[null,null,`, "it has 2 sessions, but data for 3"},
		{"unknown state", `"p","a","a2"`, `"p","a","a3"`, `t.scxml has no state "a3"`},
		{"history active", `"p","a","a2"`, `"p","a","h"`, `"h" is a history: want a state`},
		{"two children", `"p","a","a2"`, `"p","a","a1","a2"`, `state "a" has 2 active children of 2: want 1`},
		{"no child", `"p","a","a2"`, `"p","a"`, `state "a" has 0 active children of 2: want 1`},
		{"region missing", `"a2","b"`, `"a2"`, `state "p" has 1 active children of 2: want 2`},
		{"orphan", `"p","a","a2","b"`, `"a","a2"`, `state "scxml#0" has 0 active children of 1: want 1`},
		{"the root", `"p","a","a2"`, `"scxml#0","p","a","a2"`, "the configuration names the root"},
		{"history of another", `"value":["a2"]`, `"value":["b"]`, `history "h" cannot remember "b"`},
		{"history of two children", `"value":["a2"]`, `"value":["a1","a2"]`, `history "h": not a valid snapshot: state "a" has 2 active children of 2`},
		{"history of one twice", `"value":["a2"]`, `"value":["a2","a2"]`, `"a2" is listed twice`},
		{"no history", `{"state":"h"`, `{"state":"a"`, `"a" is not a history`},
		{"status", `"status":"running"`, `"status":"resting"`, `unknown status "resting"`},
		{"unstarted", `"status":"running"`, `"status":"unstarted"`, `its status is "unstarted"`},
		{"ended", `"status":"running"`, `"status":"final"`, `it has active states and the status "final"`},
		{"stopped", `"status":"running"`, `"status":"running","stopped":{"message":"m"}`, "does not match the reason why it was stopped"},
		{"steps below 0", `"event":`, `"steps":-1,"event":`, "steps -1"},
		{"fence beyond the queue", `"event":`, `"fence":2,"event":`, "fence 2 is out of range, with 1 external events"},
		{"to invoke elsewhere", `"event":`, `"toinvoke":["a1"],"event":`, `state "a1" is to invoke something, but is not active`},
		{"event without name", `{"name":"go"`, `{"name":""`, "an event has no name"},
		{"event type", `{"name":"go"`, `{"name":"go","type":"odd"`, `event "go" has unknown type "odd"`},
		{"event data", `"data":[1,2]`, `"data":{"$number":"x"}`, ""},
		{"timer's session", `{"session":0,"due"`, `{"session":5,"due"`, "timer 0 does not belong to a running session"},
		{"timer's delay", `"delay":"1s"`, `"delay":"soon"`, `timer 0: illegal delay "soon"`},
		{"timer's type", `"delay":"1s"`, `"delay":"1s","type":"pigeon"`, `no Event I/O Processor for the type "pigeon" of a delayed event`},
		{"random", `"random":{"seed":"3"}`, `"random":{"state":"AAAA"}`, "random"},
		{"invocation elsewhere", `"state":"b","invoke":0`, `"state":"a","invoke":0`, `state "a" cannot have invoked it`},
		{"invocation missing", `"invoke":0`, `"invoke":1`, `state "b" cannot have invoked it`},
		{"invocation's session", `"invoke":0,"session":1`, `"invoke":0,"session":7`, "no invocation has session 1"},
		{"itself", `"invoke":0,"session":1`, `"invoke":0,"session":-1`, "session -1 belongs to another invocation"},
		{"ended, and there", `"invoke":0,"session":1`, `"invoke":0`, "no invocation has session 1"},
		{"another id", `{"invokeid":"k"`, `{"invokeid":"l"`, "session 1 does not match its parent's invocation"},
		{"child's chart", `{"invokeid":"k","chart":{`, `{"invokeid":"k","chart":{"hash":"00",`, "the chart has changed"},
		{"limit without name", `"event":`, `"limit":{"message":"m"},"event":`, "its limit has no name"},
		{"preset of a running session", `"event":`, `"preset":{},"event":`, `it has a preset that is not an object, or status "running" instead of "unstarted"`},
		{"params", `"invoke":0,"session":1`, `"invoke":0,"service":{"type":"t","params":7}`, `session 0: invocation "k": not a valid snapshot: its params are not an object`},
		{"data", `"data":[null,null]`, `"data":[null,7]`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := scxml.Restore(chart, edit(t, good, test.old, test.new))
			if err == nil {
				t.Fatal("it was restored")
			}
			if s != nil {
				t.Error("Restore returned a session too")
			}
			if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "scxml: Restore: ") {
				t.Errorf("%v\nwant %s", err, test.want)
			}
			if !errors.Is(err, scxml.ErrSnapshot) && !errors.Is(err, scxml.ErrChartChanged) && test.name != "timer's type" {
				t.Errorf("%v is neither ErrSnapshot nor ErrChartChanged", err)
			}
		})
	}
	if _, err := scxml.Restore(chart, append(bytes.Clone(good), " {}"...)); !errors.Is(err, scxml.ErrSnapshot) {
		t.Errorf("unexpected data after it: %v", err)
	}
	if _, err := scxml.Restore(chart, []byte("\n")); !errors.Is(err, scxml.ErrSnapshot) || !strings.HasSuffix(err.Error(), "it is empty") {
		t.Errorf("nothing at all: %v", err)
	}
	for n := range len(good) {
		if _, err := scxml.Restore(chart, good[:n]); !errors.Is(err, scxml.ErrSnapshot) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}

// TestRestoreUnstarted: an invoked session has no data before its first turn.
func TestRestoreUnstarted(t *testing.T) {
	s, _ := start(t, `<state id="a"><invoke id="k"><content><scxml version="1.0"><state id="x"/></scxml></content></invoke></state>`)
	if _, err := s.Sessions()[1].Eval(t.Context(), "globalThis.n = 1"); err != nil {
		t.Fatal(err)
	}
	data := snapshot(t, s)
	_, err := scxml.Restore(s.Chart(), edit(t, data, `"data":[null,null]`, `"data":[null,{"format":1}]`))
	if want := `scxml: Restore: session 1: not a valid snapshot: it has data, but its status is "unstarted"`; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	for _, s := range []*scxml.Session{s, restore(t, s.Chart(), data)} { // both continue alike
		advance(t, s, s.Now())
		if n, err := s.Sessions()[1].Eval(t.Context(), "typeof n"); err != nil || n != "undefined" {
			t.Errorf("n is %v, %v", n, err)
		}
	}
}

// TestRestoreDeepHistory: a deep history must be legal at every level.
func TestRestoreDeepHistory(t *testing.T) {
	s, _ := start(t, `
		<state id="off"><transition event="on" target="h"/></state>
		<state id="on">
			<history id="h" type="deep"><transition target="x y"/></history>
			<parallel id="p">
				<state id="x"><state id="x1"/><state id="x2"><state id="x21"/></state></state>
				<state id="y"/>
			</parallel>
		</state>`)
	data := snapshot(t, s)
	for value, want := range map[string]string{
		`["x21","y"]`:      "",
		`["y","x21"]`:      "",
		`["x1","x21","y"]`: `state "x" has 2 active children of 2`,
		`["x21"]`:          `state "p" has 1 active children of 2`,
	} {
		r, err := scxml.Restore(s.Chart(), edit(t, data, `"configuration":["off"]`, `"configuration":["off"],"history":[{"state":"h","value":`+value+`}]`))
		if want != "" {
			if !errors.Is(err, scxml.ErrSnapshot) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", value, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		driver{r, t, t.Context()}.process(scxml.Event{Name: "on"})
		if got := strings.Join(r.Configuration(), " "); got != "on p x x2 x21 y" {
			t.Errorf("%s leads to %s", value, got)
		}
	}
}

// TestRestoreOptions refuses options for new sessions.
func TestRestoreOptions(t *testing.T) {
	chart, good := saved(t)
	for _, opt := range []scxml.Option{scxml.WithData("n", 1), scxml.WithSeed(1), scxml.WithSessionID("s")} {
		if _, err := scxml.Restore(chart, good, opt); err == nil || !strings.Contains(err.Error(), "are not allowed") {
			t.Errorf("%v", err)
		}
	}
	if _, err := scxml.Restore(chart, good, scxml.WithTimers(77)); err == nil || err.Error() != "scxml: Restore: WithTimers: 77 is not a TimerPolicy" {
		t.Errorf("%v", err)
	}
	for _, opt := range []scxml.RestoreOption{scxml.WithTimers(scxml.StartAnew), scxml.WithMigration(nil)} {
		if _, ok := opt.(scxml.Option); ok {
			t.Errorf("New takes %T", opt)
		}
	}
	common := scxml.Options{scxml.WithClock(nil), scxml.WithLimits(scxml.Limits{Timers: 7})}
	newSession(t, chart, common)
	restore(t, chart, good, common, scxml.WithTimers(scxml.StartAnew))
	for _, limits := range []scxml.Limits{{Timers: -1, Sessions: 1}, {InvokeDepth: 1, ExternalQueue: 1, Sessions: 1}} {
		var limit *scxml.LimitError
		if _, err := scxml.Restore(chart, good, scxml.WithLimits(limits)); !errors.As(err, &limit) {
			t.Errorf("%+v: %v", limits, err)
		}
	}
}

// TestMigration: a snapshot of another chart needs a migration.
func TestMigration(t *testing.T) {
	s, clock := start(t, waiting)
	data := snapshot(t, s)
	more := parse(t, waiting+`<state id="d"/>`)
	if _, err := scxml.Restore(more, data); !errors.Is(err, scxml.ErrChartChanged) || !strings.Contains(err.Error(), more.File()) {
		t.Errorf("without a migration: %v", err)
	}
	as := func(change func([]byte) ([]byte, error)) scxml.RestoreOption {
		return scxml.WithMigration(func(snapshot []byte, to *scxml.Chart) ([]byte, error) {
			if !bytes.Equal(snapshot, data) {
				t.Errorf("the migration gets %s", snapshot)
			}
			return change(snapshot)
		})
	}
	unchanged := as(func(b []byte) ([]byte, error) { return b, nil })
	r := restore(t, more, data, unchanged, scxml.WithClock(clock.Now))
	advance(t, r, clock.Now().Add(time.Minute))
	wantConfiguration(t, r, "c")

	renamed := parse(t, strings.ReplaceAll(waiting, `"a"`, `"first"`))
	if _, err := scxml.Restore(renamed, data, unchanged); !errors.Is(err, scxml.ErrSnapshot) || !strings.Contains(err.Error(), `has no state "a"`) {
		t.Errorf("a state is missing: %v", err)
	}
	r = restore(t, renamed, data, as(func(b []byte) ([]byte, error) {
		return bytes.Replace(b, []byte(`["a"]`), []byte(`["first"]`), 1), nil
	}))
	wantConfiguration(t, r, "first")
	failed := fmt.Errorf("no way")

	// An invoked document that has changed too.
	files := fstest.MapFS{"child.scxml": {Data: []byte(document(`<state id="x"/>`))}}
	parent := func() *scxml.Chart {
		chart, err := scxml.Parse("parent.scxml", []byte(document(`<state id="a"><invoke src="child.scxml"/></state>`)), scxml.WithLoader(files))
		if err != nil {
			t.Fatal(err)
		}
		return chart
	}
	p := newSession(t, parent(), scxml.WithClock(clock.Now))
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	advance(t, p, clock.Now())
	invoking := snapshot(t, p)
	files["child.scxml"] = &fstest.MapFile{Data: []byte(document(`<state id="x"/><state id="y"/>`))}
	if _, err := scxml.Restore(parent(), invoking); !errors.Is(err, scxml.ErrChartChanged) || !strings.Contains(err.Error(), "child.scxml, invoked as") {
		t.Errorf("an invoked document has changed: %v", err)
	}
	r = restore(t, parent(), invoking, scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) { return b, nil }))
	if all := r.Sessions(); len(all) != 2 || !all[1].In("x") {
		t.Errorf("the sessions are %v", all)
	}
	if _, err := scxml.Restore(more, data, as(func([]byte) ([]byte, error) { return nil, failed })); !errors.Is(err, failed) {
		t.Errorf("a migration that fails: %v", err)
	}
	if _, err := scxml.Restore(s.Chart(), data, scxml.WithMigration(func([]byte, *scxml.Chart) ([]byte, error) { return nil, failed })); err != nil {
		t.Errorf("nothing has changed: %v", err)
	}
}

// FuzzRestore: for any bytes Restore returns an error or a session that can be driven.
func FuzzRestore(f *testing.F) {
	chart, good := saved(f)
	f.Add(good)
	f.Add([]byte(`{"format":"scxml-snapshot","version":1,"sessions":[{"status":"final"}],"data":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		always := scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) { return b, nil })
		s, err := scxml.Restore(chart, data, always, scxml.WithLimits(scxml.Limits{Microsteps: 100, Timers: 100}))
		if err != nil {
			return
		}
		if _, err := s.Snapshot(); err != nil {
			t.Fatal(err)
		}
		_ = s.Send(scxml.Event{Name: "go"})
		for range 10 {
			if due, ok := s.NextDue(); ok {
				_, _ = s.Step(t.Context(), due)
			}
			_, _ = s.Step(t.Context(), s.Now())
			if err := s.CheckInvariants(false); err != nil {
				t.Fatal(err)
			}
		}
		s.Stop()
		_, _ = s.Step(t.Context(), s.Now())
	})
}

func TestMigratedSessionGetsItsFirstData(t *testing.T) {
	before := parse(t, `<state id="a"><transition event="go" target="b"/></state><state id="b"/>`)
	after := parse(t, `<datamodel><data id="n" expr="1"/></datamodel><state id="a"><transition event="go" cond="n === undefined" target="b"/></state><state id="b"/>`)
	s, err := scxml.New(before)
	if err == nil {
		err = s.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	s, err = scxml.Restore(after, snapshot, scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) { return b, nil }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), time.Now(), scxml.Event{Name: "go"}); err != nil || !s.In("b") {
		t.Errorf("%q, %v", s.Configuration(), err)
	}
}
