package sudoku

import "math/bits"

// A cellSet is a set of cells. The grid has three bands of three rows. A band has
// 27 bits, row by row, from the low end: bands 0 and 1 are the two halves of ab,
// band 2 is c.
type cellSet struct{ ab, c uint64 }

const (
	bandBits = 1<<27 - 1
	rowEnds  = 1 | 1<<9 | 1<<18 // the lowest bit of each row of a band
	rowBits  = 1<<9 - 1
	bothAB   = 1 | 1<<32 // bothAB*x is x in both bands of ab
)

var allCells = cellSet{bandBits * bothAB, bandBits}

func (s cellSet) empty() bool               { return s.ab|s.c == 0 }
func (s cellSet) and(t cellSet) cellSet     { return cellSet{s.ab & t.ab, s.c & t.c} }
func (s cellSet) without(t cellSet) cellSet { return cellSet{s.ab &^ t.ab, s.c &^ t.c} }
func (s cellSet) or(t cellSet) cellSet      { return cellSet{s.ab | t.ab, s.c | t.c} }

// size returns the number of cells.
func (s cellSet) size() int { return bits.OnesCount64(s.ab) + bits.OnesCount64(s.c) }

// bit returns 1, or 0 for the empty set.
func (s cellSet) bit() uint32 {
	x := s.ab | s.c
	return uint32((x | -x) >> 63)
}

// first returns the lowest cell of a nonempty set.
func (s cellSet) first() int {
	if s.ab == 0 {
		return 54 + bits.TrailingZeros64(s.c)
	}
	n := bits.TrailingZeros64(s.ab)
	return n - n>>5*5 // band 1 begins at bit 32, and at cell 27
}

// rest returns the set without its lowest cell.
func (s cellSet) rest() cellSet {
	if s.ab == 0 {
		return cellSet{0, s.c & (s.c - 1)}
	}
	return cellSet{s.ab & (s.ab - 1), s.c}
}

// rows returns the lowest cell of each row that the set has cells in.
func (s cellSet) rows() cellSet {
	return cellSet{filledRows(s.ab, rowEnds*bothAB), filledRows(s.c, rowEnds)}
}

// filledRows returns the lowest bits of the rows that are not empty. rowEnds are
// the lowest bits of all rows.
func filledRows(set, rowEnds uint64) uint64 {
	const low = 1<<8 - 1
	return ((set&(rowEnds*low) + rowEnds*low) | set) >> 8 & rowEnds
}

// severalInRow returns all cells of the rows in which the set has more than one.
// Each row must have at least one.
func severalInRow(set, rowEnds uint64) uint64 {
	return filledRows(set&(set-rowEnds), rowEnds) * rowBits // without the lowest cell of each row
}

// oneCell has for each cell the set of this cell, and peersOf the set of the cells
// that share a unit with it.
var oneCell, peersOf = cellTables()

func cellTables() (oneCell, peersOf [81]cellSet) {
	for cell := range 81 {
		if cell < 54 {
			oneCell[cell].ab = 1 << (cell%27 + cell/27*32)
		} else {
			oneCell[cell].c = 1 << (cell - 54)
		}
	}
	for cell := range 81 {
		for _, peer := range peers(cell/9, cell%9) {
			peersOf[cell] = peersOf[cell].or(oneCell[peer.row*9+peer.col])
		}
	}
	return oneCell, peersOf
}
