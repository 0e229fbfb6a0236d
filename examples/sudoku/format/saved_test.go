package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// rows returns the JSON of notes of which only the first row has some.
func noteJSON(first string) string {
	return `["` + first + `"` + strings.Repeat(`,",,,,,,,,"`, 8) + `]`
}

// begun is the beginning of a saved game in which r1c3 was filled in.
const begunJSON = `{"sudoku":2,"givens":"` + puzzle + `","board":"` + further + `"`

// Every field is read.
func TestReadSaved(t *testing.T) {
	want := &Progress{
		Board: grid(further), Notes: Notes{{3: 1<<2 | 1<<6}}, Corner: Notes{{5: 1 << 8}}, Colours: Notes{{0: 1<<1 | 1<<9}},
		Moves: []Move{
			{{0, 2, OfDigit, 0, 1}}, {{0, 2, OfDigit, 1, 0}, {0, 3, OfNotes, 1 << 2, 1<<2 | 1<<6}}, {{0, 2, OfDigit, 0, 4}},
			{{0, 5, OfCorner, 1 << 8, 0}, {0, 0, OfColours, 1<<1 | 1<<9, 1 << 9}},
		},
		Undone:     1,
		SavePoints: []SavePoint{{Name: "before", Board: grid(puzzle), Notes: Notes{{3: 1 << 2}}}},
		Time:       61001 * time.Millisecond, Helps: 3, Mode: Paused, Snapshot: json.RawMessage(`{"version": 1}`),
	}
	games, err := readAll("f", begunJSON+`,"notes":`+noteJSON(",,,26,,,,,")+`,"corner":`+noteJSON(",,,,,8,,,")+`,"colours":`+noteJSON("19,,,,,,,,")+
		`,"moves":["r1c3=>1","r1c3=1> r1c4~2>26","r1c3=>4","r1c6^8> r1c1#19>9"],"undone":1,`+
		`"save_points":[{"name":"before","notes":`+noteJSON(",,,2,,,,,")+`}],"time_ms":61001,"helps":3,"mode":"paused","snapshot": {"version": 1} }`)
	if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0].Progress, want) {
		t.Errorf("got %+v, %v\nwant %+v", games, err, want)
	}
}

// A game of version 1 is read. Its moves have no old values; those that lead to the board
// keep their place in undo. Its settings are left out: they are not part of a game.
func TestReadSavedVersion1(t *testing.T) {
	for moves, want := range map[string][]Move{
		`"r1c3=1","r1c4~2","r1c3=0","r1c4~6","r1c3=4"`: {
			{{0, 2, OfDigit, 0, 1}}, {{0, 3, OfNotes, 0, 1 << 2}}, {{0, 2, OfDigit, 1, 0}}, {{0, 3, OfNotes, 1 << 2, 1<<2 | 1<<6}}, {{0, 2, OfDigit, 0, 4}}},
		`"r1c3=4"`:          nil, // the notes came from elsewhere
		`"r1c1=4","r1c3=4"`: nil, // changes a given
	} {
		games, err := readAll("f", `{"sudoku":1,"givens":"`+puzzle+`","board":"`+further+`","notes":`+noteJSON(",,,26,,,,,")+
			`,"moves":[`+moves+`],"time_ms":61001,"settings":{"marks": true}}`)
		progress := &Progress{Board: grid(further), Notes: Notes{{3: 1<<2 | 1<<6}}, Moves: want, Time: 61001 * time.Millisecond}
		if err != nil || len(games) != 1 || !reflect.DeepEqual(games[0], Game{Givens: grid(puzzle), Progress: progress}) {
			t.Errorf("%s: got %+v, %v\nwant %+v", moves, games, err, progress)
		}
	}
}

// What is wrong in a saved game is named with its place.
func TestSavedErrors(t *testing.T) {
	long := `["` + strings.Repeat("r1c4~>2 r1c4~2> ", maxChanges/2) + `r1c4~>2"]`
	for _, test := range []struct{ fields, want string }{
		{`"board":"12"`, `board: expected 81 digits or dots, found 2 and then ""`},
		{`"board":"` + strings.Repeat(".", 81) + `"`, `board: the given 5 is not in row 1, column 1`},
		{`"notes":["1"]`, `notes: expected 9 rows, found 1`},
		{`"corner":` + noteJSON(",,11,,,,,,"), `corner: row 1, column 3: expected different digits from 1 to 9, or nothing, found "11"`},
		{`"colours":` + noteJSON(",0,,,,,,,"), `colours: row 1, column 2: expected different digits from 1 to 9, or nothing, found "0"`},
		{`"moves":["r1c3=>4"]`, `moves: moves[0]: "r1c3=>4": the other moves and the board want 0 instead of 4`},
		{`"moves":["r1c3=4>"],"undone":1`, `moves: moves[0]: "r1c3=4>": the other moves and the board want 0 instead of 4`},
		{`"moves":["r1c4~>2"]`, `moves: moves[0]: "r1c4~>2": the other moves and the board want "" instead of "2"`},
		{`"moves":["r1c1=>5"]`, `moves: moves[0]: "r1c1=>5": the digit of this cell is given`},
		{`"moves":["r1c3=>4","r0c3=>4"]`, `moves: moves[1]: "r0c3=>4": the row is '0': want 1 to 9`},
		{`"moves":["r1cx=>4"]`, `moves: moves[0]: "r1cx=>4": the column is 'x': want 1 to 9`},
		{`"moves":["r1c3!>4"]`, `moves: moves[0]: "r1c3!>4": the kind is '!': want "=" for a digit, "~" for notes, "^" for corner marks, or "#" for colours`},
		{`"moves":["r1c3=>44"]`, `moves: moves[0]: "r1c3=>44": "44" is not a digit from 1 to 9, or nothing`},
		{`"moves":["r1c3~>101"]`, `moves: moves[0]: "r1c3~>101": "101" is not a list of different digits from 1 to 9`},
		{`"moves":["r1c3=4"]`, `moves: moves[0]: "r1c3=4": want a change such as "r1c3=>4", or "r1c4~2>26" for notes`},
		{`"moves":[" "]`, `moves: moves[0]: want at least one change such as "r1c3=>4"`},
		{`"moves":` + long, `moves: moves[0]: expected at most 65536 changes`},
		{`"undone":1`, `undone: expected 0 to 0, the number of moves, found 1`},
		{`"save_points":[{},{"board":"1"}]`, `save_points: save_points[1].board: expected 81 digits or dots, found 1 and then ""`},
		{`"save_points":[{}` + strings.Repeat(",{}", maxSavePoints) + `]`, `save_points: expected at most 100, found 101`},
		{`"helps":-1`, "helps: expected 0 to 1048576, found -1"},
		{`"time_ms":-1`, `time_ms: expected a number of milliseconds from 0 to 1099511627776, found -1`},
		{`"mode":"lost"`, `mode: expected one of ["playing" "paused" "editing" "solved" "given-up"], found "lost"`},
		{`"snapshot":[]`, `snapshot: expected an object`},
		{`"snapshot":{"x":"` + strings.Repeat("x", maxSnapshot) + `"}`, `snapshot: expected at most 1048576 bytes, found 1048584`},
		{`"x":"` + strings.Repeat("x", maxOther) + `"`, `the fields that this version does not know have more than 65536 bytes; one of them is "x"`},
	} {
		field, _, _ := strings.Cut(test.fields[1:], `"`)
		source := `{"sudoku":2,"givens":"` + puzzle + `",` + "\n" + test.fields + "}"
		place := "f:2:1: "
		if field == "x" {
			place = "f:1:1: "
		}
		_, err := readAll("f", source)
		var format *Error
		if !errors.As(err, &format) || err.Error() != place+test.want {
			t.Errorf("%.200q:\n got %v\nwant %s", source, err, place+test.want)
		}
	}
	for _, move := range []string{"r1c3=44", "r1c3=x", "r1c3~0", "x1c3=4", "r1c0=4", "r1c3^4", "r1c3"} {
		want := fmt.Sprintf(`f:1:106: moves: move 1: expected for example "r1c2=5", or "r1c2~5" for a note, found %q`, move)
		if _, err := readAll("f", `{"sudoku":1,"givens":"`+puzzle+`","moves":["`+move+`"]}`); err == nil || err.Error() != want {
			t.Errorf("version 1, %s:\n got %v\nwant %s", move, err, want)
		}
	}
}

// A game that has become too large loses its oldest moves and its snapshot, and can be
// read again. Fields of other programs remain.
func TestSavedBounds(t *testing.T) {
	p := &Progress{Snapshot: json.RawMessage(`{"x":"` + strings.Repeat("x", maxSnapshot) + `"}`), Undone: 3}
	all := 0x3fe
	for i := range 40_000 {
		c := Change{i % 9, i / 9 % 9, OfNotes, 0, all}
		p.Moves = append(p.Moves, Move{c, {c.Row, c.Col, OfNotes, all, 0}})
	}
	for range maxSavePoints + 1 {
		point := SavePoint{Name: strings.Repeat("数", maxName)}
		for i := range 81 {
			point.Notes[i/9][i%9], point.Corner[i/9][i%9], point.Colours[i/9][i%9] = 0x3fe, 0x3fe, 0x3fe
		}
		p.SavePoints = append(p.SavePoints, point)
	}
	text := written(Saved, Game{Progress: p, Other: map[string]json.RawMessage{
		"givens": json.RawMessage(`"no"`), "more": json.RawMessage(`"` + strings.Repeat("x", maxOther-10) + `"`)}})
	games, err := readAll("f", text)
	if err != nil || len(games) != 1 {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	if got := games[0].Progress; len(got.Moves) != maxChanges/2 || got.Undone != 3 || len(got.SavePoints) != maxSavePoints || got.Snapshot != nil {
		t.Errorf("%d moves, %d undone, %d save points, a snapshot of %d bytes", len(got.Moves), got.Undone, len(got.SavePoints), len(got.Snapshot))
	}
	if len(games[0].Other) != 1 {
		t.Errorf("%d other fields", len(games[0].Other))
	}
}

// The moves of a game are those that lead to its board: none fits another board.
func TestMovesLeadToTheBoard(t *testing.T) {
	for _, board := range []sudoku.Grid{grid(puzzle), grid(strings.Replace(further, "4", "2", 1))} {
		text := strings.Replace(begunJSON, further, board.String(), 1) + `,"moves":["r1c3=>4"]}`
		if _, err := readAll("f", text); err == nil {
			t.Errorf("read %s", text)
		}
	}
}
