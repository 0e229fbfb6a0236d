package format

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// notCell marks bytes in cellOf that are not cells.
const notCell = -1

// cellOf has the digit of a character, 0 for an empty cell.
var cellOf = func() (table [256]int8) {
	for i := range table {
		table[i] = notCell
	}
	for digit := range 10 {
		table['0'+digit] = int8(digit)
	}
	for _, empty := range []byte(".*_") {
		table[empty] = 0
	}
	return table
}()

const expectedCell = `expected a digit, or "0", ".", "*" or "_" for an empty cell, found %q`

// The readers of formats with a puzzle on each line.
var (
	readCells   = eachLine(cellsLine)
	readLibrary = eachLine(libraryLine)
	readLinks   = eachLine(link)
)

// eachLine returns a reader of lines. It skips empty lines and comments.
func eachLine(line func(*lines) (Game, error)) reader {
	return func(l *lines, yield func(Game, error) bool) {
		games(func() (Game, error) {
			for {
				if err := l.next(); err != nil {
					return Game{}, err
				}
				if len(l.text) > 0 && l.text[0] != '#' {
					l.begin = l.number
					return line(l)
				}
			}
		}, yield)
	}
}

// cellsLine reads a line of 81 characters and an optional name. Before the characters may be
// the hash of the Sudoku Exchange Puzzle Bank, and after them its rating
// (github.com/grantm/sudoku-exchange-puzzle-bank).
func cellsLine(l *lines) (game Game, err error) {
	if blankCells(l.raw, &game.Givens) {
		game.Name = nameAfter(l.raw[81:])
		return game, nil
	}
	text := bytes.TrimLeft(l.text, " \t")
	bank := isBank(text)
	if bank {
		text = text[len(bankHash)+1:]
	}
	n := cellsIn(text, &game.Givens)
	offset := len(l.text) - len(text) + n
	switch {
	case n == 81 && n == len(text):
		return game, nil
	case n == 81 && strings.IndexByte(separators, text[n]) >= 0:
		game.Name = nameAfter(text[n:])
		if bank {
			game.Name, game.Info.Rating = "", game.Name
		}
		return game, nil
	case n == 81:
		return game, l.errorf(offset, "expected 81 characters, or a blank and a name after them, found %d", utf8.RuneCount(text))
	case n == len(text):
		return game, l.errorf(offset, "expected 81 characters, found %d", n)
	}
	r, _ := utf8.DecodeRune(text[n:])
	return game, l.errorf(offset, expectedCell, r)
}

// bankHash is the form of the hash that begins a line of the Puzzle Bank, a part of a SHA-1.
const bankHash = "0123456789ab"

// isBank reports whether a line begins with a hash and a puzzle.
func isBank(text []byte) bool {
	return len(text) > len(bankHash)+81 && text[len(bankHash)] == ' ' &&
		len(bytes.Trim(text[:len(bankHash)], "0123456789abcdefABCDEF")) == 0 &&
		cellsIn(text[len(bankHash)+1:], new(sudoku.Grid)) == 81
}

// blankCells reads 81 characters with blanks for empty cells. It returns false for any other
// line.
func blankCells(raw []byte, g *sudoku.Grid) bool {
	if len(raw) < 81 || len(raw) > 81 && strings.IndexByte(separators, raw[81]) < 0 || !isBlankRow(raw[:81]) {
		return false
	}
	for i, char := range raw[:81] {
		if char != ' ' {
			g[i/9][i%9] = int(char - '0')
		}
	}
	return true
}

// isBlankRow reports whether a text has digits from 1 to 9 and blanks, and nothing else.
func isBlankRow(text []byte) bool {
	return len(bytes.Trim(text, " ")) > 0 && bytes.IndexByte(text, ' ') >= 0 && len(bytes.Trim(text, " 123456789")) == 0
}

// cellsIn reads up to 81 cells at the beginning of a text and returns their number.
func cellsIn(text []byte, g *sudoku.Grid) int {
	for i := range 81 {
		if i == len(text) || cellOf[text[i]] == notCell {
			return i
		}
		g[i/9][i%9] = int(cellOf[text[i]])
	}
	return 81
}

// separators may be between a puzzle and its name.
const separators = " \t,;|#:"

// nameAfter returns the name in the text after a puzzle, without a second grid,
// which is the solution in many tables.
func nameAfter(text []byte) string {
	text = bytes.TrimLeft(text, separators)
	if n := cellsIn(text, new(sudoku.Grid)); n == 81 {
		text = bytes.TrimLeft(text[n:], separators)
	}
	return label(string(text))
}

// libraryLine reads HoDoKu's :code:candidates:grid:deleted:eliminations:comment:.
func libraryLine(l *lines) (game Game, err error) {
	var fields [7]string
	var offsets [7]int
	n, start := 0, 0
	for i := 0; i <= len(l.text); i++ {
		if i < len(l.text) && (l.text[i] != ':' || n == len(fields)-1) {
			continue // the comment may have colons
		}
		fields[n], offsets[n] = string(l.text[start:i]), start
		n, start = n+1, i+1
	}
	if fields[0] != "" || n < 4 {
		return game, l.errorf(0, `expected a library line such as ":0000:x:" and 81 characters and ":::", found %d colons`, n-1)
	}
	board := sudoku.Grid{}
	cells, entered := 0, false
	grid := fields[3]
	for i := 0; i < len(grid); i++ {
		if grid[i] == '+' && !entered {
			entered = true
			continue
		}
		digit := cellOf[grid[i]]
		switch {
		case digit == notCell:
			r, _ := utf8.DecodeRuneInString(grid[i:])
			return game, l.errorf(offsets[3]+i, expectedCell+`, or "+" before a digit that was entered`, r)
		case entered && digit == 0:
			return game, l.errorf(offsets[3]+i, `expected a digit after "+", found %q`, grid[i])
		case cells == 81:
			return game, l.errorf(offsets[3]+i, "expected 81 cells, found more")
		}
		board[cells/9][cells%9] = int(digit)
		if !entered {
			game.Givens[cells/9][cells%9] = int(digit)
		}
		cells, entered = cells+1, false
	}
	if cells != 81 {
		return game, l.errorf(offsets[3]+len(grid), "expected 81 cells, found %d", cells)
	}
	if board != game.Givens {
		game.progress().Board = board
	}
	game.Name = label(strings.TrimRight(fields[6], ": "))
	return game, deletedCandidates(l, fields[4], offsets[4], &game)
}

// deletedCandidates reads three digits for each candidate: digit, row, column.
func deletedCandidates(l *lines, list string, offset int, game *Game) error {
	board := game.Board()
	notes, found := candidates(&board), false
	for field := range strings.SplitSeq(list, " ") {
		if field != "" {
			if len(field) != 3 || strings.Trim(field, "123456789") != "" {
				return l.errorf(offset, `expected a deleted candidate such as "123" for digit 1 in row 2, column 3, found %q`, field)
			}
			notes[field[1]-'1'][field[2]-'1'] &^= 1 << (field[0] - '0')
			found = true
		}
		offset += len(field) + 1
	}
	if found {
		game.progress().Notes = notes
	}
	return nil
}
