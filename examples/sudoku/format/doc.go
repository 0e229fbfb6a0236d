// Package format reads and writes Sudokus in the files of many programs.
//
// A [Game] is a puzzle and, if somebody has begun to solve it, how far they
// have come. [Read] finds out by itself which format its input has, and hands
// out one game after the other, so that a file of a million takes no more memory than
// one of ten:
//
//	for game, err := range format.Read("puzzles.txt", file) {
//		if err != nil {
//			return err // an *format.Error: file:line:col, and what was expected
//		}
//		fmt.Println(game.Givens.String())
//	}
//
// A [Writer] writes games in the [Format] that it was made for.
//
// # Formats
//
// Every format has the givens. What else survives:
//
//		Format      name  info  board  notes  moves, time, settings
//		Line        yes
//		SDM
//		CSV
//		Text                    (1)
//		SDK         yes   yes   yes    yes
//		SS                      yes    yes
//		Candidates              (1)    (2)
//		OpenSudoku  yes   (3)   yes    yes    time
//		HoDoKu      yes         yes    (4)
//		FPuzzles    yes   (5)   yes    yes
//		Saved       yes   yes   yes    yes    yes
//
//	 1. The digits that were entered come back as givens.
//	 2. The same, and a lone note comes back as a digit; a game without notes is
//	    written with all candidates.
//	 3. That of the first game, for all games of the file.
//	 4. Notes are written as what is missing from the candidates that the board
//	    leaves: a note that cannot be is lost, and notes that are just those
//	    candidates come back as no notes.
//	 5. Author and comment only.
//
// A name has at most 200 characters, and white space in it is one blank.
// Files may have any number of games, also in formats whose programs know
// files with one puzzle only. Whether a puzzle has a solution is not looked at.
//
// # Sources
//
//   - Line: the common denominator of all solvers: 81 characters, 0 or one of
//     ". * _" for an empty cell. What follows after a blank, a comma, "#" or the like
//     is the name; a second grid there, as in tables of puzzles with their
//     solutions, is passed over. Lines that begin with "#" are comments, and a
//     first line of column titles is passed over.
//   - SDM: the collections of SadMan Sudoku and SudoCue, a line of 81 digits a puzzle
//     (sudocue.net/fileformats.php).
//   - SDK: SadMan Sudoku (sadmansoftware.com/sudoku/faq19.php): 9 lines of 9
//     characters, or sections [Puzzle], [State] and [PencilMarks]; lines #A
//     author, #B date, #C comment, #D description (our name), #L level, #S
//     source, #U URL. Other sections are passed over.
//   - SS: Simple Sudoku: grids framed with | and -. After the givens the board and the
//     candidates may follow, as HoDoKu reads and writes it.
//   - Candidates: the pencil mark grid of forums, of Simple Sudoku, HoDoKu and SadMan
//     Sudoku: 81 groups of digits, in any frame (sudopedia, "Sudoku Clipboard and
//     File Formats"). A digit behind "u", as in SudoCue's .sdx, was entered.
//   - OpenSudoku: the XML of the Android program OpenSudoku, versions 1 and 2 with
//     the cell data of versions 1 to 5 (gitlab.com/opensudoku/opensudoku).
//   - HoDoKu: library lines :code:candidates:grid:deleted:eliminations:comment:, where "+" stands before a digit that was
//     entered, and a deleted candidate is its digit, row and column
//     (hodoku.sourceforge.net).
//   - FPuzzles: links https://www.f-puzzles.com/?load=… with JSON compressed by
//     lz-string (pieroxy.net/blog/pages/lz-string). Rules beyond those of Sudoku are refused.
//   - Saved: our own, see [Saved].
//
// # Limits
//
// A line has at most 1 MiB, and so does an XML tag and the text within a link;
// a saved game has at most 4 MiB. Beyond that reading ends with an error.
package format
