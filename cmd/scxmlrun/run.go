package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

const runHelp = `
FILE is a chart; "-" reads it from standard input (with --ui none). What the
chart loads with src comes from regular files of its own folder, never from
elsewhere; FILE itself may be a pipe, such as <(...) of a shell. A FILE that is
not there but is built in, such as charts/sudoku.scxml, is taken from the
program itself.

Front ends (--ui):
  sudoku   the Sudoku board, for charts that speak its protocol
  line     shows configuration, logs and sends as text; reads events, "tap
           {"x":0,"y":2}", and commands to look inside; "help" tells them
  json     JSON lines on standard input and output, for programs
  none     no input; logs and errors go to standard error
  auto     sudoku or line on a terminal, else json (none if FILE is "-")

Exit status:
  0    the chart ended in a final state, was stopped, or has nothing more to do
  1    a failure while running: a limit was exceeded, output could not be written
  2    wrong usage
  3    the document was refused
  4    --timeout passed
  5    --expect was given, and the chart ended elsewhere
  130  interrupted`

const runExample = `  scxmlrun charts/sudoku.scxml
  scxmlrun --ui line --data 'limit=3' chart.scxml
  scxmlrun --ui json --clock virtual chart.scxml < events.jsonl
  scxmlrun --ui none --clock virtual --expect done chart.scxml`

// runOptions are the flags of run.
type runOptions struct {
	ui      cli.Choice
	clock   cli.Choice
	data    []string
	open    []string
	seed    uint64
	trace   bool
	timeout chartTime
	expect  string
	save    string
	load    string
	timers  cli.Choice
	http    string
	strict  bool
	limits  []string

	seedGiven, timeoutGiven bool
}

// bindRun makes cmd the command that runs a chart.
func bindRun(cmd *cobra.Command) {
	o := &runOptions{
		ui:    cli.Choice{Value: "auto", All: []string{"auto", "sudoku", "line", "json", "none"}},
		clock: cli.Choice{Value: "real", All: []string{"real", "virtual"}},

		timers: cli.Choice{Value: "due", All: timerChoices},
	}
	flags := cmd.Flags()
	flags.Var(&o.ui, "ui", "front end: auto, sudoku, line, json or none")
	flags.StringArrayVar(&o.data, "data", nil, "initial value of a top-level data item, as `ID=JSON` or id=@file; may be repeated")
	flags.Var(&o.clock, "clock", "real, or virtual: time passes only when it is told to, and at once when nobody can tell it any more")
	flags.Uint64Var(&o.seed, "seed", 0, "seed `NUMBER` of Math.random and generated ids (default: random on the real clock, 1 on a virtual one)")
	flags.BoolVar(&o.trace, "trace", false, "report every step: states, transitions, events, timers")
	flags.Var(&o.timeout, "timeout", "stop after this much chart time, for example 90s (default: none on the real clock; 24h after the end of input on a virtual one)")
	flags.StringVar(&o.http, "http", "", "serve the Basic HTTP Event I/O Processor at this loopback `ADDRESS`, for example 127.0.0.1:8080; the port may be 0")
	flags.BoolVar(&o.strict, "strict", false, "limits for a chart from a stranger")
	flags.StringArrayVar(&o.limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	flags.StringVar(&o.expect, "expect", "", "id of the `STATE` the chart has to end in; exit status 5 if it does not")
	flags.StringVar(&o.save, "save", "", "save the session to `FILE` when the run ends, which is then where its input ends")
	flags.StringVar(&o.load, "load", "", "go on with the session that --save has saved to `FILE`")
	flags.Var(&o.timers, "timers", "with --load, delayed events are due when they were (due), after the time that was left (remaining), or after their whole delay (anew)")
	flags.StringArrayVar(&o.open, "open", nil, "puzzle `FILE` for the Sudoku front end; may be repeated")

	cmd.Args = cobra.ArbitraryArgs // see oneFile, which says more than cobra
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := oneFile(cmd, args)
		if err != nil {
			return err
		}
		for _, name := range []string{"save", "load", "http", "expect"} {
			if flags.Changed(name) && flags.Lookup(name).Value.String() == "" {
				return cli.Usagef("--%s: the value is empty; leave the flag out, or write what it is to be", name)
			}
		}
		o.seedGiven, o.timeoutGiven = flags.Changed("seed"), flags.Changed("timeout")
		return run(cmd.Context(), file, o)
	}
	for name, c := range map[string]*cli.Choice{"ui": &o.ui, "clock": &o.clock, "timers": &o.timers} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.All, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err) // the flag stands above
		}
	}
	cmd.ValidArgsFunction = completeChart
}

// completeChart completes the one FILE of a command.
func completeChart(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeCharts(cmd, args, word)
}

// completeCharts completes the FILEs of a command.
func completeCharts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"scxml", "xml"}, cobra.ShellCompDirectiveFilterFileExt
}

// oneFile returns the one argument of run.
func oneFile(cmd *cobra.Command, args []string) (string, error) {
	if len(args) == 0 {
		return "", cli.Usagef("which chart? Name its file, for example: scxmlrun charts/sudoku.scxml; run %q for more", cmd.CommandPath()+" --help")
	}
	if !cmd.HasParent() {
		if near := cli.Nearest(args[0], cli.CommandNames(cmd)); near != "" && !exists(args[0]) {
			return "", cli.Usagef("there is no command %q and no such file (did you mean %q?)", args[0], near)
		}
	}
	if len(args) > 1 {
		return "", cli.Usagef("one chart at a time: got %s", cli.List(args, "and"))
	}
	return args[0], nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// run runs the chart that FILE names.
func run(ctx context.Context, file string, o *runOptions) error {
	if err := checkStdin(file, o.ui.Value); err != nil {
		return err
	}
	if o.ui.Value == "sudoku" {
		if err := o.checkSudoku(); err != nil {
			return err
		}
	}
	saved, err := o.loadSnapshot()
	if err == nil {
		err = o.checkSave()
	}
	if err != nil {
		return err
	}
	initial, err := parseData(o.data)
	if err != nil {
		return err
	}
	limits, err := load.Limits(o.strict, o.limits)
	if err != nil {
		return err
	}
	chart, err := load.Chart(file, limits)
	if err != nil {
		return err
	}
	for _, d := range initial {
		if !slices.Contains(chart.Data(), d.id) {
			return cli.Usagef("--data %s: the chart has no top-level data item %q%s", d.id, d.id, cli.DidYouMean(d.id, chart.Data()))
		}
	}
	if o.expect != "" {
		if _, ok := chart.State(o.expect); !ok {
			return cli.Usagef("--expect %s: the chart has no state %q%s", o.expect, o.expect, cli.DidYouMean(o.expect, stateIDs(chart)))
		}
	}

	ui := o.ui.Value
	if ui == "auto" {
		ui = chooseUI(chart, file, o)
	}
	run := &session{o, file, chart, initial, saved}
	if ui == "sudoku" {
		return run.play(ctx)
	}
	if len(o.open) > 0 {
		return cli.Usagef("--open is for the Sudoku front end, and this is %q; give the chart data with --data, or add --ui sudoku", ui)
	}
	return run.drive(ctx, ui)
}

// checkSudoku refuses flags that the Sudoku front end cannot serve.
func (o *runOptions) checkSudoku() error {
	switch {
	case o.clock.Value == "virtual":
		return cli.Usagef("--clock virtual does not go with the Sudoku front end, which is played in real time; add --ui line or --ui json")
	case o.http != "":
		return cli.Usagef("--http does not go with the Sudoku front end, which only its player has a say in; add --ui line or --ui json")
	case o.trace:
		return cli.Usagef("--trace does not go with the Sudoku front end, which fills the screen; add --ui line or --ui json")
	}
	return nil
}

// checkStdin refuses to read the chart and something else from standard input.
func checkStdin(file, ui string) error {
	if file == load.Stdin && ui != "none" && ui != "auto" {
		return cli.Usagef("with FILE \"-\" standard input is the chart, and --ui %s reads its input there too; put the chart into a file, or use --ui none", ui)
	}
	return nil
}

// chooseUI is --ui auto.
func chooseUI(chart *scxml.Chart, file string, o *runOptions) string {
	switch {
	case file == load.Stdin:
		return "none"
	case !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())):
		return "json"
	case game.Speaks(chart) && o.checkSudoku() == nil:
		if t := os.Getenv("TERM"); runtime.GOOS != "windows" && (t == "" || t == "dumb") {
			fmt.Fprintf(os.Stderr, "scxmlrun: the board needs a terminal that can move the cursor, and TERM is %q; using --ui line\n", t)
			return "line"
		}
		return "sudoku"
	}
	return "line"
}

// A dataValue is what one --data says.
type dataValue struct {
	id    string
	value datamodel.Value
}

// byteOrderMark is what some editors put in front of UTF-8.
const byteOrderMark = "\uFEFF"

// parseData reads the values of --data.
func parseData(flags []string) ([]dataValue, error) {
	var all []dataValue
	for _, flag := range flags {
		id, text, ok := strings.Cut(flag, "=")
		if !ok || id == "" {
			return nil, cli.Usagef("--data %s: write id=JSON or id=@file", flag)
		}
		where := ""
		if name, isFile := strings.CutPrefix(text, "@"); isFile {
			source, err := file.Read(name, file.MaxInput)
			if err != nil {
				return nil, cli.Usagef("--data %s: cannot read %q: %v", id, name, cli.Plain(err))
			}
			text, where = strings.TrimPrefix(string(source), byteOrderMark), name+":"
		}
		value, err := datamodel.ParseJSON([]byte(text))
		if err != nil {
			hint := ""
			if where == "" {
				hint = `; a string needs quotes, as in --data 'name="Ada"'`
			}
			return nil, cli.Usagef("--data %s: bad JSON, %s%v%s", id, where, err, hint)
		}
		if slices.ContainsFunc(all, func(d dataValue) bool { return d.id == id }) {
			return nil, cli.Usagef("--data %s is given twice", id)
		}
		all = append(all, dataValue{id, value})
	}
	return all, nil
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

// chartTime is the value of a flag that takes a duration.
type chartTime time.Duration

func (t *chartTime) Type() string { return "TIME" }

func (t *chartTime) String() string {
	if *t == 0 {
		return ""
	}
	return time.Duration(*t).String()
}

func (t *chartTime) Set(text string) error {
	d, err := wire.ParseTime(text)
	*t = chartTime(d)
	return err
}
