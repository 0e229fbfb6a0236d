// Package compiled is the chart of the Sudoku compiled to Go, and a driver with which the front ends of the game
// play it:
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//	…
//	g, err := game.New(chart, nil)
//	…
//	g.Use(compiled.NewDriver)
//
// Everything else is as with the interpreted chart: the screens, the services, and the games that are saved. The
// document is still needed, since a game asks it what the chart supports.
//
// # How it works
//
// sudoku_gen.go is what "scxmlrun gen go" makes of charts/sudoku.scxml and charts/sudoku.js, with a schema of the events
// whose data can only be numbers: events.json. The driver is the loop
// around a [Machine]: it has the clock, a queue of events, and the services that the chart invokes, and it tells the
// game what the chart sends and which states are active. A machine cannot evaluate expressions. The one that a game
// needs is the call saved(), a function of sudoku.js: the driver calls what the generator has made of it.
package compiled

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go ../../../charts/sudoku.scxml --events events.json -o sudoku_gen.go
