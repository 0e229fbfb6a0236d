// Package tui plays a Sudoku on the screen of a terminal.
//
//	g, err := game.New(chart, nil)
//	…
//	player, err := tui.New(g, drive.Config{})
//	…
//	end, err := player.Run(ctx)
//
// It has the keys, the mouse, the words and the colours; package game knows what they
// mean and what is visible. Everything runs on the goroutine of the driver, except
// waiting for the next key.
package tui
