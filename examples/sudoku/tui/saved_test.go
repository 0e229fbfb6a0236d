package tui

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A game that was saved goes on where it was, undo included.
func TestSavedGame(t *testing.T) {
	puzzle := sudoku.Puzzle{Name: "mine", Grid: sudoku.Grid{{0, 0, 3}}}
	filled := puzzle.Grid
	filled[0][0] = 7
	var snapshot []byte
	config := Config{Puzzles: []sudoku.Puzzle{puzzle}, AtEnd: func(s *scxml.Session) {
		var err error
		if snapshot, err = s.Snapshot(); err != nil {
			t.Error(err)
		}
	}}
	play(t, setting{config: config}, func(t *testing.T, d *desk) {
		d.keys("s", "7")
		d.showsGrid(filled)
		d.keys("q")
		if err := d.end(); err != nil {
			t.Error(err)
		}
	})
	for _, puzzles := range [][]sudoku.Puzzle{nil, {{Name: "another", Grid: sudoku.Grid{{1}}}, puzzle}} {
		play(t, setting{config: Config{Puzzles: puzzles, Saved: snapshot}}, func(t *testing.T, d *desk) {
			d.showsGrid(filled)
			d.shows("playing")
			if puzzles == nil {
				d.shows("saved (1 of ")
			} else {
				d.shows("mine (2 of 2)")
			}
			d.keys("u")
			d.showsGrid(puzzle.Grid)
		})
	}
}
