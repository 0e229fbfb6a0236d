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
}

// Info is what a file says about a puzzle, as free text.
type Info struct {
	Author  string `json:"author,omitempty"`
	Comment string `json:"comment,omitempty"`
	Date    string `json:"date,omitempty"`
	Source  string `json:"source,omitempty"`
	Level   string `json:"level,omitempty"`
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
		{'S', "source", &i.Source}, {'L', "level", &i.Level}, {'U', "sourceURL", &i.URL},
	}
}

// Progress is what the player has done.
type Progress struct {
	Board    sudoku.Grid     // the givens and the entered digits
	Notes    Notes           // the pencil marks
	Moves    []Move          // in order, from the givens or from a later board
	Time     time.Duration   // time played, in whole milliseconds
	Settings json.RawMessage // a JSON object of the front end, or nil
}

// A Move enters a digit or changes a note.
type Move struct {
	Row, Col int  // 0 to 8
	Digit    int  // 1 to 9, or 0 to empty the cell
	Note     bool // whether the digit is added to the cell's notes, or removed from them
}

// Notes are the pencil marks of all cells, Notes[row][column]. Bit d is set for the
// digit d; bits 0 and 10 to 15 are 0.
type Notes [9][9]uint16

// Board returns the present grid: the givens and the entered digits.
func (g *Game) Board() sudoku.Grid {
	if g.Progress == nil {
		return g.Givens
	}
	return g.Progress.Board
}

// Notes returns the pencil marks.
func (g *Game) Notes() Notes {
	if g.Progress == nil {
		return Notes{}
	}
	return g.Progress.Notes
}

// progress returns the progress of the game, and creates it if necessary.
func (g *Game) progress() *Progress {
	if g.Progress == nil {
		g.Progress = &Progress{Board: g.Givens}
	}
	return g.Progress
}

// candidates returns for each empty cell the digits that its row, column and box
// lack.
func candidates(board *sudoku.Grid) (n Notes) {
	var rows, cols, boxes [9]uint16
	for row := range 9 {
		for col := range 9 {
			bit := uint16(1) << board[row][col]
			rows[row] |= bit
			cols[col] |= bit
			boxes[row/3*3+col/3] |= bit
		}
	}
	for row := range 9 {
		for col := range 9 {
			if board[row][col] == 0 {
				n[row][col] = allDigits &^ (rows[row] | cols[col] | boxes[row/3*3+col/3])
			}
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
