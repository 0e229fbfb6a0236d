package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// Saved returns the game as it is saved, see Keep. Call it in an input or at rest.
func (g *Game) Saved() (*format.Game, error) { return g.saved() }

// Puzzles returns the puzzles that Choose chooses from.
func (g *Game) Puzzles() []sudoku.Puzzle { return slices.Clone(g.puzzles) }
