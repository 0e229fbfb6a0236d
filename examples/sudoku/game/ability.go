package game

import "github.com/scxmlrun/scxmlrun/scxml"

// Abilities is a set of things that can be done in a game.
type Abilities uint32

// The abilities. Each names the inputs that need it.
const (
	CanStart      Abilities = 1 << iota // Toggle, Restart
	CanStop                             // GiveUp, Restart; Toggle if the chart cannot pause
	CanPut                              // Put, Tap, Point
	CanMark                             // Mark
	CanCandidates                       // Candidates
	CanUndo                             // Undo
	CanRedo                             // Redo
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

// can returns what the active states have transitions for.
func (g *Game) can() (a Abilities) {
	for _, state := range g.configuration {
		a |= g.abilities[state]
	}
	return a | g.has&CanChoose // a game can be left for another puzzle
}
