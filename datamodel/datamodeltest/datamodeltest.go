// Package datamodeltest tests data models: run it in a test of your [datamodel.Language].
//
//	func TestLanguage(t *testing.T) {
//		datamodeltest.Run(t, mylang.New(), datamodeltest.Sources{
//			True: "true", False: "false", Number: "42", Syntax: "1 +", Fails: "nowhere", …
//		})
//	}
package datamodeltest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Sources are pieces of source text in the language under test, each of which does what its field
// says. Leave a field empty if the language has nothing for it; its tests are then skipped.
type Sources struct {
	True, False string // conditions
	InActive    string // a condition: the state "active" is active
	InOther     string // the same for "other"
	Number      string // a value expression: the number 42
	Text        string // a value expression: the text "x"
	List        string // a value expression: a list of 1, 2 and 3
	Syntax      string // a value expression with a syntax error
	Fails       string // a value expression that fails when it is evaluated
	Item        string // a value expression and location: the data item "item"
	Undeclared  string // a location: nothing of that name was declared
	Script      string // a script: it makes the data item "item" 42
	FailsScript string // a script that fails
	Endless     string // a script that never ends
	EventName   string // a value expression: the name of the present event
	EventData   string // a value expression: its data
	BadID       string // no name for a data item
}

// Host is a [datamodel.Host] for tests, whose only active state is "active".
type Host struct {
	Limit time.Duration // of one evaluation
}

func (Host) In(state string) bool { return state == "active" }
func (Host) Name() string         { return "Test" }
func (Host) SessionID() string    { return "session" }
func (Host) IOProcessors() []datamodel.IOProcessor {
	return []datamodel.IOProcessor{{Type: "urn:test", Location: "here"}}
}
func (Host) Now() time.Time               { return time.Unix(0, 0).UTC() }
func (Host) Random() float64              { return 0.5 }
func (h Host) ScriptTime() time.Duration  { return h.Limit }
func (Host) MacrostepTime() time.Duration { return 0 }
func (Host) CallDepth() int               { return 1000 }

// Run tests lang.
func Run(t *testing.T, lang datamodel.Language, src Sources) {
	k := &kit{lang: lang, src: src}
	if lang.Name() == "" {
		t.Error("the language has no name")
	}
	for _, test := range []struct {
		name  string
		needs []string
		run   func(*testing.T, *session)
	}{
		{"conditions", []string{src.True, src.False}, conditions(src.True, src.False)},
		{"In", []string{src.InActive, src.InOther}, conditions(src.InActive, src.InOther)},
		{"values", []string{src.Number, src.Text}, k.values},
		{"syntax errors", []string{src.Syntax}, k.syntax},
		{"failures", []string{src.Fails}, k.fails},
		{"expressions of others", nil, k.others},
		{"data", []string{src.Item}, k.data},
		{"assign", []string{src.Item, src.Number}, k.assign},
		{"undeclared", []string{src.Undeclared, src.Number}, k.undeclared},
		{"bad ids", []string{src.BadID}, k.badID},
		{"scripts", []string{src.Script, src.Item}, k.script},
		{"failing scripts", []string{src.FailsScript, src.True}, k.failsScript},
		{"endless scripts", []string{src.Endless, src.True}, k.endless},
		{"foreach", []string{src.List, src.Item}, k.foreach},
		{"events", []string{src.EventName, src.EventData}, k.events},
		{"isolation", []string{src.Item}, k.isolation},
		{"reset", nil, k.reset},
		{"concurrency", []string{src.True}, k.concurrency},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, source := range test.needs {
				if source == "" {
					t.Skip("the language has nothing for it")
				}
			}
			test.run(t, k.session(t, Host{}))
		})
	}
}

type kit struct {
	lang datamodel.Language
	src  Sources
}

// session is a store in use.
type session struct {
	t    *testing.T
	lang datamodel.Language
	datamodel.Store
}

func (k *kit) session(t *testing.T, host Host) *session {
	store, err := k.lang.NewStore(host)
	if err != nil {
		t.Fatalf("NewStore: %v", err)
	}
	store.Begin(t.Context())
	t.Cleanup(store.End)
	return &session{t, k.lang, store}
}

// expr compiles what has to compile.
func (s *session) expr(kind datamodel.Kind, text string) datamodel.Expr {
	s.t.Helper()
	e, err := s.lang.Compile(kind, datamodel.Source{Text: text, Pos: datamodel.Position{File: "test", Line: 1, Col: 1}})
	if err != nil {
		s.t.Fatalf("Compile(%q): %v", text, err)
	}
	if e == nil || e.Source().Text != text {
		s.t.Fatalf("Compile(%q) forgets its source", text)
	}
	return e
}

func (s *session) want(text string, want datamodel.Value) {
	s.t.Helper()
	got, err := s.Value(s.expr(datamodel.ValueExpr, text))
	if err != nil || !datamodel.Equal(got, want) {
		s.t.Errorf("%s is %s, %v; want %s", text, datamodel.Text(got), err, datamodel.Text(want))
	}
}

// wantError checks that err is an EvalError with a message.
func (s *session) wantError(what string, err error) {
	s.t.Helper()
	var eval *datamodel.EvalError
	if !errors.As(err, &eval) || eval.Msg == "" {
		s.t.Errorf("%s: error %v, want an *EvalError with a message", what, err)
	}
}

func (s *session) ok(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("%s: %v", what, err)
	}
}

func (s *session) declare(ids ...string) {
	s.t.Helper()
	for _, id := range ids {
		s.ok("Declare", s.Declare(id))
	}
}

// conditions tests a condition that is true and one that is false.
func conditions(yes, no string) func(*testing.T, *session) {
	return func(t *testing.T, s *session) {
		for text, want := range map[string]bool{yes: true, no: false} {
			if got, err := s.Condition(s.expr(datamodel.Condition, text)); got != want || err != nil {
				t.Errorf("%s is %v, %v", text, got, err)
			}
		}
	}
}

func (k *kit) values(t *testing.T, s *session) {
	s.want(k.src.Number, int64(42))
	s.want(k.src.Text, "x")
}

func (k *kit) syntax(t *testing.T, s *session) {
	e, err := k.lang.Compile(datamodel.ValueExpr, datamodel.Source{Text: k.src.Syntax})
	if err == nil || e == nil {
		t.Fatalf("Compile(%q) = %v, %v; want an expression and an error", k.src.Syntax, e, err)
	}
	_, err = s.Value(e)
	s.wantError(k.src.Syntax, err)
}

func (k *kit) fails(t *testing.T, s *session) {
	for range 2 { // the store stays usable
		_, err := s.Value(s.expr(datamodel.ValueExpr, k.src.Fails))
		s.wantError(k.src.Fails, err)
	}
}

// An expr of another data model.
type other struct{}

func (other) Source() datamodel.Source { return datamodel.Source{Text: "other"} }

func (k *kit) others(t *testing.T, s *session) {
	_, err := s.Condition(other{})
	s.wantError("an expression of another data model", err)
}

// data takes values of every kind to the store and back.
func (k *kit) data(t *testing.T, s *session) {
	s.declare("item")
	s.want(k.src.Item, nil)
	for _, v := range []datamodel.Value{
		nil, datamodel.Null, true, int64(0), int64(-7), 1.5, "", "é\x00", []datamodel.Value{}, []datamodel.Value{int64(1), "x", datamodel.Null},
		datamodel.NewObject("b", int64(1), "a", []datamodel.Value{true}),
	} {
		if err := s.Set("item", v); err != nil {
			t.Errorf("Set(%s): %v", datamodel.Text(v), err)
			continue
		}
		s.want(k.src.Item, v)
	}
	s.declare("item") // does not touch it
	s.want(k.src.Item, datamodel.NewObject("b", int64(1), "a", []datamodel.Value{true}))
}

func (k *kit) assign(t *testing.T, s *session) {
	s.declare("item")
	location := s.expr(datamodel.Location, k.src.Item)
	s.ok("Assign", s.Assign(location, s.expr(datamodel.ValueExpr, k.src.Number)))
	s.want(k.src.Item, int64(42))
	if v, err := s.Value(location); err != nil || v != int64(42) {
		t.Errorf("the value of the location is %v, %v", v, err)
	}
	s.ok("AssignValue", s.AssignValue(location, "new"))
	s.want(k.src.Item, "new")
	s.ok("Init", s.Init("item", s.expr(datamodel.ValueExpr, k.src.Number)))
	s.want(k.src.Item, int64(42))
}

func (k *kit) undeclared(t *testing.T, s *session) {
	location := s.expr(datamodel.Location, k.src.Undeclared)
	s.wantError("Assign", s.Assign(location, s.expr(datamodel.ValueExpr, k.src.Number)))
	s.wantError("AssignValue", s.AssignValue(location, int64(1)))
}

func (k *kit) badID(t *testing.T, s *session) {
	s.wantError("Declare", s.Declare(k.src.BadID))
}

func (k *kit) script(_ *testing.T, s *session) {
	s.declare("item")
	s.ok("Run", s.Run(s.expr(datamodel.Script, k.src.Script)))
	s.want(k.src.Item, int64(42))
}

func (k *kit) failsScript(t *testing.T, s *session) {
	s.wantError("Run", s.Run(s.expr(datamodel.Script, k.src.FailsScript)))
	k.usable(s)
}

// usable checks that the store still evaluates.
func (k *kit) usable(s *session) {
	s.t.Helper()
	if ok, err := s.Condition(s.expr(datamodel.Condition, k.src.True)); !ok || err != nil {
		s.t.Errorf("afterwards %s is %v, %v", k.src.True, ok, err)
	}
}

func (k *kit) endless(t *testing.T, _ *session) {
	s := k.session(t, Host{Limit: 20 * time.Millisecond})
	endless := s.expr(datamodel.Script, k.src.Endless)
	err := s.Run(endless)
	s.wantError("the time limit", err)
	if !errors.Is(err, datamodel.ErrScriptTime) {
		t.Errorf("the cause is %v, want ErrScriptTime", err)
	}
	k.usable(s)
	s.End()
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s.Begin(ctx)
	time.AfterFunc(10*time.Millisecond, func() { cancel(reason) })
	unlimited := k.session(t, Host{})
	unlimited.End()
	unlimited.Begin(ctx)
	if err := unlimited.Run(endless); !errors.Is(err, reason) {
		t.Errorf("cancelled: error %v, want one that wraps the cause", err)
	}
	s.End()
	s.Begin(t.Context())
	k.usable(s)
}

func (k *kit) foreach(t *testing.T, s *session) {
	list := s.expr(datamodel.ValueExpr, k.src.List)
	var got []datamodel.Value
	body := func() bool {
		v, err := s.Value(s.expr(datamodel.ValueExpr, k.src.Item))
		s.ok("Value", err)
		got = append(got, v)
		return len(got) != 5
	}
	s.ok("Foreach", s.Foreach(list, "item", "", body))
	s.ok("Foreach that stops", s.Foreach(list, "item", "index", body))
	want := []datamodel.Value{int64(1), int64(2), int64(3), int64(1), int64(2)}
	if !datamodel.Equal(got, want) {
		t.Errorf("items %v, want %v", got, want)
	}
	if k.src.Number != "" {
		s.wantError("a number is not a list", s.Foreach(s.expr(datamodel.ValueExpr, k.src.Number), "item", "", body))
	}
}

func (k *kit) events(t *testing.T, s *session) {
	for _, ev := range []datamodel.Event{{Name: "first", Data: int64(1)}, {Name: "second"}, {Name: "third", Data: "x"}} {
		s.SetEvent(&ev)
		s.want(k.src.EventName, ev.Name)
		s.want(k.src.EventData, ev.Data)
	}
}

func (k *kit) isolation(t *testing.T, a *session) {
	b := k.session(t, Host{})
	a.declare("item")
	b.declare("item")
	if err := a.Set("item", []datamodel.Value{int64(1)}); err != nil {
		t.Fatal(err)
	}
	b.want(k.src.Item, nil)
	v, err := a.Value(a.expr(datamodel.ValueExpr, k.src.Item))
	if err != nil {
		t.Fatal(err)
	}
	v.([]datamodel.Value)[0] = "changed by the test" // it is a copy
	a.want(k.src.Item, []datamodel.Value{int64(1)})
}

// reset takes a [datamodel.Resetter] from one state to another.
func (k *kit) reset(t *testing.T, s *session) {
	r, ok := s.Store.(datamodel.Resetter)
	if !ok {
		t.Skip("the store is not a Resetter")
	}
	var exprs []datamodel.Expr
	save := func() string {
		t.Helper()
		data, err := r.Save(exprs)
		s.ok("Save", err)
		return string(data)
	}
	key := func() string {
		t.Helper()
		key, err := r.AppendKey([]byte("> "), exprs)
		s.ok("AppendKey", err)
		if len(key) < 2 || string(key[:2]) != "> " {
			t.Errorf("AppendKey returns %q, without what was there before", key)
		}
		return string(key)
	}
	state := func() []byte {
		t.Helper()
		state, err := r.AppendState([]byte("> "), exprs)
		s.ok("AppendState", err)
		if len(state) < 2 || string(state[:2]) != "> " {
			t.Fatalf("AppendState returns %q, without what was there before", state)
		}
		return state[2:]
	}
	reset := func(ev *datamodel.Event, state []byte) {
		t.Helper()
		s.SetEvent(ev)
		s.ok("Reset", r.Reset(state, exprs))
	}
	empty, emptySaved, emptyKey := state(), save(), key()
	change := func(datamodel.Value) {}
	if k.src.Item != "" {
		item := s.expr(datamodel.ValueExpr, k.src.Item)
		exprs = append(exprs, item)
		s.declare("item", "other")
		change = func(v datamodel.Value) {
			t.Helper()
			s.ok("Set", s.Set("item", v))
			if k.src.Script != "" { // a runtime, if there is one, is needed now
				script := s.expr(datamodel.Script, k.src.Script)
				exprs = append(exprs, script)
				s.ok("Run", s.Run(script))
				s.ok("Set", s.Set("item", v))
			}
		}
	}
	first, second := datamodel.Event{Name: "first", Data: datamodel.NewObject("x", int64(1))}, datamodel.Event{Name: "second"}
	s.SetEvent(&first)
	change(datamodel.NewObject("a", []datamodel.Value{int64(1), "x"}))
	kept, saved, savedKey := state(), save(), key()
	s.SetEvent(&second)
	if got := key(); got != savedKey {
		t.Errorf("with another event the key is %q, want %q", got, savedKey)
	}
	change("y")
	if got := key(); k.src.Item != "" && got == savedKey {
		t.Errorf("with other data the key is the same: %q", got)
	}
	for _, s.Store = range []datamodel.Store{s.Store, s.Store, k.session(t, Host{}).Store} {
		r = s.Store.(datamodel.Resetter)
		reset(nil, empty)
		if got, gotKey := save(), key(); got != emptySaved || gotKey != emptyKey {
			t.Errorf("after Reset the data is %s, want %s; the key is %q, want %q", got, emptySaved, gotKey, emptyKey)
		}
		reset(&first, kept)
		if got, gotKey := save(), key(); got != saved || gotKey != savedKey {
			t.Errorf("after Reset the data is %s, want %s; the key is %q, want %q", got, saved, gotKey, savedKey)
		}
		if k.src.Item != "" {
			s.want(k.src.Item, datamodel.NewObject("a", []datamodel.Value{int64(1), "x"}))
		}
		if k.src.EventName != "" {
			s.want(k.src.EventName, "first")
		}
	}
}

// concurrency has many goroutines compile, and use one expression; the race detector is the judge.
func (k *kit) concurrency(t *testing.T, s *session) {
	shared := s.expr(datamodel.Condition, k.src.True)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			own := k.session(t, Host{})
			for range 50 {
				own.expr(datamodel.Condition, k.src.True)
				if ok, err := own.Condition(shared); !ok || err != nil {
					t.Errorf("%v, %v", ok, err)
				}
			}
		})
	}
	all.Wait()
}
