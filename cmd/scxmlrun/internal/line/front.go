// Package line is the front end for people. It reads events and commands, one per line, and
// shows what the session does as text, on a terminal or in a pipe.
package line

import (
	"cmp"

	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Config has what the front end cannot learn from records.
type Config struct {
	Virtual bool     // the clock is virtual
	Trace   bool     // show every step from the start
	States  []string // ids of the states of FILE; may be set until the session starts
	Data    []string // ids of its data items; likewise
	Events  []string // that it has transitions for, if they are known; likewise
}

// A Front is a [drive.Front]. Its methods run on the driver's goroutine.
type Front struct {
	*console.Console
	Config
	Session drive.Session // must be set before the session starts

	noted map[string]bool // commands about which a note said that they are also events

	number   int  // of the last line
	waits    bool // it has given the session a command
	answered bool // a line waits for the next rest
	asked    bool // it wants to see everything
	said     bool // something was shown since the last line
	rest     record.Record

	// What was shown last.
	shown  map[string]shownState // by session
	takes  string
	data   map[string][]dataItem // by session, in document order
	timers []string

	fired   string // the timer that fired last
	due     string // the timer that is not shown yet, and how often it has fired
	times   int
	watched *watch  // the event that is being processed
	ignored []watch // those that nothing has taken
}

// New takes control of the terminal if in and out are one; Close restores it.
func New(in, out *os.File, cfg Config) (*Front, error) {
	f := &Front{Console: console.New(in, out), Config: cfg, noted: map[string]bool{}, shown: map[string]shownState{}}
	f.Commands = f.commands()
	return f, f.Open()
}

// Kinds returns the kinds of records that the front end needs.
func (f *Front) Kinds() record.Set {
	return text.Steps | record.Kinds(record.Hello, record.Send, record.Log, record.Error, record.Value, record.Done, record.Idle, record.Rest)
}

// Inputs returns the lines that are typed.
func (f *Front) Inputs() <-chan drive.Input {
	inputs := make(chan drive.Input)
	go func() {
		defer close(inputs)
		for line := range f.Lines() {
			inputs <- func(drive.Session) error { return f.line(line) }
		}
	}()
	return inputs
}

// Failed returns the error of the first write that failed, or nil.
func (f *Front) Failed() error { return f.Err }

// Tell shows a record.
func (f *Front) Tell(r *record.Record) {
	switch r.Kind {
	case record.Hello:
		f.Greet(cmp.Or(r.Hello.Chart, r.Hello.File), "? for help, q to quit")
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
			f.item(text.Bold, "value", text.Value(r.Value))
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
	case ignored: // showIgnored shows it with the reason
		return
	case f.Trace:
		f.Width = 0
	case r.Kind == record.Timer:
		f.countFired(r)
		return
	case text.Steps.Has(r.Kind), r.Kind == record.Send && r.Delay > 0: // see showTimers
		return
	default:
		f.Width = f.room()
	}
	f.begin()
	f.Record(r)
}

func (f *Front) done(r *record.Record) {
	if r.InvokeID == "" {
		f.showIgnored(nil)
	}
	f.showFinalData(r.Session)
	delete(f.shown, r.Session)
	end := "stopped"
	if r.Reason == "final" {
		end = text.Message(r.State, r.Value, f.room())
	}
	f.item(text.Bold, "done", text.Who(r)+end)
}

func (f *Front) item(look, word, what string) {
	f.begin()
	f.Item(look, word, what)
}

// begin must be called before anything is shown.
func (f *Front) begin() {
	f.said = true
	f.Leave()
	f.showFired()
}

// atRest shows what is new, or everything if asked, when the session is at rest.
func (f *Front) atRest() {
	views := f.Session.Look()
	asked, answered := f.asked, f.answered
	f.asked, f.answered = false, false
	if len(views) == 0 || len(views[0].Active) == 0 { // it has ended
		return
	}
	f.showIgnored(views[0].Takes)
	f.Know(console.Vocabulary{console.Events: console.Completable(views[0].Takes), console.States: f.States, console.Data: f.Data})
	f.showStates(views, asked)
	f.showData(views, asked || f.data == nil)
	if answered && !f.said {
		f.item(text.Dim, "still", text.Shorten(strings.Join(f.rest.Atomic, " "), 200))
	}
	f.showTakes(views[0].Takes, asked)
	f.showTimers(views, asked, answered)
	if answered || !f.Edits() {
		f.Ask()
	}
}
