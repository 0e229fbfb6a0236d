package machine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
		if m.Advance(time.Time{}); m.In(Served) || m.Running() != (name == "End") {
			t.Errorf("%s is not done: %v", name, m.Configuration())
		}
	}
}
