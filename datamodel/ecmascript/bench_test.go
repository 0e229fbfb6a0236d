package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

const grid9 = "(function(){ var g = []; for (var i = 0; i < 9; i++) { g[i] = []; for (var j = 0; j < 9; j++) g[i][j] = (i * j) % 10 } return g })()"

// slow before an expression makes it one that takes the runtime.
const slow = "void 0, "

func BenchmarkCondition(b *testing.B) {
	for name, text := range map[string]string{
		"compare": "n < 10", "in": "In('s1')", "event": "_event.data.x === 1",
		"compare in runtime": slow + "n < 10", "in in runtime": slow + "In('s1')", "event in runtime": slow + "_event.data.x === 1",
	} {
		b.Run(name, func(b *testing.B) {
			st := newStore(b)
			st.set("n", "1")
			st.SetEvent(&datamodel.Event{Name: "e", Data: datamodel.NewObject("x", int64(1))})
			e := expr(datamodel.Condition, text)
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := st.Condition(e); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

func BenchmarkEventFirstLook(b *testing.B) {
	st := newStore(b)
	ev := &datamodel.Event{Name: "e", Data: datamodel.NewObject("x", int64(1))}
	e := expr(datamodel.Condition, slow+"_event.data.x === 1")
	b.ReportAllocs()
	for b.Loop() {
		st.SetEvent(ev)
		if ok, err := st.Condition(e); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkBracket(b *testing.B) {
	st := newStore(b)
	e := expr(datamodel.Condition, slow+"true")
	b.Run("idle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			st.Begin(b.Context())
			st.End()
		}
	})
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			st.Begin(b.Context())
			_, _ = st.Condition(e)
			st.End()
		}
	})
}

func BenchmarkAssign(b *testing.B) {
	for name, text := range map[string]string{"closure": "n + 1", "runtime": slow + "n + 1"} {
		b.Run(name, func(b *testing.B) {
			st := newStore(b)
			st.set("n", "0")
			loc, val := expr(datamodel.Location, "n"), expr(datamodel.ValueExpr, text)
			b.ReportAllocs()
			for b.Loop() {
				if err := st.Assign(loc, val); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkExport9x9 takes out a board that is as it was the last time, one of
// which a number has changed, and one of which all have.
func BenchmarkExport9x9(b *testing.B) {
	for name, text := range map[string]string{"unchanged": "g", "a number": "g[4][4]++, g", "all": "g = g === one ? two : one"} {
		b.Run(name, func(b *testing.B) {
			st := newStore(b)
			st.set("g", grid9)
			st.run("var one = g, two = g.map(row => row.map(n => n + 1))")
			e := expr(datamodel.ValueExpr, text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := st.Value(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkImport9x9(b *testing.B) {
	st := newStore(b)
	st.set("g", grid9)
	v, err := st.Value(expr(datamodel.ValueExpr, "g"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := st.Set("g", v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewStoreFirstEval(b *testing.B) {
	lang, h := ecmascript.New(), newHost()
	e := expr(datamodel.Condition, slow+"1 < 2")
	b.ReportAllocs()
	for b.Loop() {
		st, err := lang.NewStore(h)
		if err != nil {
			b.Fatal(err)
		}
		if ok, err := st.Condition(e); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	lang, src := ecmascript.New(), source("_event.data.x === 1 && (n + 1) < 10")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lang.Compile(datamodel.Condition, src); err != nil {
			b.Fatal(err)
		}
	}
}
