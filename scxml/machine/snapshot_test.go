package machine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

// A job is a service that notes what happens to it.
type job struct{ notes *[]string }

func (j job) Deliver(ev machine.Event) error {
	*j.notes = append(*j.notes, "deliver "+ev.Name)
	return nil
}
func (j job) Cancel() { *j.notes = append(*j.notes, "cancel") }

// Restore invokes services again that were running, with what they have not received.
func TestServiceIsRestored(t *testing.T) {
	var notes []string
	options := machine.Options{Invoker: func(inv *machine.Invocation) (machine.Service, error) {
		notes = append(notes, fmt.Sprint("invoke ", inv.ID, inv.Type, inv.Params, inv.Restored))
		return job{&notes}, nil
	}}
	m := New(Hooks{})
	m.SetUp(options)
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.Hooked()
	m.Serve()
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	// A session can have an inbox too.
	saved := strings.Replace(string(snapshot), `"type":"x-job",`, `"type":"x-job","inbox":[{"name":"hurry"}],`, 1)
	m = New(Hooks{})
	m.SetUp(options)
	if err := m.Restore([]byte(saved)); err != nil {
		t.Fatal(err)
	}
	m.Send("more", nil)
	m.End()
	want := []string{"invoke jobx-job[{n 2}] false", "invoke jobx-job[{n 2}] true", "deliver hurry", "deliver more", "deliver end", "cancel"}
	if !slices.Equal(notes, want) || !m.In(Idle) {
		t.Errorf("the notes are %q in %v, want %q", notes, m.Configuration(), want)
	}

	// Restore needs an invoker that succeeds.
	for want, invoker := range map[string]func(*machine.Invocation) (machine.Service, error){
		`no invoker for the type "x-job"`: nil,
		"not today":                       func(*machine.Invocation) (machine.Service, error) { return nil, errors.New("not today") },
	} {
		m = New(Hooks{})
		m.SetUp(machine.Options{Invoker: invoker})
		if err := m.Restore(snapshot); err == nil || !strings.Contains(err.Error(), want) || m.Running() {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// Snapshots are JSON as package encoding/json reads and writes it.
func TestSnapshotsAreJSON(t *testing.T) {
	m := New(Hooks{})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.Later()
	m.Begin()
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(snapshot, &v); err != nil {
		t.Fatalf("%v: %s", err, snapshot)
	}
	other, err := json.MarshalIndent(v, " ", "\t") // with other white space, and another order of members
	if err != nil {
		t.Fatal(err)
	}
	m = New(Hooks{})
	if err := m.Restore(other); err != nil {
		t.Fatal(err)
	}
	if again, err := m.Snapshot(); string(again) != string(snapshot) || err != nil {
		t.Errorf("%v, another snapshot:\n%s\n%s", err, again, snapshot)
	}
	for i := range snapshot {
		m = New(Hooks{})
		if err := m.Restore(snapshot[:i]); err == nil {
			t.Errorf("it is restored from its first %d bytes", i)
		}
	}
	for _, bad := range []string{"", "{} x", "[]", "nul", `{"format":"\x"}`, `{"format":"scxml-snapshot","version":01}`, `{"data":` + strings.Repeat("[", 5000), "{\"a\":\"\n\"}", `{"a":1e999}`} {
		m = New(Hooks{})
		if err := m.Restore([]byte(bad)); err == nil {
			t.Errorf("%q is restored", bad)
		}
	}
}

// A service that Restore invokes can call the machine, as a hook can: what it does waits.
func TestServiceCallsWhatIsRestored(t *testing.T) {
	quiet := func(*machine.Invocation) (machine.Service, error) { return job{new([]string)}, nil }
	m := New(Hooks{})
	m.SetUp(machine.Options{Invoker: quiet})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.Serve()
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(){"End": func() { m.End() }, "Stop": func() { m.Stop() }} {
		m = New(Hooks{})
		m.SetUp(machine.Options{Invoker: func(inv *machine.Invocation) (machine.Service, error) {
			call()
			if !m.In(Served) {
				t.Errorf("%s is done within Restore", name)
			}
			return quiet(inv)
		}})
		if err := m.Restore(snapshot); err != nil || !m.In(Served) {
			t.Errorf("%s: %v in %v", name, err, m.Configuration())
		}
		if again, err := m.Snapshot(); err != nil || strings.Contains(string(again), `"stop":true`) != (name == "Stop") {
			t.Errorf("before %s is done: %v, %s", name, err, again)
		}
		if m.Advance(time.Time{}); m.In(Served) || m.Running() != (name == "End") {
			t.Errorf("%s is not done: %v", name, m.Configuration())
		}
		if again, err := m.Snapshot(); err != nil || strings.Contains(string(again), `"stop":true`) {
			t.Errorf("after %s is done: %v, %s", name, err, again)
		}
	}
}

// A machine that a shortcut has started with values of its host is restored.
func TestSnapshotWithValues(t *testing.T) {
	m := NewFlat(FlatHooks{})
	m.SetUp(machine.Options{Data: machine.Fields{{Name: "got", Value: 3.0}}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	other := NewFlat(FlatHooks{})
	if err := other.Restore(snapshot); err != nil || other.Data().Got != 3 {
		t.Errorf("got is %v, %v", other.Data().Got, err)
	}
}

// nested returns a snapshot of a machine that has been given an event with data, and the chart.
func nested(t *testing.T, data any) ([]byte, *scxml.Chart, error) {
	t.Helper()
	m := New(Hooks{})
	m.SetUp(machine.Options{Slow: true}) // so that it has the last event
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	m.Later()
	if _, err := m.Send("hooked", data); err != nil {
		t.Fatal(err)
	}
	snapshot, err := m.Snapshot()
	chart, loaded := scxml.Load(os.DirFS("testdata"), "nested.scxml")
	if loaded != nil {
		t.Fatal(loaded)
	}
	return snapshot, chart, err
}

// Data that a machine only passes on are saved as a session saves them.
func TestSnapshotOfAnyData(t *testing.T) {
	var characters strings.Builder // between Latin letters, where none of them joins others
	for r := rune(0); r <= 0x10FFFF; r++ {
		characters.WriteString("a" + string(r))
	}
	for _, data := range []any{
		time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)), time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC),
		new(big.Int).Lsh(big.NewInt(3), 100), "a\u202eb\u200bc\U000e0041\n\t\r\x00\u0085", characters.String(),
		[]any{time.Time{}, datamodel.Null, datamodel.NewObject("$a", 1.0), machine.Fields{{Name: "b", Value: "\u2066"}}},
		&datamodel.Node{Local: "a"}, datamodel.Function("f"),
	} {
		snapshot, chart, err := nested(t, data)
		s, failed := scxml.Restore(chart, snapshot)
		if err != nil || failed != nil {
			t.Fatalf("%.80v: %v, %v", data, err, failed)
		}
		again, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		want := again[strings.Index(string(again), `"event":{`):]
		if want = want[:strings.Index(string(want), `}],"timers"`)]; !strings.Contains(string(snapshot), string(want)) {
			t.Errorf("a session saves %.300s, and the machine %.300s", want, snapshot[strings.Index(string(snapshot), `"event":{`):])
		}
	}
	loop := []any{nil}
	loop[0] = loop
	const cannot = "which a compiled chart cannot hold"
	for _, test := range []struct {
		data any
		want string
	}{{[]any{func() {}}, cannot}, {[]time.Time{{}}, cannot}, {map[string]any{"a": loop}, "too deep"}, {loop, "too deep"}} {
		if snapshot, _, err := nested(t, test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T is saved: %v, %s", test.data, err, snapshot)
		}
	}
}

// Go data that a machine only passes on are saved as what a session makes of them.
func TestSnapshotOfGoData(t *testing.T) {
	type item struct {
		Name string `json:"name"`
		Next *item
		N    []int `json:",omitempty"`
	}
	for _, data := range []any{
		[]string{"a", "b"}, []item{{Name: "x", Next: &item{N: []int{1, 2}}}}, &item{}, (*item)(nil), map[string]any{"b": []any{nil, &item{}}, "a": nil},
		[]any{nil, []int(nil), map[string]int{"$z": 1, "a": 2}}, uint8(3), float32(0.5), json.Number("1.5"), json.RawMessage(`{"$a":[1,null]}`), big.NewRat(1, 2), []byte("abc"),
		struct{ A, b any }{1, 2}, getter{}, [2]bool{true, false}, "text", nil,
	} {
		snapshot, chart, err := nested(t, data)
		if err != nil {
			t.Errorf("%#v: %v", data, err)
			continue
		}
		s, err := scxml.New(chart, scxml.WithMissing())
		if err == nil {
			err = s.Start(t.Context())
		}
		if err == nil {
			_, err = s.Do(t.Context(), time.Now(), scxml.Event{Name: "hooked", Data: data})
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lastEvent(t, snapshot), lastEvent(t, want); got != want {
			t.Errorf("%#v: the machine saves %s, and a session %s", data, got, want)
		}
		if _, err := scxml.Restore(chart, snapshot, scxml.WithMissing()); err != nil {
			t.Errorf("%#v: %v", data, err)
		}
	}
}

// lastEvent returns the last event of a snapshot.
func lastEvent(t *testing.T, snapshot []byte) string {
	t.Helper()
	var saved struct {
		Sessions []struct{ Event json.RawMessage }
	}
	if err := json.Unmarshal(snapshot, &saved); err != nil {
		t.Fatal(err)
	}
	return string(saved.Sessions[0].Event)
}

// A getter looks like an object, of which nobody knows the members.
type getter struct{}

func (getter) Get(string) (any, bool) { return nil, false }

// What a snapshot says besides is checked, and a Stop that waits is saved again.
func TestRestoreReadsAll(t *testing.T) {
	snapshot, chart, err := nested(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := New(Hooks{})
	if err := m.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	m.Stop()
	ended, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	const stopped = `"stopped":{"message":"scxml: session stopped"}`
	for _, test := range []struct {
		from           []byte
		old, new, want string
	}{
		{snapshot, `"turn":`, `"stop":true,"turn":`, ""},
		{ended, stopped, `"stopped":{"limit":"Microsteps","value":7}`, ""},
		{ended, stopped, `"stopped":{"limit":"MacrostepTime","value":"7s","states":["idle"],"transitions":[{"file":"nested.scxml","line":1,"col":2}]}`, ""},
		{ended, stopped, `"stopped":{"limit":"Microsteps","value":-1}`, `the field "value" is -1`},
		{ended, stopped, `"stopped":{"limit":"Microsteps","value":"x"}`, "not a duration"},
		{ended, stopped, `"stopped":{"limit":"Microsteps","values":7}`, `unknown field "values"`},
		{snapshot, `"status":"running"`, `"status":"running","limit":{"message":"x"}`, "its limit is not one"},
		{snapshot, `"line":`, `"place":1,"line":`, `unknown field "place"`},
		{snapshot, `"timers":[{"session":0`, `"timers":[{"session":4294967295`, "timer 0: "}, // -1 in 32 bits
	} {
		saved := strings.Replace(string(test.from), test.old, test.new, 1)
		if saved == string(test.from) {
			t.Fatalf("%s has no %s", test.from, test.old)
		}
		m := New(Hooks{})
		if err := m.Restore([]byte(saved)); test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: the error is %v, want %s", test.new, err, test.want)
			}
			continue
		} else if err != nil {
			t.Errorf("%s: %v", test.new, err)
			continue
		}
		again, err := m.Snapshot()
		if err != nil || strings.Contains(string(again), `"stop":true`) != strings.Contains(saved, `"stop":true`) {
			t.Errorf("%s: %v, %s", test.new, err, again)
		}
		if _, err := scxml.Restore(chart, again); err != nil {
			t.Errorf("%s: %v", test.new, err)
		}
	}
}

// An object with very many members is read in time, and the last of those with the same name counts.
func TestRestoreManyMembers(t *testing.T) {
	var members strings.Builder
	const n = 150_000
	for i := range n {
		fmt.Fprintf(&members, `"member%d":%d,`, i, i)
	}
	snapshot, _, err := nested(t, machine.Fields{{Name: "member20", Value: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	saved := strings.Replace(string(snapshot), `{"member20":"x"}`, "{"+members.String()+`"member20":"x"}`, 1)
	begin := time.Now()
	m := New(Hooks{})
	m.SetUp(machine.Options{Slow: true})
	if err := m.Restore([]byte(saved)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it takes %v", took)
	}
	again, err := m.Snapshot()
	if err != nil || strings.Count(string(again), `"member20":"x"`) != 1 || strings.Count(string(again), `"member`) != n {
		t.Errorf("%v, %d members", err, strings.Count(string(again), `"member`))
	}
}
