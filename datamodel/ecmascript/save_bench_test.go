package ecmascript_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// sudokuGame is a store as the chart of the Sudoku has it when all cells have
// been filled in, with 81 moves to take back.
func sudokuGame(t testing.TB) *saved {
	t.Helper()
	script, err := os.ReadFile("../../scxml/testdata/speed/sudoku.js")
	if err != nil {
		t.Fatal(err)
	}
	return newSaved(t, "data initState undefined", "data currentState undefined", "data undoStack undefined", string(script),
		`restart()`, `(function() { for (var i = 0; i < 81; i++) write(i % 9, Math.floor(i / 9), i % 9 + 1) })()`)
}

func BenchmarkSave(b *testing.B) {
	s := sudokuGame(b)
	saver := s.Store.(datamodel.Saver)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		data, err := saver.Save(s.exprs)
		if err != nil {
			b.Fatal(err)
		}
		n = len(data)
	}
	b.ReportMetric(float64(n), "bytes")
}

func BenchmarkLoad(b *testing.B) {
	s := sudokuGame(b)
	data := s.save()
	lang, host := ecmascript.New(), newHost()
	b.ReportAllocs()
	for b.Loop() {
		st, err := lang.NewStore(host)
		if err != nil {
			b.Fatal(err)
		}
		if err := st.(datamodel.Saver).Load(data, s.exprs); err != nil {
			b.Fatal(err)
		}
	}
}
