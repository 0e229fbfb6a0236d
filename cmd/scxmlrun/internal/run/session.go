package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/tui"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/json"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/line"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/none"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/sudoku"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	screen "github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/tui"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A session is a session to run, as the flags say.
type session struct {
	*Options
	file      string
	chart     *scxml.Chart // nil with --isolate
	folder    fs.FS        // of the chart; nil with --isolate
	data      []dataValue
	recording *recording.Writer // nil without --record
	saved     []byte            // of --load; nil: a new session

	dataIDs, states []string          // ids of the chart
	atomic          func(string) bool // whether a state is
	new             func(context.Context, drive.Config) (driver, error)
}

// A driver runs a session for a front end: a [drive.Driver], or one with --isolate.
type driver interface {
	drive.Session
	Run(context.Context, <-chan drive.Input) (drive.End, error)
}

// options returns the options of the session, except those of the front end.
func (s *session) options() []scxml.Option {
	all := []scxml.Option{scxml.WithMissing()} // what it lacks is an error event
	if s.Strict && s.chart != nil {
		all = append(all, scxml.WithAccept(s.chart.IsUserEvent))
	}
	for _, v := range s.data {
		all = append(all, scxml.WithData(v.id, v.value))
	}
	return all
}

// config returns the configuration that all front ends share.
func (s *session) config(last *cli.Last) drive.Config {
	cfg := drive.Config{
		Chart: s.chart, File: s.file, Version: cli.Version(), Saved: s.saved, Options: s.options(),
		Restoring: []scxml.RestoreOption{scxml.WithTimers(s.timerPolicy())}, Seed: &s.Seed,
	}
	if s.recording != nil {
		cfg.Listen = s.recording.Listen
	}
	if s.TimeoutGiven {
		cfg.Timeout = &s.Timeout
	}
	if s.Save != "" {
		cfg.Save = func(snapshot []byte) error {
			return last.Save(func() error { return s.writeSnapshot(snapshot) })
		}
	}
	return cfg
}

// drive runs the session with the front end line, json or none.
func (s *session) drive(parent context.Context, ui string) error {
	last := cli.NewLast()
	cfg := s.config(last)
	cfg.Virtual, cfg.Reachable = s.Clock == "virtual", s.HTTP != ""
	if !s.SeedGiven {
		s.Seed = defaultSeed(cfg.Virtual)
	}
	var inputs func() <-chan drive.Input // nil: the front end has no input
	var keyboard <-chan os.Signal
	var typed *line.Front
	switch ui {
	case "line":
		front, err := line.New(os.Stdin, os.Stdout, line.Config{Virtual: cfg.Virtual, Trace: s.Trace})
		if err != nil {
			return err
		}
		defer front.Close()
		cfg.Front, cfg.Kinds, typed, inputs = front, front.Kinds(), front, front.Inputs
		keyboard, last.Restore = front.Keyboard, front.Restore
	case "json":
		front := json.New(os.Stdout, cfg.Virtual)
		cfg.Front, cfg.Kinds = front, front.Kinds(s.Trace)
		inputs = func() <-chan drive.Input { return front.Inputs(os.Stdin) }
	case "none":
		front := none.New(os.Stderr)
		cfg.Front, cfg.Kinds = front, front.Kinds(s.Trace)
	}
	ctx, cancel := cli.Interruptible(parent, keyboard, last)
	defer cancel(nil)
	if !cfg.Virtual && s.Timeout > 0 {
		last.TimeOut(s.Timeout)
	}
	finish, err := s.listen(ctx, &cfg)
	if err != nil {
		return err
	}
	defer finish()
	d, err := s.new(ctx, cfg)
	if err != nil {
		return err
	}
	if typed != nil {
		typed.Session, typed.States, typed.Data = d, s.states, s.dataIDs
		if s.chart != nil { // it is in this process
			typed.Events = text.Events(s.chart)
		}
	}
	var lines <-chan drive.Input
	if inputs != nil {
		lines = inputs()
	}
	end, err := d.Run(ctx, lines)
	return s.outcome(context.Cause(ctx), end, cfg.Front.Failed(), err)
}

// listen serves the address of --http, if it is given, until finish has answered the last request.
func (s *session) listen(ctx context.Context, cfg *drive.Config) (finish func(), err error) {
	if s.HTTP == "" {
		return func() {}, nil
	}
	var config basichttp.Config
	if s.Strict {
		config.Accept = (*scxml.Chart).IsUserEvent
	}
	processor, err := basichttp.Listen(ctx, s.HTTP, false, config)
	if err != nil {
		return nil, &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--http: %w", err)}
	}
	cfg.Options = append(cfg.Options, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	return func() {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = processor.Shutdown(ctx) // a client that sends or reads nothing is waited for no longer than this
	}, nil
}

// watch shows the session on the screen.
func (s *session) watch(ctx context.Context) error {
	if err := s.checkScreen(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx) // ends the server of --http
	defer cancel()
	last := cli.NewLast()
	cfg := s.config(last)
	cfg.Virtual, cfg.Reachable = s.Clock == "virtual", s.HTTP != ""
	if !s.SeedGiven {
		s.Seed = defaultSeed(cfg.Virtual)
	}
	finish, err := s.listen(ctx, &cfg)
	if err != nil {
		return err
	}
	defer finish()
	front, err := screen.New(screen.Config{Driver: cfg, Files: s.folder})
	if err != nil {
		return s.sessionError(err)
	}
	last.Restore = front.Restore
	go last.Interrupts(front.Interrupts, nil)
	if !cfg.Virtual && s.Timeout > 0 {
		last.TimeOut(s.Timeout)
	}
	end, err := front.Run(ctx)
	return s.outcome(nil, end, nil, err)
}

// outcome turns the end of a run into the error with the exit status.
func (s *session) outcome(cause error, end drive.End, failed, err error) error {
	unsaved := s.saveError(end.SaveErr)
	switch {
	case errors.As(cause, new(*cli.Interrupt)) || errors.As(err, new(*terminal.SignalError)):
		return &cli.Error{Status: cli.Interrupted, Err: unsaved}
	case failed != nil && unsaved == nil:
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write the output: %w", cli.Plain(failed))}
	case err != nil || unsaved != nil:
		return &cli.Error{Status: cli.Failed, Err: cmp.Or(err, unsaved)}
	case end.InputErr != nil:
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read the input: %w", cli.Plain(end.InputErr))}
	case end.TimedOut:
		return &cli.Error{Status: cli.Timeout, Err: fmt.Errorf("stopped: the time given by --timeout passed at %v of chart time", end.Elapsed)}
	}
	return s.checkEnd(end.Final, end.Configuration)
}

// play runs the session on the Sudoku board, on a screen or in lines of text.
func (s *session) play(parent context.Context, plain bool) (err error) {
	if err := s.checkSudoku(); err != nil {
		return err
	}
	puzzles := sudoku.Config{Open: s.Open, MaxFile: file.MaxInput, Plain: plain}
	for i, v := range s.data {
		if v.id == sudoku.InitState {
			puzzles.InitState = cmp.Or(v.value, datamodel.Value(datamodel.Null))
			s.data = slices.Delete(slices.Clone(s.data), i, i+1)
			break
		}
	}
	last := cli.NewLast()
	cfg := s.config(last)
	if isSavedGame(s.saved) {
		puzzles.Load, puzzles.Saved, cfg.Saved = s.Load, s.saved, nil
	}
	if !s.SeedGiven {
		s.Seed = defaultSeed(false)
	}
	if puzzles.Files, err = s.Board.Open(plain); err != nil {
		return err
	}
	var saveErr error // of the game, if not of --save
	defer func() { err = puzzles.Files.End(err, saveErr) }()
	player, err := sudoku.New(s.chart, puzzles, cfg)
	var usage *cli.Error
	switch {
	case errors.As(err, &usage):
		return err
	case err != nil:
		return s.sessionError(err)
	}
	ctx, cancel := parent, func(error) {}
	if screen, ok := player.(*tui.Player); ok { // it handles signals itself
		last.Restore = screen.Restore
		go last.Interrupts(screen.Interrupts, nil)
	} else {
		ctx, cancel = cli.Interruptible(parent, nil, last)
	}
	defer cancel(nil)
	if s.Timeout > 0 {
		last.TimeOut(s.Timeout)
	}
	end, err := player.Run(ctx)
	if s.Save == "" {
		if !puzzles.Files.Readonly() { // otherwise the player knows
			saveErr = end.SaveErr
		}
		end.SaveErr = nil
	}
	if errors.Is(err, game.ErrChartEnded) {
		err = nil
	}
	return s.outcome(context.Cause(ctx), end, nil, err)
}

// checkEnd returns an error if the session did not end in the expected state.
func (s *session) checkEnd(final string, configuration []string) error {
	if final != "" {
		configuration = []string{final}
	}
	if s.Expect == "" || slices.Contains(configuration, s.Expect) {
		return nil
	}
	var atomic []string
	for _, name := range configuration {
		if s.atomic(name) {
			atomic = append(atomic, name)
		}
	}
	return &cli.Error{Status: cli.Unexpected, Err: fmt.Errorf("expected the chart to end in %q, but it ended in %s", s.Expect, cli.List(atomic, "and"))}
}

// defaultSeed returns the seed without --seed. It is small, so that every language can
// read it from the hello record.
func defaultSeed(virtual bool) uint64 {
	if virtual {
		return 1
	}
	return uint64(rand.Uint32())
}
