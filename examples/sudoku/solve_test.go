package sudoku_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// sharedLists are lists of puzzles that are not part of the project.
var sharedLists = []string{"kaggle", "17clue", "top1465", "hardest11", "hardest1106", "multi"}

// readShared returns the puzzles of a shared list, or none if it is not there.
func readShared(name string) []sudoku.Puzzle {
	file := "../../../shared/sudoku/" + name + ".txt"
	source, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	puzzles, err := format.Puzzles(file, source)
	if err != nil {
		panic(err)
	}
	return puzzles
}

func BenchmarkSolve(b *testing.B) {
	bench := func(name string, puzzles []sudoku.Puzzle) {
		b.Run(name, func(b *testing.B) {
			if len(puzzles) == 0 {
				b.Skip("the list is not there")
			}
			var s sudoku.Solver
			b.ReportAllocs()
			for b.Loop() {
				for i := range puzzles {
					s.Solve(&puzzles[i].Grid)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(puzzles)), "ns/puzzle")
		})
	}
	bench("own", sudoku.Puzzles())
	for _, list := range sharedLists {
		bench(list, readShared(list))
	}
}
