package generate

import (
	"context"
	"math/bits"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// takeOut empties cells unless the puzzle would have several solutions.
func (g *Generator) takeOut(p *Puzzle, cells []int) bool {
	without := p.Grid
	for _, cell := range cells {
		without[cell/9][cell%9] = 0
	}
	if _, n := g.solver.Solve(&without); n != 1 {
		return false
	}
	p.Grid = without
	return true
}

// mostScanned is the number of givens above which a puzzle of scan is thrown away. It has
// about 35, but sometimes one removed cell makes a round put nearly all others back.
const mostScanned = 50

// scan makes a puzzle by scan and reinsert.
func (g *Generator) scan(ctx context.Context) (Puzzle, error) {
	for ctx.Err() == nil {
		solution, ok := g.from25()
		if !ok {
			continue
		}
		p := Puzzle{Grid: solution, Solution: solution, Unique: true}
		var out []int // the removed cells
		for _, cell := range g.random.Perm(81) {
			without := p.Grid
			without[cell/9][cell%9] = 0
			if solved := without.Scan(); solved == solution {
				p.Grid = without
				out = append(out, cell)
			}
		}
		back := 0
		for range g.options.Rounds {
			back += g.exchange(&p, &out)
		}
		if back > g.options.Rounds && p.Grid.Empty() >= 81-mostScanned {
			return p, nil
		}
	}
	return Puzzle{}, context.Cause(ctx)
}

// exchange removes one more cell from a puzzle and puts others back in random
// order, until scanning solves it again. It returns the number of cells put back.
func (g *Generator) exchange(p *Puzzle, out *[]int) (back int) {
	in := make([]int, 0, 81)
	for cell := range 81 {
		if p.Grid[cell/9][cell%9] != 0 {
			in = append(in, cell)
		}
	}
	more := in[g.random.IntN(len(in))]
	p.Grid[more/9][more%9] = 0
	cells := *out
	for p.Grid.Scan() != p.Solution {
		i := g.random.IntN(len(cells))
		cell := cells[i]
		cells[i] = cells[len(cells)-1]
		cells = cells[:len(cells)-1]
		p.Grid[cell/9][cell%9] = p.Solution[cell/9][cell%9]
		back++
	}
	*out = append(cells, more)
	return back
}

// from25 places 25 random digits in random cells and fills the grid. It returns
// false if that is impossible or takes too long.
func (g *Generator) from25() (sudoku.Grid, bool) {
	var grid sudoku.Grid
	var used units
	for _, cell := range g.random.Perm(81)[:25] {
		digit, ok := g.digit(used.free(cell))
		if !ok {
			return grid, false
		}
		used.flip(cell, digit)
		grid[cell/9][cell%9] = digit
	}
	const patience = 1000 // boards; most grids need less than ten
	boards := 0
	for known, solved := range g.solver.Boards(&grid) {
		if solved {
			return known, true
		}
		if boards++; boards == patience {
			break
		}
	}
	return grid, false
}

// plain fills the grid cell by cell and reveals 28 of them.
func (g *Generator) plain(ctx context.Context) (Puzzle, error) {
	const revealed = 28
	var p Puzzle
	var used units
	for cell := 0; cell < 81; {
		digit, ok := g.digit(used.free(cell))
		if ok {
			used.flip(cell, digit)
			p.Solution[cell/9][cell%9] = digit
			cell++
			continue
		}
		if ctx.Err() != nil {
			return Puzzle{}, context.Cause(ctx)
		}
		for range 1 + g.random.IntN(cell) {
			cell--
			used.flip(cell, p.Solution[cell/9][cell%9])
		}
	}
	for _, cell := range g.random.Perm(81)[:revealed] {
		p.Grid[cell/9][cell%9] = p.Solution[cell/9][cell%9]
	}
	_, n := g.solver.Solve(&p.Grid)
	p.Unique = n == 1
	return p, nil
}

// missing removes the wanted number of cells, unnecessary ones first.
func (g *Generator) missing(context.Context) (Puzzle, error) {
	p := Puzzle{Solution: g.fill(), Unique: true}
	p.Grid = p.Solution
	wanted := g.options.Missing
	var needed []int
	for _, cell := range g.random.Perm(81) {
		if wanted == 0 {
			return p, nil
		}
		if g.takeOut(&p, []int{cell}) {
			wanted--
		} else {
			needed = append(needed, cell)
		}
	}
	for _, cell := range needed[:wanted] {
		p.Grid[cell/9][cell%9] = 0
		p.Unique = false
	}
	return p, nil
}

// digit returns a random element of a set of digits, or false if it is empty.
func (g *Generator) digit(set uint16) (int, bool) {
	if set == 0 {
		return 0, false
	}
	for range g.random.IntN(bits.OnesCount16(set)) {
		set &= set - 1
	}
	return bits.TrailingZeros16(set), true
}

// units has the digits in each row, column and box, as bits 1 to 9.
type units struct{ rows, cols, boxes [9]uint16 }

// free returns the possible digits of a cell.
func (u *units) free(cell int) uint16 {
	return 0b1111111110 &^ (u.rows[cell/9] | u.cols[cell%9] | u.boxes[cell/27*3+cell%9/3])
}

// flip marks a digit as used in the units of a cell, or unmarks it.
func (u *units) flip(cell, digit int) {
	u.rows[cell/9] ^= 1 << digit
	u.cols[cell%9] ^= 1 << digit
	u.boxes[cell/27*3+cell%9/3] ^= 1 << digit
}
