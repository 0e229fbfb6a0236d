package game

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Abilities is a set of things that can be done in a game.
type Abilities uint32

// The abilities. Each names the inputs that need it.
const (
	CanStart      Abilities = 1 << iota // Toggle, Restart
	CanStop                             // GiveUp, Restart; Toggle if the chart cannot pause
	CanPut                              // Put, Tap, Point
	CanMark                             // Mark
	CanCandidates                       // Candidates
	CanUndo                             // Undo; View.Undo says whether there is a move
	CanRedo                             // Redo; View.Redo likewise
	CanReset                            // Reset
	CanSavePoint                        // SavePoint
	CanRestore                          // Restore, Forget
	CanPause                            // Pause, Toggle
	CanResume                           // Resume, Toggle
	CanHint                             // AskHint
	CanReveal                           // Reveal
	CanSolve                            // Solve
	CanStep                             // SolverStep, SolverSpeed
	CanEdit                             // Edit
	CanFix                              // Fix
	CanLeaveEdit                        // LeaveEdit
	CanGenerate                         // Generate
	CanCancel                           // Cancel
	CanChoose                           // Next, Choose, Open of a puzzle
	CanLoad                             // Open of a game that has begun
	CanClock                            // SetClock
	CanCleanUp                          // Options
)

// events has the events of the protocol for each ability.
var events = []string{
	"start", "stop", "tap", "mark", "candidates", "undo", "redo", "reset", "savepoint", "restore", "pause", "resume",
	"hint", "reveal", "solve", "step", "edit", "fix", "fix", "generate", "cancel", "setup", "load", "clock", "options",
}

// Has reports whether all the abilities of a set are in a.
func (a Abilities) Has(set Abilities) bool { return a&set == set }

// Needs returns the abilities that a chart must have for an input.
func Needs(in Input) Abilities {
	switch in := in.(type) {
	case Tap, Put:
		return CanPut
	case Mark:
		return CanMark
	case Candidates:
		return CanCandidates
	case Undo:
		return CanUndo
	case Redo:
		return CanRedo
	case Reset:
		return CanReset
	case SavePoint:
		return CanSavePoint
	case Restore, Forget:
		return CanRestore
	case Pause:
		return CanPause
	case Resume:
		return CanResume
	case Restart, GiveUp:
		return CanStop
	case AskHint:
		return CanHint
	case Reveal:
		return CanReveal
	case Solve:
		return CanSolve
	case SolverStep, SolverSpeed:
		return CanStep
	case Edit:
		return CanEdit
	case Fix:
		return CanFix
	case LeaveEdit:
		return CanLeaveEdit
	case Generate:
		return CanGenerate
	case Cancel:
		return CanCancel
	case Next, Choose:
		return CanChoose
	case Open:
		if in.Game.Progress != nil {
			return CanLoad
		}
		return CanChoose
	case SetClock:
		return CanClock
	case Options:
		return CanCleanUp
	}
	return 0
}

// abilities returns what the chart has transitions for, by the name of the state.
func abilities(chart *scxml.Chart) map[string]Abilities {
	all := map[string]Abilities{}
	for _, t := range chart.Transitions() {
		for i, event := range events {
			if isFor(t, event) {
				all[t.Source().Name()] |= 1 << i
			}
		}
	}
	return all
}

// takes returns what the active states have transitions for.
func (g *Game) takes() (a Abilities) {
	for _, state := range g.configuration {
		a |= g.abilities[state]
	}
	return a
}

// reactsTo reports whether the active states have a transition for one of the events.
func (g *Game) reactsTo(event string) bool {
	return g.takes()&(1<<slices.Index(events, event)) != 0
}

// can returns what is possible now. The game does some things in steps, such as to leave a
// puzzle for another one.
func (g *Game) can() Abilities {
	state, marks := g.state(), &g.told.marks
	a := g.takes() | CanChoose | CanLoad
	allow := func(set Abilities, is bool) {
		if a &^= set; is {
			a |= set
		}
	}
	if state == Editing {
		a &^= CanStop
	}
	idle := state == Idle || state == Solved || state == GivenUp
	allow(CanLeaveEdit, state == Editing)
	allow(CanEdit, state != Editing)
	allow(CanSolve, idle && state != Solved || state == Playing || state == Paused)
	allow(CanStep, state == Solving)
	allow(CanHint, state == Playing && (g.told.hint == nil || g.told.hint.Stage < 3))
	allow(CanReveal, state == Playing)
	if state == GivenUp && a.Has(CanResume) {
		a |= CanUndo
	}
	if g.has.Has(CanMark) { // then the chart tells the rest
		allow(CanRestore, len(marks.SavePoints) > 0 && state == Playing)
		allow(CanReset, a.Has(CanReset) && (g.told.current != g.told.initial ||
			marks.Notes != format.Notes{} || marks.Corner != format.Notes{} || marks.Colours != format.Notes{}))
	}
	return a & g.has
}
