// Package bench measures the solver and the generator, and compares them with the
// program qqwing if that is installed.
//
// [Solve] measures solving a list of puzzles, [Generate] making puzzles. Our solver
// proves that a solution is unique; qqwing stops at its first solution.
//
// All times are wall-clock times. On one core, our runs and qqwing's take turns, so
// that other work of the machine affects both, and the result is the median of each.
// qqwing's time is that of the whole process, with a list long enough to make the
// start of the process negligible.
package bench
