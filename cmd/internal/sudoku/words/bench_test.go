package words

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New("nl"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkT(b *testing.B) {
	w, _ := New("nl")
	b.ReportAllocs()
	for b.Loop() {
		w.T("%d cells are empty.", 40)
	}
}

func BenchmarkHint(b *testing.B) {
	w, _ := New("nl")
	puzzles := sudoku.Puzzles()
	p, err := human.New(&puzzles[len(puzzles)-1].Grid)
	if err != nil {
		b.Fatal(err)
	}
	var finder human.Finder
	step, ok := finder.Next(p, human.NakedPair, human.AIC)
	if !ok {
		b.Fatal("there is no step")
	}
	hint := &game.Hint{Stage: 3, Step: step.Encode()}
	b.ReportAllocs()
	for b.Loop() {
		w.Hint(hint)
	}
}
