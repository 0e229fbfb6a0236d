// Package sudoku is a Sudoku library, and the game of Sudoku as far as that is
// not in its chart: grids, a solver, and puzzles to play.
//
//	puzzle := sudoku.Puzzles()[0].Grid
//	var s sudoku.Solver
//	solution, n := s.Solve(&puzzle) // n: 0, 1, or 2 for more solutions
//
// A [Grid] is a puzzle, a solution or anything between. A [Solver] finds
// solutions in microseconds and without allocating: the first one, whether it is
// the only one, how many there are, all of them, or one by chance.
//
// The packages beside this one: format reads and writes the files of many
// programs, generate makes puzzles, compare sets solvers side by side and lets
// them be watched, csp is a small solver for constraint satisfaction problems of
// any kind, bench measures, and tui is the game in a terminal.
//
// The rules of the game are in charts/sudoku.scxml; [Puzzles] returns the puzzles
// that come with it.
//
// # How the solver works
//
// For each digit the cells that it may still be in are a set of 81 bits, so that
// one operation looks at many cells. A digit at a time, two tables and a few
// shifts find what rows, columns and boxes leave of it (hidden singles, locked
// candidates), until no digit changes any more; then all nine sets together show
// the cells with one candidate. What remains are guesses: the board is copied,
// and the guess made in the copy and excluded in the original. They are made in
// cells with two candidates, where a wrong one is a conclusion, too.
//
// With samples of the lists that the solver tdoku is measured with, on one core of an AMD
// EPYC at 2.6 GHz, per puzzle and with proof that the solution is the only one:
//
//	                  this      qqwing 1.3.4   times qqwing's rate
//	easy (kaggle)     0.90 µs   22.7 µs        25
//	17 clues          1.95 µs   87.0 µs        45
//	top1465           10.1 µs    313 µs        31
//	hardest 11+       51.5 µs   2110 µs        41
//	hardest 1106      92.6 µs   4053 µs        44
//
// qqwing stops at its first solution. The benchmark of package bench measures
// both.
package sudoku
