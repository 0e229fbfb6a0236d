// Package sudoku is the part of the Sudoku game that is not in the chart:
// grids, what solves them, and puzzles to play. The rules of the
// game are in charts/sudoku.scxml; package tui beside this one plays that
// chart in a terminal.
//
// [Puzzles] returns the puzzles that come with the package, package format
// beside this one reads those in files, and [Speaks] tells whether a chart can be played as a Sudoku
// at all.
package sudoku
