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
// main.go and run.go are the command line, load.go finds and reads the chart, and
// save.go the file of a session; cmd/internal/file is how files are read and replaced.
// A [driver] then owns the session: driver.go is the one loop that waits for
// input lines (lines.go), for delayed events, and for signals.
// It shows the session to a [front] and gives it the input lines; there is a
// front for each of json (ui_json.go, with command.go for what comes in and
// recorder.go for what goes out), line (ui_line.go, with line_commands.go for
// what is typed and line_state.go for what is shown) and none (ui_none.go). On
// a terminal the lines come from a console (console.go: editing, completion,
// and giving the terminal back at every end), with a filter for keys before it
// (keys.go). The Sudoku front end has a loop of its own (ui_sudoku.go).
// report_limit.go bounds what one macrostep may show.
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
