package format

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// Read reads games in any format. Errors mention the name. The sequence ends after
// the first error, which is an [*Error] or that of r. Input without a game is an
// error. The sequence can be used once.
func Read(name string, r io.Reader) iter.Seq2[Game, error] { return NewReader(name, r).Games() }

// A Reader reads games, like [Read], and says where each begins.
type Reader struct {
	name  string
	input io.Reader
	lines *lines // of the present reading
}

// NewReader returns a reader of games. Errors mention the name.
func NewReader(name string, r io.Reader) *Reader { return &Reader{name: name, input: r} }

// Games reads the games, as [Read] does.
func (r *Reader) Games() iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		r.lines = newLines(r.name, r.input)
		read, err := detect(r.lines)
		if err != nil {
			yield(Game{}, err)
			return
		}
		read(r.lines, yield)
	}
}

// Line returns the number of the line on which the last game begins, from 1.
func (r *Reader) Line() int { return r.lines.begin }

// Puzzles reads all games and returns their puzzles. Those without a name get one
// from the name of the file.
func Puzzles(name string, source []byte) ([]sudoku.Puzzle, error) {
	var puzzles []sudoku.Puzzle
	for game, err := range Read(name, bytes.NewReader(source)) {
		if err != nil {
			return nil, err
		}
		puzzles = append(puzzles, sudoku.Puzzle{Name: game.Name, Grid: game.Givens})
	}
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	for i := range puzzles {
		switch {
		case puzzles[i].Name != "":
		case len(puzzles) == 1:
			puzzles[i].Name = base
		default:
			puzzles[i].Name = fmt.Sprintf("%s %d", base, i+1)
		}
	}
	return puzzles, nil
}

// A reader yields the games of an input.
type reader func(l *lines, yield func(Game, error) bool)

// games yields what next returns, up to its first error or io.EOF.
func games(next func() (Game, error), yield func(Game, error) bool) {
	for {
		game, err := next()
		if err == io.EOF || !yield(game, err) || err != nil {
			return
		}
	}
}

// detect returns the reader for the format of the input, without consuming a game.
func detect(l *lines) (read reader, err error) {
	var header Game
	for {
		switch next := l.peek(); {
		case len(next) > 0 && next[0] == '<':
			return readOpenSudoku, nil
		case len(next) > 0 && next[0] == '{':
			return readSaved, nil
		case l.number == 0 && bytes.HasPrefix(next, zipStart):
			return readHsol, nil
		}
		switch err := l.next(); {
		case err == io.EOF:
			return nil, l.errorf(0, "the file does not contain a puzzle: expected lines of 81 characters, 9 lines of 9 cells, or another Sudoku format")
		case err != nil:
			return nil, err
		}
		if len(l.text) > 0 && !sdkHeader(l.text, &header) && l.text[0] != '#' {
			break
		}
	}
	text := bytes.TrimLeft(l.text, " \t")
	if isTitles(text) {
		return readCells, nil // from the next line on
	}
	l.unread()
	switch {
	case text[0] == ':':
		return readLibrary, nil
	case IsLink(string(text[:min(len(text), 20)])):
		return readLinks, nil
	case cellsIn(text, new(sudoku.Grid)) > 9 || isBank(text) || blankCells(l.raw, new(sudoku.Grid)):
		return readCells, nil
	}
	return func(l *lines, yield func(Game, error) bool) { readRows(l, header, yield) }, nil
}

// isTitles reports whether a line has the column titles of a table, such as
// "puzzle,solution".
func isTitles(text []byte) bool {
	letters, commas := 0, 0
	for _, char := range text {
		switch {
		case 'a' <= char|0x20 && char|0x20 <= 'z':
			letters++
		case char == ',' || char == ';' || char == '\t':
			commas++
		case char != ' ' && char != '_' && char != '"':
			return false
		}
	}
	return letters > 0 && commas > 0
}
