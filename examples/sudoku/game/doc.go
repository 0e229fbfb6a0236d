// Package game connects a Sudoku chart with a front end: it knows what the player sees
// and what an input means. It knows nothing about screens, so that terminals, lines of
// text, web pages and tests can share it.
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//	…
//	g, err := game.New(chart, nil)
//	…
//	driver, err := g.Driver(drive.Config{Front: front}) // whose Tell calls g.Tell, and shows g.View() if that says so
//	…
//	inputs <- func(s drive.Session) error { return g.Do(s, game.Toggle{}) } // and other inputs
//	…
//	end, err := driver.Run(ctx, inputs)
//
// Begin makes puzzles begin by themselves. Open continues a saved game, and Keep saves it after
// each change in a [Store], in which a puzzle that was left is found again.
//
// The chart has the rules: moves, undo, notes, the clock, pausing, hints and modes. The game
// sends it the player's inputs as events, and shows what it sends and which of its states
// are active. What a chart cannot know is the game's: which cells are selected, what a digit
// key writes, conflicts, and which entry broke the puzzle.
//
// The game works with every chart that speaks the protocol of the Qt example, see [Speaks];
// the comment at the top of charts/sudoku.scxml says what a chart may have besides. View.Has
// says what a chart supports, View.Can what is possible now, and [Needs] what an input needs,
// so that a menu can grey out the rest. Hints, solvers and new puzzles are services that the
// chart invokes, see package service; without their options in the drive.Config they are
// found missing when they are first asked for.
//
// A [View] has only numbers and codes. The front end adds words, colours, keys and
// positions.
package game
