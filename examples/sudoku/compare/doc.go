// Package compare compares ways to solve a Sudoku: how many digits each has to
// write before it has the solution, and how long it takes.
//
//	for _, s := range compare.Solvers() {
//		result, err := s.Solve(ctx, &grid, 1_000_000)
//		fmt.Println(s.Name, result.Solved, result.Assigned, result.Time)
//	}
//
// The solvers are scanning, which does not solve every puzzle; backtracking; the
// methods of package csp, added one by one; the behavioral program of package
// bthreads; and [sudoku.Solver]. [Run] runs them all on a list of puzzles and returns
// a [Table]. [Solver.Steps] is an iterator over the steps of a solver.
package compare
