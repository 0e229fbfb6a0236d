package game

import (
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// An Input is an action of the player, from any device: one of the types below.
type Input interface {
	do(s drive.Session, g *Game) error
}

// The inputs of a game.
type (
	// Move moves the selection by rows and columns. A single step beyond the edge leads
	// to the opposite one; longer ways end at the edge.
	Move struct{ Rows, Cols int }
	// Point is a click on a cell or a touch, each number from 0 to 8. It selects
	// the cell, and is a Tap unless the cell is given.
	Point struct{ Row, Col int }
	// Select selects a cell, each number from 0 to 8.
	Select struct{ Row, Col int }
	// Tap adds one to the selected cell; 9 becomes empty.
	Tap struct{}
	// Put writes a digit from 1 to 9 into the marked cells, with the pen; 0 clears their
	// digits, then their notes, then their colours.
	Put int
	// Undo takes back the last move.
	Undo struct{}
	// Toggle starts the game, then pauses and continues it, or a solver; on a chart that
	// cannot pause it starts and stops the game.
	Toggle struct{}
	// Next shows the puzzle so many places further in the circular list. A running game
	// ends; if there is a store, it is kept, and a puzzle that was left continues, paused.
	Next int
	// Choose shows the puzzle with this number, from 1 to View.Puzzles, as Next does.
	Choose int
	// Unknown is an input without a meaning. The message says so.
	Unknown struct{}

	// Extend moves the selection like Move, and adds the cells on the way to those
	// that are marked.
	Extend struct{ Rows, Cols int }
	// Drag selects a cell, and adds it to those that are marked.
	Drag struct{ Row, Col int }
	// Unselect leaves only the selected cell marked, as do Move, Select and Point.
	Unselect struct{}

	// Mark notes a digit, or a colour, in the marked cells, or removes it if all of
	// them have it.
	Mark struct {
		Of    Pen // not Digits
		Digit int
	}
	// SetPen chooses what digit keys write.
	SetPen Pen
	// Candidates notes every candidate that is still possible in the marked cells, or
	// in all empty ones.
	Candidates struct{ All bool }
	// Redo makes the move again that was undone last.
	Redo struct{}
	// Reset clears everything that the player has entered, as a move.
	Reset struct{}
	// SavePoint makes a save point with this name.
	SavePoint string
	// Restore returns to the save point with this index, as a move.
	Restore int
	// Forget removes the save point with this index.
	Forget int

	// Pause pauses the game, and Resume continues it. They do nothing if that is so
	// already. A game that was given up continues too.
	Pause  struct{}
	Resume struct{}
	// Restart begins the puzzle anew.
	Restart struct{}
	// GiveUp stops the game.
	GiveUp struct{}

	// AskHint asks for a hint, or for its next stage.
	AskHint struct{}
	// HideHint puts the hint away. AskHint shows it again.
	HideHint struct{}
	// Reveal shows the digit of an empty cell, as a move.
	Reveal struct{}
	// Solve makes the machine solve the puzzle, with so much time between its changes.
	// Method is a name of service.Methods; empty: as a person would.
	Solve struct {
		Method string
		Delay  time.Duration
	}
	// SolverStep makes a solver that is paused do one change.
	SolverStep struct{}
	// SolverSpeed changes the time between the changes of the solver.
	SolverSpeed time.Duration

	// Edit begins to enter a puzzle, Fix makes it the puzzle of the game, and LeaveEdit
	// returns to the previous one. The digits of Grid are entered already.
	Edit      struct{ Grid sudoku.Grid }
	Fix       struct{}
	LeaveEdit struct{}

	// Generate makes a new puzzle and starts it; the present game continues until then.
	// It is one of a Level from 1 to 5, one with so many Missing digits, that of the
	// Flash tutorial, or the one of a day, such as "2026-11-22".
	Generate struct {
		Level    int
		Missing  int
		Flash    bool
		Daily    string
		Symmetry string // a name of package generate; empty: its default
	}
	// Cancel ends Generate.
	Cancel struct{}
	// Open shows a puzzle, or continues a game, as Next does.
	Open struct{ Game *format.Game }

	// SetFilter highlights a digit; 0: that of the selected cell.
	SetFilter int
	// Switch turns feedback on that is off, and off that is on.
	Switch Show
	// SetClock turns the clock on or off.
	SetClock bool
	// Options are those of the rules.
	Options struct {
		CleanUp bool // setting a digit removes it from the notes of its peers
	}
)

// Do carries out an input, within a [drive.Input]. Its effects are visible when the
// session is at rest. If it cannot be carried out, the message of the View says why.
// An error means that the session takes no more events.
func (g *Game) Do(s drive.Session, in Input) error {
	g.message = Message{}
	g.input, g.sent, g.changes = in, 0, 0
	if !g.has.Has(Needs(in)) {
		g.message.Code = Unsupported
		return nil
	}
	if err := g.introduce(s); err != nil {
		return err
	}
	if err := in.do(s, g); err != nil {
		return err
	}
	if g.waiting { // there will be no rest
		s.Settle()
		g.save()
	}
	return nil
}

// introduce tells the chart once that the host knows more than the six events.
func (g *Game) introduce(s drive.Session) error {
	if g.introduced || !g.has.Has(CanCleanUp|CanMark) {
		return nil
	}
	g.introduced = true
	if err := g.submit(s, 1, "options", fields{"cleanUp": g.cleanUp}); err != nil {
		return err
	}
	g.sent--
	s.Settle()
	return nil
}

// moving are the events that lead to moves.
var moving = []string{"tap", "set", "mark", "candidates", "reveal", "solve"}

// submit sends the chart an event n times.
func (g *Game) submit(s drive.Session, n int, event string, data any) error {
	if slices.Contains(moving, event) {
		if err := g.touch(s); err != nil {
			return err
		}
	}
	g.sent += n
	for range n {
		if _, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: event, Data: data}}); err != nil {
			return err
		}
	}
	return nil
}

// request sends an event that the chart takes only in some states.
func (g *Game) request(s drive.Session, event string, data any) error {
	if !g.mayDo(event) {
		return nil
	}
	return g.submit(s, 1, event, data)
}

// mayDo reports whether the chart takes an event now, and sets the message if not.
func (g *Game) mayDo(event string) bool {
	switch {
	case g.reactsTo(event):
		return true
	case g.reactsTo("start"):
		g.message.Code = NotPlaying
	default:
		g.message.Code = NotNow
	}
	return false
}

// settle evaluates the effects of an input.
func (g *Game) settle() {
	taken := min(g.sent, g.changes)
	switch g.input.(type) {
	case Point, Tap, Put:
		if taken > 0 {
			g.moves = append(g.moves, taken)
		}
	case Undo:
		if taken == 0 && !g.introduced && g.message.Code == Nothing {
			g.message.Code = NothingToUndo
		}
	}
	g.input = nil
}
