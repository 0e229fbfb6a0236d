// Package shelf keeps what a player has in files: games, results and settings.
//
//	state, config, err := shelf.Folders()
//	…
//	s, err := shelf.Open(state, config) // an error: why games are not kept
//	defer s.Close()
//	…
//	last, err := s.Last() // the game to continue
//	…
//	g.Keep(s) // package game saves each change
//
// The folders of the player are
//
//	              games and results                       settings
//	Unix          $XDG_STATE_HOME/scxmlrun/sudoku         $XDG_CONFIG_HOME/scxmlrun/sudoku
//	              (default ~/.local/state)                (default ~/.config)
//	macOS         ~/Library/Application Support/scxmlrun/sudoku, for both
//	Windows       %LocalAppData%\scxmlrun\sudoku          %AppData%\scxmlrun\sudoku
//
// or, for both, the folder that the variable [Variable] names. They have these files:
//
//	games/53007….json   a game, in the format of package format; the name has the 81 digits of the puzzle
//	last                the puzzle of the game that is played, or was played last
//	results.jsonl       a line for each game that was solved or given up
//	lock                is locked while a Shelf is open that may write the files above
//	settings.json       the settings
//	themes/NAME.theme   looks of the board, see package theme
//	puzzles/…           files of puzzles to choose from, in any format of package format
//
// The last two are the player's own.
//
// Files are replaced completely or not at all, see package durable. So a program that is
// killed, or a loss of power, loses nothing that was saved. A file that cannot be read gets
// another name, and is never deleted.
package shelf
