package sudoku_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A board has all known cells of the board whose guess led to it.
func TestAGuessOnlyAddsKnownCells(t *testing.T) {
	contains := func(g, part sudoku.Grid) bool {
		for row := range 9 {
			for col := range 9 {
				if part[row][col] != 0 && part[row][col] != g[row][col] {
					return false
				}
			}
		}
		return true
	}
	guesses := 0
	for _, p := range sudoku.Puzzles() {
		var path []sudoku.Grid // the boards whose guesses led to this one
		for known := range new(sudoku.Solver).Boards(&p.Grid) {
			for i := len(path) - 1; i >= 0 && !contains(known, path[i]); i-- {
				path = path[:i]
				if i == 0 {
					t.Fatalf("%s: %s lacks known cells of the first board", p.Name, known.String())
				}
			}
			guesses += min(1, len(path))
			path = append(path, known)
		}
	}
	if guesses == 0 {
		t.Error("no puzzle needs a guess")
	}
}

// The number of boards is what the solver's deductions and guesses are worth; the
// time depends on the machine too.
func TestBoardsOfSharedLists(t *testing.T) {
	for _, list := range []struct {
		name string
		most float64 // boards for each puzzle
	}{
		{"kaggle", 1}, {"17clue", 1.8}, {"top1465", 14}, {"hardest11", 135}, {"hardest1106", 225},
	} {
		t.Run(list.name, func(t *testing.T) {
			puzzles := readShared(t, list.name)
			var s sudoku.Solver
			boards := 0
			for _, p := range puzzles {
				for range s.Boards(&p.Grid) {
					boards++
				}
			}
			if mean := float64(boards) / float64(len(puzzles)); mean > list.most {
				t.Errorf("got %.2f boards for each puzzle, want at most %v", mean, list.most)
			}
		})
	}
}
