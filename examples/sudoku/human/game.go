package human

import (
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// Errors for puzzles that are not proper.
var (
	ErrNoSolution = errors.New("the puzzle has no solution")
	ErrNotUnique  = errors.New("the puzzle has more than one solution")
)

// Solution returns the solution of a puzzle that has exactly one.
func Solution(puzzle *sudoku.Grid) (sudoku.Grid, error) {
	solution, n := new(sudoku.Solver).Solve(puzzle)
	switch n {
	case 0:
		return sudoku.Grid{}, ErrNoSolution
	case 2:
		return sudoku.Grid{}, ErrNotUnique
	}
	return solution, nil
}

// Resume returns the position of a puzzle that somebody has begun to solve: the numbers
// of the board that are not in the puzzle are entries, not givens. It fails when an
// entry contradicts another number.
func Resume(puzzle, board *sudoku.Grid) (*Position, error) {
	p, err := New(puzzle)
	if err != nil {
		return nil, err
	}
	for c := range Cell(81) {
		d := board[c/9][c%9]
		if d == 0 || d == p.Digit(c) {
			continue
		}
		if d < 0 || d > 9 || !p.Place(c, d) {
			return nil, fmt.Errorf("cannot place %d in %v: it contradicts another number of the board", d, c)
		}
	}
	return p, nil
}

// Wrong returns the cells of a position with another digit than the solution, or
// without its digit among the candidates. The solution is that of the givens.
func (p *Position) Wrong() (Set, error) {
	var givens sudoku.Grid
	for c := range p.given.All() {
		givens[c/9][c%9] = p.Digit(c)
	}
	solution, err := Solution(&givens)
	if err != nil {
		return Set{}, err
	}
	var wrong Set
	for c := range Cell(81) {
		if d := solution[c/9][c%9]; p.Digit(c) != d && !p.Has(c, d) {
			wrong.add(c)
		}
	}
	return wrong, nil
}
