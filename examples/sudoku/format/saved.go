package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// SavedVersion is the version of the format [Saved]. Readers ignore unknown fields.
const SavedVersion = 1

// maxSaved is the maximum size of a saved game, in bytes.
const maxSaved = 4 << 20

// saved is the JSON object of a saved game:
//
//	{"sudoku":1, "name":"…", "givens":"…", "info":{"author":"…",…},
//	 "board":"…", "notes":[9 rows such as ",29,29,145,145,145,,,"],
//	 "moves":["r1c2=5","r1c3~4","r1c2=0"], "time_ms":61000, "settings":{…}}
//
// All fields except sudoku, the version, and givens are optional. Grids have 81
// characters, "." for an empty cell. The cell r1c2 is in row 1, column 2; "=" writes
// a digit, 0 empties the cell, and "~" adds or removes a note.
type saved struct {
	Version  int             `json:"sudoku"`
	Name     string          `json:"name,omitempty"`
	Givens   string          `json:"givens"`
	Info     Info            `json:"info,omitzero"`
	Board    string          `json:"board,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
	Moves    []string        `json:"moves,omitempty"`
	Time     int64           `json:"time_ms,omitempty"`
	Settings json.RawMessage `json:"settings,omitempty"`
}

// readSaved reads a sequence of JSON objects.
func readSaved(l *lines, yield func(Game, error) bool) {
	l.skipBOM()
	r := &savedReader{file: l.file, input: &lineCounter{bounded: bounded{r: l.r}, line: l.number + 1, col: 1}}
	r.decoder = json.NewDecoder(r.input)
	games(r.game, yield)
}

type savedReader struct {
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
	var s saved
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(r.text, &s); errors.As(err, &wrong) {
		return game, errorAt(r.pos(r.start+max(wrong.Offset-1, 0)), "expected another kind of value for %q, found %s", wrong.Field, wrong.Value)
	} else if err != nil {
		return game, errorAt(r.pos(r.start), "bad JSON: %v", err)
	}
	if field, problem := s.game(&game); problem != "" {
		return game, errorAt(r.pos(r.start+int64(max(bytes.Index(r.text, []byte(`"`+field+`"`)), 0))), "%s: %s", field, problem)
	}
	return game, nil
}

func (r *savedReader) pos(offset int64) datamodel.Position {
	line, col := r.input.place(offset)
	return datamodel.Position{File: r.file, Line: line, Col: col}
}

// game converts the JSON, or says which field is wrong and how.
func (s *saved) game(game *Game) (field, problem string) {
	switch {
	case s.Version == 0:
		return "sudoku", fmt.Sprintf("expected a saved game with the field \"sudoku\":%d", SavedVersion)
	case s.Version != SavedVersion:
		return "sudoku", fmt.Sprintf("expected version %d, found %d", SavedVersion, s.Version)
	}
	game.Name, game.Info = s.Name, s.Info
	for _, f := range game.textFields() {
		*f.text = label(*f.text)
	}
	if game.Givens, problem = gridOf(s.Givens); problem != "" {
		return "givens", problem
	}
	if s.Board == "" && s.Notes == nil && s.Moves == nil && s.Time == 0 && s.Settings == nil {
		return "", ""
	}
	p := game.progress()
	if s.Board != "" {
		if p.Board, problem = gridOf(s.Board); problem != "" {
			return "board", problem
		}
	}
	for row := range 9 {
		for col := range 9 {
			if given := game.Givens[row][col]; given != 0 && p.Board[row][col] != given {
				return "board", fmt.Sprintf("the given %d is not in row %d, column %d", given, row+1, col+1)
			}
		}
	}
	if s.Notes != nil {
		if p.Notes, problem = notesOf(s.Notes); problem != "" {
			return "notes", problem
		}
	}
	for i, text := range s.Moves {
		m, ok := moveOf(text)
		if !ok {
			return "moves", fmt.Sprintf(`move %d: expected for example "r1c2=5", or "r1c2~5" for a note, found %q`, i+1, label(text))
		}
		p.Moves = append(p.Moves, m)
	}
	if s.Time < 0 || s.Time > 1<<40 {
		return "time_ms", fmt.Sprintf("expected a number of milliseconds, found %d", s.Time)
	}
	p.Time = time.Duration(s.Time) * time.Millisecond
	if settings := bytes.TrimSpace(s.Settings); len(settings) > 0 && !bytes.Equal(settings, []byte("null")) {
		if settings[0] != '{' {
			return "settings", "expected an object"
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, settings); err != nil {
			return "settings", err.Error()
		}
		p.Settings = compact.Bytes()
	}
	return "", ""
}

func gridOf(text string) (g sudoku.Grid, problem string) {
	if n := cellsIn([]byte(text), &g); n != 81 || len(text) != 81 {
		return g, fmt.Sprintf("expected 81 digits or dots, found %d and then %q", n, label(text[n:]))
	}
	return g, ""
}

func notesOf(rows []string) (n Notes, problem string) {
	if len(rows) != 9 {
		return n, fmt.Sprintf("expected 9 rows, found %d", len(rows))
	}
	for row, text := range rows {
		cells := strings.Split(text, ",")
		if len(cells) != 9 {
			return n, fmt.Sprintf("row %d: expected 9 cells separated by commas, found %d", row+1, len(cells))
		}
		for col, cell := range cells {
			set, ok := group([]byte(cell))
			if !ok {
				return n, fmt.Sprintf("row %d, column %d: expected different digits from 1 to 9, or nothing, found %q", row+1, col+1, label(cell))
			}
			n[row][col] = set
		}
	}
	return n, ""
}

// moveOf reads "r1c2=5" or "r1c2~5".
func moveOf(text string) (m Move, ok bool) {
	if len(text) != 6 || text[0] != 'r' || text[2] != 'c' {
		return m, false
	}
	m = Move{int(text[1]) - '1', int(text[3]) - '1', int(text[5]) - '0', text[4] == '~'}
	return m, 0 <= m.Row && m.Row < 9 && 0 <= m.Col && m.Col < 9 && 0 <= m.Digit && m.Digit <= 9 &&
		(text[4] == '=' || m.Note && m.Digit > 0)
}

// String returns r1c2=5, or r1c2~5 for a note, with rows and columns from 1.
func (m Move) String() string {
	sign := '='
	if m.Note {
		sign = '~'
	}
	return fmt.Sprintf("r%dc%d%c%d", m.Row+1, m.Col+1, sign, m.Digit)
}

// newSaved returns the JSON of a game.
func newSaved(g *Game) *saved {
	s := &saved{Version: SavedVersion, Name: g.Name, Givens: g.Givens.String(), Info: g.Info}
	p := g.Progress
	if p == nil {
		return s
	}
	s.Board, s.Time, s.Settings = p.Board.String(), p.Time.Milliseconds(), p.Settings
	if p.Notes != (Notes{}) {
		s.Notes = noteRows(&p.Notes)
	}
	for _, m := range p.Moves {
		s.Moves = append(s.Moves, m.String())
	}
	return s
}

// noteRows returns the notes as 9 rows separated by commas.
func noteRows(n *Notes) []string {
	rows := make([]string, 9)
	for row := range 9 {
		var cells [9]string
		for col := range 9 {
			cells[col] = digits(n[row][col])
		}
		rows[row] = strings.Join(cells[:], ",")
	}
	return rows
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
