package game

import (
	"reflect"
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

// protocol has for each ability, in their order, its event, and the inputs that need it.
var protocol = []struct {
	event  string
	inputs []Input
}{
	{"start", nil},
	{"stop", []Input{Restart{}, GiveUp{}}},
	{"tap", []Input{Tap{}, Put(0)}},
	{"mark", []Input{Mark{}}},
	{"candidates", []Input{Candidates{}}},
	{"undo", []Input{Undo{}}},
	{"redo", []Input{Redo{}}},
	{"reset", []Input{Reset{}}},
	{"savepoint", []Input{SavePoint("")}},
	{"restore", []Input{Restore(0), Forget(0)}},
	{"pause", []Input{Pause{}}},
	{"resume", []Input{Resume{}}},
	{"hint", []Input{AskHint{}}},
	{"reveal", []Input{Reveal{}}},
	{"solve", []Input{Solve{}}},
	{"step", []Input{SolverStep{}, SolverSpeed(0)}},
	{"edit", []Input{Edit{}}},
	{"fix", []Input{Fix{}}},
	{"fix", []Input{LeaveEdit{}}},
	{"generate", []Input{Generate{}}},
	{"cancel", []Input{Cancel{}}},
	{"setup", []Input{Next(0), Choose(0), Open{}}},
	{"load", nil}, // Open of a game that has begun
	{"clock", []Input{SetClock(false)}},
	{"options", []Input{Options{}}},
}

// Has reports whether all the abilities of a set are in a.
func (a Abilities) Has(set Abilities) bool { return a&set == set }

// Needs returns the abilities that a chart must have for an input.
func Needs(in Input) Abilities {
	if open, ok := in.(Open); ok && open.Game.Progress != nil {
		return CanLoad
	}
	same := func(other Input) bool { return reflect.TypeOf(other) == reflect.TypeOf(in) }
	for i, p := range protocol {
		if slices.ContainsFunc(p.inputs, same) {
			return 1 << i
		}
	}
	return 0
}

// abilities returns what the chart has transitions for, by the name of the state.
func abilities(chart *scxml.Chart) map[string]Abilities {
	all := map[string]Abilities{}
	for _, t := range chart.Transitions() {
		for i, p := range protocol {
			if isFor(t, p.event) {
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
	for i, p := range protocol {
		if p.event == event {
			return g.takes()&(1<<i) != 0
		}
	}
	return false
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
