package sudoku

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A FormatError says what is wrong in a file of puzzles, and where.
type FormatError struct {
	Pos datamodel.Position
	Msg string
}

// Error returns file:line:col: message.
func (e *FormatError) Error() string { return e.Pos.String() + ": " + e.Msg }

// Read reads the puzzles of a file, at least one. There are two formats, told
// apart by the first line that says anything:
//
//   - 9 lines of 9 numbers from 0 to 9 with commas between them, 0 for an empty
//     cell: one puzzle;
//   - a puzzle a line of 81 characters, row by row: a digit, or one of "0", ".",
//     "*" and "_" for an empty cell.
//
// Empty lines and lines that begin with "#" are passed over. The name stands in
// errors, which are a [*FormatError], and in the names of the puzzles.
func Read(name string, source []byte) ([]Puzzle, error) {
	lines := splitLines(name, source)
	if len(lines) == 0 {
		return nil, &FormatError{datamodel.Position{File: name, Line: 1, Col: 1},
			"the file is empty: expected 9 lines of 9 comma-separated numbers, or lines of 81 characters"}
	}
	read := readCells
	if strings.Contains(lines[0].text, ",") {
		read = readTable
	}
	grids, err := read(lines)
	if err != nil {
		return nil, err
	}
	return names(name, grids), nil
}

// A line is a line of a file, without its end.
type line struct {
	pos  datamodel.Position // of its first character
	text string
}

// splitLines returns the lines that say something.
func splitLines(name string, source []byte) []line {
	source = bytes.TrimPrefix(source, []byte("\uFEFF"))
	var lines []line
	number := 0
	for text := range bytes.Lines(source) {
		number++
		s := strings.TrimRight(string(text), " \t\r\n")
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		lines = append(lines, line{datamodel.Position{File: name, Line: number, Col: 1}, s})
	}
	return lines
}

// errorf reports a problem at the byte text[offset].
func (l line) errorf(offset int, format string, args ...any) error {
	pos := l.pos
	pos.Col += utf8.RuneCountInString(l.text[:offset])
	return &FormatError{pos, fmt.Sprintf(format, args...)}
}

// readTable reads 9 lines of 9 comma-separated numbers.
func readTable(lines []line) ([]Grid, error) {
	var g Grid
	for row, l := range lines {
		if row == 9 {
			return nil, l.errorf(0, "expected the end of the file after 9 rows, found one more")
		}
		fields := strings.Split(l.text, ",")
		offset := 0
		for col, field := range fields {
			if col == 9 {
				return nil, l.errorf(offset, "expected 9 numbers in a row, found %d", len(fields))
			}
			number := strings.TrimSpace(field)
			if len(number) != 1 || number[0] < '0' || number[0] > '9' {
				return nil, l.errorf(offset+strings.Index(field, number), "expected a number from 0 to 9, found %q", number)
			}
			g[row][col] = int(number[0] - '0')
			offset += len(field) + len(",")
		}
		if len(fields) < 9 {
			return nil, l.errorf(len(l.text), "expected 9 numbers in a row, found %d", len(fields))
		}
	}
	if last := lines[len(lines)-1]; len(lines) < 9 {
		return nil, last.errorf(len(last.text), "expected 9 rows, found %d", len(lines))
	}
	return []Grid{g}, nil
}

// readCells reads lines of 81 characters, a puzzle each.
func readCells(lines []line) ([]Grid, error) {
	var grids []Grid
	for _, l := range lines {
		var g Grid
		n := 0
		for offset, char := range l.text {
			if n == 81 {
				return nil, l.errorf(offset, "expected 81 characters, found %d", utf8.RuneCountInString(l.text))
			}
			switch {
			case '1' <= char && char <= '9':
				g[n/9][n%9] = int(char - '0')
			case !strings.ContainsRune("0.*_", char):
				return nil, l.errorf(offset, `expected a digit, or "0", ".", "*" or "_" for an empty cell, found %q`, char)
			}
			n++
		}
		if n < 81 {
			return nil, l.errorf(len(l.text), "expected 81 characters, found %d", n)
		}
		grids = append(grids, g)
	}
	return grids, nil
}
