package tui

import (
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A scene is everything that is drawn below menus and dialogs.
type scene struct {
	view    game.View
	words   *words.Words
	styles  *theme.Styles
	cells   string        // the size of the cells that the player wants; empty: by the size of the screen
	zero    rune          // the digit 0 of the typeface of digits of one character
	panel   bool          // the player wants the side panel
	note    string        // shown instead of the message of the view
	keys    []button      // for the key line, the most important first
	buttons []button      // for the side panel
	hover   spot          // where the pointer is
	glow    time.Duration // the age of the screen, for what moves; -1: nothing moves
}

// A button does something when it is clicked. It is part of the key line or of the panel.
type button struct {
	name  string // of its action
	key   string // that does the same
	label string
	dim   bool // it is not possible now
	on    bool // its switch is on
}
