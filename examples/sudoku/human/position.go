package human

import (
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Candidate is a digit in a cell.
type Candidate struct {
	Cell  Cell
	Digit int
}

// String returns a candidate as in "r4c7=5".
func (c Candidate) String() string { return fmt.Sprintf("%v=%d", c.Cell, c.Digit) }

// Excluded returns a candidate that goes, as in "r4c7<>5".
func (c Candidate) Excluded() string { return fmt.Sprintf("%v<>%d", c.Cell, c.Digit) }

// A Position is a puzzle on its way to the solution: the digits that are placed,
// and the candidates of the empty cells. It is a plain value: a copy is independent.
type Position struct {
	cells  [81]Digits // the candidates of a cell; none when it is filled
	places [10]Set    // the cells that a digit is a candidate of
	value  [81]uint8  // 0 for an empty cell
	given  Set        // filled from the start
	empty  Set
}

// New returns the position of a puzzle: its numbers are givens, and the candidates of
// an empty cell are the digits that its houses do not contain.
func New(g *sudoku.Grid) (*Position, error) {
	if !g.Valid() {
		return nil, errors.New("cannot use the grid: a digit appears twice in a house, or a number is not from 0 to 9")
	}
	p := &Position{empty: everyCell}
	for c := range p.cells {
		p.cells[c] = allDigits
	}
	for d := 1; d <= 9; d++ {
		p.places[d] = everyCell
	}
	for r, line := range g {
		for c, d := range line {
			if d != 0 {
				p.place(At(r+1, c+1), d)
			}
		}
	}
	p.given = everyCell.not(p.empty)
	return p, nil
}

// Place puts a digit into an empty cell, as a number that is not given. The digit
// leaves the candidates of the cell's houses. It reports whether the digit was a
// candidate there; otherwise the position stays as it is.
func (p *Position) Place(c Cell, d int) bool {
	if !p.Has(c, d) {
		return false
	}
	p.place(c, d)
	return true
}

func (p *Position) place(c Cell, d int) {
	for e := range p.cells[c].All() {
		p.places[e].remove(c)
	}
	for peer := range peers[c].and(p.places[d]).All() {
		p.cells[peer] &^= 1 << d
	}
	p.places[d] = p.places[d].not(peers[c])
	p.cells[c] = 0
	p.value[c] = uint8(d)
	p.empty.remove(c)
}

// Eliminate removes a candidate, and reports whether it was there.
func (p *Position) Eliminate(c Cell, d int) bool {
	if !p.Has(c, d) {
		return false
	}
	p.cells[c] &^= 1 << d
	p.places[d].remove(c)
	return true
}

// Apply does what a step says. It returns an error, and changes nothing, when the
// step does not fit the position.
func (p *Position) Apply(s *Step) error {
	for _, list := range [...][]Candidate{s.Place, s.Eliminate} {
		for _, c := range list {
			if !p.Has(c.Cell, c.Digit) {
				return fmt.Errorf("cannot apply %v: %d is not a candidate of %v", s.Technique, c.Digit, c.Cell)
			}
		}
	}
	for _, c := range s.Eliminate {
		p.Eliminate(c.Cell, c.Digit)
	}
	for _, c := range s.Place {
		p.Place(c.Cell, c.Digit)
	}
	return nil
}

// Has tells whether a digit from 1 to 9 is a candidate of a cell.
func (p *Position) Has(c Cell, d int) bool { return p.cells[c].Has(d) }

// Candidates returns the candidates of a cell; a filled cell has none.
func (p *Position) Candidates(c Cell) Digits { return p.cells[c] }

// Digit returns the digit in a cell, 0 for an empty one.
func (p *Position) Digit(c Cell) int { return int(p.value[c]) }

// Given tells whether a cell was filled from the start.
func (p *Position) Given(c Cell) bool { return p.given.Has(c) }

// Grid returns the digits of the position.
func (p *Position) Grid() (g sudoku.Grid) {
	for c, d := range p.value {
		g[c/9][c%9] = int(d)
	}
	return g
}

// Solved tells whether every cell is filled.
func (p *Position) Solved() bool { return p.empty.Empty() }

// in returns the places of a digit in a house.
func (p *Position) in(h House, d int) Set { return p.places[d].and(houses[h]) }

// union returns the candidates of cells together.
func (p *Position) union(cells Set) (s Digits) {
	for c := range cells.All() {
		s |= p.cells[c]
	}
	return s
}

// with returns the empty cells with n candidates.
func (p *Position) with(n int) (s Set) {
	for c := range p.empty.All() {
		if p.cells[c].Len() == n {
			s.add(c)
		}
	}
	return s
}

// of returns the candidates of a digit in cells.
func (p *Position) of(d int, cells Set) []Candidate {
	return p.ofAll(1<<d, cells.and(p.places[d]))
}

// ofAll returns the candidates of digits in cells, cell by cell.
func (p *Position) ofAll(set Digits, cells Set) (list []Candidate) {
	for c := range cells.All() {
		for d := range (p.cells[c] & set).All() {
			list = append(list, Candidate{c, d})
		}
	}
	return list
}
