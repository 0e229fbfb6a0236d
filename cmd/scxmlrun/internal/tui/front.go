package tui

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

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
	terminal.App

	chart   *scxml.Chart
	virtual bool
	forms   *forms.Forms
	diagram *diagram.Diagram
	keys    map[string]rune // of events, by their names
	driver  *drive.Driver

	posts  chan func() // what is to be done, from the terminal
	styles *styles
	drawn  time.Time // when it was last
	next   time.Time // when moving fires
	known  int       // positions of the live session then
	sent   bool      // the session is about to work on what a key has sent

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
	defer cli.Working("preparing " + chart.File())()
	f := &Front{
		chart: chart, keys: eventKeys(chart), posts: make(chan func()),
		forms: forms.New(chart, files), diagram: diagram.New(chart),
	}
	f.Prepare()
	return f
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

// Run shows the session until the user quits, even after it has ended. The error is that of
// [drive.Driver.Run], a *[terminal.SignalError], the cause of ctx, or says why the terminal cannot be used. Run
// always restores the terminal.
func (f *Front) Run(ctx context.Context) (drive.End, error) {
	t, err := f.Open()
	if err != nil {
		return drive.End{}, fmt.Errorf("%w; use --ui line", err)
	}
	defer f.Close()
	return f.run(ctx, t)
}

func (f *Front) run(ctx context.Context, t *terminal.Terminal) (drive.End, error) {
	defer f.Begin(ctx, t)()
	ctx = f.Context
	f.styles = newStyles(terminal.Colors(f.Screen), f.Screen.CharacterSet() != "UTF-8")
	f.Screen.EnableMouse(tcell.MouseButtonEvents | tcell.MouseDragEvents)
	f.Screen.SetTitle(f.chart.Name())

	inputs := make(chan drive.Input)
	go f.Listen(func(do func()) {
		select {
		case f.posts <- do:
		case <-ctx.Done():
		}
	}, f.handle, f.Suspend)
	go f.queue(inputs)
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
	if cause := context.Cause(ctx); cause != terminal.ErrQuit {
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

// queue makes inputs of what is posted until the context is done. It takes that also while a script runs.
func (f *Front) queue(inputs chan<- drive.Input) {
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
		select {
		case <-f.Context.Done():
			return
		case out <- next:
			waiting = waiting[1:]
		case do := <-f.posts:
			if len(waiting) < maxWaiting {
				waiting = append(waiting, do)
			}
		}
	}
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
	f.Moving.Reset(d)
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
