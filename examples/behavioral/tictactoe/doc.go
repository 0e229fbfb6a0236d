// Tictactoe plays tic-tac-toe against a player, and proves that it never loses.
//
//	go run ./examples/behavioral/tictactoe
//	go run ./examples/behavioral/tictactoe -check
//	go run ./examples/behavioral/tictactoe -check -without forks
//
// The last command finds a game that the computer loses because a part of its strategy is missing.
//
// # How it works
//
// Each rule of the game is a chart: players take turns, a square is taken once, three marks in a line win.
// So is each part of the computer's strategy: to complete a line, to prevent one, to prevent two lines at
// once, to prefer the center, corners and sides. The strategy requests moves, the rules block moves, and the
// player's moves come from outside. Nothing decides on a move but the priorities of the requests. The charts
// know nothing of each other: game.go starts a b-thread for each square, line and pair of squares.
package main
