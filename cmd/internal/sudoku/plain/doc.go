// Package plain plays a Sudoku in lines of text: on a terminal that cannot move
// its cursor, with a screen reader, or in a pipe.
//
//	g, err := game.New(chart, nil)
//	…
//	player, err := plain.New(g, drive.Config{Options: service.Options()}, os.Stdin, os.Stdout)
//	player.Use(words, shelf) // optional: the language, and the player's games
//	…
//	end, err := player.Run(ctx)
//
// Rows are named r1 to r9 and columns c1 to c9. A move, "r4c7 5", is answered by
// what has changed rather than by the whole board, which an empty line shows.
// Every line is answered. The line help lists the commands that the chart supports:
//
//	> note r4c7 125
//	Row 4, column 7: empty, notes 1 2 5.
//	> hint
//	Look for a Hidden Single: it places a digit.
//	> new daily
//	Playing. …
//
// They are understood in English and in the player's language. A command that loses
// what the player has entered asks first, unless the shelf keeps the game.
//
// The lines of a pipe are read one by one, each after the answer to the one before. At
// the end of a pipe a solver finishes its work.
package plain
