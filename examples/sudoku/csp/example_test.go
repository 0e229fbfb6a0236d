package csp_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// Three colours for the map of Australia, so that neighbours have different ones.
// Tasmania does not have neighbours.
func Example_australia() {
	regions := []string{"WA", "NT", "SA", "Q", "NSW", "V", "T"}
	borders := []string{"WA-NT", "WA-SA", "NT-SA", "NT-Q", "SA-Q", "SA-NSW", "SA-V", "Q-NSW", "NSW-V"}

	var p csp.Problem[string, string]
	for _, region := range regions {
		p.Variable(region, "red", "green", "blue")
	}
	for _, border := range borders {
		a, b, _ := strings.Cut(border, "-")
		p.Constrain(a, b, csp.Different)
	}
	colours, err := p.Solve(context.Background(), csp.Options{MRV: true, ForwardChecking: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, region := range regions {
		fmt.Println(region, colours[region])
	}
	// Output:
	// WA red
	// NT green
	// SA blue
	// Q red
	// NSW green
	// V red
	// T red
}

// Eight queens that do not attack each other. Each row is a variable; its value is
// the queen's column.
func Example_queens() {
	p := queens(8)
	columns, err := p.Solve(context.Background(), csp.Options{MRV: true, ForwardChecking: true, LCV: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range 8 {
		line := strings.Repeat(". ", 8)
		fmt.Println(line[:2*columns[row]] + "Q" + line[2*columns[row]+1:2*8-1])
	}
	all, err := p.Solutions(csp.Options{ForwardChecking: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for range all {
		n++
	}
	fmt.Println(n, "solutions")
	// Output:
	// Q . . . . . . .
	// . . . . . Q . .
	// . . . . . . . Q
	// . . Q . . . . .
	// . . . . . . Q .
	// . . . Q . . . .
	// . Q . . . . . .
	// . . . . Q . . .
	// 92 solutions
}

// queens returns the problem of n queens on an n by n board.
func queens(n int) *csp.Problem[int, int] {
	columns := make([]int, n)
	for col := range columns {
		columns[col] = col
	}
	var p csp.Problem[int, int]
	for row := range n {
		p.Variable(row, columns...)
		for above := range row {
			p.Constrain(above, row, func(a, b int) bool {
				return a != b && a-b != row-above && b-a != row-above
			})
		}
	}
	return &p
}

// A Sudoku: a variable for each cell, by row and column; a given is a domain of
// one value.
func Example_sudoku() {
	const puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

	type cell struct{ row, col int }
	var p csp.Problem[cell, int]
	var cells []cell
	for i, char := range puzzle {
		c := cell{i / 9, i % 9}
		if char == '.' {
			p.Variable(c, 1, 2, 3, 4, 5, 6, 7, 8, 9)
		} else {
			p.Variable(c, int(char-'0'))
		}
		for _, o := range cells {
			if o.row == c.row || o.col == c.col || o.row/3 == c.row/3 && o.col/3 == c.col/3 {
				p.Constrain(o, c, csp.Different)
			}
		}
		cells = append(cells, c)
	}
	digits, err := p.Solve(context.Background(), csp.Options{AC3: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range 9 {
		for col := range 9 {
			fmt.Print(digits[cell{row, col}])
		}
		fmt.Println()
	}
	// Output:
	// 534678912
	// 672195348
	// 198342567
	// 859761423
	// 426853791
	// 713924856
	// 961537284
	// 287419635
	// 345286179
}

// The first steps of a search.
func ExampleProblem_Steps() {
	steps, err := queens(4).Steps(csp.Options{ForwardChecking: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for step := range steps {
		switch indent := strings.Repeat("  ", step.Depth); step.Kind {
		case csp.Assign:
			fmt.Printf("%srow %d: queen in column %d\n", indent, step.Variable, step.Value)
		case csp.Prune:
			fmt.Printf("%s  row %d: not in %d\n", indent, step.Variable, step.Value)
		case csp.Backtrack:
			fmt.Printf("%s  back\n", indent)
		}
		if step.Kind == csp.Backtrack && step.Depth == 0 {
			return // ends the search, too
		}
	}
	// Output:
	// row 0: queen in column 0
	//     row 1: not in 0
	//     row 1: not in 1
	//     row 2: not in 0
	//     row 2: not in 2
	//     row 3: not in 0
	//     row 3: not in 3
	//     row 1: queen in column 2
	//       row 2: not in 1
	//       row 2: not in 3
	//     back
	//     row 1: queen in column 3
	//       row 2: not in 3
	//       row 3: not in 1
	//       row 2: queen in column 1
	//         row 3: not in 2
	//       back
	//     back
	//   back
}
