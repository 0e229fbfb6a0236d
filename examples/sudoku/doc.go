// Package sudoku is the part of the Sudoku game that is not in the chart:
// grids, the files they are kept in, and puzzles to play. The rules of the
// game are in charts/sudoku.scxml; package tui beside this one plays that
// chart in a terminal.
//
// [Read] reads the puzzles of a file, [Puzzles] returns those that come with
// the package, and [Speaks] tells whether a chart can be played as a Sudoku
// at all.
package sudoku
