package action

import (
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// own returns what the actions without Inputs do in every front end.
func (h *Hand) own() map[string]func() {
	show := func(s game.Show) func() { return func() { h.switchShow(s) } }
	return map[string]func(){
		"fix": h.fix, "leave-edit": h.leaveEdit,

		"new":      h.newGame,
		"daily":    func() { h.LeaveFor(game.Generate{Daily: time.Now().Format(time.DateOnly)}) },
		"open":     h.choose,
		"previous": func() { h.leaveByKey(game.Next(-1)) },
		"next":     func() { h.leaveByKey(game.Next(+1)) },
		"enter":    func() { h.LeaveFor(game.Edit{}) },
		"start":    h.toggle, "restart": h.restart,
		"give-up": func() {
			h.confirm(h.doing(game.GiveUp{}), "Give up", "The game is over, and counts as given up.", "Give up")
		},

		"savepoints": h.savePoints, "clean-up": h.switchCleanUp,
		"whole-hint": h.openHint, "lesson": h.lessons, "watch": h.watch,
		"solve": func() {
			h.confirm(h.doing(game.Solve{}), "Solve at once", "The game then counts as given up.", "Solve")
		},

		"filter": h.filter, "valid": show(game.ShowValid), "solvable": show(game.ShowSolvable), "counts": show(game.ShowStatistics),
		"left": show(game.ShowLeft), "peers": show(game.ShowPeers), "equal": show(game.ShowEqual), "wrong": show(game.ShowWrong),
	}
}

// doing returns a function that gives the game an input.
func (h *Hand) doing(in game.Input) func() { return func() { h.Front.Input(in) } }

// toggle starts, pauses and continues the game, or a solver. On a chart that cannot pause it
// stops the game, after a question if entries are lost.
func (h *Hand) toggle() {
	v := &h.View
	switch {
	case v.State == game.Solving:
		h.PerformNamed("pause")
	case ToggleLabel(v) == "Stop" && v.Filled > 0:
		h.confirm(h.doing(game.Toggle{}), "Stop", "The digits that you have entered remain visible, but the game is over.", "Stop")
	default:
		h.Front.Input(game.Toggle{})
	}
}

func (h *Hand) restart() {
	switch {
	case h.View.Untouched:
		h.Answer("nothing to change here")
		return
	case h.View.Filled == 0:
		h.Front.Input(game.Restart{})
		return
	}
	h.confirm(h.doing(game.Restart{}), "Restart", "All your entries and moves are lost, and the clock begins again.", "Restart")
}

// LeaveFor leaves the puzzle. If that loses entries, it asks before.
func (h *Hand) LeaveFor(in game.Input) {
	h.Leave(func() {
		h.Front.Input(game.SetPen(game.Digits))
		h.Front.Input(in)
	})
}

// leaveByKey leaves the puzzle for one beside it. It asks whenever a game has begun: the keys are
// beside others, and a slow terminal may type one of them.
func (h *Hand) leaveByKey(in game.Input) {
	if v := &h.View; h.Front.Keeps() && v.Filled > 0 && (v.State == game.Playing || v.State == game.Paused) {
		h.confirm(func() { h.LeaveFor(in) }, "Leave this puzzle", "The game is kept. It continues when you choose this puzzle again.", "Leave")
		return
	}
	h.LeaveFor(in)
}

// PlayAnother leaves the puzzle for another one, which begins by itself or continues.
func (h *Hand) PlayAnother(in game.Input) {
	h.Leave(func() {
		h.Front.Input(game.SetPen(game.Digits))
		h.Front.Input(in)
		h.Session.Settle()
		if v := h.Game.View(); v.State == game.Paused {
			h.Front.Input(game.Resume{})
		}
	})
}

// Leave does something that leaves the puzzle. If that loses entries, it asks before.
func (h *Hand) Leave(do func()) {
	v := &h.View
	if h.Front.Keeps() || v.Filled == 0 || v.State == game.Solved || v.State == game.GivenUp || v.State == game.Idle {
		do()
		return
	}
	h.confirm(do, "Leave this puzzle", "This game is not kept. Your entries are lost.", "Leave")
}

// Saved returns the game as it is saved, or nil, and says why there is none.
func (h *Hand) Saved() *format.Game {
	g, err := h.Game.Saved()
	if err != nil {
		h.Fail(err)
		return nil
	}
	return g
}

// Pause pauses the game if it is played and its clock runs.
func (h *Hand) Pause() {
	if !h.View.Untouched && h.View.State == game.Playing && h.View.Can.Has(game.CanPause) {
		h.Front.Input(game.Pause{})
	}
}

// Write writes a digit into a cell, which it selects, whatever the pen is; 0 clears.
func (h *Hand) Write(digit int) {
	h.Front.Input(game.SetPen(game.Digits))
	h.Front.Input(game.Put(digit))
	h.Front.Input(game.SetPen(h.View.Pen))
}

// SelectOnly selects a cell, and no others.
func (h *Hand) SelectOnly(row, col int) {
	h.Front.Input(game.Unselect{})
	h.Front.Input(game.Select{Row: row, Col: col})
}

// Wheel adds one to the digit of a cell, or subtracts one.
func (h *Hand) Wheel(row, col, by int) {
	if c := &h.View.Cells[row][col]; !c.Given && h.View.Can.Has(game.CanPut) {
		h.SelectOnly(row, col)
		h.Write((c.Digit + by + 10) % 10)
	}
}

// Paste offers to play a puzzle in a text, or answers that it does not have one.
func (h *Hand) Paste(text string, question, refusal words.Key) {
	for g, err := range format.Read("", strings.NewReader(text)) {
		if err != nil {
			break
		}
		h.offer(&g, question)
		return
	}
	h.Answer(refusal)
}

// offer asks whether to play a puzzle or a saved game.
func (h *Hand) offer(g *format.Game, question words.Key) {
	about := h.Words.T("It has %d digits.", 81-g.Givens.Empty())
	switch len(g.Givens.Solutions(2)) {
	case 0:
		about += " " + h.Words.T("It does not have a solution.")
	case 2:
		about += " " + h.Words.T("It has several solutions.")
	}
	h.Ask(h.Words.T(question), about, h.Words.T("Play"), func() { h.PlayAnother(game.Open{Game: g}) })
}

// fix plays the puzzle that was entered, if it has a single solution or the player insists.
func (h *Hand) fix() {
	var g sudoku.Grid
	for row, col := range sudoku.Cells {
		g[row][col] = h.View.Cells[row][col].Digit
	}
	do := h.doing(game.Fix{})
	switch len(g.Solutions(2)) {
	case 1:
		do()
	case 0:
		h.confirm(do, "Play the puzzle", "It does not have a solution.", "Play")
	default:
		h.confirm(do, "Play the puzzle", "It has several solutions.", "Play")
	}
}

// leaveEdit leaves the puzzle that is being entered.
func (h *Hand) leaveEdit() {
	if h.View.Empty == 81 {
		h.Front.Input(game.LeaveEdit{})
		return
	}
	h.confirm(h.doing(game.LeaveEdit{}), "Leave", "The digits that you have entered are lost.", "Leave")
}
