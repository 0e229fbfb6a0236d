package compare

import (
	"context"
	"math/bits"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/bthreads"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// A pad is a grid that is filled in step by step.
type pad struct {
	grid   sudoku.Grid
	filled []Cell // in the order in which they were filled in
	yield  func(Step) bool
}

func (p *pad) assign(cell Cell, digit int) bool {
	p.grid[cell.Row][cell.Col] = digit
	p.filled = append(p.filled, cell)
	return p.yield(Step{Kind: csp.Assign, Variable: cell, Value: digit, Depth: len(p.filled)})
}

// backTo removes digits until n of them are left.
func (p *pad) backTo(n int) bool {
	for len(p.filled) > n {
		last := len(p.filled) - 1
		cell := p.filled[last]
		p.filled = p.filled[:last]
		digit := p.at(cell)
		p.grid[cell.Row][cell.Col] = 0
		if !p.yield(Step{Kind: csp.Backtrack, Variable: cell, Value: digit, Depth: last}) {
			return false
		}
	}
	return true
}

func (p *pad) at(cell Cell) int { return p.grid[cell.Row][cell.Col] }

func (p *pad) full() bool { return p.grid.Empty() == 0 }

func (p *pad) solved() bool {
	return p.yield(Step{Kind: csp.Solved, Depth: len(p.filled)})
}

// candidates returns the digits that no peer of a cell has, as bits 1 to 9.
func (p *pad) candidates(cell Cell) uint16 {
	var used uint16
	box := Cell{cell.Row / 3 * 3, cell.Col / 3 * 3}
	for i := range 9 {
		used |= 1<<p.grid[cell.Row][i] | 1<<p.grid[i][cell.Col] | 1<<p.grid[box.Row+i/3][box.Col+i%3]
	}
	return 0b1111111110 &^ used
}

// scan fills in the cells with one candidate until there are none. It returns the
// first empty cell and its candidates. candidates is 0 if the grid is full or has
// a cell without candidates.
func (p *pad) scan() (empty Cell, candidates uint16, more bool) {
	for again := true; again; {
		again, candidates = false, 0
		for i := range 81 {
			cell := Cell{i / 9, i % 9}
			if p.at(cell) != 0 {
				continue
			}
			switch set := p.candidates(cell); {
			case set == 0:
				return cell, 0, true
			case set&(set-1) == 0:
				if !p.assign(cell, bits.TrailingZeros16(set)) {
					return cell, 0, false
				}
				again = true
			case candidates == 0:
				empty, candidates = cell, set
			}
		}
	}
	return empty, candidates, true
}

// guess scans and then tries the candidates of the first empty cell.
func (p *pad) guess() bool {
	before := len(p.filled)
	cell, candidates, more := p.scan()
	if !more || p.full() && !p.solved() {
		return false
	}
	for ; candidates != 0; candidates &= candidates - 1 {
		n := len(p.filled)
		if !p.assign(cell, bits.TrailingZeros16(candidates)) || !p.guess() || !p.backTo(n) {
			return false
		}
	}
	return p.backTo(before)
}

func scan(g *sudoku.Grid, yield func(Step) bool) {
	p := pad{grid: *g, yield: yield}
	if _, _, more := p.scan(); more && p.full() {
		p.solved()
	}
}

func scanAndGuess(g *sudoku.Grid, yield func(Step) bool) {
	p := pad{grid: *g, yield: yield}
	p.guess()
}

// searchCSP makes a variable of each empty cell. Its domain has the digits that the
// givens do not exclude, so that only empty cells need constraints.
func searchCSP(o csp.Options) func(g *sudoku.Grid, yield func(Step) bool) {
	return func(g *sudoku.Grid, yield func(Step) bool) {
		var problem csp.Problem[Cell, int]
		var cells []Cell
		p := pad{grid: *g}
		for i := range 81 {
			cell := Cell{i / 9, i % 9}
			if p.at(cell) != 0 {
				continue
			}
			var domain []int
			for set := p.candidates(cell); set != 0; set &= set - 1 {
				domain = append(domain, bits.TrailingZeros16(set))
			}
			problem.Variable(cell, domain...)
			for _, other := range cells {
				if sudoku.SameUnit(cell.Row, cell.Col, other.Row, other.Col) {
					problem.Constrain(other, cell, csp.Different)
				}
			}
			cells = append(cells, cell)
		}
		steps, err := problem.Steps(o)
		if err != nil {
			panic(err) // a bug above, whatever the grid is
		}
		steps(yield)
	}
}

// bitboard turns the differences between the boards of sudoku.Solver into steps.
func bitboard(g *sudoku.Grid, yield func(Step) bool) {
	p := pad{grid: *g, yield: yield}
	for known, solved := range new(sudoku.Solver).Boards(g) {
		same := 0
		for same < len(p.filled) && p.at(p.filled[same]) == known[p.filled[same].Row][p.filled[same].Col] {
			same++
		}
		if !p.backTo(same) {
			return
		}
		for i := range 81 {
			cell := Cell{i / 9, i % 9}
			digit := known[cell.Row][cell.Col]
			if p.at(cell) == 0 && digit != 0 && !p.assign(cell, digit) {
				return
			}
		}
		if solved && !p.solved() {
			return
		}
	}
	p.backTo(0)
}

// runThreads shows the moves of package bthreads.
func runThreads(g *sudoku.Grid, yield func(Step) bool) {
	p := pad{grid: *g, yield: yield}
	for step, err := range bthreads.Steps(context.Background(), g) {
		if err != nil {
			panic(err) // a mistake in a chart, whatever the grid is
		}
		switch step.Event {
		case "Move":
			if !p.backTo(step.Depth) || !p.assign(Cell{step.Move.Row, step.Move.Column}, step.Move.Number) {
				return
			}
		case "Win":
			p.solved()
			return
		}
	}
	p.backTo(0)
}

// timeBitboard measures sudoku.Solver alone.
func timeBitboard(g *sudoku.Grid) time.Duration {
	var s sudoku.Solver
	start := time.Now()
	s.First(g)
	return time.Since(start)
}
