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
// A [Reader] also says on which line a game begins. A [Writer] writes games in a [Format].
//
// The fields of [Info], such as Level and Rating, are free text: programs that rate a
// puzzle set Rating, and all formats with room for it keep it.
//
// # Formats
//
// Every format keeps the givens. The table shows what else each keeps. Notes are the
// pencil marks of a cell; of the programs that have two kinds, those in the centre.
//
//		Format      name  info  board  notes  corners  colours  time  moves and the rest
//		Line        yes
//		SDM
//		CSV
//		Text                    (1)
//		SDK         yes   yes   yes    yes    (2)
//		SS                      yes    yes    (2)
//		Candidates              yes    (3)    (2)
//		OpenSudoku  yes   (4)   yes    yes    yes      (5)      yes
//		HoDoKu      yes         yes    (6)    (2)
//		GNOME             (7)   yes    yes    (2)               yes
//		FPuzzles    yes   (8)   yes    yes    yes
//		SudokuPad   yes   (8)   yes    yes    yes
//		Saved       yes   yes   yes    yes    yes      yes      yes   yes
//
//	 1. Entered digits are read back as givens.
//	 2. They become notes.
//	 3. A game without notes is written with all candidates.
//	 4. Only that of the first game, for all games of the file, and no rating.
//	 5. One for a cell.
//	 6. The file has the candidates of the board that are not among the notes. So
//	    notes that are not candidates are lost, and notes that are exactly the
//	    candidates are read back as no notes.
//	 7. Only a level that the program has: easy, medium, hard or very hard.
//	 8. Only author and comment.
//
// Read also reads two formats that Writer does not write: saved games of HoDoKu, and lines
// of the Sudoku Exchange Puzzle Bank.
//
// Every text may be in UTF-8 or, with a byte order mark, in UTF-16, and its lines may end
// in LF, CRLF or CR. An empty cell is one of "0 . * _", or a blank if the line has exactly
// 81 characters, or nine, or bars between the boxes or cells.
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
//     File Formats"). A digit after "u", as in SudoCue's .sdx, was entered, and one
//     after "c" (our addition) is a single candidate. If any digit follows "*",
//     these are the givens, and the others were entered.
//   - OpenSudoku: the XML of the Android program OpenSudoku and its fork OpenSudoku2,
//     versions 1 to 3 with the cell data of versions 1 to 5. Writer writes version 2,
//     which all versions of the program read (gitlab.com/opensudoku/opensudoku,
//     app/…/game/Cell.java and gui/exporting/FileExportTask.java).
//   - HoDoKu: library lines :code:candidates:grid:deleted:eliminations:comment:. In
//     the grid, "+" precedes an entered digit. A deleted candidate is three digits:
//     digit, row and column (hodoku.sourceforge.net). Saved games (.hsol) are zip
//     files with XML that Java has made of its objects; Read takes the puzzle, the
//     board, the candidates and the score, and leaves out colours and undo.
//   - GNOME: the file that GNOME Sudoku has written since 3.12 below
//     ~/.local/share/gnome-sudoku, JSON with the fields difficulty_category,
//     time_elapsed and cells (gitlab.gnome.org/GNOME/gnome-sudoku, lib/board.vala).
//     Earlier versions kept games as Python objects, which Read does not read.
//   - Puzzle Bank: a hash of 12 hexadecimal digits, 81 characters and a rating
//     (github.com/grantm/sudoku-exchange-puzzle-bank). The rating becomes Info.Rating.
//   - FPuzzles: links https://www.f-puzzles.com/?load=… with JSON compressed by
//     lz-string (pieroxy.net/blog/pages/lz-string). Read rejects puzzles with rules
//     beyond those of Sudoku.
//   - SudokuPad: links https://sudokupad.app/… and app.crackingthecryptic.com/sudoku/…
//     with a puzzle after fpuzzles (as FPuzzles; Writer writes this), scl (SudokuPad's
//     own JSON, shortened and compressed), scf or classic (the givens alone). A link
//     that is only the name of a puzzle on the server cannot be read.
//   - Saved: this project's own format, described in SAVED.md.
//
// # Limits
//
// Lines, XML tags and the text in a link may have at most 1 MiB, saved games 4 MiB, those
// of HoDoKu 16 MiB.
// Read returns an error for larger ones.
package format
