package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Config changes how a chart is played. The zero Config is fine.
type Config struct {
	// Screen is what the game is shown on. It has to be initialised, and is
	// left to its owner afterwards. Without one Run opens the terminal, gives
	// it back however the game ends, and ends on SIGINT, SIGTERM, SIGHUP,
	// SIGQUIT and SIGABRT.
	Screen tcell.Screen
	// Puzzles are what there is to play, the first one at first; without any,
	// those of [sudoku.Puzzles].
	Puzzles []sudoku.Puzzle
	// Title is shown above the board; without one, the name of the chart.
	Title string
	// Options are for the session. Data that they set goes before what Run sets.
	Options []scxml.Option
	// Saved is a snapshot of the session that is to go on; without one a new
	// game begins. What the board shows is then evaluated in the session: its
	// data items currentState and initState, which are the params of updateGUI.
	Saved []byte
	// Timers says what becomes of the delayed events of Saved.
	Timers scxml.TimerPolicy
	// AtEnd is called before the chart is stopped, for example to save the
	// session. It may be nil.
	AtEnd func(*scxml.Session)
}

// ErrChartEnded is what Run returns when the chart ended, or was stopped, and
// not the player.
var ErrChartEnded = errors.New("sudoku: the chart has ended")

// A SessionError is what Run returns when there can be no session: Options do
// not fit the chart, or Saved is refused. Err is the error of [scxml.New] or
// [scxml.Restore].
type SessionError struct{ Err error }

// Error says what Err does.
func (e *SessionError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *SessionError) Unwrap() error { return e.Err }

// A SignalError is what Run returns when a signal ended the game. It is a
// [context.Canceled].
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "sudoku: ended by signal: " + e.Signal.String() }

// Unwrap returns [context.Canceled].
func (e *SignalError) Unwrap() error { return context.Canceled }

// Run plays the chart until the player quits, which is no error, or until ctx
// is done, which returns its cause. Whatever happens to the chart, a limit
// say, ends the game with an error that tells it. The chart is stopped at the
// end.
func Run(ctx context.Context, chart *scxml.Chart, cfg Config) error {
	if !Speaks(chart) {
		return fmt.Errorf("sudoku: %s does not speak the protocol of the game: it needs transitions for tap, undo, setup, start and stop, and a <send> of updateGUI with the params currentState and initState", chart.File())
	}
	p, err := newPlayer(ctx, chart, cfg)
	if err != nil {
		return err
	}
	if cfg.Screen != nil {
		return p.play(&terminal{screen: cfg.Screen})
	}
	t, err := openTerminal()
	if err != nil {
		return err
	}
	defer t.close() // after a panic too, before it is reported
	return p.play(t)
}

// A player connects a game, its session and a screen. It is the machine of
// the game.
type player struct {
	ctx     context.Context
	session *scxml.Session
	game    *game
	atEnd   func(*scxml.Session) // may be nil
}

func newPlayer(ctx context.Context, chart *scxml.Chart, cfg Config) (*player, error) {
	g := &game{
		title:   cfg.Title,
		puzzles: cfg.Puzzles,
		sets:    reactsTo(chart, "set"),
		states:  map[string]bool{},
	}
	if g.title == "" {
		g.title = chart.Name()
	}
	if len(g.puzzles) == 0 {
		g.puzzles = sudoku.Puzzles()
	}
	session, err := newSession(chart, g.puzzles[0].Grid, cfg)
	if err != nil {
		return nil, &SessionError{err}
	}
	session.OnSend("updateGUI", func(ev scxml.Event) {
		data, err := scxml.EventData[updateData](ev)
		if err != nil {
			g.message = "bad updateGUI: " + err.Error()
			return
		}
		g.update(data)
	})
	for _, id := range []string{"idle", "playing", "solved", "unsolved"} {
		if _, ok := chart.State(id); ok {
			session.OnState(id, func(active bool) { g.states[id] = active })
			g.states[id] = session.In(id)
		}
	}
	p := &player{ctx, session, g, cfg.AtEnd}
	g.machine = p
	if cfg.Saved != nil {
		p.showSaved()
	}
	return p, nil
}

// newSession makes the session, or restores it.
func newSession(chart *scxml.Chart, first sudoku.Grid, cfg Config) (*scxml.Session, error) {
	if cfg.Saved != nil {
		return scxml.Restore(chart, cfg.Saved, scxml.Options(cfg.Options), scxml.WithTimers(cfg.Timers))
	}
	options := cfg.Options
	if slices.Contains(chart.Data(), "initState") {
		// What the caller gives comes later, and so counts.
		options = append([]scxml.Option{scxml.WithData("initState", first)}, options...)
	}
	return scxml.New(chart, options...)
}

// showSaved shows the grids of a session that was restored: it says something by
// itself only when they change.
func (p *player) showSaved() {
	var data updateData
	for name, grid := range map[string]*sudoku.Grid{"currentState": &data.CurrentState, "initState": &data.InitState} {
		v, err := p.session.Eval(p.ctx, name)
		if err == nil {
			err = datamodel.Decode(v, grid)
		}
		if err != nil {
			p.game.message = "the board shows up with the first move: " + err.Error()
			return
		}
	}
	p.game.update(data)
	p.game.puzzle = slices.IndexFunc(p.game.puzzles, func(q sudoku.Puzzle) bool { return q.Grid == data.InitState })
	if p.game.puzzle < 0 {
		p.game.puzzles = slices.Insert(slices.Clone(p.game.puzzles), 0, sudoku.Puzzle{Name: "saved", Grid: data.InitState})
		p.game.puzzle = 0
	}
}

// submit gives the chart an event and lets it work that off.
func (p *player) submit(event string, data any) error {
	if err := p.session.Send(scxml.Event{Name: event, Data: data}); err != nil {
		return p.ended(err)
	}
	return p.advance()
}

// advance lets the chart do all that is due.
func (p *player) advance() error {
	return p.ended(p.session.Advance(p.ctx, time.Now()))
}

// ended makes an error of the session one of the game, and one of a session that has ended.
func (p *player) ended(err error) error {
	status := p.session.Status()
	switch {
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case status == scxml.Final:
		return fmt.Errorf("%w in its state %q", ErrChartEnded, p.session.FinalState())
	case errors.Is(err, scxml.ErrStopped):
		return ErrChartEnded
	case err != nil:
		return fmt.Errorf("sudoku: the chart failed: %w", err)
	case status == scxml.Stopped:
		return ErrChartEnded
	}
	return nil
}

// reactsTo tells whether the chart now has a transition for the event.
func (p *player) reactsTo(event string) bool {
	for _, descriptor := range p.session.Enabled() {
		if names(descriptor, event) {
			return true
		}
	}
	return false
}

// play is the event loop. It owns the session and the screen.
func (p *player) play(t *terminal) error {
	screen := t.screen
	screen.EnableMouse(tcell.MouseButtonEvents)
	screen.EnablePaste()
	events, quitEvents := make(chan tcell.Event), make(chan struct{})
	go screen.ChannelEvents(events, quitEvents)
	defer func() {
		close(quitEvents)
		for range events { // until the goroutine has ended
		}
	}()

	start := p.advance
	if p.session.Status() == scxml.Unstarted {
		start = func() error { return p.ended(p.session.Start(p.ctx)) }
	}
	defer p.stop()
	if err := start(); err != nil {
		return err
	}

	theme := newTheme(colors(screen), screen.CharacterSet() == "UTF-8")
	input := input{}
	timer := time.NewTimer(0)
	defer timer.Stop()
	show := screen.Show
	for {
		draw(screen, theme, p.game)
		show()
		show = screen.Show
		var due <-chan time.Time
		if at, ok := p.session.NextDue(); ok {
			timer.Reset(time.Until(at))
			due = timer.C
		}
		var todo command
		select {
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		case sig := <-t.signals:
			if !isStopSignal(sig) {
				return &SignalError{sig}
			}
			todo.verb = suspend
		case <-due:
			if err := p.advance(); err != nil {
				return err
			}
		case ev, ok := <-events:
			if !ok {
				return errors.New("sudoku: the screen was closed")
			}
			switch ev := ev.(type) {
			case *tcell.EventResize:
				todo.verb = redraw
			case *tcell.EventError:
				return fmt.Errorf("sudoku: the terminal failed: %w", ev)
			default:
				width, height := screen.Size()
				todo = input.command(ev, width, height, p.game)
			}
		}
		switch todo.verb {
		case nothing:
		case quit:
			return nil
		case suspend:
			if err := t.suspend(); err != nil {
				return fmt.Errorf("sudoku: cannot use the terminal again: %w", err)
			}
			show = screen.Sync
		case redraw:
			show = screen.Sync
		default:
			if err := p.game.do(todo); err != nil {
				return err
			}
		}
	}
}

// stop stops the chart, which runs its onexit handlers.
func (p *player) stop() {
	if p.atEnd != nil && p.session.Status() != scxml.Unstarted {
		p.atEnd(p.session)
	}
	p.session.Stop()
	// What is left to say about it, nobody wants to hear any more.
	_ = p.session.Advance(context.WithoutCancel(p.ctx), time.Now())
}

// colors returns how many colours to use.
func colors(screen tcell.Screen) int {
	if os.Getenv("NO_COLOR") != "" { // https://no-color.org
		return 0
	}
	return screen.Colors()
}
