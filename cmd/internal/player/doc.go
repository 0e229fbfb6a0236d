// Package player has what the commands that play Sudoku share: the flags of the board, the
// player's files, and the game that continues.
package player
