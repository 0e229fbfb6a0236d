// Command scxmlrun runs SCXML charts.
//
//	scxmlrun [run] FILE
//	scxmlrun check FILE…|DIR…
//	scxmlrun test DIR
//	scxmlrun bench FILE
//	scxmlrun w3c --suite DIR
//	scxmlrun version
//
// FILE is run until it ends. Who talks to it is chosen with --ui: a person at
// a terminal (line, or sudoku for charts that speak the protocol of that
// game), a program (json, the machine protocol that PROTOCOL.md specifies), or
// nobody (none). The other commands say what is wrong with charts, run
// suites of tests, and measure how fast a chart is. See scxmlrun --help for the flags and the exit statuses.
//
// # Reading the source
//
// main.go is the command line, with one file for each command: its help and its flags.
// What a command does is a room below internal: run (what the flags say, the session,
// its file), check, bench, and, for test and w3c, results (ledgers and reports). They
// share load (finding and compiling charts, limits), text (lines for people, diagnostics
// with the line where they are) and progress; cmd/internal has what the commands of this
// module share: cli, and file, which is how files are read and replaced.
//
// run/session.go puts together what runs a session: package drive, the one loop
// that waits for inputs, for delayed events, and for signals, and a front end,
// which reads the records of what happens and gives commands. Each front end has a room,
// too: json (the machine protocol), line (with console for a terminal: editing,
// completion, and giving the terminal back at every end), none, and sudoku, the board.
//
// protocol.schema.json says the form of the machine protocol; schema_test.go
// holds it, PROTOCOL.md and the command together.
//
// # Time
//
// On the real clock the session sees the time of the computer. On a virtual
// one (--clock virtual) time stands still while the session works and while it
// waits for input; it moves when somebody says so, and after the end of input,
// or with --ui none from the beginning, it jumps from each delayed event to
// the next. A virtual clock starts at 2000-01-01T00:00:00Z, and its seed is 1
// unless --seed gives another: the same input gives the same output.
package main
