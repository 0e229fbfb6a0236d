// Package charts holds the SCXML documents that ship with the project, and
// the scripts that they load.
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//
// The documents are ordinary files, made to be read and to be run by other
// SCXML engines too; there is no logic in Go here.
package charts

import "embed"

// FS holds the documents and scripts, all at its root:
//
//	sudoku.scxml, sudoku.js   a game of Sudoku; the protocol is described at its top
//
//go:embed *.scxml *.js
var FS embed.FS
