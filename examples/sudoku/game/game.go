package game

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Game is a chart as its player sees it. It reads the records of a session and gives
// it commands. It is for one session and for one goroutine, that of the driver.
type Game struct {
	chart   *scxml.Chart
	puzzles []sudoku.Puzzle

	puzzle           int // index of the puzzle that the chart got last
	current, initial sudoku.Grid
	configuration    []string // names of the active states
	row, col         int      // the selected cell
	message          Message

	input   Input // the one that the chart is processing, or nil
	sent    int   // the events that it took
	changes int   // how often the grid has changed since
	moves   []int // the number of events of each move of the player
}

// New returns a game of a chart that begins with the first of the puzzles; the default
// puzzles are [sudoku.Puzzles]. It fails if the chart does not speak the protocol, see
// [Speaks].
func New(chart *scxml.Chart, puzzles []sudoku.Puzzle) (*Game, error) {
	if !Speaks(chart) {
		return nil, fmt.Errorf("sudoku: %s does not speak the protocol of the game: it needs transitions for tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState", chart.File())
	}
	if len(puzzles) == 0 {
		puzzles = sudoku.Puzzles()
	}
	return &Game{chart: chart, puzzles: puzzles}, nil
}

// Driver returns a driver for a session of the chart, either a new one or that of
// cfg.Saved. cfg.Front must pass each record to Tell, and shows the game when the
// session is at rest. The error is that of [drive.New].
func (g *Game) Driver(cfg drive.Config) (*drive.Driver, error) {
	cfg.Chart = g.chart
	cfg.Kinds |= record.Kinds(record.Send, record.Timer, record.Rest)
	if cfg.Saved == nil && slices.Contains(g.chart.Data(), "initState") {
		// Options of the caller come later, and take precedence.
		cfg.Options = append([]scxml.Option{scxml.WithData("initState", g.puzzles[0].Grid)}, cfg.Options...)
	}
	return drive.New(cfg)
}

// Tell receives a record of the session.
func (g *Game) Tell(r *record.Record) {
	switch {
	case r.InvokeID != "": // of an invoked session
	case r.Kind == record.Rest:
		g.configuration = r.Configuration
		g.settle()
	case r.Event.Name == "updateGUI" && (r.Kind == record.Send && r.Delay == 0 || r.Kind == record.Timer):
		data, err := scxml.EventData[updateData](r.Event)
		if err != nil {
			g.message = Message{BadUpdate, err.Error()}
			return
		}
		if g.current != data.CurrentState {
			g.changes++
		}
		g.current, g.initial = data.CurrentState, data.InitState
	}
}

// Resume reads the grids of a saved session, which sends them only when they change.
// They are its data items currentState and initState, named like the params of
// updateGUI.
func (g *Game) Resume(s drive.Session) {
	var data updateData
	for _, item := range []struct {
		location string
		grid     *sudoku.Grid
	}{{"currentState", &data.CurrentState}, {"initState", &data.InitState}} {
		v, err := s.Do(wire.Command{Verb: wire.Get, Text: item.location})
		if err == nil {
			err = datamodel.Decode(v, item.grid)
		}
		if err != nil {
			g.message = Message{NoBoard, err.Error()}
			return
		}
	}
	g.current, g.initial = data.CurrentState, data.InitState
	g.puzzle = slices.IndexFunc(g.puzzles, func(p sudoku.Puzzle) bool { return p.Grid == g.initial })
	if g.puzzle < 0 {
		g.puzzles = slices.Insert(slices.Clone(g.puzzles), 0, sudoku.Puzzle{Name: "saved", Grid: g.initial})
		g.puzzle = 0
	}
}

// reactsTo reports whether the active states have a transition for the event.
func (g *Game) reactsTo(event string) bool {
	return slices.ContainsFunc(g.chart.Transitions(), func(t scxml.Transition) bool {
		return isFor(t, event) && slices.Contains(g.configuration, t.Source().Name())
	})
}

// ErrChartEnded is the error of [Over] if the chart has ended or was stopped.
var ErrChartEnded = errors.New("sudoku: the chart has ended")

// Over returns why a game ended that the player did not end, given the results of
// [drive.Driver.Run]: [ErrChartEnded], or a failure of the chart, such as a limit.
func Over(end drive.End, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("sudoku: the chart failed: %w", err)
	case end.Final != "":
		return fmt.Errorf("%w in its state %q", ErrChartEnded, end.Final)
	}
	return ErrChartEnded
}
