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

// Read reads games in whatever format they are. The name stands in errors. An
// input without a game is an error. After an error, an [*Error] or a failure of
// the input, nothing more comes. The sequence can be used once.
func Read(name string, r io.Reader) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		l := newLines(name, r)
		read, err := detect(l)
		if err != nil {
			yield(Game{}, err)
			return
		}
		read(l, yield)
	}
}

// Puzzles reads all games and returns the puzzles with a name each, made from that
// of the file if they have none.
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

// games yields what next returns, up to its first error.
func games(next func() (Game, error), yield func(Game, error) bool) {
	for {
		game, err := next()
		if err != nil {
			end(err, yield)
			return
		}
		if !yield(game, nil) {
			return
		}
	}
}

// end ends a sequence of games: the end of the input is no error.
func end(err error, yield func(Game, error) bool) {
	if err != io.EOF {
		yield(Game{}, err)
	}
}

// detect looks at what comes first, and leaves it to be read.
func detect(l *lines) (read func(*lines, func(Game, error) bool), err error) {
	var header Game
	for {
		switch next := l.peek(); {
		case len(next) > 0 && next[0] == '<':
			return readOpenSudoku, nil
		case len(next) > 0 && next[0] == '{':
			return readSaved, nil
		}
		switch err := l.next(); {
		case err == io.EOF:
			return nil, l.errorf(0, "there is no puzzle: expected lines of 81 characters, 9 lines of 9 cells, or another format of Sudokus")
		case err != nil:
			return nil, err
		}
		if len(l.text) > 0 && !sdkHeader(l.text, &header) && l.text[0] != '#' {
			break
		}
	}
	text := bytes.TrimLeft(l.text, " \t")
	if isTitles(text) {
		return readCells, nil // what comes behind that line
	}
	l.unread()
	switch {
	case text[0] == ':':
		return readLibrary, nil
	case isLink(text):
		return readLinks, nil
	case cellsIn(text, new(sudoku.Grid)) > 9:
		return readCells, nil
	}
	return func(l *lines, yield func(Game, error) bool) { readRows(l, header, yield) }, nil
}

// isTitles tells whether a line has the titles of the columns of a table, such
// as "puzzle,solution".
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
