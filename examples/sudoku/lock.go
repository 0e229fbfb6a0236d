package sudoku

// A piece is the intersection of a box with a row or a column. A digit occurs once
// in each row and once in each box, and so in three of the nine pieces of the rows
// of a band, which are in different rows and boxes. The same holds for columns. So
// the pieces in which a digit has candidates say where it can still be: that is
// all that locked candidates can say about one digit.

// bandPieces has for each set of pieces of a band in which a digit has candidates
// (bit 3*box+row) what is left of them, or 0 if the digit cannot be placed:
//
//	bits  0 to 26  the cells of the pieces that the digit can still be in
//	bits 27 to 35  these pieces
//	bits 36 to 44  those of them that it must be in
var bandPieces = pieceTable()

func pieceTable() (table [512]uint64) {
	for set := range table {
		all, must := uint64(0), uint64(rowBits)
		for _, boxes := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			pieces, cells := uint64(0), uint64(0)
			for row, box := range boxes {
				pieces |= 1 << (3*box + row)
				cells |= 7 << (9*row + 3*box)
			}
			if uint64(set)&pieces == pieces {
				all |= pieces<<27 | cells
				must &= pieces
			}
		}
		if all != 0 {
			table[set] = all | must<<36
		}
	}
	return table
}

// lock removes the candidates of a digit that rows, columns and boxes exclude.
// rows and columns are the pieces that are left, nine bits for each band of rows
// and of columns, and the pieces that the digit must be in:
//
//	rows     pieces and musts of a band in turn, 18 bits for each band
//	columns  the pieces of all bands, 27 bits, and then their musts
//
// It returns false if the digit cannot be placed.
func lock(set cellSet) (locked cellSet, rows, columns uint64, ok bool) {
	ab, c := set.ab, set.c
	for {
		filledAB, filledC := pieces(ab), pieces(c)
		band0, band1, band2 := bandPieces[filledAB&511], bandPieces[filledAB>>32&511], bandPieces[filledC&511]
		if band0 == 0 || band1 == 0 || band2 == 0 {
			return cellSet{}, 0, 0, false
		}
		ab &= band0&bandBits | band1<<32
		c &= band2

		cols := columnsOf(ab, c)
		left, must := lockColumns(cols)
		leftAB := ab & ((left | left<<23) & (rowBits * bothAB) * rowEnds)
		leftC := c & (left >> 18 * rowEnds)
		if leftAB == ab && leftC == c {
			return cellSet{ab, c}, band0>>27 | band1>>27<<18 | band2>>27<<36, left | must<<27, true
		}
		ab, c = leftAB, leftC
	}
}

// pieces returns the index in bandPieces for the cells of a band, in the low 9 bits;
// for ab that of band 1 from bit 32.
func pieces(band uint64) uint64 {
	const first = 0o111111111 * bothAB // the first cell of each piece
	band = (band | band>>1 | band>>2) & first
	return band | band>>8 | band>>16
}

// columnsOf returns the columns of the cells in each band, 9 bits for each.
func columnsOf(ab, c uint64) uint64 {
	ab = (ab | ab>>9 | ab>>18) & (rowBits * bothAB)
	c = (c | c>>9 | c>>18) & rowBits
	return (ab | ab>>23 | c<<18) & bandBits
}

// lockColumns does for columns what bandPieces does for rows. The columns that
// remain are in the same order, as are those that the digit must be in.
func lockColumns(cols uint64) (left, must uint64) {
	// In three boxes above each other, the digit is in three different columns.
	// So it can be in a column of this box if it can be in the other two columns
	// of the other two boxes, in one order or the other. by1 and by2 have the
	// columns of each box rotated by one and by two.
	const (
		first  = 0o111111111
		last   = 0o444444444
		middle = first << 1
	)
	by1 := cols<<1&(middle|last) | cols>>2&first
	by2 := cols<<2&last | cols>>1&(first|middle)
	one := by1 | by1<<27 // the first band follows the last one
	two := by2 | by2<<27
	left = cols & (one>>9&(two>>18) | two>>9&(one>>18))
	return left, left &^ (by1 | by2)
}
