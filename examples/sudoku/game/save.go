package game

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// Open makes the game begin with a saved one, in the chart of its snapshot or in any other
// that has the event load. It fails if the chart does not have it. Call it before Driver.
//
// What the chart does not have, such as save points, is kept and saved again.
func (g *Game) Open(saved *format.Game) error {
	if saved.Progress != nil && !reactsTo(g.chart, "load") {
		return fmt.Errorf("sudoku: %s cannot continue a saved game: it has no transition for load", g.chart.File())
	}
	g.opened = saved
	g.choose(cmp.Or(saved.Name, "saved"), saved.Givens)
	return nil
}

// choose selects a puzzle of the list, or inserts it at the front.
func (g *Game) choose(name string, puzzle sudoku.Grid) {
	g.puzzle = slices.IndexFunc(g.puzzles, func(p sudoku.Puzzle) bool { return p.Grid == puzzle })
	if g.puzzle < 0 {
		g.puzzles = slices.Insert(slices.Clone(g.puzzles), 0, sudoku.Puzzle{Name: name, Grid: puzzle})
		g.puzzle = 0
	}
}

// snapshot returns the snapshot of the game that was opened, or nil.
func (g *Game) snapshot() []byte {
	if g.opened == nil || g.opened.Progress == nil {
		return nil
	}
	return g.opened.Progress.Snapshot
}

// Resumes reports whether the first input of the driver must be Resume: whether the
// session was restored, or has to load a game.
func (g *Game) Resumes() bool { return g.restored || g.opened != nil && g.opened.Progress != nil }

// Resume shows the game of a session that was restored, or makes the session load the game
// of Open. Call it in an input, see Resumes.
func (g *Game) Resume(s drive.Session) error {
	if g.restored {
		g.readGrids(s)
		// A snapshot of another game would lose this one.
		if g.opened == nil || g.initial == g.opened.Givens && g.current == g.opened.Board() {
			g.resumed = true
			return nil
		}
		g.message = Message{}
	}
	if s.Settle(); g.reactsTo("stop") {
		if err := g.submit(s, 1, "stop", nil); err != nil {
			return err
		}
		s.Settle()
	}
	if err := g.submit(s, 1, "load", loadOf(g.opened)); err != nil {
		return err
	}
	if s.Settle(); g.initial != g.opened.Givens || g.current != g.opened.Board() {
		g.message.Code = NotLoaded
		return nil
	}
	g.resumed = true
	return nil
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
	g.current, g.initial = data.CurrentState, data.InitState
	g.choose("saved", g.initial)
}

// get evaluates an expression in the chart.
func get(s drive.Session, expr string, to any) error {
	v, err := s.Do(wire.Command{Verb: wire.Get, Text: expr})
	if err != nil {
		return err
	}
	return datamodel.Decode(v, to)
}

// Keep makes Save give the game to a store whenever it has changed, and the end of the
// session once more, with a snapshot. A game of Open that does not continue is not
// replaced by another one. Call Keep before Driver.
func (g *Game) Keep(store Store) { g.store = store }

// Save saves the game if it has changed, see Keep. Front ends call it at rest, after they
// have shown the game. If that fails, the message of the View says so; Save reports whether
// the View is another one now.
func (g *Game) Save() (changed bool) {
	if g.store == nil || !g.changed || g.Resumes() && !g.resumed {
		return false
	}
	g.changed = false
	now, err := g.saved()
	if err != nil {
		g.message = Message{NotSaved, err.Error()}
		return true
	}
	if reflect.DeepEqual(now, g.last) || now.Progress == nil && g.last != nil { // a look at another puzzle is not a game
		return false
	}
	g.last = now
	if err := g.store.Save(now); err != nil {
		g.message = Message{NotSaved, err.Error()}
		return true
	}
	return false
}

// keepSnapshot saves the game at the end.
func (g *Game) keepSnapshot(snapshot []byte) error {
	if g.Resumes() && !g.resumed {
		return nil
	}
	// The game may have changed since it was at rest.
	if now, err := g.saved(); err == nil && (now.Progress != nil || g.last == nil) {
		g.last = now
	}
	if g.last == nil { // nothing has changed
		g.last = g.opened
	}
	if g.last == nil {
		return errors.New("the chart has ended")
	}
	last := *g.last
	if last.Progress != nil {
		progress := *last.Progress
		progress.Snapshot = snapshot
		last.Progress = &progress
	}
	return g.store.Save(&last)
}

// saved returns the game. A chart without the event load has only the board.
func (g *Game) saved() (*format.Game, error) {
	now := format.Game{Givens: g.initial}
	if p := g.puzzles[g.puzzle]; p.Grid == g.initial {
		now.Name = p.Name
	}
	progress := format.Progress{Board: g.current}
	if g.opened != nil && g.opened.Givens == g.initial {
		now = *g.opened
		if now.Progress != nil {
			progress.SavePoints, progress.Time = now.Progress.SavePoints, now.Progress.Time
		}
	}
	if reactsTo(g.chart, "load") {
		var data loadData
		if err := get(g.session, "saved()", &data); err != nil {
			return nil, err
		}
		data.to(&progress)
	}
	switch g.state() {
	case Playing:
		progress.Mode = format.Playing
	case Solved:
		progress.Mode = format.Solved
	case GivenUp:
		progress.Mode = format.GivenUp
	default:
		if g.current != g.initial || len(progress.Moves) > 0 {
			progress.Mode = format.Paused
		}
	}
	now.Progress = &progress
	if reflect.DeepEqual(progress, format.Progress{Board: g.initial}) {
		now.Progress = nil
	}
	return &now, nil
}

// kinds are the values of the field of in changes of the chart.
var kinds = map[format.Kind]string{
	format.OfDigit: "digit", format.OfNotes: "notes", format.OfCorner: "corner", format.OfColours: "colours",
}

// loadOf returns the data of the event load.
func loadOf(saved *format.Game) (data loadData) {
	p := saved.Progress
	data = loadData{saved.Givens, p.Board, p.Notes, p.Corner, p.Colours, make([][]changeData, len(p.Moves)), p.Undone}
	for i, m := range p.Moves {
		for _, c := range m {
			data.Moves[i] = append(data.Moves[i], changeData{c.Row, c.Col, kinds[c.Of], c.Old, c.New})
		}
	}
	return data
}

// to stores what the chart has.
func (data *loadData) to(p *format.Progress) {
	of := make(map[string]format.Kind, len(kinds))
	for kind, name := range kinds {
		of[name] = kind
	}
	p.Board, p.Notes, p.Corner, p.Colours, p.Undone = data.CurrentState, data.Notes, data.Corner, data.Colours, data.Undone
	for _, changes := range data.Moves {
		m := make(format.Move, len(changes))
		for i, c := range changes {
			m[i] = format.Change{Row: c.X, Col: c.Y, Of: of[c.Of], Old: c.From, New: c.To}
		}
		p.Moves = append(p.Moves, m)
	}
}
