package game

import (
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The inputs for which a chart needs more than the six events, see [Needs].

// cellData names a cell.
type cellData struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// penNames are the values of the field of in changes and marks.
var penNames = [...]string{Notes: "notes", Corner: "corner", Colours: "colours"}

// markedCells returns the marked cells, row by row.
func (g *Game) markedCells() (cells []cellData) {
	for row := range 9 {
		for col := range 9 {
			if g.marked[row][col] || row == g.row && col == g.col {
				cells = append(cells, cellData{row, col})
			}
		}
	}
	return cells
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

// request sends an event that the chart takes only in some states.
func (g *Game) request(s drive.Session, event string, data any) error {
	if !g.mayDo(event) {
		return nil
	}
	return g.submit(s, 1, event, data)
}

func (in Extend) do(s drive.Session, g *Game) error {
	row, col := min(max(g.row+in.Rows, 0), 8), min(max(g.col+in.Cols, 0), 8)
	return Drag{row, col}.do(s, g)
}

func (in Drag) do(_ drive.Session, g *Game) error {
	g.marked[g.row][g.col], g.marked[in.Row][in.Col] = true, true
	g.row, g.col = in.Row, in.Col
	return nil
}

func (Unselect) do(_ drive.Session, g *Game) error {
	g.marked = [9][9]bool{}
	return nil
}

func (in Mark) do(s drive.Session, g *Game) error {
	return g.request(s, "mark", map[string]any{"cells": g.markedCells(), "of": penNames[in.Of], "digit": in.Digit})
}

func (in SetPen) do(_ drive.Session, g *Game) error {
	g.pen = Pen(in)
	return nil
}

func (in Candidates) do(s drive.Session, g *Game) error {
	if in.All {
		return g.request(s, "candidates", nil)
	}
	return g.request(s, "candidates", map[string]any{"cells": g.markedCells()})
}

func (Redo) do(s drive.Session, g *Game) error  { return g.request(s, "redo", nil) }
func (Reset) do(s drive.Session, g *Game) error { return g.request(s, "reset", nil) }
func (in SavePoint) do(s drive.Session, g *Game) error {
	return g.request(s, "savepoint", map[string]any{"name": string(in)})
}
func (in Restore) do(s drive.Session, g *Game) error {
	return g.request(s, "restore", map[string]any{"index": int(in)})
}
func (in Forget) do(s drive.Session, g *Game) error {
	return g.request(s, "forget", map[string]any{"index": int(in)})
}

func (Pause) do(s drive.Session, g *Game) error  { return g.submit(s, 1, "pause", nil) }
func (Resume) do(s drive.Session, g *Game) error { return g.submit(s, 1, "resume", nil) }

func (Restart) do(s drive.Session, g *Game) error {
	g.moves = nil
	if g.reactsTo("stop") {
		if err := g.submit(s, 1, "stop", nil); err != nil {
			return err
		}
	}
	return g.submit(s, 1, "start", nil)
}

func (GiveUp) do(s drive.Session, g *Game) error  { return g.request(s, "stop", nil) }
func (AskHint) do(s drive.Session, g *Game) error { return g.request(s, "hint", nil) }
func (Reveal) do(s drive.Session, g *Game) error  { return g.request(s, "reveal", nil) }

func (in Solve) do(s drive.Session, g *Game) error {
	return g.request(s, "solve", map[string]any{"method": in.Method, "delay": in.Delay.Milliseconds()})
}

func (SolverStep) do(s drive.Session, g *Game) error { return g.request(s, "step", nil) }

func (in SolverSpeed) do(s drive.Session, g *Game) error {
	return g.request(s, "speed", map[string]any{"delay": time.Duration(in).Milliseconds()})
}

func (Edit) do(s drive.Session, g *Game) error      { return g.request(s, "edit", nil) }
func (Fix) do(s drive.Session, g *Game) error       { return g.request(s, "fix", nil) }
func (LeaveEdit) do(s drive.Session, g *Game) error { return g.request(s, "stop", nil) }

func (in Generate) do(s drive.Session, g *Game) error {
	data := map[string]any{}
	switch {
	case in.Daily != "":
		data["daily"] = in.Daily
	case in.Flash:
		data["flash"] = true
	case in.Missing > 0:
		data["missing"] = in.Missing
	default:
		data["level"] = in.Level
	}
	if in.Symmetry != "" {
		data["symmetry"] = in.Symmetry
	}
	return g.request(s, "generate", data)
}

func (Cancel) do(s drive.Session, g *Game) error { return g.request(s, "cancel", nil) }

func (in Open) do(s drive.Session, g *Game) error {
	g.moves = nil
	if g.reactsTo("stop") {
		if err := g.submit(s, 1, "stop", nil); err != nil {
			return err
		}
	}
	name := in.Game.Name
	if name == "" {
		name = "saved"
	}
	g.choose(name, in.Game.Givens)
	if in.Game.Progress == nil {
		return g.submit(s, 1, "setup", setupData{in.Game.Givens})
	}
	g.opened = in.Game
	return g.submit(s, 1, "load", loadOf(in.Game))
}

func (in SetFilter) do(_ drive.Session, g *Game) error {
	g.filter = int(in)
	return nil
}

func (in Switch) do(_ drive.Session, g *Game) error {
	g.show ^= Show(in)
	return nil
}

func (in SetClock) do(s drive.Session, g *Game) error {
	return g.submit(s, 1, "clock", map[string]any{"on": bool(in)})
}

func (in Options) do(s drive.Session, g *Game) error {
	return g.submit(s, 1, "options", map[string]any{"cleanUp": in.CleanUp})
}

// A Store keeps the games of a player.
type Store interface {
	// Save saves a game in place of what was saved of this puzzle. It must not change
	// the game.
	Save(*format.Game) error
	// Find returns what was saved of the puzzle with these givens, or nil.
	Find(givens sudoku.Grid) (*format.Game, error)
	// Solved is called once when the player has solved a game.
	Solved(*format.Game, Result)
}

// A Result is how a game was solved.
type Result struct {
	Level int           // as in package rate; 0 if unknown
	ER    float64       // 0 if unknown
	Time  time.Duration // 0 if there was no clock
	Helps int           // hints and digits that were shown
}

// A SaveFunc is a Store that only saves.
type SaveFunc func(*format.Game) error

func (f SaveFunc) Save(g *format.Game) error            { return f(g) }
func (SaveFunc) Find(sudoku.Grid) (*format.Game, error) { return nil, nil }
func (SaveFunc) Solved(*format.Game, Result)            {}
