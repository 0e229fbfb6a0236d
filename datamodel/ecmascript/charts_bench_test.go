package ecmascript_test

import (
	"os"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// The benchmarks in this file do for whole charts what the engine asks of a
// store, and besides the same by hand, straight on goja and without any of
// the promises that a store makes: that is the measure.

// A guardsWork is what the chart of five conditions and an assignment has for
// each event: the last condition holds.
type guardsWork struct {
	conds           []datamodel.Expr
	location, value datamodel.Expr
	init            datamodel.Expr
}

func newGuardsWork() guardsWork {
	w := guardsWork{
		location: expr(datamodel.Location, "count"), value: expr(datamodel.ValueExpr, "count + 1"),
		init: expr(datamodel.ValueExpr, "0"),
	}
	for _, text := range []string{
		"count < 0", "_event.data.n < 0", "count > 1000000000 && _event.data.n > 10",
		"_event.data.n === -1 || count === -1", "count >= 0 && _event.data.n >= 0",
	} {
		w.conds = append(w.conds, expr(datamodel.Condition, text))
	}
	return w
}

func (w *guardsWork) start(b testing.TB, st datamodel.Store) {
	if err := st.Declare("count"); err != nil {
		b.Fatal(err)
	}
	if err := st.Init("count", w.init); err != nil {
		b.Fatal(err)
	}
}

func (w *guardsWork) event(b testing.TB, st datamodel.Store, ev *datamodel.Event) {
	st.SetEvent(ev)
	for i, cond := range w.conds {
		if ok, err := st.Condition(cond); err != nil || ok != (i == 4) {
			b.Fatal(i, ok, err)
		}
	}
	if err := st.Assign(w.location, w.value); err != nil {
		b.Fatal(err)
	}
}

// measure runs op in a benchmark.
func measure(b *testing.B, op func()) {
	b.ReportAllocs()
	for b.Loop() {
		op()
	}
}

func BenchmarkGuardsEvent(b *testing.B) {
	b.Run("store", func(b *testing.B) { measure(b, guardsEvent(b, "")) })
	// After a script the runtime is there, and has the data.
	b.Run("store with runtime", func(b *testing.B) { measure(b, guardsEvent(b, "function f() { return 1 }")) })
	b.Run("by hand", func(b *testing.B) { measure(b, guardsEventByHand(b)) })
}

// guardsEvent returns what processes an event in a store that has run a script.
func guardsEvent(b testing.TB, script string) func() {
	ev := &datamodel.Event{Name: "tick", Data: datamodel.NewObject("n", int64(5))}
	w, st := newGuardsWork(), newStore(b)
	w.start(b, st)
	if script != "" {
		st.run(script)
	}
	return func() {
		st.Begin(b.Context())
		w.event(b, st, ev)
		st.End()
	}
}

func guardsEventByHand(b testing.TB) func() {
	global := goja.New().GlobalObject()
	_ = global.Set("count", 0)
	count := func() float64 { return global.Get("count").ToFloat() }
	var data map[string]any
	n := func() float64 { return float64(data["n"].(int64)) }
	conds := []func() bool{
		func() bool { return count() < 0 },
		func() bool { return n() < 0 },
		func() bool { return count() > 1e9 && n() > 10 },
		func() bool { return n() == -1 || count() == -1 },
		func() bool { return count() >= 0 && n() >= 0 },
	}
	return func() {
		data = map[string]any{"n": int64(5)} // the copy of the event's data
		for i, cond := range conds {
			if cond() != (i == 4) {
				b.Fatal(i)
			}
		}
		_ = global.Set("count", global.Get("count").ToInteger()+1)
	}
}

func BenchmarkGuardsSession(b *testing.B) {
	b.Run("store", func(b *testing.B) { measure(b, guardsSession(b)) })
	b.Run("by hand", func(b *testing.B) {
		measure(b, func() {
			if err := goja.New().GlobalObject().Set("count", 0); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func guardsSession(b testing.TB) func() {
	w, h, lang := newGuardsWork(), newHost(), ecmascript.New()
	return func() {
		st, err := lang.NewStore(h)
		if err != nil {
			b.Fatal(err)
		}
		st.Begin(b.Context())
		w.start(b, st)
		st.End()
	}
}

// BenchmarkSudokuTap is what one tap costs: a condition, two calls, and two
// grids that leave the store.
func BenchmarkSudokuTap(b *testing.B) {
	b.Run("store", func(b *testing.B) { measure(b, sudokuTap(b)) })
	b.Run("by hand", func(b *testing.B) { measure(b, sudokuTapByHand(b)) })
}

// sudokuStart begins a game in which the first row is complete.
const sudokuStart = "initState = emptyGrid(); initState[0] = [1, 2, 3, 4, 5, 6, 7, 8, 9]; restart()"

// sudokuScript returns the script of the game.
func sudokuScript(b testing.TB) string {
	text, err := os.ReadFile("../../scxml/testdata/speed/sudoku.js")
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

func sudokuTap(b testing.TB) func() {
	taps := make([]*datamodel.Event, 72)
	for i := range taps {
		taps[i] = &datamodel.Event{Name: "tap", Data: datamodel.NewObject("x", int64(1+i/9), "y", int64(i%9))}
	}
	update := &datamodel.Event{Name: "update", Type: datamodel.Internal}
	st := newStore(b)
	for _, id := range []string{"initState", "currentState", "undoStack"} {
		if err := st.Declare(id); err != nil {
			b.Fatal(err)
		}
	}
	st.run(sudokuScript(b))
	st.run(sudokuStart)
	isTap, isSolved := expr(datamodel.Condition, "isTap(_event.data)"), expr(datamodel.Condition, "isSolved()")
	tap, forget := expr(datamodel.Script, "tap(_event.data);"), expr(datamodel.Script, "undoStack.length = 0")
	internal := expr(datamodel.Condition, "_event.type === 'internal'")
	grids := []datamodel.Expr{expr(datamodel.ValueExpr, "currentState"), expr(datamodel.ValueExpr, "initState")}
	want := func(cond datamodel.Expr, want bool) {
		if ok, err := st.Condition(cond); ok != want || err != nil {
			b.Fatal(ok, err)
		}
	}
	run := func(script datamodel.Expr) {
		if err := st.Run(script); err != nil {
			b.Fatal(err)
		}
	}
	i := 0
	return func() {
		if i++; i%100 == 0 {
			run(forget)
		}
		st.Begin(b.Context())
		st.SetEvent(taps[i%len(taps)])
		want(isTap, true)
		run(tap)
		want(isSolved, false)
		st.SetEvent(update)
		want(internal, true)
		for _, e := range grids {
			if _, err := st.Value(e); err != nil {
				b.Fatal(err)
			}
		}
		st.End()
	}
}

func sudokuTapByHand(b testing.TB) func() {
	vm := goja.New()
	run := func(text string) {
		if _, err := vm.RunString(text); err != nil {
			b.Fatal(err)
		}
	}
	run("var initState, currentState, undoStack, _event = {}")
	run(sudokuScript(b))
	run(sudokuStart)
	isTap, isSolved := goja.MustCompile("", "isTap(_event.data)", false), goja.MustCompile("", "isSolved()", false)
	tap, forget := goja.MustCompile("", "tap(_event.data);", false), goja.MustCompile("", "undoStack.length = 0", false)
	global := vm.GlobalObject()
	i := 0
	return func() {
		if i++; i%100 == 0 {
			_, _ = vm.RunProgram(forget)
		}
		data := vm.NewObject()
		_ = data.Set("x", 1+i%72/9)
		_ = data.Set("y", i%72%9)
		_ = global.Get("_event").(*goja.Object).Set("data", data)
		if v, err := vm.RunProgram(isTap); err != nil || !v.ToBoolean() {
			b.Fatal(v, err)
		}
		if _, err := vm.RunProgram(tap); err != nil {
			b.Fatal(err)
		}
		if v, err := vm.RunProgram(isSolved); err != nil || v.ToBoolean() {
			b.Fatal(v, err)
		}
		for _, id := range []string{"currentState", "initState"} {
			if rows, ok := global.Get(id).Export().([]any); !ok || len(rows) != 9 {
				b.Fatal(rows)
			}
		}
	}
}
