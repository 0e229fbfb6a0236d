package sudoku

import "math/bits"

// A board is what is known about a puzzle. The arrays have an element for each of
// the digits 1 to 9. Words of all digits lie side by side so that sum9 can count
// the digits of all cells at once.
type board struct {
	ab, c   [9]uint64 // the cells that the digit may still be in, see cellSet
	rows    [9]uint64 // the pieces of rows that it may and must be in, see lock
	columns [9]uint64 // the same for columns
	solved  cellSet   // the cells whose digit is known and removed from all other sets
	dirty   uint32    // bit d-1: digit d has lost candidates since the last look at it
}

// open returns the cells that a digit, which counts from 0, may still be in.
func (b *board) open(digit int) cellSet { return cellSet{b.ab[digit], b.c[digit]} }

// set sets them.
func (b *board) set(digit int, s cellSet) { b.ab[digit], b.c[digit] = s.ab, s.c }

// remove removes candidates.
func (b *board) remove(digit int, cells cellSet) {
	b.set(digit, b.open(digit).without(cells))
	b.dirty |= 1 << digit
}

// propagate finds hidden singles and locked candidates, then naked singles, and
// then, if triples is set, pieces with three digits, until nothing changes any more.
// It returns the cells with two candidates, or else those with three, and false if
// there is a contradiction.
func (b *board) propagate(triples bool) (few cellSet, ok bool) {
	for {
		for b.dirty != 0 {
			if !b.sweep() {
				return cellSet{}, false
			}
		}
		one, two, four, eight := sum9(&b.ab)
		some, oneAB := one|two|four|eight, one&^(two|four|eight)
		twoAB, threeAB := two&^(one|four|eight), one&two&^(four|eight)
		one, two, four, eight = sum9(&b.c)
		if (cellSet{some, one | two | four | eight}) != allCells {
			return cellSet{}, false
		}
		if singles := (cellSet{oneAB, one &^ (two | four | eight)}).without(b.solved); !singles.empty() {
			b.place(singles)
			continue
		}
		if few = (cellSet{twoAB, two &^ (one | four | eight)}); few.empty() {
			few = cellSet{threeAB, one & two &^ (four | eight)}
		}
		if !triples || b.solved == allCells {
			return few, true
		}
		if !b.shareThree() {
			return cellSet{}, false
		}
		if b.dirty == 0 {
			return few, true
		}
	}
}

// place writes the only candidates of cells into them.
func (b *board) place(singles cellSet) {
	b.solved = b.solved.or(singles)
	for digit := range b.ab {
		for set := b.open(digit).and(singles); !set.empty(); set = set.rest() {
			b.remove(digit, peersOf[set.first()])
		}
	}
}

// sweep locks all dirty digits. It looks at the other digits of the cells that this
// decides once, at the end, which may make them dirty. It returns false if a digit
// cannot be placed.
func (b *board) sweep() bool {
	var found cellSet  // the cells with the only candidate of a digit in their row
	var own [9]cellSet // for each digit, those with the digit
	for dirty := b.dirty; dirty != 0; dirty &= dirty - 1 {
		digit := bits.TrailingZeros32(dirty)
		set, rows, columns, ok := lock(b.open(digit).without(found))
		if !ok {
			return false
		}
		b.set(digit, set)
		b.rows[digit], b.columns[digit] = rows, columns
		hidden := cellSet{
			set.ab &^ severalInRow(set.ab, rowEnds*bothAB) &^ b.solved.ab,
			set.c &^ severalInRow(set.c, rowEnds) &^ b.solved.c,
		}
		own[digit] = hidden
		found = found.or(hidden)
	}
	b.solved = b.solved.or(found)
	b.dirty = 0
	if found.empty() {
		return true
	}
	dirty := uint32(0)
	for digit := range b.ab {
		set := b.open(digit)
		lost := set.and(found.without(own[digit]))
		b.set(digit, set.without(lost))
		dirty |= lost.bit() << digit
	}
	b.dirty = dirty
	return true
}

// sum9 counts how many of nine words have a bit, for all 64 bits at once: the
// number is one + 2*two + 4*four + 8*eight. It adds three bits of the same weight at
// a time, which gives a bit of the same weight and a carry.
func sum9(w *[9]uint64) (one, two, four, eight uint64) {
	one1, two1 := add(w[0], w[1], w[2])
	one2, two2 := add(w[3], w[4], w[5])
	one3, two3 := add(w[6], w[7], w[8])
	one, two4 := add(one1, one2, one3)
	sum, four1 := add(two1, two2, two3)
	two, four2 := sum^two4, sum&two4
	return one, two, four1 ^ four2, four1 & four2
}

func add(x, y, z uint64) (sum, carry uint64) {
	xy := x ^ y
	return xy ^ z, x&y | xy&z
}
