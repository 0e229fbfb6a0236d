package game

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Game is a chart as its player sees it. It reads the records of a session and gives
// it commands. It is for one session and for one goroutine, that of the driver.
type Game struct {
	chart   *scxml.Chart
	puzzles []sudoku.Puzzle
	has     Abilities

	abilities map[string]Abilities // by the name of the state

	puzzle           int // index of the puzzle that the chart got last
	current, initial sudoku.Grid
	configuration    []string // names of the active states
	row, col         int      // the selected cell
	marked           [9][9]bool
	pen              Pen
	filter           int
	show             Show
	message          Message

	session  drive.Session // of the driver
	opened   *format.Game  // the saved game that it began with, or nil
	restored bool          // whether the session was restored from a snapshot
	resumed  bool          // whether Resume has succeeded
	store    Store         // of Keep
	last     *format.Game  // given to store last
	changed  bool          // whether the chart has sent updateGUI since

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
	g := &Game{chart: chart, puzzles: puzzles, show: ShowValid | ShowPeers | ShowEqual}
	g.abilities = abilities(chart)
	for _, a := range g.abilities {
		g.has |= a
	}
	return g, nil
}

// Driver returns a driver for a session of the chart: a new one, that of cfg.Saved, or one
// that continues the game of Open. cfg.Front must pass each record to Tell, and shows the
// game when the session is at rest; before that, its first input must be Resume if Resumes
// says so. The error is that of [drive.New].
func (g *Game) Driver(cfg drive.Config) (*drive.Driver, error) {
	cfg.Chart = g.chart
	cfg.Kinds |= record.Kinds(record.Send, record.Timer, record.Rest)
	if g.store != nil && cfg.Save == nil {
		cfg.Save = g.keepSnapshot
	}
	if snapshot := g.snapshot(); cfg.Saved == nil && snapshot != nil {
		restored := cfg
		restored.Saved = snapshot
		if d, err := drive.New(restored); err == nil { // otherwise it is that of another chart
			g.session, g.restored = d, true
			return d, nil
		}
	}
	if g.restored = cfg.Saved != nil; !g.restored && slices.Contains(g.chart.Data(), "initState") {
		// Options of the caller come later, and take precedence.
		cfg.Options = append([]scxml.Option{scxml.WithData("initState", g.puzzles[g.puzzle].Grid)}, cfg.Options...)
	}
	d, err := drive.New(cfg)
	if err != nil {
		return nil, err
	}
	g.session = d
	return d, nil
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
		g.current, g.initial, g.changed = data.CurrentState, data.InitState, true
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
