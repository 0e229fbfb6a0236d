package sudoku

// A Grid is a Sudoku: 9 rows of 9 numbers, Grid[row][column], 0 for an empty
// cell. The chart's initState and currentState have the same shape.
type Grid [9][9]int

// Cells yields the row and the column of each cell, row by row.
func Cells(yield func(row, col int) bool) {
	for i := range 81 {
		if !yield(i/9, i%9) {
			return
		}
	}
}

// Empty returns the number of empty cells.
func (g *Grid) Empty() int {
	n := 0
	for _, row := range g {
		for _, digit := range row {
			if digit == 0 {
				n++
			}
		}
	}
	return n
}

// Conflicts marks the cells whose digit occurs again in the same row, column or
// box.
func (g *Grid) Conflicts() (marks [9][9]bool) {
	for i := range 81 {
		row, col := i/9, i%9
		digit := g[row][col]
		if digit == 0 {
			continue
		}
		for j := i + 1; j < 81; j++ {
			if r, c := j/9, j%9; g[r][c] == digit && SameUnit(row, col, r, c) {
				marks[row][col], marks[r][c] = true, true
			}
		}
	}
	return marks
}

// Valid reports whether all numbers are from 0 to 9 and no digit occurs twice in
// a row, a column or a box.
func (g *Grid) Valid() bool {
	var rows, cols, boxes [9]uint16
	for row := range 9 {
		for col, digit := range &g[row] {
			if digit == 0 {
				continue
			}
			box := row/3*3 + col/3
			if uint(digit) > 9 || (rows[row]|cols[col]|boxes[box])&(1<<digit) != 0 {
				return false
			}
			rows[row] |= 1 << digit
			cols[col] |= 1 << digit
			boxes[box] |= 1 << digit
		}
	}
	return true
}

// String returns the grid as 81 characters, "." for an empty cell.
func (g *Grid) String() string {
	line := make([]byte, 0, 81)
	for _, row := range g {
		for _, digit := range row {
			if digit == 0 {
				line = append(line, '.')
			} else {
				line = append(line, '0'+byte(digit))
			}
		}
	}
	return string(line)
}

// SameUnit reports whether two cells share a row, a column or a box.
func SameUnit(row1, col1, row2, col2 int) bool {
	return row1 == row2 || col1 == col2 || (row1/3 == row2/3 && col1/3 == col2/3)
}

type cell struct{ row, col int }

// peers returns the 20 other cells of the row, the column and the box of a cell.
func peers(row, col int) []cell {
	others := make([]cell, 0, 20)
	for r, c := range Cells {
		if (r != row || c != col) && SameUnit(row, col, r, c) {
			others = append(others, cell{r, c})
		}
	}
	return others
}
