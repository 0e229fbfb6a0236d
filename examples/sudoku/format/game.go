package format

import (
	"encoding/json"
	"math/bits"
	"strings"
	"time"
	"unicode"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Game is a puzzle and a player's progress.
type Game struct {
	Name     string // may be ""
	Givens   sudoku.Grid
	Info     Info
	Progress *Progress // nil before the first move

	// Other has the fields of a [Saved] game that this package does not know. They are
	// written again.
	Other map[string]json.RawMessage
}

// Info is what a file says about a puzzle, as free text.
type Info struct {
	Author  string `json:"author,omitempty"`
	Comment string `json:"comment,omitempty"`
	Date    string `json:"date,omitempty"`
	Source  string `json:"source,omitempty"`
	Level   string `json:"level,omitempty"`
	Rating  string `json:"rating,omitempty"` // how hard the puzzle is, usually a number such as "4.2"
	URL     string `json:"url,omitempty"`
}

// A textField is a field of a game with its letter in SDK files and its element in
// those of OpenSudoku.
type textField struct {
	letter  byte
	element string
	text    *string
}

// textFields returns the fields in the order in which they are written.
func (g *Game) textFields() []textField {
	i := &g.Info
	return []textField{
		{'A', "author", &i.Author}, {'D', "", &g.Name}, {'C', "comment", &i.Comment}, {'B', "created", &i.Date},
		{'S', "source", &i.Source}, {'L', "level", &i.Level}, {'R', "", &i.Rating}, {'U', "sourceURL", &i.URL},
	}
}

// Progress is what the player has done.
type Progress struct {
	Board   sudoku.Grid // the givens and the entered digits
	Notes   Notes       // the candidates: centre marks, in programs with two kinds of marks
	Corner  Notes       // corner marks, in programs that have them
	Colours Notes       // of the cells: the numbers of any of nine colours

	Moves      []Move // the last one at the end
	Undone     int    // how many moves at the end of Moves are undone
	SavePoints []SavePoint
	Time       time.Duration // time played, in whole milliseconds
	Helps      int           // how often the player was helped
	Mode       Mode

	// Snapshot is a snapshot of the chart's session, or nil. It has the same game, and is
	// of use only to the same chart.
	Snapshot json.RawMessage
}

// A SavePoint is a state of the board to which the player can return.
type SavePoint struct {
	Name                   string
	Board                  sudoku.Grid
	Notes, Corner, Colours Notes
}

// A Mode says how far a game has come.
type Mode string

// The modes of a game.
const (
	NotStarted Mode = ""
	Playing    Mode = "playing"
	Paused     Mode = "paused"
	Editing    Mode = "editing" // the player enters the puzzle
	Solved     Mode = "solved"
	GivenUp    Mode = "given-up" // it was stopped, or solved by a machine
)

// Notes are a set of digits for each cell, Notes[row][column]. Bit d is set for the
// digit d; bits 0 and 10 to 15 are 0.
type Notes [9][9]uint16

// Board returns the present grid: the givens and the entered digits.
func (g *Game) Board() sudoku.Grid {
	if g.Progress == nil {
		return g.Givens
	}
	return g.Progress.Board
}

// Notes returns all pencil marks, of both kinds.
func (g *Game) Notes() (n Notes) {
	if p := g.Progress; p != nil {
		for row, col := range sudoku.Cells {
			n[row][col] = p.Notes[row][col] | p.Corner[row][col]
		}
	}
	return n
}

// progress returns the progress of the game, and creates it if necessary.
func (g *Game) progress() *Progress {
	if g.Progress == nil {
		g.Progress = &Progress{Board: g.Givens}
	}
	return g.Progress
}

// begun makes p the progress of the game, if it has more than the givens.
func (g *Game) begun(p *Progress) {
	if p.Board != g.Givens || p.Notes != (Notes{}) || p.Corner != (Notes{}) || p.Colours != (Notes{}) || p.Time > 0 {
		g.Progress = p
	}
}

// candidates returns for each empty cell the digits that its row, column and box
// lack.
func candidates(board *sudoku.Grid) (n Notes) {
	var rows, cols, boxes [9]uint16
	for row, col := range sudoku.Cells {
		bit := uint16(1) << board[row][col]
		rows[row] |= bit
		cols[col] |= bit
		boxes[row/3*3+col/3] |= bit
	}
	for row, col := range sudoku.Cells {
		if board[row][col] == 0 {
			n[row][col] = allDigits &^ (rows[row] | cols[col] | boxes[row/3*3+col/3])
		}
	}
	return n
}

const allDigits = 0b1111111110

// digits writes a set of digits, such as "159".
func digits(set uint16) string {
	text := make([]byte, 0, 9)
	for ; set != 0; set &= set - 1 {
		text = append(text, '0'+byte(bits.TrailingZeros16(set)))
	}
	return string(text)
}

// maxName is the maximum length of a name, in characters.
const maxName = 200

// label makes a name of a text: a line of limited length.
func label(text string) string {
	if len(text) > 16*maxName { // the rest cannot matter
		text = text[:16*maxName]
	}
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	n := 0
	for i := range text {
		if n == maxName {
			return strings.TrimRight(text[:i], " ")
		}
		n++
	}
	return text
}
