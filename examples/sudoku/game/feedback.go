package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// entries knows in which order the digits of the board were entered.
type entries struct {
	order [81]int
	last  int
}

// update notes what is new.
func (e *entries) update(before, after *sudoku.Grid) {
	for i := range 81 {
		if digit := after[i/9][i%9]; digit != 0 && digit != before[i/9][i%9] {
			e.last++
			e.order[i] = e.last
		}
	}
}

// load notes the moves of a game.
func (e *entries) load(p *format.Progress) {
	for _, m := range p.Moves[:len(p.Moves)-p.Undone] {
		for _, c := range m {
			if c.Of == format.OfDigit && c.New != 0 {
				e.last++
				e.order[9*c.Row+c.Col] = e.last
			}
		}
	}
}

// of returns the cells with entries, the oldest first.
func (e *entries) of(initial, current *sudoku.Grid) (cells []int) {
	for i := range 81 {
		if initial[i/9][i%9] == 0 && current[i/9][i%9] != 0 {
			cells = append(cells, i)
		}
	}
	slices.SortStableFunc(cells, func(a, b int) int { return e.order[a] - e.order[b] })
	return cells
}

// feedback is what was found out about a board. It is expensive enough to be kept.
type feedback struct {
	solver sudoku.Solver

	current, initial sudoku.Grid // of which the answers are
	known            bool
	solvable         Answer
	row, col         int // the entry after which it is not

	checked, puzzle sudoku.Grid // the board and its puzzle of which wrong is
	checkedKnown    bool
	wrong           []int // cells

	counted      sudoku.Grid // of which the number of solutions is
	countedKnown bool
	solutions    int
}

// maxBoards bounds a search. A grid that needs more is not like those of people.
const maxBoards = 20_000

// count returns the number of solutions of a grid, at most limit, or -1 if that takes too
// long.
func (f *feedback) count(g *sudoku.Grid, limit int) int {
	n, boards := 0, 0
	for _, solved := range f.solver.Boards(g) {
		if boards++; boards > maxBoards {
			return -1
		}
		if solved {
			if n++; n == limit {
				break
			}
		}
	}
	return n
}

// solve answers whether a board has a solution, and if not, which entry is the first with
// which it has none: -1, -1 if the puzzle itself does not have one.
func (f *feedback) solve(initial, current *sudoku.Grid, e *entries) (Answer, int, int) {
	if f.known && f.current == *current && f.initial == *initial {
		return f.solvable, f.row, f.col
	}
	f.known, f.current, f.initial = true, *current, *initial
	f.solvable, f.row, f.col = Unsure, -1, -1
	switch f.count(current, 1) {
	case 1:
		f.solvable = Yes
		return f.solvable, f.row, f.col
	case -1:
		return f.solvable, f.row, f.col
	}
	f.solvable = No
	cells := e.of(initial, current)
	// The more entries, the fewer solutions: search for the first number without one.
	n, _ := slices.BinarySearchFunc(cells, 0, func(cell, _ int) int {
		board := *initial
		for _, i := range cells[:slices.Index(cells, cell)+1] {
			board[i/9][i%9] = current[i/9][i%9]
		}
		if f.count(&board, 1) == 0 {
			return 1
		}
		return -1
	})
	if n < len(cells) && f.count(initial, 1) != 0 {
		f.row, f.col = cells[n]/9, cells[n]%9
	}
	return f.solvable, f.row, f.col
}

// wrongOf returns the cells with entries that do not belong to the solution; if the puzzle has
// several, to none that the older entries leave.
func (f *feedback) wrongOf(initial, current *sudoku.Grid, e *entries) []int {
	if f.checkedKnown && f.checked == *current && f.puzzle == *initial {
		return f.wrong
	}
	f.checkedKnown, f.checked, f.puzzle, f.wrong = true, *current, *initial, nil
	if f.count(current, 1) != 0 || f.count(initial, 1) == 0 {
		return nil
	}
	board := *initial
	for _, i := range e.of(initial, current) {
		if board[i/9][i%9] = current[i/9][i%9]; f.count(&board, 1) == 0 {
			board[i/9][i%9] = 0
			f.wrong = append(f.wrong, i)
		}
	}
	return f.wrong
}

// solutionsOf returns 0, 1, or 2 for more, or -1 if that takes too long.
func (f *feedback) solutionsOf(g *sudoku.Grid) int {
	if !f.countedKnown || f.counted != *g {
		f.countedKnown, f.counted, f.solutions = true, *g, f.count(g, 2)
	}
	return f.solutions
}
