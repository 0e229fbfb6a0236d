// Package plain plays a Sudoku in lines of text: on a terminal that cannot move
// its cursor, with a screen reader, or in a pipe.
//
//	g, err := game.New(chart, nil)
//	…
//	player, err := plain.New(g, drive.Config{}, os.Stdin, os.Stdout)
//	…
//	end, err := player.Run(ctx)
//
// Rows are named r1 to r9 and columns c1 to c9. A move, "r4c7 5", is answered by
// what has changed rather than by the whole board, which an empty line shows.
package plain
