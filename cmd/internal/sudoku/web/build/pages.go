package main

import "github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/web/colours"

// copied are the directories of this module whose files are copied into the built folder, in this
// order: a file takes the place of an earlier one of the same name.
var copied = []struct{ from, to string }{
	{"cmd/internal/sudoku/web/build/load", "."},
	{"cmd/internal/sudoku/web/page", "."},
	{"scxml/inspect/page", "playground/inspect"},
	{"cmd/internal/playground/page", "playground"}, // with another inspect/api.js
}

// A program is a command that is compiled to WebAssembly, and how many bytes a page may load of it, by
// brotli and by gzip.
type program struct {
	command, to  string
	brotli, gzip int
}

// programs are those of the pages. Goja alone has 3.0 and 4.3 million bytes.
// The playground has net/http besides, for the inspector, and the editor and the search. It and the reader
// of pictures are loaded when they are used.
var programs = []program{
	{"cmd/sudoku-web", "sudoku.wasm", 5_000_000, 7_000_000},
	{"cmd/sudoku-photo-web", "photo.wasm", 2_000_000, 2_500_000},
	{"cmd/playground-web", "playground/playground.wasm", 5_250_000, 7_250_000},
}

// generated are the files that are made.
var generated = map[string]func() ([]byte, error){
	"themes.css":    colours.CSS,
	"rules.js":      rules,
	"first/en.json": firstPuzzle("en"),
	"first/nl.json": firstPuzzle("nl"),
}

// inlining are the packages in which the compiler inlines calls. In the others it does not, which makes
// the programs smaller by a twelfth and hardly slower: these are where the time goes.
var inlining = []string{
	"runtime/...", "internal/...", "sync/...", "math/...",
	"github.com/dop251/goja", "github.com/dop251/goja/unistring",
	"github.com/scxmlrun/scxmlrun/scxml", "github.com/scxmlrun/scxmlrun/datamodel/...",
	"github.com/scxmlrun/scxmlrun/examples/sudoku", "github.com/scxmlrun/scxmlrun/examples/sudoku/human",
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/...",
}
