// Package tui plays a Sudoku chart in a terminal.
//
// [Run] works with every chart that speaks the protocol of the game, see
// [Speaks]:
//
//	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
//	…
//	err = tui.Run(ctx, chart, tui.Config{})
//
// The rules are the chart's: the front end sends it what the player asks for,
// and shows what the chart says with updateGUI and by its active states
// idle, playing, solved and unsolved. One goroutine owns screen and session.
package tui
