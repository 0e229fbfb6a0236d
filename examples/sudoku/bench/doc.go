// Package bench measures the solver and the generator, and beside them the
// program qqwing where it is installed.
//
// [Solve] measures lists of puzzles, [Generate] the making of puzzles. Our solver
// proves that a solution is the only one; qqwing stops at its first solution.
//
// On one core, ours and qqwing's runs take turns, and the median of each counts.
// What is measured is the time that the processors spend on the program itself,
// not that of the clock on the wall, so that a machine with other things to do
// disturbs it little. (On Windows ours is the time of the clock.) That of qqwing
// is the time of the whole process, for a list that is repeated until starting
// the process does not count.
package bench
