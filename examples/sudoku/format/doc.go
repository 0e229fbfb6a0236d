// Package format reads and writes Sudokus in the files of many programs.
//
// A [Game] is a puzzle and, optionally, a player's progress. [Read] detects the
// format of its input. It yields one game after the other, so that a file with a
// million games does not take more memory than one with ten:
//
//	for game, err := range format.Read("puzzles.txt", file) {
//		if err != nil {
//			return err // a *format.Error: file:line:col and what was expected
//		}
//		fmt.Println(game.Givens.String())
//	}
//
// A [Writer] writes games in a [Format].
//
// The fields of [Info], such as Level and Rating, are free text: programs that rate a
// puzzle set Rating, and all formats with room for it keep it.
//
// # Formats
//
// Every format keeps the givens. The table shows what else each keeps:
//
//		Format      name  info  board  notes  moves, time and everything else
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
//	 1. Entered digits are read back as givens.
//	 2. As 1, and a single note is read back as a digit. A game without notes is
//	    written with all candidates.
//	 3. Only that of the first game, for all games of the file.
//	 4. The file has the candidates of the board that are not among the notes. So
//	    notes that are not candidates are lost, and notes that are exactly the
//	    candidates are read back as no notes.
//	 5. Only author and comment.
//
// A name has at most 200 characters, and white space in it becomes one blank.
// Files may have any number of games, even in formats of programs that expect a
// single puzzle. Read does not check whether a puzzle has a solution.
//
// # Sources
//
//   - Line: the format of most solvers: 81 characters, 0 or one of ". * _" for an
//     empty cell. A name may follow after a blank, a comma, "#" or similar. Read
//     skips a second grid there, such as the solution, lines that begin with "#",
//     and a first line of column titles.
//   - SDM: the collections of SadMan Sudoku and SudoCue, 81 digits on a line for each
//     puzzle (sudocue.net/fileformats.php).
//   - SDK: SadMan Sudoku (sadmansoftware.com/sudoku/faq19.php): 9 lines of 9
//     characters, or sections [Puzzle], [State] and [PencilMarks]; lines #A
//     author, #B date, #C comment, #D description (our name), #L level, #R
//     rating (our addition), #S source, #U URL. Read skips other sections.
//   - SS: Simple Sudoku: grids framed with | and -. The board and the candidates may
//     follow the givens, as in HoDoKu.
//   - Candidates: the pencil mark grid of forums, of Simple Sudoku, HoDoKu and SadMan
//     Sudoku: 81 groups of digits, in any frame (sudopedia, "Sudoku Clipboard and
//     File Formats"). A digit after "u", as in SudoCue's .sdx, was entered.
//   - OpenSudoku: the XML of the Android program OpenSudoku, versions 1 and 2 with
//     the cell data of versions 1 to 5 (gitlab.com/opensudoku/opensudoku).
//   - HoDoKu: library lines :code:candidates:grid:deleted:eliminations:comment:. In
//     the grid, "+" precedes an entered digit. A deleted candidate is three digits:
//     digit, row and column (hodoku.sourceforge.net).
//   - FPuzzles: links https://www.f-puzzles.com/?load=… with JSON compressed by
//     lz-string (pieroxy.net/blog/pages/lz-string). Read rejects puzzles with rules
//     beyond those of Sudoku.
//   - Saved: this project's own format, described in SAVED.md.
//
// # Limits
//
// Lines, XML tags and the text in a link may have at most 1 MiB, saved games 4 MiB.
// Read returns an error for larger ones.
package format
