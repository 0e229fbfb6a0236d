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
// small constraint satisfaction problems of any kind, bthreads solves with b-threads,
// human solves as people do and explains each step, rate says how hard puzzles are,
// picture draws puzzles and steps, photo reads puzzles from pictures, service has what
// a Sudoku chart invokes, and game connects a chart with a front end.
//
// The application, which the commands sudoku and scxmlrun share, is in
// cmd/internal/sudoku: tui is the game in a terminal, plain the one in lines of text,
// and web the one on a page. Besides them are what they share, such as actions, words
// and the player's files, and bench, which measures speed.
//
// # How the solver works
//
// For each digit, a set of 81 bits has the cells that it may still be in, so that
// one operation works on many cells. A table and a few shifts find what rows,
// columns and boxes leave of a digit (hidden singles, locked candidates), until no
// digit changes any more. Then all nine sets together show the cells with a single
// candidate, and the intersections of a box and a row or column that only three
// digits can be in, or three must be in. If nothing changes, the solver guesses: it
// copies the board, makes the guess in the copy and excludes it in the original. It
// prefers cells with two candidates, because excluding one of them leaves the other,
// and of these the one with the most peers that would change.
//
// Times per puzzle on one core of an Intel Xeon (Sapphire Rapids), for samples of
// the lists used to measure the solver tdoku, and the rate divided by that of other
// solvers. They include the proof that the solution is unique:
//
//	                  this      tdoku, AVX-512   tdoku, AVX2   qqwing 1.3.4
//	easy (kaggle)     0.67 µs   1.35             1.47          43
//	17 clues          1.84 µs   1.49             1.65          59
//	top1465           5.69 µs   1.39             1.50          65
//	hardest 11+       40.9 µs   1.15             1.28          68
//	hardest 1106      70.7 µs   1.06             1.17          73
//
// qqwing stops at its first solution, and tdoku does not write it down. The command
// "sudoku bench" measures this and qqwing; TESTING.md says how tdoku was measured.
package sudoku
