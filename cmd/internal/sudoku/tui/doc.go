// Package tui plays a Sudoku on the screen of a terminal.
//
//	g, err := game.New(chart, nil)
//	…
//	player, err := tui.New(g, tui.Config{})
//	…
//	end, err := player.Run(ctx)
//
// It has the keys, the mouse, the words and the colours; package game knows what they
// mean and what is visible. Everything runs on the goroutine of the driver, except
// waiting for the next key.
//
// # Implementation
//
// Package action has the table of everything that the player can do. The keys (input.go),
// the mouse (mouse.go), the menus, the key line (menu.go) and the help page (help.go) are
// made from it. It also does what is more than an input of the game, and says which dialogs
// there are: dialog.go makes windows of package widget of them. act.go adds what only a
// terminal can do.
// layout.go computes where everything is, for drawing and for the mouse.
package tui
