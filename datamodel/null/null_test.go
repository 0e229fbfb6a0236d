package null_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
)

type host struct{}

func (host) In(state string) bool                  { return state == "s1" || state == "a.b-c:d_é" }
func (host) Name() string                          { return "" }
func (host) SessionID() string                     { return "" }
func (host) IOProcessors() []datamodel.IOProcessor { return nil }
func (host) Now() time.Time                        { return time.Time{} }
func (host) Random() float64                       { return 0 }
func (host) ScriptTime() time.Duration             { return 0 }
func (host) MacrostepTime() time.Duration          { return 0 }
func (host) CallDepth() int                        { return 0 }

func compile(kind datamodel.Kind, text string) (datamodel.Expr, error) {
	return null.New().Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{File: "f", Line: 3, Col: 10}})
}

func newStore(t testing.TB) datamodel.Store {
	st, err := null.New().NewStore(host{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestCondition(t *testing.T) {
	st := newStore(t)
	for text, want := range map[string]bool{
		"In(s1)": true, "In(s2)": false, "In('s1')": true, `In("s1")`: true, " In ( 's1' )\n": true,
		"In(a.b-c:d_é)": true,
	} {
		e, err := compile(datamodel.Condition, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := st.Condition(e); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	st := newStore(t)
	for text, want := range map[string]string{
		"":               `f:3:10: syntax error: "In" expected`,
		"true":           `f:3:10: syntax error: "In" expected`,
		"In":             `f:3:12: syntax error: "(" expected`,
		"In()":           `f:3:13: syntax error: id of a state expected`,
		"In('')":         `f:3:14: syntax error: id of a state expected`,
		"In('s1)":        `f:3:13: syntax error: closing quote expected`,
		"In(s1":          `f:3:15: syntax error: ")" expected`,
		"In(s1 s2)":      `f:3:16: syntax error: ")" expected`,
		"In(s1) && true": `f:3:17: syntax error: end of the condition expected`,
		"!In(s1)":        `f:3:10: syntax error: "In" expected`,
		"in(s1)":         `f:3:10: syntax error: "In" expected`,
	} {
		want += " (the null data model knows only conditions of the form In(id))"
		e, err := compile(datamodel.Condition, text)
		if e == nil {
			t.Fatalf("%s: no Expr", text)
		}
		_, later := st.Condition(e)
		for _, err := range []error{err, later} {
			var ee *datamodel.EvalError
			if !errors.As(err, &ee) {
				t.Errorf("%s: got %v", text, err)
			} else if got := ee.Pos.String() + ": " + ee.Msg; got != want {
				t.Errorf("%s\n got %s\nwant %s", text, got, want)
			}
		}
	}
}

func TestNothingElse(t *testing.T) {
	st := newStore(t)
	st.Begin(context.Background())
	defer st.End()
	st.SetEvent(&datamodel.Event{Name: "e"})
	cond, _ := compile(datamodel.Condition, "In(s1)")
	value, valueErr := compile(datamodel.ValueExpr, "1")
	loc, locErr := compile(datamodel.Location, "x")
	script, scriptErr := compile(datamodel.Script, "x")
	content, contentErr := compile(datamodel.Content, "x")
	_, evalErr := st.Value(value)
	_, contentValueErr := st.Value(content)
	_, condValueErr := st.Value(cond)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{valueErr, "the null data model has no value expressions"},
		{evalErr, "the null data model has no value expressions"},
		{condValueErr, "the null data model has no value expressions"},
		{locErr, "the null data model has no location expressions"},
		{scriptErr, "the null data model has no scripts"},
		{contentErr, "the null data model has no data"},
		{contentValueErr, "the null data model has no data"},
		{st.Declare("x"), "the null data model has no data: cannot declare x"},
		{st.Set("x", nil), "the null data model has no data: cannot set x"},
		{st.Init("x", value), "the null data model has no data: cannot declare x"},
		{st.Assign(loc, value), "the null data model has no location expressions"},
		{st.AssignValue(loc, nil), "the null data model has no location expressions"},
		{st.Run(script), "the null data model has no scripts"},
		{st.Foreach(value, "a", "", nil), "the null data model has no value expressions"},
	} {
		var ee *datamodel.EvalError
		if !errors.As(tt.err, &ee) || ee.Msg != tt.want {
			t.Errorf("got %v, want %s", tt.err, tt.want)
		}
	}
}

func TestConditionAllocatesNothing(t *testing.T) {
	st := newStore(t)
	e, _ := compile(datamodel.Condition, "In(s1)")
	if n := testing.AllocsPerRun(100, func() { _, _ = st.Condition(e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"In(s1)", "In('a')", `In ( "b" ) `, "In(", "'", "In(é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := compile(datamodel.Condition, text); e == nil {
			t.Errorf("%q: no Expr (%v)", text, err)
		}
	})
}

func TestSave(t *testing.T) {
	store, err := null.New().NewStore(nil)
	if err != nil {
		t.Fatal(err)
	}
	saver := store.(datamodel.Saver)
	data, err := saver.Save(nil)
	if err != nil || string(data) != "{}" {
		t.Errorf("saved %q, %v", data, err)
	}
	if err := saver.Load(data, nil); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "[]", `{"x":1}`} {
		if saver.Load([]byte(bad), nil) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
