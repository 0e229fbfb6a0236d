package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// SavedVersion is the version of the format [Saved]. Version 1 is read too. A new
// optional field does not need a new version: what a reader does not know, it keeps.
const SavedVersion = 2

// The bounds of a saved game. A game within them has at most maxSaved bytes.
const (
	maxSaved      = 4 << 20
	maxSavePoints = 100
	maxSnapshot   = 1 << 20
	maxOther      = 64 << 10 // of the unknown fields
	maxTime       = 1 << 40  // milliseconds
	maxHelps      = 1 << 20
)

// saved is the JSON object of a saved game. SAVED.md describes it.
type saved struct {
	Version int    `json:"sudoku"`
	Name    string `json:"name,omitempty"`
	Givens  string `json:"givens"`
	Info    Info   `json:"info,omitzero"`
	savedBoard
	Moves      []string         `json:"moves,omitempty"`
	Undone     int              `json:"undone,omitempty"`
	SavePoints []savedSavePoint `json:"save_points,omitempty"`
	Time       int64            `json:"time_ms,omitempty"`
	Helps      int              `json:"helps,omitempty"`
	Mode       Mode             `json:"mode,omitempty"`
	Snapshot   json.RawMessage  `json:"snapshot,omitempty"`
	Settings   json.RawMessage  `json:"settings,omitempty"` // of version 1; ignored

	fields map[string]json.RawMessage // all of them
}

// savedBoard is what a board shows.
type savedBoard struct {
	Board   string   `json:"board,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Corner  []string `json:"corner,omitempty"`
	Colours []string `json:"colours,omitempty"`
}

type savedSavePoint struct {
	Name string `json:"name,omitempty"`
	savedBoard
}

// game converts the JSON, or says which field is wrong and how.
func (s *saved) game(game *Game) (field, problem string) {
	switch {
	case s.Version == 0:
		return "sudoku", fmt.Sprintf("expected a saved game with the field \"sudoku\":%d", SavedVersion)
	case s.Version != 1 && s.Version != SavedVersion:
		return "sudoku", fmt.Sprintf("expected version 1 or %d, found %d", SavedVersion, s.Version)
	}
	game.Name, game.Info = s.Name, s.Info
	for _, f := range game.textFields() {
		*f.text = label(*f.text)
	}
	if game.Givens, problem = gridOf(s.Givens); problem != "" {
		return "givens", problem
	}
	if problem = s.unknown(game); problem != "" {
		return "", problem
	}
	if s.Snapshot = bytes.TrimSpace(s.Snapshot); bytes.Equal(s.Snapshot, []byte("null")) {
		s.Snapshot = nil
	}
	if s.Board == "" && s.Notes == nil && s.Corner == nil && s.Colours == nil && s.Moves == nil && s.Undone == 0 &&
		s.SavePoints == nil && s.Time == 0 && s.Helps == 0 && s.Mode == NotStarted && s.Snapshot == nil {
		return "", ""
	}
	p := game.progress()
	if field, problem = s.read(&game.Givens, &p.Board, &p.Notes, &p.Corner, &p.Colours); problem != "" {
		return field, problem
	}
	if s.Version == 1 {
		p.Moves, problem = oldMoves(s.Moves, game)
	} else {
		problem = s.moves(game)
	}
	if p.Undone = s.Undone; problem == "" && (p.Undone < 0 || p.Undone > len(p.Moves)) {
		return "undone", fmt.Sprintf("expected 0 to %d, the number of moves, found %d", len(p.Moves), p.Undone)
	}
	if problem == "" {
		problem = p.checkMoves(&game.Givens)
	}
	if problem != "" {
		return "moves", problem
	}
	if n := len(s.SavePoints); n > maxSavePoints {
		return "save_points", fmt.Sprintf("expected at most %d, found %d", maxSavePoints, n)
	}
	for i, saved := range s.SavePoints {
		point := SavePoint{Name: label(saved.Name), Board: game.Givens}
		if field, problem = saved.read(&game.Givens, &point.Board, &point.Notes, &point.Corner, &point.Colours); problem != "" {
			return "save_points", fmt.Sprintf("save_points[%d].%s: %s", i, field, problem)
		}
		p.SavePoints = append(p.SavePoints, point)
	}
	if s.Time < 0 || s.Time > maxTime {
		return "time_ms", fmt.Sprintf("expected a number of milliseconds from 0 to %d, found %d", int64(maxTime), s.Time)
	}
	p.Time = time.Duration(s.Time) * time.Millisecond
	if p.Helps = s.Helps; p.Helps < 0 || p.Helps > maxHelps {
		return "helps", fmt.Sprintf("expected 0 to %d, found %d", maxHelps, p.Helps)
	}
	modes := []Mode{NotStarted, Playing, Paused, Editing, Solved, GivenUp}
	if p.Mode = s.Mode; !slices.Contains(modes, p.Mode) {
		return "mode", fmt.Sprintf("expected one of %q, found %q", modes[1:], label(string(p.Mode)))
	}
	switch {
	case len(s.Snapshot) > maxSnapshot:
		return "snapshot", fmt.Sprintf("expected at most %d bytes, found %d", maxSnapshot, len(s.Snapshot))
	case s.Snapshot != nil && s.Snapshot[0] != '{':
		return "snapshot", "expected an object"
	}
	p.Snapshot = s.Snapshot
	return "", ""
}

// unknown keeps the fields that are not those of saved.
func (s *saved) unknown(game *Game) (problem string) {
	size := 0
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		value := s.fields[name]
		if isSavedField(name) {
			continue
		}
		if size += len(name) + len(value); size > maxOther {
			return fmt.Sprintf("the fields that this version does not know have more than %d bytes; one of them is %q", maxOther, label(name))
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return err.Error() // not possible: it has been read
		}
		if game.Other == nil {
			game.Other = map[string]json.RawMessage{}
		}
		game.Other[name] = compact.Bytes()
	}
	return ""
}

// savedFields has the names of the fields of saved.
var savedFields = func() map[string]bool {
	names := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[saved]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[name] = true
	}
	delete(names, "") // fields without a name
	return names
}()

// isSavedField reports whether a name is that of a field of saved. Like package json, it
// ignores case.
func isSavedField(name string) bool { return savedFields[strings.ToLower(name)] }

// read reads a board, or says which field is wrong and how. Without a field, its value
// remains.
func (s *savedBoard) read(givens, board *sudoku.Grid, notes, corner, colours *Notes) (field, problem string) {
	if s.Board != "" {
		if *board, problem = gridOf(s.Board); problem != "" {
			return "board", problem
		}
	}
	for row, col := range sudoku.Cells {
		if given := givens[row][col]; given != 0 && board[row][col] != given {
			return "board", fmt.Sprintf("the given %d is not in row %d, column %d", given, row+1, col+1)
		}
	}
	for _, f := range []struct {
		name  string
		rows  []string
		notes *Notes
	}{{"notes", s.Notes, notes}, {"corner", s.Corner, corner}, {"colours", s.Colours, colours}} {
		if f.rows != nil {
			if *f.notes, problem = notesOf(f.rows); problem != "" {
				return f.name, problem
			}
		}
	}
	return "", ""
}

// newSavedBoard returns the JSON of a board.
func newSavedBoard(board *sudoku.Grid, notes, corner, colours *Notes) savedBoard {
	return savedBoard{board.String(), noteRows(notes), noteRows(corner), noteRows(colours)}
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

// noteRows returns 9 rows separated by commas, or nil without notes.
func noteRows(n *Notes) []string {
	if *n == (Notes{}) {
		return nil
	}
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

// Encode returns the line of a game in the format [Saved].
func Encode(g *Game) ([]byte, error) {
	var out strings.Builder
	err := writeSaved(&out, g)
	return []byte(out.String()), err
}

// writeSaved writes a game as a line of JSON.
func writeSaved(out *strings.Builder, g *Game) error {
	s := &saved{Version: SavedVersion, Name: g.Name, Givens: g.Givens.String(), Info: g.Info}
	if p := g.Progress; p != nil {
		s.savedBoard = newSavedBoard(&p.Board, &p.Notes, &p.Corner, &p.Colours)
		s.Moves, s.Undone = p.writtenMoves()
		for _, point := range p.SavePoints[max(len(p.SavePoints)-maxSavePoints, 0):] {
			s.SavePoints = append(s.SavePoints, savedSavePoint{point.Name, newSavedBoard(&point.Board, &point.Notes, &point.Corner, &point.Colours)})
		}
		s.Time, s.Helps, s.Mode = p.Time.Milliseconds(), p.Helps, p.Mode
		if len(p.Snapshot) <= maxSnapshot {
			s.Snapshot = p.Snapshot
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return fmt.Errorf("cannot write the snapshot of the game: %w", err)
	}
	other := maps.Clone(g.Other)
	maps.DeleteFunc(other, func(name string, _ json.RawMessage) bool { return isSavedField(name) })
	if len(other) == 0 {
		return nil
	}
	line := strings.TrimSuffix(out.String(), "}\n") + ","
	out.Reset()
	if err := encoder.Encode(other); err != nil {
		return fmt.Errorf("cannot write the other fields of the game: %w", err)
	}
	rest := out.String()[len("{"):]
	out.Reset()
	out.WriteString(line + rest)
	return nil
}
