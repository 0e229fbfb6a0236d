package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Game is a chart as its player sees it. It reads the records of a session and gives
// it commands. It is for one session and for one goroutine, that of the driver.
type Game struct {
	chart     *scxml.Chart
	abilities map[string]Abilities // by the name of the state
	has       Abilities
	puzzles   []sudoku.Puzzle

	puzzle        int // index of the puzzle that the chart got last
	ratings       map[sudoku.Grid]rating
	configuration []string // names of the active states
	told          updates  // what the chart has told last
	message       Message

	// What the player has chosen.
	row, col int // the selected cell
	marked   [9][9]bool
	pen      Pen
	filter   int
	hidden   *Hint // was put away
	show     Show
	cleanUp  bool
	clock    bool // is on, or will be from the first move of an untouched game

	begins      bool // puzzles begin by themselves, see Begin
	untouched   bool // the game has begun by itself, and there has been no move
	interrupted bool // the game was played when the player began to enter a puzzle

	drive      func(drive.Config) (Driver, error) // makes session
	session    Driver
	resting    bool // the last record was a rest
	waiting    bool // for a service, so that there is no rest
	introduced bool // the chart knows that it has to send updateMarks
	entries    entries
	feedback   feedback

	opened   *format.Game // the saved game that continues, or nil
	restored bool         // whether the session was restored from a snapshot
	held     bool         // the game must not be saved, because it would replace one that does not continue
	store    Store        // of Keep
	last     *format.Game // given to store last
	changed  bool         // since then
	solved   bool         // and the player has solved it
	found    *format.Game // saved of the puzzle that was made

	input   Input // the one that the chart is processing, or nil
	sent    int   // the events that it took
	changes int   // how often the grid has changed since
	moves   []int // the number of events of each move of the player
}

// A rating is how hard a puzzle is.
type rating struct {
	level int
	er    float64
}

// New returns a game of a chart that begins with the first of the puzzles, or with the first
// easy one of [sudoku.Puzzles] if there are none. It fails if the chart does not speak the
// protocol, see [Speaks].
func New(chart *scxml.Chart, puzzles []sudoku.Puzzle) (*Game, error) {
	if !Speaks(chart) {
		return nil, fmt.Errorf("sudoku: %s does not speak the protocol of the game: it needs transitions for tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState", chart.File())
	}
	first := 0
	if len(puzzles) == 0 {
		puzzles = sudoku.Puzzles()
		first = slices.IndexFunc(puzzles, func(p sudoku.Puzzle) bool { return strings.Contains(p.Name, "-easy-") })
	}
	g := &Game{
		chart: chart, abilities: abilities(chart), puzzles: puzzles, puzzle: first,
		drive:   func(cfg drive.Config) (Driver, error) { return drive.New(cfg) },
		ratings: map[sudoku.Grid]rating{}, show: ShowValid | ShowStatistics | ShowLeft | ShowPeers | ShowEqual,
	}
	for _, a := range g.abilities {
		g.has |= a
	}
	return g, nil
}

// Puzzles returns the puzzles that Choose chooses from.
func (g *Game) Puzzles() []sudoku.Puzzle { return slices.Clone(g.puzzles) }

// Puzzle returns the puzzle that the chart got last, or gets first.
func (g *Game) Puzzle() sudoku.Puzzle { return g.puzzles[g.puzzle] }

// A Driver runs the session of a game: a [drive.Driver], or one of [Game.Use]. A game needs Do for
// events, for the value of a data item, and for that of "saved()".
type Driver interface {
	drive.Session
	// Run and Later are as those of a [drive.Driver].
	Run(ctx context.Context, inputs <-chan drive.Input) (drive.End, error)
	Later(f func(drive.Session))
}

// Use makes Driver use f instead of [drive.New], for a chart that is compiled, see
// examples/sudoku/compiled. Call it before Driver.
func (g *Game) Use(f func(drive.Config) (Driver, error)) { g.drive = f }

// Driver returns a driver for a session of the chart: a new one, that of cfg.Saved, or one
// that continues the game of Open. cfg.Front must pass each record to Tell, and shows the
// game when that says so; before that, its first input must be Resume if Resumes says so, and
// may be Begin after that.
// After a gap of the wall clock the game is paused, unless cfg.Overslept does something
// else. The error is that of [drive.New].
func (g *Game) Driver(cfg drive.Config) (Driver, error) {
	cfg.Chart = g.chart
	cfg.Kinds |= record.Kinds(record.Send, record.Timer, record.Stable, record.Rest)
	// A chart whose services are not there says so to the player.
	cfg.Options = append([]scxml.Option{scxml.WithMissing()}, cfg.Options...)
	if g.store != nil && cfg.Save == nil {
		cfg.Save = g.keepSnapshot
	}
	if cfg.Overslept == nil && g.has.Has(CanPause) {
		cfg.Overslept = func(s drive.Session) error {
			if g.untouched { // its clock does not run
				return nil
			}
			return g.Do(s, Pause{})
		}
	}
	if snapshot := g.snapshot(); cfg.Saved == nil && snapshot != nil {
		restored := cfg
		restored.Saved = snapshot
		if d, err := g.drive(restored); err == nil { // otherwise it is that of another chart
			g.session, g.restored, g.held = d, true, true
			return d, nil
		}
	}
	if g.restored = cfg.Saved != nil; !g.restored && slices.Contains(g.chart.Data(), "initState") {
		// Options of the caller come later, and take precedence.
		cfg.Options = append([]scxml.Option{scxml.WithData("initState", g.puzzles[g.puzzle].Grid)}, cfg.Options...)
	}
	d, err := g.drive(cfg)
	if err != nil {
		return nil, err
	}
	g.session, g.held = d, g.Resumes()
	return d, nil
}

// Tell receives a record of the session. It reports whether the View is another one that
// is worth being shown: at rest, and while a service works after each macrostep.
func (g *Game) Tell(r *record.Record) (repaint bool) {
	g.resting = r.Kind == record.Rest
	switch {
	case r.InvokeID != "": // of an invoked session
	case r.Kind == record.Rest:
		g.waiting = false
		g.enter(r.Configuration)
		g.settle()
		if found := g.found; found != nil {
			g.found = nil
			g.session.Later(func(s drive.Session) {
				// An error has stopped the session, which the driver sees.
				_ = g.open(s, found)
			})
		}
		return true
	case r.Kind == record.Stable:
		g.enter(r.Configuration)
		g.waiting = g.waiting || g.serves() // also until a service that is not wanted any more has ended
		return g.waiting
	case r.Kind == record.Send && r.Delay == 0 || r.Kind == record.Timer:
		g.hear(r.Event)
	}
	return false
}

// enter notes the active states.
func (g *Game) enter(configuration []string) {
	before := g.state()
	g.configuration = configuration
	if now := g.state(); now != before {
		g.changed = true
		g.solved = now == Solved && before == Playing
	}
}

// Waits reports whether a service works, so that no rest follows an input: then the View is another
// one after the input.
func (g *Game) Waits() bool { return g.waiting }

// serves reports whether a state is active that invokes a service.
func (g *Game) serves() bool {
	return slices.ContainsFunc(g.configuration, func(state string) bool {
		return state == "generating" || state == "searching" || state == "revealing" || state == "working"
	})
}

// in reports whether a state is active.
func (g *Game) in(state string) bool { return slices.Contains(g.configuration, state) }

// state returns the state of the game.
func (g *Game) state() State {
	switch {
	case g.in("paused"):
		return Paused
	case g.in("editing"):
		return Editing
	case g.in("solving"):
		return Solving
	case g.in("playing"):
		return Playing
	case g.in("solved"):
		return Solved
	case g.in("givenUp"):
		return GivenUp
	case g.reactsTo("stop"): // the chart has other names
		return Playing
	}
	return Idle
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

// milliseconds converts a number of the chart.
func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
