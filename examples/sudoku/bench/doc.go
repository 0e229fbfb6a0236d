// Package bench measures the solver and the generator, on one core, and beside
// them the program qqwing where it is installed.
//
// [Solve] measures lists of puzzles, [Generate] the making of minimal puzzles.
// Ours and qqwing's runs take turns, and the median of each counts. What is
// measured is the time that the processors spend on the program itself, not that
// of the clock on the wall, so that a machine with other things to do disturbs it
// little. Our solver proves that a solution is the only one; qqwing stops at its
// first solution. Its time is that of the whole process, for a list that is
// repeated until starting the process does not count.
//
// On Windows the time of our part is that of the clock.
package bench
