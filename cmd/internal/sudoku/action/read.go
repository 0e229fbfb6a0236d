package action

import (
	"image"
	"path"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A Read is what was read of a Sudoku in a picture, to compare with it and to correct.
type Read struct {
	Digits  [9][9]int     `json:"digits"`
	Doubt   [9][9]bool    `json:"doubt"`   // the cells that may be wrong
	Written [9][9]bool    `json:"written"` // the digits that are handwritten
	Guesses [9][9][]Guess `json:"guesses"` // what each cell looks like by itself, the likeliest first; may be empty
	Sheet   int           `json:"sheet"`   // the number of its sheet of pictures, for the front end

	Pictures [9][9]*image.Gray `json:"-"`      // of the cells, with black ink; may be nil
	Labels   [81]string        `json:"labels"` // describe the cells, to be read aloud
}

// A Guess is a digit that a cell may have; 0 is none.
type Guess struct {
	Digit   int `json:"digit"`
	Percent int `json:"percent"`
}

// Set corrects a cell, which is then not in doubt.
func (r *Read) Set(row, col, digit int) {
	r.Digits[row][col], r.Doubt[row][col] = digit, false
	r.Written[row][col] = r.Written[row][col] && digit > 0
}

// givens returns the printed digits, and how many cells are in doubt or handwritten.
func (r *Read) givens() (givens sudoku.Grid, doubts, written int) {
	givens = r.Digits
	for i := range 81 {
		row, col := i/9, i%9
		if r.Written[row][col] {
			givens[row][col] = 0
			written++
		}
		if r.Doubt[row][col] {
			doubts++
		}
	}
	return givens, doubts, written
}

// aboutRead says how many solutions there are, and how much is in doubt.
func (h *Hand) aboutRead(r *Read) string {
	givens, doubts, written := r.givens()
	text := h.Words.Solutions(len(givens.Solutions(2)))
	if doubts > 0 {
		text += ", " + h.Words.T("%d in doubt (?)", doubts)
	}
	if written > 0 {
		text += ", " + h.Words.T("%d handwritten (')", written)
	}
	return text
}

// describe sets the labels of the cells.
func (h *Hand) describe(r *Read) {
	for i := range 81 {
		row, col := i/9, i%9
		digit := h.Words.T("empty")
		if d := r.Digits[row][col]; d > 0 {
			digit = strconv.Itoa(d)
		}
		r.Labels[i] = h.Words.T("row %d, column %d: %s", row+1, col+1, digit)
		if r.Written[row][col] {
			r.Labels[i] += ", " + h.Words.T("handwritten")
		}
		if r.Doubt[row][col] {
			r.Labels[i] += ", " + h.Words.T("in doubt")
		}
	}
}

// Compare shows what was read of a picture next to it, or lets the player choose one of several
// Sudokus. The player corrects it, and then edits or plays it.
func (h *Hand) Compare(name string, reads []*Read) {
	w := h.Words
	which := &Control{Kind: Choice, Label: w.T("Sudoku:")}
	for i, r := range reads {
		which.Options = append(which.Options, w.T("%d of %d", i+1, len(reads)))
		h.describe(r)
	}
	board := &Control{Kind: Board, Board: reads[0], Options: []string{w.T("next doubt"), w.T("handwritten"), w.T("empty")}}
	board.Changed = func() { h.describe(board.Board) }
	which.Changed = func() { board.Board = reads[which.At] }
	controls := []*Control{
		{Kind: Text, Now: func() string { return h.aboutRead(board.Board) }}, board,
		{Kind: Text, Text: w.T("1-9, Del: correct; ?: next doubt; ': handwritten"), Dim: true},
	}
	if len(reads) > 1 {
		controls = append([]*Control{which}, controls...)
	}
	if h.View.Has.Has(game.CanEdit) {
		controls = append(controls, &Control{Kind: Button, Text: w.T("Edit"), Do: func() { h.editRead(board.Board) }})
	}
	h.OpenWith(path.Base(name), append(controls, MainButton(w.T("Play"), func() { h.playRead(name, board.Board) }), h.Cancel())...)
}

// editRead enters the puzzle of a picture. All digits of a puzzle that is entered are printed.
func (h *Hand) editRead(r *Read) {
	givens, _, written := r.givens()
	h.Leave(func() {
		h.Front.Input(game.SetPen(game.Digits))
		h.Front.Input(game.Edit{Grid: givens})
		if written > 0 {
			h.Answer("%d handwritten digits are left out", written)
		}
	})
}

// playRead plays the puzzle of a picture. Its handwritten digits are entries.
func (h *Hand) playRead(name string, r *Read) {
	givens, _, written := r.givens()
	name = path.Base(name)
	g := &format.Game{Name: strings.TrimSuffix(name, path.Ext(name)), Givens: givens}
	loads := h.View.Has.Has(game.CanLoad)
	if written > 0 && loads {
		g.Progress = &format.Progress{Board: r.Digits}
	}
	h.PlayAnother(game.Open{Game: g})
	if written > 0 && !loads {
		h.Answer("%d handwritten digits are left out", written)
	}
}
