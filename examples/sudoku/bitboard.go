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

// oneCell has for each cell the set of this cell, and notPeers the set of the
// cells that do not share a unit with it, including the cell itself.
var oneCell, notPeers = cellTables()

func cellTables() (oneCell, notPeers [81]cellSet) {
	for cell := range 81 {
		if cell < 54 {
			oneCell[cell].ab = 1 << (cell%27 + cell/27*32)
		} else {
			oneCell[cell].c = 1 << (cell - 54)
		}
	}
	for cell := range 81 {
		notPeers[cell] = allCells
		for _, peer := range peers(cell/9, cell%9) {
			notPeers[cell] = notPeers[cell].without(oneCell[peer.row*9+peer.col])
		}
	}
	return oneCell, notPeers
}

// boxesOfRow has the boxes of a row's cells: bit b if any of the bits 3b to 3b+2
// is set.
//
// A piece is the intersection of a row and a box. A digit occurs once in each row
// and once in each box of a band, and so in three of the nine pieces, which are in
// different rows and boxes. For each set of pieces in which the digit has
// candidates (bit 3*row+box), piecesOpen has the cells of the pieces that it can
// still be in, or none if it cannot be placed.
var boxesOfRow, piecesOpen = bandTables()

func bandTables() (boxesOfRow [512]uint8, piecesOpen [512]uint32) {
	for row := range boxesOfRow {
		for box := range 3 {
			if row>>(3*box)&7 != 0 {
				boxesOfRow[row] |= 1 << box
			}
		}
	}
	for _, boxes := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		pieces, open := 0, uint32(0)
		for row, box := range boxes {
			pieces |= 1 << (3*row + box)
			open |= 7 << (9*row + 3*box)
		}
		for set := range piecesOpen {
			if set&pieces == pieces {
				piecesOpen[set] |= open
			}
		}
	}
	return boxesOfRow, piecesOpen
}
