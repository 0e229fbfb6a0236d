package sudoku

import "math/bits"

// Each piece has three cells, so three digits. If only three digits can be in a
// piece they must be in it, and so not elsewhere in its row or column and its box.
// If three digits must be in a piece no other digit can. The solver tdoku shows
// what this is worth (T. Dillon, "Tdoku: A fast Sudoku solver").

// pieceCells has the cells of each piece, and pieceRivals the other cells of its
// row or column and its box. The index is the bit of the piece in the words that
// lock returns, or that plus 64 for columns.
var pieceCells, pieceRivals = tripleTables()

func tripleTables() (cells, rivals [128]cellSet) {
	for cell := range 81 {
		row, col := cell/9, cell%9
		band, stack := row/3, col/3
		r := 18*band + 3*stack + row%3
		c := 64 + 9*band + col
		cells[r] = cells[r].or(oneCell[cell])
		cells[c] = cells[c].or(oneCell[cell])
		for i := range 3 {
			for _, same := range []int{18*band + 3*stack + i, 18*band + 3*i + row%3} {
				if same != r {
					rivals[same] = rivals[same].or(oneCell[cell])
				}
			}
			for _, same := range []int{64 + 9*band + 3*stack + i, 64 + 9*i + col} {
				if same != c {
					rivals[same] = rivals[same].or(oneCell[cell])
				}
			}
		}
	}
	return cells, rivals
}

// shareThree looks for pieces with three digits. It needs the words of lock to be
// up to date. It returns false if a piece has fewer digits, or must have more.
func (b *board) shareThree() bool {
	const (
		rowPieces    = 0o777000777000777 // of the words of lock
		columnPieces = 0o777777777
	)
	one, two, four, eight := sum9(&b.rows)
	three, more := one&two&^(four|eight), four|eight
	wrong := rowPieces&^(one&two|more) | more>>9&rowPieces
	may, must := three&rowPieces, three>>9&rowPieces

	one, two, four, eight = sum9(&b.columns)
	three, more = one&two&^(four|eight), four|eight
	wrong |= columnPieces&^(one&two|more) | more>>27&columnPieces
	if wrong != 0 {
		return false
	}
	b.share(may&^must, 0, &b.rows, 9, &pieceRivals)
	b.share(must&^may, 0, &b.rows, 9, &pieceCells)
	may, must = three&columnPieces, three>>27&columnPieces
	b.share(may&^must, 64, &b.columns, 27, &pieceRivals)
	b.share(must&^may, 64, &b.columns, 27, &pieceCells)
	return true
}

// share removes those digits that may but need not be in some pieces from the cells
// that the table has for a piece. A digit may be in a piece if its word has the bit
// of the piece, and must be in it if it also has the bit that is must bits higher.
func (b *board) share(pieces uint64, first int, words *[9]uint64, must int, cells *[128]cellSet) {
	for ; pieces != 0; pieces &= pieces - 1 {
		piece := bits.TrailingZeros64(pieces)
		for digit, word := range words {
			if word>>piece&^(word>>must>>piece)&1 != 0 {
				b.remove(digit, cells[first+piece])
			}
		}
	}
}
