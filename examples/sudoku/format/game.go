package format

import (
	"encoding/json"
	"math/bits"
	"strings"
	"time"
	"unicode"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Game is a puzzle, and how far somebody has come with it.
type Game struct {
	Name     string // "" if the source has none
	Givens   sudoku.Grid
	Info     Info
	Progress *Progress // nil: nobody has begun
}

// Info is what a file says about a puzzle. Nothing of it has a fixed form.
type Info struct {
	Author  string `json:"author,omitempty"`
	Comment string `json:"comment,omitempty"`
	Date    string `json:"date,omitempty"`
	Source  string `json:"source,omitempty"`
	Level   string `json:"level,omitempty"`
	URL     string `json:"url,omitempty"`
}

// Progress is what the player has done.
type Progress struct {
	Board    sudoku.Grid     // the givens and what was entered
	Notes    Notes           // the pencil marks
	Moves    []Move          // in order, from the givens or from some later point on
	Time     time.Duration   // how long it was played, in whole milliseconds
	Settings json.RawMessage // a JSON object that belongs to the front end; nil without any
}

// A Move enters a digit, or changes a note.
type Move struct {
	Row, Col int  // 0 to 8
	Digit    int  // 1 to 9, or 0 to empty the cell
	Note     bool // the digit is added to the notes of the cell, or taken away if it is there
}

// Notes are the pencil marks of every cell, Notes[row][column]: bit d of it
// stands for the digit d, the others are 0.
type Notes [9][9]uint16

// Board returns the grid as it is now: the givens and what was entered.
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

// progress returns the progress of the game, made if need be.
func (g *Game) progress() *Progress {
	if g.Progress == nil {
		g.Progress = &Progress{Board: g.Givens}
	}
	return g.Progress
}

// candidates returns the digits that the rules leave for each empty cell: those
// that its row, its column and its box lack.
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

// maxName is the length of the longest name, in characters.
const maxName = 200

// label makes a text of a file fit to be a name: a line of bounded length.
func label(text string) string {
	if len(text) > 16*maxName { // rather than to look at all of it
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
