package tui

import (
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
)

// mouseLines say what the mouse does.
var mouseLines = []action.MouseLine{
	{Key: "click", Text: "select the cell and add one; in large cells with notes: toggle the note"},
	{Key: "double click", Text: "on a note: make it the digit; on a digit while digits are notes: clear it; on a paused game: continue"},
	{Key: "right click", Text: "clear the cell; the menu of an empty one"},
	{Key: "middle click", Text: "solve the puzzle, after a question"},
	{Key: "wheel", Text: "add or subtract one"},
	{Key: "drag", Text: "select several cells; so does Ctrl and a click"},
}

// uncapital makes the first letter a small one.
func uncapital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}
