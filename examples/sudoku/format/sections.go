package format

import (
	"bytes"
	"io"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// sdkHeader reads a line such as "#AName of the author". It returns false for
// any other line.
func sdkHeader(text []byte, game *Game) bool {
	if len(text) < 2 || text[0] != '#' {
		return false
	}
	for _, f := range game.textFields() {
		if f.letter == text[1] {
			*f.text = label(string(text[2:]))
			return true
		}
	}
	return false
}

// section returns the name of the section that begins with this line, or "".
func section(text []byte) string {
	if len(text) < 3 || text[0] != '[' || text[len(text)-1] != ']' {
		return ""
	}
	return string(bytes.ToLower(text[1 : len(text)-1]))
}

// sections reads the section [Puzzle] and the others of the same game.
func (r *rowReader) sections(game *Game) error {
	for n := 0; ; n++ {
		err := r.lines.next()
		name := section(r.text)
		switch {
		case err == io.EOF && n > 0:
			return nil
		case err != nil:
			return err
		case n == 0 && name != "puzzle":
			return r.errorf(0, `expected the section "[Puzzle]" first, found %q`, label(string(r.text)))
		case n > 0 && (name == "puzzle" || sdkHeader(r.text, new(Game))):
			r.unread()
			return nil
		case name == "puzzle":
			b, err := r.block(false)
			if err != nil {
				return err
			}
			b.start(game)
		case name == "state":
			if err := r.state(game); err != nil {
				return err
			}
		case name == "pencilmarks":
			b, err := r.block(true)
			if err != nil {
				return err
			}
			game.progress().Notes = b.notes
		default: // an empty line, or a line of an unknown section
		}
	}
}

// state reads the section [State].
func (r *rowReader) state(game *Game) error {
	b, err := r.block(false)
	if err != nil {
		return err
	}
	for row, col := range sudoku.Cells {
		if given := game.Givens[row][col]; given != 0 && b.digits[row][col] != given {
			return r.errorAt(&b, row, "the given %d is not in column %d of this row", given, col+1)
		}
	}
	game.progress().Board = b.digits
	return nil
}
