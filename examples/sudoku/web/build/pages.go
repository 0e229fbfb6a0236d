package main

// copied are the directories of this module whose files are copied into the built folder, in this
// order: a file takes the place of an earlier one of the same name.
var copied = []struct{ from, to string }{
	{"examples/sudoku/web/build/load", "."},
	{"scxml/inspect/page", "playground/inspect"},
	{"examples/playground/page", "playground"}, // with another inspect/api.js
}

// programs are the commands that are compiled to WebAssembly, and how many bytes a page may load of them,
// by brotli and by gzip. Goja alone has 3.0 and 4.3 million.
// The playground has net/http in addition, for the inspector, and is loaded when it is used.
var programs = []struct {
	command, to  string
	brotli, gzip int
}{
	{"cmd/playground-web", "playground/playground.wasm", 5_000_000, 7_200_000},
}
