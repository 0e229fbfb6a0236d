package action_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A conflict, a full unit and the end are heard once, when they come.
func TestSoundOf(t *testing.T) {
	view := func(state game.State, digits ...int) *game.View { // in the first row
		v := &game.View{State: state}
		v.Cells[0][0] = game.Cell{Digit: 1, Given: true}
		for i, d := range digits {
			v.Cells[0][1+i].Digit = d
		}
		return v
	}
	other := view(game.Playing, 2, 2)
	other.Cells[8][8] = game.Cell{Digit: 1, Given: true}
	for name, test := range map[string]struct {
		was, now *game.View
		want     action.Sound
	}{
		"a digit":           {view(game.Playing), view(game.Playing, 2), action.Silence},
		"a conflict":        {view(game.Playing, 2), view(game.Playing, 2, 2), action.Conflict},
		"it remains":        {view(game.Playing, 2, 2), view(game.Playing, 2, 2, 3), action.Silence},
		"it ends":           {view(game.Playing, 2, 2), view(game.Playing, 2), action.Silence},
		"a full row":        {view(game.Playing, 2, 3, 4, 5, 6, 7, 8), view(game.Playing, 2, 3, 4, 5, 6, 7, 8, 9), action.FullUnit},
		"the end":           {view(game.Playing, 2), view(game.Solved, 2, 3), action.TheEnd},
		"another puzzle":    {view(game.Playing, 2), other, action.Silence},
		"a game is resumed": {view(game.Paused), view(game.Playing, 1), action.Silence},
		"the machine":       {view(game.Solving, 2), view(game.GivenUp, 2, 3), action.Silence},
	} {
		if got := action.SoundOf(test.was, test.now); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
