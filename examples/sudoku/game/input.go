package game

import (
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
	// Toggle starts or stops the game.
	Toggle struct{}
	// Next shows the puzzle so many places further in the circular list. It ends
	// a running game.
	Next int
	// Choose shows the puzzle with this number, from 1 to View.Puzzles.
	Choose int
	// Unknown is an input without a meaning. The message says so.
	Unknown struct{}
)

// Do carries out an input, within a [drive.Input]. Its effects are visible when the
// session is at rest. If it cannot be carried out, the message of the View says why.
// An error means that the session takes no more events.
func (g *Game) Do(s drive.Session, in Input) error {
	g.message = Message{}
	g.input, g.sent, g.changes = in, 0, 0
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
	if !g.reactsTo("undo") {
		g.message.Code = NotPlaying
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
	g.moves = nil
	if g.reactsTo("start") {
		return g.submit(s, 1, "start", nil)
	}
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
