package sudoku

import "math/bits"

// A board is what is known about a puzzle.
type board struct {
	open   [9]cellSet // for each of the digits 1 to 9, the cells that it may still be in
	solved cellSet    // the cells whose digit is known and removed from all other sets
	dirty  uint32     // bit d-1: digit d has lost candidates since the last look at it
}

// place sets a cell's digit, which counts from 0.
func (b *board) place(digit, cell int) {
	one := oneCell[cell]
	for i := range b.open {
		if !b.open[i].and(one).empty() {
			b.open[i] = b.open[i].without(one)
			b.dirty |= 1 << i
		}
	}
	b.open[digit] = b.open[digit].or(one).and(notPeers[cell])
	b.solved = b.solved.or(one)
}

// remove removes a candidate.
func (b *board) remove(digit, cell int) {
	b.open[digit] = b.open[digit].without(oneCell[cell])
	b.dirty |= 1 << digit
}

// propagate finds hidden singles and locked candidates, digit by digit, and then
// naked singles, until nothing changes any more. It returns the cells with two
// candidates, or else those with three, and false if there is a contradiction.
func (b *board) propagate() (few cellSet, ok bool) {
	for {
		for b.dirty != 0 {
			digit := bits.TrailingZeros32(b.dirty)
			if !b.lock(digit) {
				return cellSet{}, false
			}
			b.dirty &^= 1 << digit
		}
		// The cells with at least one, two, three and four candidates.
		var one, two, three, four cellSet
		for _, open := range &b.open {
			four = four.or(three.and(open))
			three = three.or(two.and(open))
			two = two.or(one.and(open))
			one = one.or(open)
		}
		if one != allCells {
			return cellSet{}, false
		}
		singles := one.without(two).without(b.solved)
		if singles.empty() {
			if few = two.without(three); few.empty() {
				few = three.without(four)
			}
			return few, true
		}
		b.solved = b.solved.or(singles)
		for i := range b.open {
			open := &b.open[i]
			for set := open.and(singles); !set.empty(); set = set.rest() {
				*open = open.and(notPeers[set.first()])
				b.dirty |= 1 << i
			}
		}
	}
}

// lock removes the candidates of a digit that rows, columns and boxes exclude, and
// places the digit in units with one candidate. It returns false if a unit does not
// have any.
func (b *board) lock(digit int) bool {
	open := &b.open[digit]
	band0, band1, band2 := uint32(open.ab), uint32(open.ab>>32), uint32(open.c)
	for {
		band0, band1, band2 = lockRows(band0), lockRows(band1), lockRows(band2)
		if band0 == 0 || band1 == 0 || band2 == 0 {
			return false
		}
		cols := lockColumns(columns(band0) | columns(band1)<<9 | columns(band2)<<18)
		left0 := band0 & uint32(cols&rowBits*rowEnds)
		left1 := band1 & uint32(cols>>9&rowBits*rowEnds)
		left2 := band2 & uint32(cols>>18&rowBits*rowEnds)
		if left0 == band0 && left1 == band1 && left2 == band2 {
			break
		}
		band0, band1, band2 = left0, left1, left2
	}
	*open = cellSet{uint64(band0) | uint64(band1)<<32, uint64(band2)}

	hidden := cellSet{
		open.ab &^ severalInRow(open.ab, rowEnds*bothAB) &^ b.solved.ab,
		open.c &^ severalInRow(open.c, rowEnds) &^ b.solved.c,
	}
	if hidden.empty() {
		return true
	}
	b.solved = b.solved.or(hidden)
	own, dirty := *open, b.dirty
	for i := range b.open {
		set := b.open[i]
		b.open[i] = set.without(hidden)
		dirty |= set.and(hidden).bit() << i
	}
	b.open[digit], b.dirty = own, dirty
	return true
}

// lockRows removes the candidates in a band that its rows and boxes exclude.
func lockRows(band uint32) uint32 {
	pieces := uint32(boxesOfRow[band&511]) | uint32(boxesOfRow[band>>9&511])<<3 | uint32(boxesOfRow[band>>18&511])<<6
	return band & piecesOpen[pieces&511]
}

// columns returns the columns of a band's cells.
func columns(band uint32) uint64 { return uint64((band | band>>9 | band>>18) & rowBits) }

// lockColumns does for columns and boxes what lockRows does for rows and boxes.
// cols and the result are the columns of the three bands, 9 bits each.
func lockColumns(cols uint64) uint64 {
	// In three boxes above each other, the digit is in three different columns.
	// So it can be in a column of this box if it can be in the other two columns
	// of the other two boxes, in one order or the other. by1 and by2 have the
	// columns of each box rotated by one and by two.
	const (
		first  = 0o111111111111111111
		last   = 0o444444444444444444
		middle = first << 1
	)
	cols |= cols << 27 // the first band follows the last one
	by1 := cols<<1&(middle|last) | cols>>2&first
	by2 := cols<<2&last | cols>>1&(first|middle)
	return cols & (by1>>9&(by2>>18) | by2>>9&(by1>>18))
}

// severalInRow returns all cells of the rows in which the set has more than one.
// Each row must have at least one. rowEnds are the lowest bits of the rows.
func severalInRow(set, rowEnds uint64) uint64 {
	const low = 1<<8 - 1
	rest := set & (set - rowEnds) // without the lowest cell of each row
	top := (rest&(rowEnds*low) + rowEnds*low) | rest
	return top >> 8 & rowEnds * rowBits
}
