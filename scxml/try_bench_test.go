package scxml_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// tried are the events of the Sudoku whose transitions have guards.
var tried = []struct {
	name, cond, state string
	data              datamodel.Value
}{
	{"tap", "isTap(_event.data)", "playing", datamodel.NewObject("x", int64(0), "y", int64(0))},
	{"set", "isSet(_event.data)", "playing", datamodel.NewObject("x", int64(0), "y", int64(0), "value", int64(7))},
	{"undo", "undoStack.length > 0", "playing", nil},
	{"setup", "hasGrid(_event.data)", "idle", datamodel.NewObject("initState", grid())},
}

func grid() (rows []datamodel.Value) {
	for range 9 {
		var row []datamodel.Value
		for i := range 9 {
			row = append(row, int64(i))
		}
		rows = append(rows, row)
	}
	return rows
}

// tryOp returns a function that asks a game of Sudoku about its events.
func tryOp(tb testing.TB, only string) func() {
	games := map[string]*scxml.Session{"playing": sudokuGame(tb, 20), "idle": sudokuGame(tb, 20)}
	if err := games["idle"].Send(scxml.Event{Name: "stop"}); err != nil {
		tb.Fatal(err)
	}
	for more := true; more; {
		var err error
		if more, err = games["idle"].Step(tb.Context(), now); err != nil {
			tb.Fatal(err)
		}
	}
	return func() {
		for _, x := range tried {
			if only != "" && x.name != only {
				continue
			}
			trial, err := games[x.state].Try(context.Background(), scxml.Event{Name: x.name, Data: x.data})
			if err != nil || !trial.Handled || !trial.Certain {
				tb.Fatalf("%s: %v\n%v", x.name, err, trial)
			}
		}
	}
}

// guardsOfTryOp returns a function that evaluates the guards that tryOp comes to, in a store.
func guardsOfTryOp(tb testing.TB, only string) func() {
	functions, err := os.ReadFile("testdata/speed/sudoku.js")
	if err != nil {
		tb.Fatal(err)
	}
	language := ecmascript.New()
	compile := func(kind datamodel.Kind, text string) datamodel.Expr {
		e, err := language.Compile(kind, datamodel.Source{Text: text})
		if err != nil {
			tb.Fatal(err)
		}
		return e
	}
	store, err := language.NewStore(tryHost{})
	if err != nil {
		tb.Fatal(err)
	}
	store.Begin(tb.Context())
	tb.Cleanup(store.End)
	for _, script := range []string{string(functions), "var initState = emptyGrid(), currentState, undoStack; restart(); tap({x: 1, y: 1})"} {
		if err := store.Run(compile(datamodel.Script, script)); err != nil {
			tb.Fatal(err)
		}
	}
	conds := map[string]datamodel.Expr{}
	for _, x := range tried {
		conds[x.name] = compile(datamodel.Condition, x.cond)
	}
	return func() {
		for _, x := range tried {
			if only != "" && x.name != only {
				continue
			}
			store.SetEvent(&datamodel.Event{Name: x.name, Data: x.data})
			if holds, err := store.Condition(conds[x.name]); err != nil || !holds {
				tb.Fatalf("%s: %v, %v", x.name, holds, err)
			}
		}
	}
}

// A tryHost is a session as far as those guards can see it.
type tryHost struct{ datamodel.Host }

func (tryHost) Now() time.Time               { return now }
func (tryHost) Random() float64              { return 0 }
func (tryHost) ScriptTime() time.Duration    { return time.Second }
func (tryHost) MacrostepTime() time.Duration { return 0 }
func (tryHost) CallDepth() int               { return 2000 }

// TestTrySudoku checks that Try evaluates the guards of the Sudoku, and that they hold.
func TestTrySudoku(t *testing.T) {
	tryOp(t, "")()
	guardsOfTryOp(t, "")()
}

// BenchmarkTry compares Try with the guards that it evaluates.
func BenchmarkTry(b *testing.B) {
	for _, x := range tried {
		b.Run(x.name, func(b *testing.B) { run(b, tryOp(b, x.name)) })
		b.Run(x.name+"/guard", func(b *testing.B) { run(b, guardsOfTryOp(b, x.name)) })
	}
	b.Run("all", func(b *testing.B) { run(b, tryOp(b, "")) })
	b.Run("all/guards", func(b *testing.B) { run(b, guardsOfTryOp(b, "")) })
}
