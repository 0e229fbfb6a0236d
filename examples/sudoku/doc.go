// Package sudoku is a Sudoku library: grids, a solver, and puzzles to play. The
// rules of the game itself are in charts/sudoku.scxml.
//
//	puzzle := sudoku.Puzzles()[0].Grid
//	var s sudoku.Solver
//	solution, n := s.Solve(&puzzle) // n: 0, 1, or 2 for more solutions
//
// A [Grid] is a puzzle, a solution or anything between. A [Solver] finds
// solutions in microseconds and without allocating: the first one, all of them,
// their number, or a random one. [Puzzles] returns the puzzles that come with the
// game.
//
// Related packages: format reads and writes the files of many programs, generate
// makes puzzles, compare compares solvers and shows how they work, csp solves
// small constraint satisfaction problems of any kind, bench measures speed,
// picture draws puzzles, and tui is the game in a terminal.
//
// # How the solver works
//
// For each digit, a set of 81 bits has the cells that it may still be in, so that
// one operation works on many cells. Two tables and a few shifts find what rows,
// columns and boxes leave of a digit (hidden singles, locked candidates), until no
// digit changes any more. Then all nine sets together show the cells with a single
// candidate. If nothing changes, the solver guesses: it copies the board, makes
// the guess in the copy and excludes it in the original. It prefers cells with two
// candidates, because excluding one of them leaves the other.
//
// Times per puzzle on one core of an AMD EPYC at 2.6 GHz, for samples of the lists
// used to measure the solver tdoku. They include the proof that the solution is
// unique:
//
//	                  this      qqwing 1.3.4   times qqwing's rate
//	easy (kaggle)     0.90 µs   22.7 µs        25
//	17 clues          1.95 µs   87.0 µs        45
//	top1465           10.1 µs    313 µs        31
//	hardest 11+       51.5 µs   2110 µs        41
//	hardest 1106      92.6 µs   4053 µs        44
//
// qqwing stops at its first solution. Package bench measures both.
package sudoku
