package game

import (
	"time"

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
	// Move moves the selection by rows and columns, up to the edge.
	Move struct{ Rows, Cols int }
	// Point is a click on a cell or a touch, each number from 0 to 8. It selects
	// the cell, or is a Tap if the cell is selected.
	Point struct{ Row, Col int }
	// Select selects a cell, each number from 0 to 8.
	Select struct{ Row, Col int }
	// Tap adds one to the selected cell; 9 becomes empty.
	Tap struct{}
	// Put writes a digit from 1 to 9 into the selected cell; 0 clears it.
	Put int
	// Undo takes back the last move.
	Undo struct{}
	// Toggle starts the game, then pauses and continues it; on a chart that cannot
	// pause it starts and stops it.
	Toggle struct{}
	// Next shows the puzzle so many places further in the circular list. It ends
	// a running game.
	Next int
	// Choose shows the puzzle with this number, from 1 to View.Puzzles.
	Choose int
	// Unknown is an input without a meaning. The message says so.
	Unknown struct{}

	// Extend moves the selection like Move, and adds the cells on the way to those
	// that are marked.
	Extend struct{ Rows, Cols int }
	// Drag selects a cell, and adds it to those that are marked.
	Drag struct{ Row, Col int }
	// Unselect leaves only the selected cell marked.
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
	// Reveal shows the digit of an empty cell, as a move.
	Reveal struct{}
	// Solve makes the machine solve the puzzle, with so much time between its changes.
	// Method is a name of package compare; empty: as a person would.
	Solve struct {
		Method string
		Delay  time.Duration
	}
	// SolverStep makes a solver that is paused do one change.
	SolverStep struct{}
	// SolverSpeed changes the time between the changes of the solver.
	SolverSpeed time.Duration

	// Edit begins to enter a puzzle, Fix makes it the puzzle of the game, and LeaveEdit
	// returns to the previous one.
	Edit      struct{}
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
	// Open shows a puzzle, or continues a game.
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
	return in.do(s, g)
}

// submit sends the chart an event n times.
func (g *Game) submit(s drive.Session, n int, event string, data any) error {
	g.sent += n
	for range n {
		if _, err := s.Do(wire.Command{Verb: wire.Event, Event: scxml.Event{Name: event, Data: data}}); err != nil {
			return err
		}
	}
	return nil
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
		if taken == 0 && g.message.Code == Nothing {
			g.message.Code = NothingToUndo
		}
	}
	g.input = nil
}

func (in Move) do(_ drive.Session, g *Game) error {
	g.row, g.col = min(max(g.row+in.Rows, 0), 8), min(max(g.col+in.Cols, 0), 8)
	return nil
}

func (in Point) do(s drive.Session, g *Game) error {
	if g.row == in.Row && g.col == in.Col {
		return Tap{}.do(s, g)
	}
	return Select(in).do(s, g)
}

func (in Select) do(_ drive.Session, g *Game) error {
	g.row, g.col = in.Row, in.Col
	return nil
}

func (Tap) do(s drive.Session, g *Game) error { return g.tap(s, 1) }

func (in Put) do(s drive.Session, g *Game) error {
	digit, now := int(in), g.current[g.row][g.col]
	switch {
	case !reactsTo(g.chart, "set"):
		return g.tap(s, (digit-now+10)%10)
	case !g.mayWrite() || digit == now:
		return nil
	}
	return g.submit(s, 1, "set", setData{g.row, g.col, digit})
}

// An undo takes back all taps of the last move.
func (Undo) do(s drive.Session, g *Game) error {
	if !g.mayDo("undo") {
		return nil
	}
	n := 1
	if last := len(g.moves) - 1; last >= 0 {
		n = g.moves[last]
		g.moves = g.moves[:last]
	}
	return g.submit(s, n, "undo", nil)
}

func (Toggle) do(s drive.Session, g *Game) error {
	for _, event := range []string{"resume", "pause", "start"} {
		if g.reactsTo(event) {
			if event == "start" {
				g.moves = nil
			}
			return g.submit(s, 1, event, nil)
		}
	}
	g.moves = nil
	return g.submit(s, 1, "stop", nil)
}

func (in Next) do(s drive.Session, g *Game) error {
	n := len(g.puzzles)
	return Choose(((g.puzzle+int(in))%n+n)%n+1).do(s, g)
}

func (in Choose) do(s drive.Session, g *Game) error {
	g.moves = nil
	if !g.reactsTo("setup") {
		if err := g.submit(s, 1, "stop", nil); err != nil {
			return err
		}
	}
	g.puzzle = int(in) - 1
	return g.submit(s, 1, "setup", setupData{g.puzzles[g.puzzle].Grid})
}

func (Unknown) do(_ drive.Session, g *Game) error {
	g.message.Code = UnknownInput
	return nil
}

// mayWrite reports whether the selected cell can be changed now, and sets the message if not.
func (g *Game) mayWrite() bool {
	switch {
	case !g.reactsTo("tap"):
		g.message.Code = NotPlaying
	case g.initial[g.row][g.col] != 0:
		g.message.Code = GivenDigit
	default:
		return true
	}
	return false
}

// tap taps the selected cell n times, as one move of the player.
func (g *Game) tap(s drive.Session, n int) error {
	if !g.mayWrite() {
		return nil
	}
	return g.submit(s, n, "tap", tapData{g.row, g.col})
}
