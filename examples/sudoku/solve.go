package sudoku

import "math/bits"

// Solutions returns the solutions of a puzzle, at most limit of them. A
// proper puzzle has exactly one: len(g.Solutions(2)) == 1.
func (g *Grid) Solutions(limit int) []Grid {
	s := search{grid: *g, limit: limit}
	for row := range 9 {
		for col := range 9 {
			if digit := g[row][col]; digit != 0 {
				if s.free(row, col)&(1<<digit) == 0 {
					return nil // two equal digits in a unit
				}
				s.flip(row, col, digit)
			}
		}
	}
	s.run()
	return s.found
}

// search is a backtracking search that always goes on at the cell with the
// fewest candidates. Sets of digits are bits 1 to 9 of an integer.
type search struct {
	grid             Grid
	rows, cols, boxs [9]uint16 // digits used in each unit
	limit            int
	found            []Grid
}

const allDigits = 0b1111111110

func (s *search) free(row, col int) uint16 {
	return allDigits &^ (s.rows[row] | s.cols[col] | s.boxs[row/3*3+col/3])
}

// flip marks a digit as used in the units of a cell, or as unused again.
func (s *search) flip(row, col, digit int) {
	bit := uint16(1) << digit
	s.rows[row] ^= bit
	s.cols[col] ^= bit
	s.boxs[row/3*3+col/3] ^= bit
}

func (s *search) run() {
	if len(s.found) >= s.limit {
		return
	}
	best, fewest := cell{}, 10
	for row := range 9 {
		for col := range 9 {
			if s.grid[row][col] != 0 {
				continue
			}
			if n := bits.OnesCount16(s.free(row, col)); n < fewest {
				best, fewest = cell{row, col}, n
			}
		}
	}
	if fewest == 10 { // no empty cell is left
		s.found = append(s.found, s.grid)
		return
	}
	for set := s.free(best.row, best.col); set != 0; set &= set - 1 {
		digit := bits.TrailingZeros16(set)
		s.grid[best.row][best.col] = digit
		s.flip(best.row, best.col, digit)
		s.run()
		s.flip(best.row, best.col, digit)
	}
	s.grid[best.row][best.col] = 0
}
