package sudoku

import "math/bits"

const allDigits = 0b1111111110 // sets of digits are bits 1 to 9 of an integer

// Scan repeatedly fills in the empty cells for which row, column and box leave a
// single digit, as a beginner would. It returns a grid with empty cells if that
// does not solve the puzzle. It does not change a grid with numbers that are not
// from 0 to 9.
func (g Grid) Scan() Grid {
	var rows, cols, boxes [9]uint16 // digits used in each unit
	for row := range 9 {
		for col, digit := range g[row] {
			if uint(digit) > 9 {
				return g
			}
			bit := uint16(1) << digit
			rows[row] |= bit
			cols[col] |= bit
			boxes[row/3*3+col/3] |= bit
		}
	}
	for again := true; again; {
		again = false
		for row := range 9 {
			for col, digit := range g[row] {
				free := allDigits &^ (rows[row] | cols[col] | boxes[row/3*3+col/3])
				if digit != 0 || free == 0 || free&(free-1) != 0 {
					continue
				}
				g[row][col] = bits.TrailingZeros16(free)
				rows[row] |= free
				cols[col] |= free
				boxes[row/3*3+col/3] |= free
				again = true
			}
		}
	}
	return g
}
