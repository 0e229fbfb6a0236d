// Package bench measures the solver and the generator, and compares them with the
// program qqwing if that is installed.
//
// [Solve] measures solving a list of puzzles, [Generate] making puzzles. Our solver
// proves that a solution is unique; qqwing stops at its first solution.
//
// On one core, our runs and qqwing's take turns, and the result is the median of
// each. The time is processor time spent in the program itself, not wall-clock
// time, so that other work of the machine has little effect. (On Windows our time
// is wall-clock time.) qqwing's time is that of the whole process, with a list long
// enough to make the start of the process negligible.
package bench
