package dynamic_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/machine"
)

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go testdata/action.scxml --type Typed -o typed_gen_test.go
//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go testdata/action.scxml --type Dynamic --dynamic -o dynamic_gen_test.go

// A compiled chart is either of these.
type compiled interface {
	SetUp(machine.Options)
	Start(time.Time) error
	Send(name string, data any) (bool, error)
}

// Elements of other namespaces are executed by the host, which evaluates their attributes where there is a data model.
func TestAction(t *testing.T) {
	const without = "the chart was compiled without --dynamic: it evaluates no text at run time"
	run := func(m compiled, action func(*machine.ActionCall) error) (lines []string) {
		m.SetUp(machine.Options{Action: action, Hooks: machine.Hooks{
			Log:   func(label string, data any) { lines = append(lines, fmt.Sprint(label, " ", data)) },
			Error: func(e *machine.Error) { lines = append(lines, fmt.Sprint(e.At, " ", e.Element)) },
		}})
		if err := m.Start(time.Time{}); err != nil {
			t.Fatal(err)
		}
		for _, event := range []string{"add", "wrong", "other", "raise"} {
			if handled, err := m.Send(event, nil); !handled || err != nil {
				t.Errorf("%s: %t, %v", event, handled, err)
			}
		}
		return lines
	}
	action := func(call *machine.ActionCall) error {
		e := call.Element
		switch e.Local {
		case "note":
			if got := fmt.Sprint(e.Space, " ", e.Attr("level"), " ", e.Text, " ", e.Children[0].Attr("name"), " ", call.At); got != "urn:x 1 some text p 4:14" {
				t.Error(got)
			}
			return nil
		case "add":
			v, err := call.Value(e.Attr("expr"))
			if err != nil {
				return err
			}
			return call.Assign(e.Attr("to"), map[string]any{"value": v})
		case "raise":
			if err := call.Raise("no name", nil); err == nil {
				t.Error("an event has a wrong name")
			}
			return call.Raise(e.Attr("event"), map[string]any{"n": 2.0})
		}
		return errors.New("unknown")
	}
	typed, dynamic := NewTyped(TypedHooks{}), NewDynamic(DynamicHooks{})
	for _, c := range []struct {
		name   string
		m      compiled
		action func(*machine.ActionCall) error
		want   []string
	}{
		{"typed", typed, action, []string{
			"action.scxml:5:29 add", "error " + without, "action.scxml:6:31 add", "error " + without, "action.scxml:7:31 unknown", "error unknown"}},
		{"dynamic", dynamic, action, []string{
			`sum {"value":2}`, "action.scxml:6:31 add", "error SyntaxError: unexpected end of input", "action.scxml:7:31 unknown", "error unknown"}},
		{"none", NewTyped(TypedHooks{}), nil, []string{
			"action.scxml:4:14 note", `error no action for the element "note" of namespace "urn:x"`,
			"action.scxml:5:29 add", `error no action for the element "add" of namespace "urn:x"`,
			"action.scxml:6:31 add", `error no action for the element "add" of namespace "urn:x"`,
			"action.scxml:7:31 unknown", `error no action for the element "unknown" of namespace "urn:x"`,
			"action.scxml:8:31 raise", `error no action for the element "raise" of namespace "urn:x"`}},
	} {
		if got := run(c.m, c.action); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q, want\n%q", c.name, got, c.want)
		}
	}
	if !typed.In(TypedC) || !dynamic.In(DynamicC) {
		t.Error("the event that an action has raised was not handled before the one that followed")
	}
}

// An item that is given a value of another type has its own.
func TestWrongTypeGiven(t *testing.T) {
	var told []float64
	m := NewTyped(TypedHooks{})
	m.SetUp(machine.Options{Data: machine.Fields{{Name: "n", Value: "x"}}, Hooks: machine.Hooks{Error: func(*machine.Error) { told = append(told, m.Data().N) }}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if want := NewTyped(TypedHooks{}); want.Start(time.Time{}) != nil || want.Data().N == 0 || len(told) == 0 || told[0] != want.Data().N || m.Data().N != want.Data().N {
		t.Errorf("n is %v, and was %v when the error was told; want %v", m.Data().N, told, want.Data().N)
	}
}
