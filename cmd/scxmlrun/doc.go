// Command scxmlrun runs SCXML charts.
//
//	scxmlrun [run] FILE
//	scxmlrun check FILE…|DIR…
//	scxmlrun draw FILE
//	scxmlrun doc FILE
//	scxmlrun test DIR
//	scxmlrun explore FILE
//	scxmlrun inspect FILE…
//	scxmlrun dap
//	scxmlrun serve CHART…
//	scxmlrun sessions COMMAND
//	scxmlrun lsp
//	scxmlrun gen go FILE
//	scxmlrun import FILE
//	scxmlrun bench FILE
//	scxmlrun store check DIR
//	scxmlrun w3c --suite DIR
//	scxmlrun version
//
// It runs FILE until the chart ends. The flag --ui selects the front end: for a
// person (line; sudoku and plain for charts that speak the protocol of that game),
// for a program (json, the machine protocol of PROTOCOL.md), or without input
// (none). The other commands check, draw and document charts, run suites of tests,
// measure how fast a chart is, and serve durable sessions over HTTP. See
// scxmlrun --help for the flags and the exit statuses.
//
// # Reading the source
//
// main.go has the command line, and one file for each command its help and flags.
// The packages below internal do the work: run (flags, the session, its file),
// check, bench, document (the pages of doc), sessions (a client of serve), and for test and w3c results (ledgers and
// reports). They share load (finding and compiling charts, limits), text (lines for people, diagnostics with
// the source line) and progress. What the commands of this module share is in
// cmd/internal: cli, and file, which reads and replaces files.
//
// run/session.go connects package drive with a front end. drive has the one loop,
// which waits for inputs, for delayed events and for signals; the front end reads
// records and gives commands. Each front end is a package: json (the machine
// protocol), line (with console, which edits and completes lines on a terminal),
// none, and sudoku (the board, on a screen or in lines of text).
//
// protocol.schema.json is the schema of the machine protocol; schema_test.go checks
// that it, PROTOCOL.md and the command agree.
//
// # Time
//
// On the real clock the session sees the time of the computer. A virtual clock
// (--clock virtual) does not advance while the session works or waits for input. It
// advances on command; after the end of input, or with --ui none from the start, it
// jumps from one delayed event to the next. A virtual clock starts at
// 2000-01-01T00:00:00Z, and its seed is 1 unless --seed gives another, so that the
// same input gives the same output.
package main
