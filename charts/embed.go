// Package charts holds the project's SCXML documents and the scripts that they
// load.
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//
// The documents are ordinary files that other SCXML engines can run too. The
// package does not contain any logic in Go.
package charts

import "embed"

// FS holds the documents and scripts, all at its root:
//
//	sudoku.scxml, sudoku.js   a game of Sudoku; a comment at its top describes the events
//
//go:embed *.scxml *.js
var FS embed.FS
