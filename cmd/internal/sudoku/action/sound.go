package action

import (
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A Sound is what there is to hear after an input.
type Sound string

// The sounds.
const (
	Silence  Sound = ""
	Conflict Sound = "conflict" // a digit occurs twice in a row, column or box
	FullUnit Sound = "unit"     // a row, column or box has all digits
	TheEnd   Sound = "end"      // the game is solved
)

// SoundOf returns what there is to hear of a change, whether or not the player wants to hear it.
func SoundOf(was, now *game.View) Sound {
	if was.State != game.Playing || now.State != game.Playing && now.State != game.Solved {
		return Silence
	}
	before, after := boardOf(was), boardOf(now)
	switch {
	case !samePuzzle(was, now), before == after:
	case now.State == game.Solved:
		return TheEnd
	case conflicts(&after) > conflicts(&before):
		return Conflict
	case fullUnits(&after) > fullUnits(&before):
		return FullUnit
	}
	return Silence
}

func boardOf(v *game.View) (g sudoku.Grid) {
	for row, col := range sudoku.Cells {
		g[row][col] = v.Cells[row][col].Digit
	}
	return g
}

// samePuzzle reports whether two views have the same givens.
func samePuzzle(a, b *game.View) bool {
	for row, col := range sudoku.Cells {
		x, y := &a.Cells[row][col], &b.Cells[row][col]
		if x.Given != y.Given || x.Given && x.Digit != y.Digit {
			return false
		}
	}
	return true
}

func conflicts(g *sudoku.Grid) (n int) {
	marks := g.Conflicts()
	for row, col := range sudoku.Cells {
		if marks[row][col] {
			n++
		}
	}
	return n
}

// fullUnits returns how many rows, columns and boxes have all digits.
func fullUnits(g *sudoku.Grid) (n int) {
	var sets [27]uint16
	for row, col := range sudoku.Cells {
		if d := g[row][col]; 1 <= d && d <= 9 {
			for _, unit := range [...]int{row, 9 + col, 18 + row/3*3 + col/3} {
				sets[unit] |= 1 << d
			}
		}
	}
	for _, set := range sets {
		if set == 0x3fe {
			n++
		}
	}
	return n
}
