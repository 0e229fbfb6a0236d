// Package compare sets ways to solve a Sudoku side by side: how many numbers
// each has to write down before it has the solution, and how long it takes.
//
//	for _, s := range compare.Solvers() {
//		result, err := s.Solve(ctx, &grid, 1_000_000)
//		fmt.Println(s.Name, result.Solved, result.Assigned, result.Time)
//	}
//
// They go from scanning, which does not solve every puzzle, over backtracking and
// the methods of package csp, switched on one by one, to [sudoku.Solver].
// [Table] runs them all on a list of puzzles.
//
// Each can be watched: [Solver.Steps] is the search as an iterator.
package compare
