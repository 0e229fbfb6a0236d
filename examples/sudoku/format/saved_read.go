package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// readSaved reads a sequence of JSON objects, also those of GNOME Sudoku.
func readSaved(l *lines, yield func(Game, error) bool) {
	l.skipBOM()
	r := &savedReader{lines: l, file: l.file, input: &lineCounter{bounded: bounded{r: l.r}, line: l.number + 1, col: 1}}
	r.decoder = json.NewDecoder(r.input)
	games(r.game, yield)
}

// A savedGame is the JSON of a saved game.
type savedGame interface {
	// game converts it, or says which field is wrong and how.
	game(*Game) (field, problem string)
}

type savedReader struct {
	lines   *lines
	file    string
	input   *lineCounter
	decoder *json.Decoder
	text    json.RawMessage // the current object
	start   int64           // its offset
}

// game reads a saved game. It returns io.EOF after the last one.
func (r *savedReader) game() (game Game, err error) {
	r.input.forget(r.decoder.InputOffset())
	r.input.left = maxSaved
	r.text = r.text[:0]
	err = r.decoder.Decode(&r.text)
	end := r.decoder.InputOffset()
	r.start = end - int64(len(r.text))
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF:
		return game, err
	case errors.As(err, &syntax):
		return game, errorAt(r.pos(max(syntax.Offset-1, 0)), "bad JSON: %s", syntax.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return game, errorAt(r.pos(r.input.from+int64(len(r.input.text))), "bad JSON: the file ends within a saved game")
	case errors.Is(err, errTooLong):
		return game, errorAt(r.pos(end), "a saved game has more than %d bytes", maxSaved)
	case err != nil:
		return game, &readError{r.file, err}
	}
	r.lines.begin = r.pos(r.start).Line
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(r.text, &fields) // what is not an object has none, and fails below
	var to savedGame = &saved{fields: fields}
	if fields["cells"] != nil && fields["sudoku"] == nil {
		to = new(gnomeGame)
	}
	var wrong *json.UnmarshalTypeError
	if err = json.Unmarshal(r.text, to); errors.As(err, &wrong) {
		return game, errorAt(r.pos(r.start+max(wrong.Offset-1, 0)), "expected another kind of value for %q, found %s", wrong.Field, wrong.Value)
	} else if err != nil {
		return game, errorAt(r.pos(r.start), "bad JSON: %v", err)
	}
	field, problem := to.game(&game)
	switch {
	case problem != "" && field == "":
		return game, errorAt(r.pos(r.start), "%s", problem)
	case problem != "":
		return game, errorAt(r.pos(r.start+int64(max(bytes.Index(r.text, []byte(`"`+field+`"`)), 0))), "%s: %s", field, problem)
	}
	return game, nil
}

func (r *savedReader) pos(offset int64) datamodel.Position {
	line, col := r.input.place(offset)
	return datamodel.Position{File: r.file, Line: line, Col: col}
}

// A lineCounter converts offsets of its input to lines and columns.
type lineCounter struct {
	bounded
	line, col int    // of the first byte of text
	from      int64  // offset of the first byte of text
	text      []byte // input that was not forgotten
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.bounded.Read(p)
	c.text = append(c.text, p[:n]...)
	return n, err
}

// forget drops the input before an offset.
func (c *lineCounter) forget(offset int64) {
	line, col := c.place(offset)
	c.text = append(c.text[:0], c.text[offset-c.from:]...)
	c.line, c.col, c.from = line, col, offset
}

// place returns the line and the column of an offset.
func (c *lineCounter) place(offset int64) (line, col int) {
	text := c.text[:min(max(offset-c.from, 0), int64(len(c.text)))]
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		return c.line + bytes.Count(text, []byte("\n")), 1 + utf8.RuneCount(text[i+1:])
	}
	return c.line, c.col + utf8.RuneCount(text)
}
