// Package line is the front end for a terminal, or a pipe that plays one: it
// shows what the session does as text and reads events and commands, one a line.
package line

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// Config says what the front end has to know besides what it is told.
type Config struct {
	Virtual bool     // the clock is a virtual one
	Trace   bool     // every step is shown from the beginning
	States  []string // ids of the states of FILE
	Data    []string // ids of its data items
}

// A Front is a [drive.Front]. Its methods run on the driver's goroutine.
type Front struct {
	Config
	Console *console.Console // nil: the input is a pipe, or a terminal that cannot edit
	Session drive.Session    // is to be set before the session starts

	out      *text.Writer
	terminal bool            // somebody types; otherwise the input is shown too
	prompted bool            // the cursor stands after a prompt; not with a console
	noted    map[string]bool // commands that were said to be events too

	answered bool // somebody waits for the next rest
	asked    bool // and for the whole state
	said     bool // something was shown since the last line was typed
	rest     record.Record

	// What was shown last.
	shown  map[string]shownState // by session
	takes  string
	data   map[[2]string]dataItem // by session and id
	timers []string

	fired   string // the timer that was the last to become due
	due     string // the timer that is not shown yet, and how often it has become due
	times   int
	watched *watch  // the event that is being taken
	ignored []watch // those that nothing has taken
}

// New takes the terminal, if in and out are one; Close gives it back.
func New(in, out *os.File, cfg Config) (*Front, error) {
	f := &Front{
		Config:   cfg,
		out:      text.NewWriter(out),
		terminal: cli.IsTerminal(in) && cli.IsTerminal(out),
		noted:    map[string]bool{},
		shown:    map[string]shownState{},
	}
	if console.CanEdit(in, out) {
		c, err := console.Open(in, out)
		if err != nil {
			return nil, fmt.Errorf("cannot use the terminal: %w", err)
		}
		f.Console, f.out.W = c, c
	}
	return f, nil
}

// Kinds are the kinds of records that the front end wants to be told.
func (f *Front) Kinds() record.Set {
	return text.Steps | record.Kinds(record.Hello, record.Send, record.Log, record.Error, record.Value, record.Done, record.Idle, record.Rest)
}

// Inputs returns what is typed.
func (f *Front) Inputs(in io.Reader) <-chan drive.Input {
	inputs := make(chan drive.Input)
	var lines <-chan wire.Line
	if f.Console != nil {
		lines = f.Console.Lines()
	} else {
		lines = wire.Lines(in)
	}
	go func() {
		defer close(inputs)
		last := 0
		for line := range lines {
			last = line.Number
			inputs <- func(drive.Session) error { return f.line(line) }
		}
		if f.terminal && f.Console == nil { // somebody types Ctrl+D
			inputs <- func(drive.Session) error { return f.line(wire.Line{Number: last + 1, Text: []byte("quit")}) }
		}
	}()
	return inputs
}

// Close gives the terminal back.
func (f *Front) Close() {
	if f.Console != nil {
		f.Console.Close()
	}
}

// Failed returns why nothing can be written any more, or nil.
func (f *Front) Failed() error { return f.out.Err }

// Tell shows a record.
func (f *Front) Tell(r *record.Record) {
	switch r.Kind {
	case record.Hello:
		f.hello(r.Hello)
		return
	case record.Idle:
		f.answered = true
		return
	case record.Rest:
		f.rest = *r
		f.atRest()
		return
	case record.Value:
		if r.Line > 0 {
			f.item(text.Bold, "value", datamodel.Text(r.Value))
		}
		return
	case record.Done:
		f.done(r)
		return
	case record.Enter:
		f.entered(r)
	}
	ignored := f.watchEvent(r)
	switch {
	case ignored: // it is shown with the reason
		return
	case f.Trace:
		f.out.Width = 0
	case r.Kind == record.Timer:
		f.countFired(r)
		return
	case text.Steps.Has(r.Kind), r.Kind == record.Send && r.Delay > 0: // see showTimers
		return
	default:
		f.out.Width = f.room()
	}
	f.begin()
	f.out.Record(r)
}

func (f *Front) hello(h *record.Greeting) {
	name := h.Chart
	if name == "" {
		name = h.File
	}
	keys := "? for help, q to quit"
	if f.Console != nil {
		keys = "Tab completes, " + keys
	}
	f.out.Print(f.out.Paint(text.Bold, name) + "  " + f.out.Paint(text.Dim, keys) + "\n")
}

func (f *Front) done(r *record.Record) {
	delete(f.shown, r.Session)
	end := "stopped"
	if r.Reason == "final" {
		end = text.Message(r.State, r.Value, f.room())
	}
	f.item(text.Bold, "done", text.Who(r)+end)
}

func (f *Front) item(look, word, what string) {
	f.begin()
	f.out.Item(look, word, what)
}

// begin is to be called before something is shown.
func (f *Front) begin() {
	f.said = true
	f.unprompt()
	f.showFired()
}

// unprompt leaves the line of the prompt, for what happens without being asked for.
func (f *Front) unprompt() {
	if f.prompted {
		f.prompted = false
		f.out.Print("\n")
	}
}

// prompt asks for a line.
func (f *Front) prompt() {
	switch {
	case f.Console != nil:
		f.Console.Answer()
	case f.terminal && !f.prompted:
		f.out.Print(console.Prompt)
		f.prompted = true
	}
}

// atRest shows the state of a session that waits, as far as it is news or was asked for.
func (f *Front) atRest() {
	views := f.Session.Look()
	asked, answered := f.asked, f.answered
	f.asked, f.answered = false, false
	if len(views) == 0 || len(views[0].Active) == 0 { // it has ended
		return
	}
	f.showIgnored(views[0].Takes)
	if f.Console != nil {
		f.Console.Know(console.Vocabulary{
			Commands: commandWords(), Events: console.Completable(views[0].Takes), States: f.States, Data: f.Data,
		})
	}
	f.showStates(views, asked)
	f.showData(views, asked || f.data == nil)
	if answered && !f.said {
		f.item(text.Dim, "still", text.Shorten(strings.Join(f.rest.Atomic, " "), 200))
	}
	f.showTakes(views[0].Takes, asked)
	f.showTimers(views, asked, answered)
	if answered || f.Console == nil {
		f.prompt()
	}
}

// width is how wide lines may be; 0 is no bound.
func (f *Front) width() int {
	switch {
	case f.Console != nil:
		return f.Console.Width()
	case f.terminal:
		width, _, _ := term.GetSize(int(os.Stdout.Fd()))
		return width
	}
	return 0
}
