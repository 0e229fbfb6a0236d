// Package run runs a chart with a front end: it checks the command line, loads the
// chart, and drives a session until it ends.
package run

import (
	"context"
	"os"
	"slices"
	"time"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/player"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// Options are the values of the flags of run.
type Options struct {
	UI      string   // one of [UIChoices]
	Clock   string   // real or virtual
	Data    []string // ID=JSON or ID=@file
	Open    []string // files with puzzles
	Seed    uint64
	Trace   bool
	Timeout time.Duration
	Expect  string
	Save    string
	Load    string
	Record  string // file of the recording, or ""
	Timers  string // one of [TimerChoices]
	HTTP    string
	Strict  bool
	Isolate string // one of the modes of package wall
	Limits  []string
	Board   player.Flags

	SeedGiven, TimeoutGiven bool
}

// Run runs the named chart. Its error has the exit status.
func Run(ctx context.Context, file string, o *Options) (err error) {
	if err := checkStdin(file, o.UI); err != nil {
		return err
	}
	if onBoard(o.UI) {
		if err := o.checkSudoku(); err != nil {
			return err
		}
	}
	saved, err := o.loadSnapshot()
	if err == nil {
		err = o.checkSave(file)
	}
	if err != nil {
		return err
	}
	initial, err := parseData(o.Data)
	if err != nil {
		return err
	}
	run := &session{Options: o, file: file, data: initial, saved: saved}
	if o.Isolate != wall.None {
		return run.driveIsolated(ctx)
	}
	limits, err := load.Limits(o.Strict, o.Limits)
	if err != nil {
		return err
	}
	load.BoundMatches(limits)
	source, folder, err := load.Read(file, limits)
	if err != nil {
		return err
	}
	run.folder = folder
	if o.Record != "" {
		if run.recording, err = recording.Create(o.Record, recording.Host{Limits: o.Limits, Strict: o.Strict}); err != nil {
			return err
		}
		defer run.endRecording(&err)
		folder = run.recording.Folder(file, source, folder)
	}
	if run.chart, err = load.Compile(file, source, folder, limits); err != nil {
		return err
	}
	if err := run.know(run.chart.Data(), stateIDs(run.chart), func(name string) bool {
		st, ok := run.chart.State(name)
		return ok && st.IsAtomic()
	}); err != nil {
		return err
	}

	ui := o.UI
	if ui == "auto" {
		ui = chooseUI(run.chart, file, o)
	}
	if onBoard(ui) {
		return run.play(ctx, ui == "plain")
	}
	if err := o.checkBoard(ui); err != nil {
		return err
	}
	if ui == "tui" {
		return run.watch(ctx)
	}
	run.new = func(_ context.Context, cfg drive.Config) (driver, error) {
		d, err := drive.New(cfg)
		if err != nil {
			return nil, o.sessionError(err)
		}
		return d, nil
	}
	return run.drive(ctx, ui)
}

// endRecording completes the recording of a run that has returned an error, or nil.
func (s *session) endRecording(err *error) {
	if unwritten := s.recording.Close(); unwritten != nil && *err == nil {
		*err = &cli.Error{Status: cli.Failed, Err: unwritten}
	}
}

// know notes the names of data items and states, and checks those that flags give.
func (s *session) know(data, states []string, atomic func(string) bool) error {
	s.dataIDs, s.states, s.atomic = data, states, atomic
	for _, d := range s.data {
		if err := d.check(data); err != nil {
			return err
		}
	}
	if s.Expect != "" && !slices.Contains(states, s.Expect) && !atomic(s.Expect) {
		return cli.Usagef("--expect %s: the chart has no state %q%s", s.Expect, s.Expect, cli.DidYouMean(s.Expect, states))
	}
	return nil
}

// checkBoard refuses flags of the board for another front end.
func (o *Options) checkBoard(ui string) error {
	if name := o.Board.Given(); name != "" {
		return cli.Usagef("--%s is for the Sudoku front end, and this is %q; leave the flag out, or add --ui sudoku", name, ui)
	}
	if len(o.Open) > 0 {
		return cli.Usagef("--open is for the Sudoku front end, and this is %q; give the chart data with --data, or add --ui sudoku", ui)
	}
	return nil
}

// UIChoices are the values of --ui.
var UIChoices = []string{"auto", "tui", "sudoku", "plain", "line", "json", "none"}

// onBoard reports whether a front end shows a Sudoku board.
func onBoard(ui string) bool { return ui == "sudoku" || ui == "plain" }

// checkSudoku refuses flags that the Sudoku front end cannot serve.
func (o *Options) checkSudoku() error {
	switch {
	case o.Clock == "virtual":
		return cli.Usagef("--clock virtual does not go with the Sudoku front end, which is played in real time; add --ui line or --ui json")
	case o.HTTP != "":
		return cli.Usagef("--http does not go with the Sudoku front end, where only the player acts; add --ui line or --ui json")
	case o.Trace:
		return cli.Usagef("--trace does not go with the Sudoku front end, which fills the screen; add --ui line or --ui json")
	}
	return nil
}

// checkScreen refuses flags that the front end tui cannot serve.
func (o *Options) checkScreen() error {
	switch {
	case o.Trace:
		return cli.Usagef("--trace does not go with --ui tui, whose log has every step; add --ui line or --ui json")
	case !cli.CanMoveCursor(os.Stdout):
		return cli.Usagef("--ui tui needs a terminal that can move its cursor, and standard output is not one; use --ui line or --ui json")
	}
	return nil
}

// checkStdin refuses to read both the chart and input from standard input.
func checkStdin(file, ui string) error {
	if file == load.Stdin && ui != "none" && ui != "auto" {
		return cli.Usagef("with FILE \"-\" standard input is the chart, and --ui %s reads its input there too; put the chart into a file, or use --ui none", ui)
	}
	return nil
}

// chooseUI returns the front end of --ui auto. The chart is nil if only a child knows it.
func chooseUI(chart *scxml.Chart, file string, o *Options) string {
	switch {
	case file == load.Stdin:
		return "none"
	case !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())):
		return "json"
	case chart != nil && game.Speaks(chart) && o.checkSudoku() == nil:
		if !cli.CanMoveCursor(os.Stdout) {
			return "plain"
		}
		return "sudoku"
	}
	if chart != nil && o.checkScreen() == nil {
		return "tui"
	}
	return "line"
}

// stateIDs returns the ids of the states of a chart.
func stateIDs(chart *scxml.Chart) []string {
	var ids []string
	for _, s := range chart.States() {
		if s.ID() != "" {
			ids = append(ids, s.ID())
		}
	}
	return ids
}
