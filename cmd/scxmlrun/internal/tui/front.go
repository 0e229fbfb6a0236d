package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// errQuit is the cause of the context if the user has quit.
var errQuit = errors.New("the user has quit")

// A SignalError is the error of Run if a signal or Ctrl+C ended it.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// maxHistory is how many bytes the history of a session may take, before its oldest positions are
// forgotten.
const maxHistory = 64 << 20

// Config says what to run.
type Config struct {
	Driver drive.Config // of the session; the front end adds what concerns itself
	Files  fs.FS        // the folder of the chart, or nil
}

// A Front shows a session on the terminal.
type Front struct {
	// Interrupts receives the signals that end the session, and os.Interrupt for Ctrl+C, so that a
	// program can end itself if a script hangs, see [Front.Restore].
	Interrupts chan os.Signal

	chart   *scxml.Chart
	virtual bool
	forms   *forms.Forms
	diagram *diagram.Diagram
	keys    map[string]rune // of events, by their names
	driver  *drive.Driver

	own  atomic.Pointer[terminal.Terminal] // of the program, while Run uses it
	ctx  context.Context
	quit context.CancelCauseFunc

	terminal *terminal.Terminal
	styles   *styles
	moving   *time.Timer // fires when what moves must be drawn again
	show     func()      // screen.Show, or screen.Sync once
	drawn    time.Time   // when it was last
	next     time.Time   // when moving fires
	known    int         // positions of the live session then
	sent     bool        // the session is about to work on what a key has sent

	// What follows is for the goroutine of the driver.
	session drive.Session // while an input is carried out; nil after the end
	ahead   time.Duration // of the wall clock, on the real clock
	ended   string        // how the live session has ended, or ""
	lines   []*line       // the live session, then branches
	line    *line         // that is shown
	look    *look         // that is shown
	chosen  string        // name of the selected event
	effect  *effect       // of the selected event
	panel   panelID       // that the arrow keys scroll
	zoomed  bool          // that panel has all of the screen
	views   view
	layout  *layout // of the screen
	windows widget.Stack
	note    string // answers the last key
	pressed bool   // a button of the mouse
}

func newFront(chart *scxml.Chart, files fs.FS) *Front {
	return &Front{
		Interrupts: make(chan os.Signal, 2), chart: chart, keys: eventKeys(chart),
		forms: forms.New(chart, files), diagram: diagram.New(chart),
	}
}

// NewRecorded returns a front end that shows a past without a session, first at position n.
func NewRecorded(h *history.History, n int, files fs.FS) *Front {
	f := newFront(h.Chart(), files)
	f.line = &line{name: "the recording", h: h, recorded: true}
	f.line.seek(n)
	f.lines = []*line{f.line}
	return f
}

// New returns a front end with a session. The error is that of [drive.New].
func New(cfg Config) (*Front, error) {
	f := newFront(cfg.Driver.Chart, cfg.Files)
	f.virtual = cfg.Driver.Virtual
	options := cfg.Driver.Options[:len(cfg.Driver.Options):len(cfg.Driver.Options)]
	h, err := history.New(history.Config{Chart: f.chart, Options: options, Bytes: maxHistory})
	if err != nil {
		return nil, err
	}
	f.line = &line{name: "live", h: h, live: true, follow: true}
	f.lines = []*line{f.line}
	cfg.Driver.Options = append(options, h.Option())
	if cfg.Driver.Saved != nil {
		cfg.Driver.Attach = h.Attach
	}
	cfg.Driver.Front, cfg.Driver.Kinds, cfg.Driver.Hurry = f, record.Kinds(record.Rest, record.Stable), true
	f.driver, err = drive.New(cfg.Driver)
	return f, err
}

// Restore restores the terminal for a program that ends itself while Run has not returned. It may be
// called from any goroutine.
func (f *Front) Restore() {
	if t := f.own.Load(); t != nil {
		t.Restore()
	}
}

// Run shows the session until the user quits, even after it has ended. The error is that of
// [drive.Driver.Run], a *[SignalError], the cause of ctx, or says why the terminal cannot be used. Run
// always restores the terminal.
func (f *Front) Run(ctx context.Context) (drive.End, error) {
	signal.Notify(f.Interrupts, terminal.EndSignals...)
	defer signal.Stop(f.Interrupts)
	t, err := terminal.Open()
	if err != nil {
		return drive.End{}, fmt.Errorf("%w; use --ui line", err)
	}
	defer t.Close() // also before a panic is printed
	f.own.Store(t)
	return f.run(ctx, t)
}

func (f *Front) run(ctx context.Context, t *terminal.Terminal) (drive.End, error) {
	ctx, f.quit = context.WithCancelCause(ctx)
	defer f.quit(nil)
	f.ctx, f.terminal, f.show = ctx, t, t.Screen.Show
	f.moving = time.NewTimer(time.Hour)
	defer f.moving.Stop()
	f.styles = newStyles(terminal.Colors(t.Screen), t.Screen.CharacterSet() != "UTF-8")
	t.Screen.EnableMouse(tcell.MouseButtonEvents | tcell.MouseDragEvents)
	t.Screen.EnablePaste()
	t.Screen.SetTitle(f.chart.Name())
	events, quitEvents := make(chan tcell.Event), make(chan struct{})
	go t.Screen.ChannelEvents(events, quitEvents)
	defer func() {
		close(quitEvents)
		for range events { // until the goroutine has ended
		}
	}()

	inputs := make(chan drive.Input)
	go f.listen(ctx, events, inputs)
	var end drive.End
	var err error
	if f.driver == nil {
		f.draw()
	} else if end, err = f.driver.Run(ctx, inputs); ctx.Err() == nil {
		f.over(end, err)
	}
	for ctx.Err() == nil { // what has happened can still be looked at
		select {
		case input := <-inputs:
			_ = input(nil) // it only fails when the source of inputs does, which never ends
		case <-ctx.Done():
		}
	}
	if cause := context.Cause(ctx); cause != errQuit {
		return end, cause
	}
	return end, err
}

// over says how the live session has ended.
func (f *Front) over(end drive.End, err error) {
	switch {
	case err != nil:
		f.ended = "stopped: " + err.Error()
	case end.TimedOut:
		f.ended = "stopped: its time is up"
	case end.Final != "":
		f.ended = "ended in " + end.Final
	default:
		f.ended = "ended"
	}
	f.session = nil
	f.draw()
}

// maxWaiting is the maximum number of events that wait while a script runs.
const maxWaiting = 1000

// listen turns events of the terminal into inputs until ctx is done. It takes them also while a script
// runs, so that Ctrl+C can end it.
func (f *Front) listen(ctx context.Context, events <-chan tcell.Event, inputs chan<- drive.Input) {
	waiting := []func(){func() {}} // draws
	for {
		var out chan<- drive.Input
		var next drive.Input
		if len(waiting) > 0 {
			out = inputs
			do := waiting[0]
			next = func(s drive.Session) error {
				f.session = s
				if do(); f.sent {
					f.sent = false
					f.drawn = time.Time{} // the next rest shows what comes of it
					f.drawIn(frameTime)   // or, if there is none, a clock
				} else {
					f.draw()
				}
				return nil
			}
		}
		var do func()
		select {
		case <-ctx.Done():
			return
		case out <- next:
			waiting = waiting[1:]
		case <-f.moving.C:
			if len(waiting) == 0 { // otherwise another input draws soon
				do = func() {}
			}
		case sig := <-f.terminal.Signals:
			if !terminal.IsStop(sig) {
				f.quit(&SignalError{sig})
				return
			}
			do = f.suspend
		case ev := <-events:
			switch ev := ev.(type) {
			case nil:
				f.quit(errors.New("the screen was closed"))
				return
			case *tcell.EventError:
				f.quit(fmt.Errorf("the terminal failed: %w", ev))
				return
			case *tcell.EventKey:
				if terminal.KeyName(ev) == "Ctrl+C" {
					select {
					case f.Interrupts <- os.Interrupt:
					default:
					}
					f.quit(&SignalError{os.Interrupt})
					return
				}
			}
			do = func() { f.handle(ev) }
		}
		if do != nil && len(waiting) < maxWaiting {
			waiting = append(waiting, do)
		}
	}
}

func (f *Front) suspend() {
	if err := f.terminal.Suspend(); err != nil {
		f.quit(fmt.Errorf("the terminal failed: %w", err))
	}
	f.show = f.terminal.Screen.Sync
}

// The pace of the screen.
const (
	frameTime = 33 * time.Millisecond  // between two pictures at least, unless a key was pressed
	tickTime  = 100 * time.Millisecond // between two pictures of a clock
)

// Tell draws when the session is at rest, or soon if there is none for long, and not more often than can
// be seen. The driver calls it.
func (f *Front) Tell(r *record.Record) {
	if f.lines[0].h.Len() == f.known && r.Kind == record.Rest {
		return // each input is followed by a rest, a picture of the clock too
	}
	wait := frameTime - time.Since(f.drawn)
	if r.Kind == record.Rest && wait <= 0 {
		f.draw()
	} else {
		f.drawIn(max(wait, time.Millisecond))
	}
}

// drawIn makes the screen be drawn in some time, or before.
func (f *Front) drawIn(d time.Duration) {
	at := time.Now().Add(d)
	if f.next.After(time.Now()) && f.next.Before(at) {
		return
	}
	f.next = at
	f.moving.Reset(d)
}

// Failed returns nil: a failure of the terminal is an event. The driver calls it.
func (f *Front) Failed() error { return nil }

// ticking reports whether the time that is shown is that of the real clock.
func (f *Front) ticking() bool { return f.line.live && f.line.follow && !f.virtual && f.ended == "" }

// now returns the time of the session that is shown.
func (f *Front) now() time.Time {
	if f.ticking() {
		return time.Now().Add(f.ahead)
	}
	if f.look.session == nil {
		return f.line.h.Start()
	}
	return f.look.session.Now()
}
