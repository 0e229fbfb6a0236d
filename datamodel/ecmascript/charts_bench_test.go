package ecmascript_test

import (
	"os"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// The benchmarks in this file do for whole charts what the engine asks of a
// store, and beside it the same by hand, straight on goja and without any of
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

func (w *guardsWork) start(b *testing.B, st datamodel.Store) {
	if err := st.Declare("count"); err != nil {
		b.Fatal(err)
	}
	if err := st.Init("count", w.init); err != nil {
		b.Fatal(err)
	}
}

func (w *guardsWork) event(b *testing.B, st datamodel.Store, ev *datamodel.Event) {
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

func BenchmarkGuardsEvent(b *testing.B) {
	ev := &datamodel.Event{Name: "tick", Data: datamodel.NewObject("n", int64(5))}
	b.Run("store", func(b *testing.B) {
		w, st := newGuardsWork(), newStore(b)
		w.start(b, st)
		b.ReportAllocs()
		for b.Loop() {
			st.Begin(b.Context())
			w.event(b, st, ev)
			st.End()
		}
		st.want("typeof count", `"number"`)
	})
	// After a script the runtime is there, and has the data.
	b.Run("store with runtime", func(b *testing.B) {
		w, st := newGuardsWork(), newStore(b)
		w.start(b, st)
		st.run("function f() { return 1 }")
		b.ReportAllocs()
		for b.Loop() {
			st.Begin(b.Context())
			w.event(b, st, ev)
			st.End()
		}
		st.want("typeof count", `"number"`)
	})
	b.Run("by hand", func(b *testing.B) {
		vm := goja.New()
		global := vm.GlobalObject()
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
		b.ReportAllocs()
		for b.Loop() {
			data = map[string]any{"n": int64(5)} // the copy of the event's data
			for i, cond := range conds {
				if cond() != (i == 4) {
					b.Fatal(i)
				}
			}
			_ = global.Set("count", global.Get("count").ToInteger()+1)
		}
	})
}

func BenchmarkGuardsSession(b *testing.B) {
	b.Run("store", func(b *testing.B) {
		w, h, lang := newGuardsWork(), newHost(), ecmascript.New()
		b.ReportAllocs()
		for b.Loop() {
			st, err := lang.NewStore(h)
			if err != nil {
				b.Fatal(err)
			}
			st.Begin(b.Context())
			w.start(b, st)
			st.End()
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := goja.New().GlobalObject().Set("count", 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func sudokuScript(b *testing.B) string {
	text, err := os.ReadFile("../../charts/sudoku.js")
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

// BenchmarkSudokuTap is what one tap costs: a condition, two calls, and two
// grids that leave the store.
func BenchmarkSudokuTap(b *testing.B) {
	taps := make([]*datamodel.Event, 81)
	for i := range taps {
		taps[i] = &datamodel.Event{Name: "tap", Data: datamodel.NewObject("x", int64(i/9), "y", int64(i%9))}
	}
	update := &datamodel.Event{Name: "update", Type: datamodel.Internal}
	b.Run("store", func(b *testing.B) {
		st := newStore(b)
		for _, id := range []string{"initState", "currentState", "undoStack"} {
			if err := st.Declare(id); err != nil {
				b.Fatal(err)
			}
		}
		st.run(sudokuScript(b))
		st.run("restart()")
		isTap, isSolved := expr(datamodel.Condition, "isTap(_event.data)"), expr(datamodel.Condition, "isSolved()")
		tap := expr(datamodel.Script, "tap(_event.data);")
		internal := expr(datamodel.Condition, "_event.type === 'internal'")
		current, initial := expr(datamodel.ValueExpr, "currentState"), expr(datamodel.ValueExpr, "initState")
		limit := expr(datamodel.Script, "undoStack.length = 0")
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if i%100 == 99 {
				if err := st.Run(limit); err != nil {
					b.Fatal(err)
				}
			}
			st.Begin(b.Context())
			st.SetEvent(taps[i%81])
			if ok, err := st.Condition(isTap); !ok || err != nil {
				b.Fatal(ok, err)
			}
			if err := st.Run(tap); err != nil {
				b.Fatal(err)
			}
			if ok, err := st.Condition(isSolved); ok || err != nil {
				b.Fatal(ok, err)
			}
			st.SetEvent(update)
			if ok, err := st.Condition(internal); !ok || err != nil {
				b.Fatal(ok, err)
			}
			for _, e := range []datamodel.Expr{current, initial} {
				if _, err := st.Value(e); err != nil {
					b.Fatal(err)
				}
			}
			st.End()
		}
	})
	b.Run("by hand", func(b *testing.B) {
		vm := goja.New()
		run := func(text string) {
			if _, err := vm.RunString(text); err != nil {
				b.Fatal(err)
			}
		}
		run("var initState, currentState, undoStack, _event = {}")
		run(sudokuScript(b))
		run("restart()")
		isTap, isSolved := goja.MustCompile("", "isTap(_event.data)", false), goja.MustCompile("", "isSolved()", false)
		tap, limit := goja.MustCompile("", "tap(_event.data);", false), goja.MustCompile("", "undoStack.length = 0", false)
		global := vm.GlobalObject()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if i%100 == 99 {
				_, _ = vm.RunProgram(limit)
			}
			data := vm.NewObject()
			_ = data.Set("x", (i%81)/9)
			_ = data.Set("y", (i%81)%9)
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
	})
}
