// Package game is what is between a Sudoku chart and a screen: what there is to
// see, and what an input means. It knows nothing about screens, so that a
// terminal, a page and a test share it.
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//	…
//	g, err := game.New(chart, nil)
//	…
//	driver, err := g.Driver(drive.Config{Front: front}) // whose Tell calls g.Tell, and shows g.View() at rest
//	…
//	inputs <- func(s drive.Session) error { return g.Do(s, game.Toggle{}) } // and other inputs
//	…
//	end, err := driver.Run(ctx, inputs)
//
// The rules are the chart's: the game sends it what the player asks for, and
// shows what the chart says with updateGUI and by its active states playing and
// solved. It works with every chart that speaks the protocol, see [Speaks]; what
// such a chart must have and what it may have is told at the top of
// charts/sudoku.scxml.
//
// A [View] says everything in numbers and codes: words, colours, keys and places
// are the business of the screen.
package game
