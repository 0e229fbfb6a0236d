// Package debugger is the debugger for terminals and pipes. It reads commands, one per line, and shows
// where a session stops.
package debugger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A Front is a debugger with its input and output.
type Front struct {
	*debug.Debugger
	out      *text.Writer
	console  *console.Console // nil: the input is a pipe, or a terminal that cannot edit
	terminal bool             // a person types; otherwise the input is echoed
	ctx      context.Context

	recording bool

	session string // that is shown
	again   string // the last movement, which an empty line repeats
	from    int    // the line after those that list has shown
	quit    bool
	err     error // of the input

	mu     sync.Mutex
	cancel context.CancelFunc // pauses the movement, or ends the evaluation; nil while there is none
}

// Run debugs a session, or a recording, until the input ends. Its error has the exit status.
func Run(ctx context.Context, cfg debug.Config) (err error) {
	f := &Front{out: text.NewWriter(os.Stdout), terminal: cli.IsTerminal(os.Stdin) && cli.IsTerminal(os.Stdout), ctx: ctx, recording: cfg.Recording != nil}
	if cfg.Start.IsZero() {
		cfg.Start = time.Now()
	}
	kinds := record.Kinds(record.Send, record.Log, record.Error)
	cfg.Options = append(slices.Clip(cfg.Options), scxml.WithTrace(record.NewRecorder(cfg.Start, kinds, f.out.Record).Trace()))
	cfg.Log = func(o debug.Output) {
		if o.Point > 0 {
			f.out.Item(text.Yellow, "point", fmt.Sprintf("%d: %s", o.Point, o.Text))
		}
	}
	cfg.Sessions = func(s debug.Session, began bool) {
		word := "begins"
		if !began {
			word = "ends"
		}
		f.out.Item(text.Dim, "session", s.InvokeID+" "+word)
	}
	cfg.Changed = f.showPoint
	if f.Debugger, err = debug.New(cfg); err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	defer f.Debugger.Close()
	last := cli.NewLast()
	var keyboard <-chan os.Signal
	lines := func() <-chan wire.Line { return wire.Lines(os.Stdin) }
	if console.CanEdit(os.Stdin, os.Stdout) {
		c, err := console.Open(os.Stdin, os.Stdout)
		if err != nil {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot use the terminal: %w", err)}
		}
		defer c.Close()
		f.console, f.out.W, keyboard, last.Restore, lines = c, c, c.Keyboard, c.Restore, c.Lines
	}
	go f.signals(keyboard, last)
	f.start()
	for line := range lines() {
		if f.line(line); f.quit || f.err != nil {
			break
		}
		f.prompt()
	}
	switch {
	case f.err != nil:
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read the input: %w", cli.Plain(f.err))}
	case f.out.Err != nil:
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write the output: %w", cli.Plain(f.out.Err))}
	}
	return nil
}

// signals pauses the session at Ctrl+C, or ends the program if it does not move.
func (f *Front) signals(keyboard <-chan os.Signal, last *cli.Last) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	end := make(chan os.Signal, 2)
	go last.Interrupts(end, func(os.Signal) { end <- os.Interrupt })
	for {
		var s os.Signal
		select {
		case s = <-signals:
		case s = <-keyboard:
		}
		f.mu.Lock()
		cancel := f.cancel
		f.mu.Unlock()
		switch {
		case s == os.Interrupt && cancel != nil:
			cancel()
		case s == os.Interrupt && f.terminal:
			f.out.Item(text.Dim, "", "nothing runs; to leave, type quit")
			f.prompt()
		default:
			end <- s
		}
	}
}

// start says what is debugged.
func (f *Front) start() {
	chart := f.Chart()
	name := chart.Name()
	if name == "" {
		name = chart.File()
	}
	f.out.Print(f.out.Paint(text.Bold, name) + "  " + f.out.Paint(text.Dim, "help for help, quit to leave") + "\n")
	if f.console != nil {
		var states, events []string
		for _, st := range chart.States() {
			if st.ID() != "" {
				states = append(states, st.ID())
			}
			for _, t := range st.Transitions() {
				events = append(events, t.Events()...)
			}
		}
		f.console.Know(console.Vocabulary{Commands: words(), Events: console.Completable(events), States: states, Data: chart.Data()})
	}
	if stop, err := f.Stop(); err == nil {
		f.show(stop)
	}
	f.prompt()
}

// prompt asks for a line.
func (f *Front) prompt() {
	switch {
	case f.console != nil:
		f.console.Answer()
	case f.terminal:
		f.out.Print(console.Prompt)
	}
}

// line carries out a typed line.
func (f *Front) line(in wire.Line) {
	if in.Err != nil {
		f.err = in.Err
		return
	}
	typed := strings.TrimSpace(strings.ToValidUTF8(string(in.Text), "\uFFFD"))
	if !f.terminal {
		f.out.Print(console.Prompt + cli.Visible(text.Shorten(typed, 500), cli.EscapeNewlines) + "\n")
	} else if typed == "" {
		typed = f.again
	}
	var err error
	switch {
	case in.TooLong:
		err = fmt.Errorf("the line is longer than %d bytes", wire.MaxLine)
	case typed != "" && !strings.HasPrefix(typed, "#"):
		err = f.act(typed)
	}
	if err != nil {
		f.out.Item(text.Red, "input", strings.TrimPrefix(strings.TrimPrefix(err.Error(), "debug: "), "scxml: "))
	}
}

// act carries out a command, or sends an event of the chart.
func (f *Front) act(typed string) error {
	word, argument, _ := strings.Cut(typed, " ")
	for _, c := range commands() {
		if slices.Contains(c.names, word) {
			if c.moves {
				f.again = typed
			}
			return c.run(f, strings.TrimSpace(argument))
		}
	}
	known := words()
	for _, t := range f.Chart().Transitions() {
		if slices.Contains(t.Events(), word) {
			if err := f.send(typed); err != nil {
				return err
			}
			return f.move(f.Continue)
		}
		known = append(known, t.Events()...)
	}
	return fmt.Errorf("%q is not a command%s; help lists them", word, cli.DidYouMean(word, known))
}

// interruptible returns a context that Ctrl+C ends until done is called.
func (f *Front) interruptible() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(f.ctx)
	set := func(c context.CancelFunc) {
		f.mu.Lock()
		f.cancel = c
		f.mu.Unlock()
	}
	set(cancel)
	return ctx, func() { set(nil); cancel() }
}

// move moves the session, and shows where it stops.
func (f *Front) move(to func(context.Context) (debug.Stop, error)) error {
	ctx, done := f.interruptible()
	stop, err := to(ctx)
	done()
	if errors.Is(err, debug.ErrPast) {
		return errPast
	}
	if err != nil {
		return err
	}
	f.show(stop)
	return nil
}

var errPast = errors.New("this is the past, which cannot be changed; type present to go to the present first")
