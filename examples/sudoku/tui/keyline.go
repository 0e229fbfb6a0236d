package tui

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A keyHint is an entry of the key line.
type keyHint struct {
	rank    int // smaller is more important
	key     string
	label   string
	command command // of a click
	x       int
}

// width returns the width of the hint, "key label".
func (h keyHint) width() int { return len(h.key) + 1 + len(h.label) }

// keyLine returns the most important hints that fit into a line.
func keyLine(playing bool, width int) []keyHint {
	startStop := "start"
	if playing {
		startStop = "stop " // as long as "start", so that nothing moves under the mouse
	}
	hints := []keyHint{
		{rank: 4, key: "arrows", label: "move"},
		{rank: 3, key: "1-9", label: "set"},
		{rank: 6, key: "Del", label: "clear", command: game.Put(0)},
		{rank: 5, key: "Space", label: "+1", command: game.Tap{}},
		{rank: 2, key: "U", label: "undo", command: game.Undo{}},
		{rank: 0, key: "S", label: startStop, command: game.Toggle{}},
		{rank: 1, key: "N", label: "next", command: game.Next(+1)},
		{rank: 7, key: "P", label: "previous", command: game.Next(-1)},
		{rank: 0, key: "Q", label: "quit", command: quit},
	}
	for worst := 7; ; worst-- {
		hints = slices.DeleteFunc(hints, func(h keyHint) bool { return h.rank > worst })
		gap, used := 2, -2
		for _, h := range hints {
			used += h.width() + gap
		}
		if used > width {
			gap, used = 1, used-(len(hints)-1)
		}
		if used > width && worst > 0 {
			continue
		}
		x := (width - used) / 2
		for i := range hints {
			hints[i].x = x
			x += hints[i].width() + gap
		}
		return hints
	}
}

// commandAt returns the command of a click at a position.
func (l layout) commandAt(x, y int) command {
	if row, col, ok := l.cellAt(x, y); ok {
		return game.Point{Row: row, Col: col}
	}
	if y == l.keys {
		for _, hint := range keyLine(false, l.width) {
			if hint.x <= x && x < hint.x+hint.width() {
				return hint.command
			}
		}
	}
	return nil
}
