// Package tui shows a Sudoku in a terminal, and lets it be played there.
//
//	g, err := game.New(chart, nil)
//	…
//	player, err := tui.New(g, drive.Config{})
//	…
//	end, err := player.Run(ctx)
//
// It has the keys, the mouse, the words and the colours; what they mean and what
// there is to see is known to package game. All of it happens on the goroutine of
// the driver, but for waiting for the next key.
package tui
