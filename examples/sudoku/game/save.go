package game

import (
	"errors"
	"reflect"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// ErrInUse is the error of a [Store] whose games another window saves.
var ErrInUse = errors.New("sudoku: another window has the games")

// A Store keeps the games of a player.
type Store interface {
	// Save saves a game in place of what was saved of this puzzle. It must not change
	// the game.
	Save(*format.Game) error
	// Find returns what was saved of the puzzle with these givens, or nil.
	Find(givens sudoku.Grid) (*format.Game, error)
	// Solved is called once when the player has solved a game, after Save.
	Solved(*format.Game, Result)
}

// A Result is how a game was solved.
type Result struct {
	Level int           // as in package rate; 0 if unknown
	ER    float64       // 0 if unknown
	Time  time.Duration // 0 if there was no clock
	Helps int           // hints, digits that were shown, and solvers
}

// A SaveFunc is a Store that only saves.
type SaveFunc func(*format.Game) error

func (f SaveFunc) Save(g *format.Game) error            { return f(g) }
func (SaveFunc) Find(sudoku.Grid) (*format.Game, error) { return nil, nil }
func (SaveFunc) Solved(*format.Game, Result)            {}

// Keep makes Save give the game to a store whenever it has changed, and once more at the end
// of the session. A game of Open that does not continue is not replaced by another one.
// Call Keep before Driver.
func (g *Game) Keep(store Store) { g.store = store }

// Save saves the game if it has changed, see Keep. Front ends call it at rest, after they
// have shown the game; at another time it does nothing. If that fails, the message of the
// View says so; Save reports whether the View is another one now.
func (g *Game) Save() (changed bool) { return g.resting && g.save() }

// Unsaved reports whether Save would save the game if it were called now.
func (g *Game) Unsaved() bool { return g.resting && g.store != nil && g.changed && !g.held }

func (g *Game) save() (changed bool) {
	if g.store == nil || !g.changed || g.held {
		return false
	}
	g.changed = false
	now, err := g.Saved()
	if err != nil {
		g.message = notSaved(err)
		return true
	}
	if reflect.DeepEqual(now, g.last) || now.Progress == nil && g.last != nil { // a look at another puzzle is not a game
		return false
	}
	g.last = now
	if err := g.store.Save(now); err != nil {
		g.message = notSaved(err)
		changed = true
	}
	if g.solved && now.Progress != nil && now.Progress.Mode == format.Solved {
		g.solved = false
		r := g.ratings[now.Givens]
		g.store.Solved(now, Result{r.level, r.er, now.Progress.Time, now.Progress.Helps})
	}
	return changed
}

// notSaved says why a game was not saved.
func notSaved(err error) Message {
	if errors.Is(err, ErrInUse) {
		return Message{Code: InUse}
	}
	return Message{NotSaved, err.Error()}
}

// keepSnapshot saves the game at the end, with a snapshot if nothing else can continue it.
func (g *Game) keepSnapshot(snapshot []byte) error {
	if g.held {
		return nil
	}
	// The game may have changed since it was at rest.
	if now, err := g.Saved(); err == nil && (now.Progress != nil || g.last == nil) {
		g.last = now
	}
	if g.last == nil { // nothing has changed
		g.last = g.opened
	}
	if g.last == nil {
		return errors.New("the chart has ended")
	}
	last := *g.last
	if last.Progress != nil && !g.has.Has(CanLoad) {
		progress := *last.Progress
		progress.Snapshot = snapshot
		last.Progress = &progress
	}
	return g.store.Save(&last)
}

// Saved returns the game as it is saved, see Keep. A chart without the event load has only the
// board. Call it in an input or at rest.
func (g *Game) Saved() (*format.Game, error) {
	t := &g.told
	now := format.Game{Givens: t.initial}
	if p := g.puzzles[g.puzzle]; p.Grid == t.initial {
		now.Name = p.Name
	}
	progress := format.Progress{Board: t.current}
	if g.opened != nil && g.opened.Givens == t.initial {
		now = *g.opened
		if now.Progress != nil {
			progress.SavePoints, progress.Time = now.Progress.SavePoints, now.Progress.Time
		}
	}
	if r, ok := g.ratings[t.initial]; ok && now.Info.Level == "" && r.level > 0 {
		now.Info.Level, now.Info.Rating = strconv.Itoa(r.level), strconv.FormatFloat(r.er, 'f', 1, 64)
	}
	progress.Mode = g.mode()
	if g.has.Has(CanLoad) {
		var data loadData
		if err := get(g.session, "saved()", &data); err != nil {
			return nil, err
		}
		data.to(&progress)
	}
	if progress.Mode == format.NotStarted && (progress.Board != t.initial || len(progress.Moves) > 0) {
		progress.Mode = format.GivenUp
	}
	now.Progress = &progress
	nothing := format.Progress{Board: t.initial}
	if g.untouched { // it has begun, and can begin again
		nothing.Mode = progress.Mode
	}
	if reflect.DeepEqual(progress, nothing) {
		now.Progress = nil
	}
	return &now, nil
}

// mode returns the state of the game as it is saved.
func (g *Game) mode() format.Mode {
	return [...]format.Mode{
		Playing: format.Playing, Paused: format.Paused, Editing: format.Editing, Solving: format.Playing,
		Solved: format.Solved, GivenUp: format.GivenUp,
	}[g.state()]
}

// kinds are the values of the field of in changes of the chart.
var kinds = map[format.Kind]string{
	format.OfDigit: "digit", format.OfNotes: "notes", format.OfCorner: "corner", format.OfColours: "colours",
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
	if data.SavePoints != nil {
		p.SavePoints = nil
		for _, point := range *data.SavePoints {
			p.SavePoints = append(p.SavePoints, format.SavePoint{
				Name: point.Name, Board: point.CurrentState, Notes: point.Notes, Corner: point.Corner, Colours: point.Colours})
		}
	}
	if data.Time != nil {
		p.Time = milliseconds(*data.Time).Truncate(time.Millisecond)
	}
	if data.Mode != nil {
		p.Mode = *data.Mode
	}
	p.Helps = data.Helps
}

// get evaluates an expression in the chart.
func get(s drive.Session, expr string, to any) error {
	v, err := s.Do(wire.Command{Verb: wire.Get, Text: expr})
	if err != nil {
		return err
	}
	return datamodel.Decode(v, to)
}
