// Package game connects a Sudoku chart with a front end: it knows what the player sees
// and what an input means. It knows nothing about screens, so that terminals, lines of
// text, web pages and tests can share it.
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
// Open continues a saved game, and Keep saves it after each change.
//
// The chart has the rules. The game sends it the player's inputs, and shows what the
// chart sends with updateGUI, and whether its states playing and solved are active. It
// works with every chart that speaks the protocol, see [Speaks]; the comment at the top
// of charts/sudoku.scxml says what such a chart must have and what it may have.
//
// A [View] has only numbers and codes. The front end adds words, colours, keys and
// positions.
package game
