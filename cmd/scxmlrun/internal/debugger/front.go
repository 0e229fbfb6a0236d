// Package debugger is the debugger for terminals and pipes. It reads commands, one per line, and shows
// where a session stops.
package debugger

import (
	"cmp"
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
	out *console.Console
	ctx context.Context

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
	f := &Front{out: console.New(os.Stdin, os.Stdout), ctx: ctx, recording: cfg.Recording != nil}
	if cfg.Start.IsZero() {
		cfg.Start = time.Now()
	}
	cfg.Unattended = !f.out.Person
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
	f.out.Commands = f.commands()
	if err := f.out.Open(); err != nil {
		return err
	}
	defer f.out.Close()
	last := cli.NewLast()
	last.Restore = f.out.Restore
	go f.signals(last)
	f.start()
	for line := range f.out.Lines() {
		if f.line(line); f.quit || f.err != nil {
			break
		}
		f.out.Ask()
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
func (f *Front) signals(last *cli.Last) {
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
		case s = <-f.out.Keyboard:
		}
		f.mu.Lock()
		cancel := f.cancel
		f.mu.Unlock()
		switch {
		case s == os.Interrupt && cancel != nil:
			cancel()
		case s == os.Interrupt && f.out.Person:
			f.out.Leave()
			f.out.Item(text.Dim, "", "nothing runs; to leave, type quit")
			f.out.Ask()
		default:
			end <- s
		}
	}
}

// start says what is debugged.
func (f *Front) start() {
	chart := f.Chart()
	f.out.Greet(cmp.Or(chart.Name(), chart.File()), "help for help, quit to leave")
	v := console.Vocabulary{console.Data: chart.Data()}
	for _, st := range chart.States() {
		if st.ID() != "" {
			v[console.States] = append(v[console.States], st.ID())
		}
		for _, t := range st.Transitions() {
			v[console.Events] = append(v[console.Events], console.Completable(t.Events())...)
		}
	}
	f.out.Know(v)
	if stop, err := f.Stop(); err == nil {
		f.show(stop)
	}
	f.out.Ask()
}

// line carries out a typed line.
func (f *Front) line(in wire.Line) {
	if in.Err != nil {
		f.err = in.Err
		return
	}
	typed, err := f.out.Read(in)
	if typed == "" && f.out.Person {
		typed = f.again
	}
	if err == nil && typed != "" && !strings.HasPrefix(typed, "#") {
		err = f.act(typed)
	}
	if errors.Is(err, debug.ErrPast) {
		err = errPast
	}
	if err != nil {
		f.out.Item(text.Red, "input", strings.TrimPrefix(strings.TrimPrefix(err.Error(), "debug: "), "scxml: "))
	}
}

// act carries out a command, or sends an event of the chart.
func (f *Front) act(typed string) error {
	word, argument, _ := strings.Cut(typed, " ")
	if c := f.out.Commands.Find(word); c != nil {
		if slices.Contains(movements, c.Names[0]) {
			f.again = typed
		}
		return c.Run(strings.TrimSpace(argument))
	}
	known := f.out.Commands.Words()
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
	if err == nil {
		f.show(stop)
	}
	return err
}

var errPast = errors.New("this is the past, which cannot be changed; type present to go to the present first")
