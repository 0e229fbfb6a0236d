package game

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// Open makes the game begin with a saved one. It fails if the chart cannot continue it:
// that needs the event load, or a snapshot of the same chart. Call it before Driver.
//
// What the chart does not have, such as save points, is kept and saved again.
func (g *Game) Open(saved *format.Game) error {
	if p := saved.Progress; p != nil && p.Snapshot == nil && !g.has.Has(CanLoad) {
		return fmt.Errorf("sudoku: %s cannot continue a saved game: it has no transition for load", g.chart.File())
	}
	g.take(saved)
	return nil
}

// take makes a saved game the one that is shown and kept.
func (g *Game) take(saved *format.Game) {
	g.opened = saved
	g.choose(cmp.Or(saved.Name, ownPuzzle), saved.Givens)
	g.rate(saved)
}

// ownPuzzle is the name of a puzzle without one.
const ownPuzzle = "own puzzle"

// choose selects a puzzle of the list, or inserts it at the front.
func (g *Game) choose(name string, puzzle sudoku.Grid) {
	g.puzzle = slices.IndexFunc(g.puzzles, func(p sudoku.Puzzle) bool { return p.Grid == puzzle })
	if g.puzzle < 0 {
		g.puzzles = slices.Insert(slices.Clone(g.puzzles), 0, sudoku.Puzzle{Name: name, Grid: puzzle})
		g.puzzle = 0
	}
}

// rate notes what a file says about a puzzle, if that is a level from 1 to 5.
func (g *Game) rate(puzzle *format.Game) {
	level, err := strconv.Atoi(puzzle.Info.Level)
	if err == nil && level >= 1 && level <= 5 {
		er, _ := strconv.ParseFloat(puzzle.Info.Rating, 64)
		g.ratings[puzzle.Givens] = rating{level, er}
	}
}

// snapshot returns the snapshot of the game that was opened, or nil. It is used if the
// chart has nothing else to continue: see "Why is a saved game not a snapshot?" in
// RATIONALE.md.
func (g *Game) snapshot() []byte {
	if g.opened == nil || g.opened.Progress == nil || g.has.Has(CanLoad) {
		return nil
	}
	return g.opened.Progress.Snapshot
}

// Resumes reports whether the first input of the driver must be Resume: whether the
// session was restored, or has to load a game.
func (g *Game) Resumes() bool { return g.restored || g.opened != nil && g.opened.Progress != nil }

// Resume shows the game of a session that was restored, or makes the session load the game
// of Open, which is then paused if it was played. Call it in an input, see Resumes.
func (g *Game) Resume(s drive.Session) error {
	if g.restored {
		g.readGrids(s)
		if g.held = g.opened != nil && !g.shows(g.opened); g.held { // a snapshot of another game would replace this one
			g.message.Code = NotLoaded
			return nil
		}
		return g.introduce(s)
	}
	if err := g.introduce(s); err != nil {
		return err
	}
	return g.load(s, g.opened)
}

// shows reports whether the chart has the grids of a game.
func (g *Game) shows(saved *format.Game) bool {
	return g.told.initial == saved.Givens && g.told.current == saved.Board()
}

// load makes the chart continue a game, which is held if it does not.
func (g *Game) load(s drive.Session, saved *format.Game) error {
	if s.Settle(); g.reactsTo("stop") {
		if err := g.stop(s); err != nil {
			return err
		}
	}
	if err := g.touch(s); err != nil {
		return err
	}
	g.held, g.entries = true, entries{}
	if g.has.Has(CanLoad) {
		if err := g.submit(s, 1, "load", loadOf(saved)); err != nil {
			return err
		}
		s.Settle()
	}
	if g.held = !g.shows(saved); g.held {
		g.message.Code = NotLoaded
		return nil
	}
	g.entries.load(saved.Progress)
	g.told.time = saved.Progress.Time
	g.selectEmpty()
	return nil
}

// loadOf returns the data of the event load.
func loadOf(saved *format.Game) (data loadData) {
	p := saved.Progress
	mode, time, points := p.Mode, float64(p.Time.Milliseconds()), make([]savePointData, len(p.SavePoints))
	if mode == format.Playing || mode == format.NotStarted {
		mode = format.Paused
	}
	for i, point := range p.SavePoints {
		points[i] = savePointData{point.Name, point.Board, point.Notes, point.Corner, point.Colours}
	}
	data = loadData{
		saved.Givens, p.Board, p.Notes, p.Corner, p.Colours, make([][]changeData, len(p.Moves)), p.Undone,
		&points, &time, p.Helps, &mode,
	}
	for i, m := range p.Moves {
		for _, c := range m {
			data.Moves[i] = append(data.Moves[i], changeData{c.Row, c.Col, kinds[c.Of], c.Old, c.New})
		}
	}
	return data
}

// readGrids reads the grids of a restored session, which sends them only when they change.
// They are its data items currentState and initState, named like the params of updateGUI.
func (g *Game) readGrids(s drive.Session) {
	var data updateData
	for _, item := range []struct {
		location string
		grid     *sudoku.Grid
	}{{"currentState", &data.CurrentState}, {"initState", &data.InitState}} {
		if err := get(s, item.location, item.grid); err != nil {
			g.message = Message{NoBoard, err.Error()}
			return
		}
	}
	g.told.current, g.told.initial = data.CurrentState, data.InitState
	g.choose(ownPuzzle, g.told.initial)
	g.selectEmpty()
}

func (in Next) do(s drive.Session, g *Game) error {
	n := len(g.puzzles)
	return Choose(((g.puzzle+int(in))%n+n)%n+1).do(s, g)
}

func (in Choose) do(s drive.Session, g *Game) error {
	if in < 1 || int(in) > len(g.puzzles) {
		return Unknown{}.do(s, g)
	}
	p := g.puzzles[in-1]
	return g.open(s, &format.Game{Name: p.Name, Givens: p.Grid})
}

func (in Open) do(s drive.Session, g *Game) error { return g.open(s, in.Game) }

// open leaves the puzzle for another one, and continues what was saved of that.
func (g *Game) open(s drive.Session, other *format.Game) error {
	if err := g.leave(s); err != nil {
		return err
	}
	if saved := g.find(other); saved != nil {
		g.rate(other)
		other = saved
	}
	g.take(other)
	if g.held = false; other.Progress != nil {
		if err := g.load(s, other); !g.held || err != nil {
			return err
		}
	}
	if err := g.submit(s, 1, "setup", fields{"initState": other.Givens}); err != nil {
		return err
	}
	return g.begin(s)
}

// find returns what was saved of a puzzle that has not begun, or nil.
func (g *Game) find(puzzle *format.Game) *format.Game {
	if puzzle.Progress != nil || g.store == nil || !g.has.Has(CanLoad) {
		return nil
	}
	saved, err := g.store.Find(puzzle.Givens)
	if err != nil {
		g.message = Message{NotRead, err.Error()}
	}
	if saved == nil || saved.Progress == nil {
		return nil
	}
	return saved
}
