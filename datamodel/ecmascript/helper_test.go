package ecmascript_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// racing says that the race detector is on.
var racing bool

// A fakeHost is a session as far as a store can see it.
type fakeHost struct {
	active map[string]bool
	limit  time.Duration
	io     []datamodel.IOProcessor
}

func (h *fakeHost) In(state string) bool { return h.active[state] }
func (h *fakeHost) Name() string         { return "machine" }
func (h *fakeHost) SessionID() string    { return "session-1" }
func (h *fakeHost) IOProcessors() []datamodel.IOProcessor {
	return h.io
}
func (h *fakeHost) Now() time.Time               { return time.UnixMilli(1_700_000_000_000) }
func (h *fakeHost) Random() float64              { return 0.25 }
func (h *fakeHost) ScriptTime() time.Duration    { return h.limit }
func (h *fakeHost) MacrostepTime() time.Duration { return 0 }
func (h *fakeHost) CallDepth() int               { return 200 }

func newHost() *fakeHost {
	return &fakeHost{
		active: map[string]bool{"s1": true},
		limit:  10 * time.Second, // not to be reached, on a slow machine either
		io: []datamodel.IOProcessor{
			{Type: "http://www.w3.org/TR/scxml/#SCXMLEventProcessor", Location: "#_scxml_session-1"},
			{Type: "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor", Location: "http://127.0.0.1/x"},
		},
	}
}

// A bench is a store with what it takes to use it in a line.
type bench struct {
	t testing.TB
	datamodel.Store
}

func newStore(t testing.TB) *bench { return newStoreOf(t, newHost()) }

func newStoreOf(t testing.TB, h datamodel.Host) *bench {
	t.Helper()
	st, err := ecmascript.New().NewStore(h)
	if err != nil {
		t.Fatal(err)
	}
	st.Begin(context.Background())
	t.Cleanup(st.End)
	return &bench{t, st}
}

func source(text string) datamodel.Source {
	return datamodel.Source{Text: text, Pos: datamodel.Position{File: "chart.scxml", Line: 10, Col: 5}}
}

// expr compiles text; a syntax error stays in the Expr.
func expr(kind datamodel.Kind, text string) datamodel.Expr {
	e, _ := ecmascript.New().Compile(kind, source(text))
	return e
}

// set declares the data item id with the value of text.
func (b *bench) set(id, text string) {
	b.t.Helper()
	if err := b.Declare(id); err != nil {
		b.t.Fatal(err)
	}
	if err := b.Init(id, expr(datamodel.ValueExpr, text)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) run(text string) {
	b.t.Helper()
	if err := b.Run(expr(datamodel.Script, text)); err != nil {
		b.t.Fatalf("script %q: %v", text, err)
	}
}

// get returns the value of text in the form of datamodel.AppendJSON, or "! " and the error.
func (b *bench) get(text string) string {
	v, err := b.Value(expr(datamodel.ValueExpr, text))
	if err != nil {
		return "! " + err.Error()
	}
	return string(datamodel.AppendJSON(nil, v))
}

func (b *bench) want(text, want string) {
	b.t.Helper()
	if got := b.get(text); got != want {
		b.t.Errorf("%s\n got %s\nwant %s", text, got, want)
	}
}

// fails checks that err is an EvalError whose message contains part.
func fails(t testing.TB, err error, part string) *datamodel.EvalError {
	t.Helper()
	var e *datamodel.EvalError
	switch {
	case err == nil:
		t.Errorf("no error, want one with %q", part)
		return &datamodel.EvalError{}
	case !errors.As(err, &e):
		t.Fatalf("error %v is a %T, not an EvalError", err, err)
	case !strings.Contains(e.Msg, part):
		t.Errorf("error %q does not contain %q", e.Msg, part)
	}
	return e
}
