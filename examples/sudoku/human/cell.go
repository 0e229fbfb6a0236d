package human

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// A Cell is one of the 81 cells, counted from 0 row by row.
type Cell int

// At returns the cell of a row and a column, both from 1 to 9.
func At(row, column int) Cell { return Cell(9*row + column - 10) }

// Row returns the row of a cell, from 1 to 9.
func (c Cell) Row() int { return int(c)/9 + 1 }

// Column returns the column of a cell, from 1 to 9.
func (c Cell) Column() int { return int(c)%9 + 1 }

// Box returns the box of a cell, from 1 to 9.
func (c Cell) Box() int { return int(c)/27*3 + int(c)%9/3 + 1 }

// Sees reports whether two cells are different and share a house.
func (c Cell) Sees(other Cell) bool { return peers[c].Has(other) }

// String returns a cell as in "r4c7".
func (c Cell) String() string { return fmt.Sprintf("r%dc%d", c.Row(), c.Column()) }

// A House is a row, a column or a box: 0 to 8 are the rows, 9 to 17 the columns,
// 18 to 26 the boxes.
type House int

// The kinds of houses.
const (
	row = iota
	column
	box
)

func (h House) kind() int { return int(h) / 9 }

// Cells returns the nine cells of a house.
func (h House) Cells() Set { return houses[h] }

// String returns a house as in "row 4".
func (h House) String() string {
	return fmt.Sprintf("%s %d", [...]string{"row", "column", "box"}[h.kind()], int(h)%9+1)
}

// A houseRange is some kinds of houses.
type houseRange struct{ from, to House }

var lines, boxes = houseRange{0, 18}, houseRange{18, 27}

// Digits is a set of digits: bit d is digit d.
type Digits uint16

const allDigits Digits = 0x3fe

// digits returns a set of digits.
func digits(list ...int) (s Digits) {
	for _, d := range list {
		s |= 1 << d
	}
	return s
}

// Has tells whether a digit is in the set.
func (s Digits) Has(d int) bool { return s>>d&1 != 0 }

// Len returns the number of digits.
func (s Digits) Len() int { return bits.OnesCount16(uint16(s)) }

// first returns the lowest digit of a set that is not empty.
func (s Digits) first() int { return bits.TrailingZeros16(uint16(s)) }

// All returns the digits in ascending order.
func (s Digits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.first()) {
				return
			}
		}
	}
}

// String returns the digits one after the other, as in "137".
func (s Digits) String() string {
	var b strings.Builder
	for d := range s.All() {
		b.WriteByte('0' + byte(d))
	}
	return b.String()
}

// A Set is a set of cells.
type Set struct{ low, high uint64 } // cells 0 to 63 and 64 to 80

// Cells returns a set of cells.
func Cells(list ...Cell) (s Set) {
	for _, c := range list {
		s.add(c)
	}
	return s
}

// Has tells whether a cell is in the set.
func (s Set) Has(c Cell) bool {
	if c < 64 {
		return s.low>>c&1 != 0
	}
	return s.high>>(c-64)&1 != 0
}

func (s *Set) add(c Cell) {
	if c < 64 {
		s.low |= 1 << c
	} else {
		s.high |= 1 << (c - 64)
	}
}

func (s *Set) remove(c Cell) {
	if c < 64 {
		s.low &^= 1 << c
	} else {
		s.high &^= 1 << (c - 64)
	}
}

// Len returns the number of cells.
func (s Set) Len() int { return bits.OnesCount64(s.low) + bits.OnesCount64(s.high) }

// Empty tells whether there is no cell in the set.
func (s Set) Empty() bool { return s.low|s.high == 0 }

func (s Set) and(t Set) Set    { return Set{s.low & t.low, s.high & t.high} }
func (s Set) or(t Set) Set     { return Set{s.low | t.low, s.high | t.high} }
func (s Set) not(t Set) Set    { return Set{s.low &^ t.low, s.high &^ t.high} }
func (s Set) meets(t Set) bool { return s.low&t.low|s.high&t.high != 0 }
func (s Set) in(t Set) bool    { return s.low&^t.low|s.high&^t.high == 0 }

// first returns the first cell of a set that is not empty.
func (s Set) first() Cell {
	if s.low != 0 {
		return Cell(bits.TrailingZeros64(s.low))
	}
	return Cell(64 + bits.TrailingZeros64(s.high))
}

// All returns the cells row by row.
func (s Set) All() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for low := s.low; low != 0; low &= low - 1 {
			if !yield(Cell(bits.TrailingZeros64(low))) {
				return
			}
		}
		for high := s.high; high != 0; high &= high - 1 {
			if !yield(Cell(64 + bits.TrailingZeros64(high))) {
				return
			}
		}
	}
}

// list returns the cells row by row.
func (s Set) list() []Cell {
	list := make([]Cell, 0, s.Len())
	for c := range s.All() {
		list = append(list, c)
	}
	return list
}

// seen returns the cells that share a house with every cell of s, and are not in s.
func (s Set) seen() Set {
	all := everyCell
	for c := range s.All() {
		all = all.and(peers[c])
	}
	return all
}

// houses returns the houses that hold all cells of a set that is not empty.
func (s Set) houses() []House {
	var list []House
	for _, h := range housesOf[s.first()] {
		if s.in(houses[h]) {
			list = append(list, h)
		}
	}
	return list
}

// String returns the cells with rows and columns together where that is possible, as in
// "r1c25, r4c7" or "r14c25".
func (s Set) String() string {
	var columns [9]string // of the cells in each row
	for c := range s.All() {
		columns[c.Row()-1] += string(rune('0' + c.Column()))
	}
	var groups []string
	for r, in := range columns {
		if in == "" {
			continue
		}
		rows := ""
		for other := range columns {
			if columns[other] == in {
				rows += string(rune('1' + other))
			}
		}
		if rows[0] == byte('1'+r) {
			groups = append(groups, "r"+rows+"c"+in)
		}
	}
	return strings.Join(groups, ", ")
}

// The houses and their cells.
var houses, cellsOf, housesOf, peers, everyCell = layout()

// layout returns the cells of each house, the same in order, the row, the column and
// the box of each cell, the 20 other cells of these, and all cells.
func layout() (houses [27]Set, cellsOf [27][9]Cell, housesOf [81][3]House, peers [81]Set, all Set) {
	for c := range Cell(81) {
		all.add(c)
		housesOf[c] = [3]House{House(c.Row() - 1), House(c.Column() + 8), House(c.Box() + 17)}
		for _, h := range housesOf[c] {
			cellsOf[h][houses[h].Len()] = c
			houses[h].add(c)
		}
	}
	for c := range Cell(81) {
		for _, h := range housesOf[c] {
			peers[c] = peers[c].or(houses[h])
		}
		peers[c].remove(c)
	}
	return houses, cellsOf, housesOf, peers, all
}
