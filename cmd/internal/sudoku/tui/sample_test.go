package tui

import (
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// sample returns a view of a game with something of everything.
func sample() game.View {
	const number = 18
	p := sudoku.Puzzles()[number]
	v := game.View{
		Title: "Sudoku", Puzzle: p.Name, Number: number + 1, Puzzles: len(sudoku.Puzzles()), Level: 4, ER: 6.6, State: game.Playing,
		Clock: true, Time: 7*time.Minute + 41*time.Second, Undo: 12, Redo: 3, SavePoints: []string{"before the guess"},
		Show:     game.ShowValid | game.ShowSolvable | game.ShowStatistics | game.ShowLeft | game.ShowPeers | game.ShowEqual,
		Solvable: game.Yes, Solutions: -1, Has: ^game.Abilities(0), Can: ^game.Abilities(0),
	}
	cells, solution := missing(p)
	grid := p.Grid
	for i, c := range cells {
		if i%5 == 1 {
			grid[c[0]][c[1]] = solution[c[0]][c[1]]
		}
	}
	for row := range 9 {
		for col := range 9 {
			c := &v.Cells[row][col]
			c.Digit, c.Given = grid[row][col], p.Grid[row][col] != 0
			v.Left[c.Digit]++
			switch {
			case c.Given:
				v.Given++
			case c.Digit != 0:
				v.Filled++
			default:
				v.Empty++
				for d := 1; d <= 9; d++ {
					possible := true
					for i := range 81 {
						if sudoku.SameUnit(row, col, i/9, i%9) && grid[i/9][i%9] == d {
							possible = false
						}
					}
					if possible {
						c.Notes |= 1 << d
					}
				}
			}
		}
	}
	for d := 1; d <= 9; d++ {
		v.Left[d] = 9 - v.Left[d]
	}
	return v
}

// cursor puts the cursor into a cell.
func cursor(v *game.View, row, col int) {
	for i := range 81 {
		c := &v.Cells[i/9][i%9]
		c.Selected = i == 9*row+col
		c.Peer = !c.Selected && sudoku.SameUnit(row, col, i/9, i%9)
		c.Equal = !c.Selected && c.Digit != 0 && c.Digit == v.Cells[row][col].Digit
	}
}
