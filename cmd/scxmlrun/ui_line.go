package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A lineFront is the front end for a terminal, or a pipe that plays one: it
// shows what the session does as text and reads events and commands, one a
// line (line_commands.go).
type lineFront struct {
	out      *textWriter
	console  *console // nil: the input is a pipe, or a terminal that cannot edit
	terminal bool     // somebody types; otherwise the input is shown too
	prompted bool     // the cursor stands behind a prompt; not with a console
	steps    bool     // --trace
	driver   *driver
	noted    map[string]bool // commands that were said to be events too

	shown map[*scxml.Session]shownState
	takes string // what was shown last
	next  string
}

// newLineFront takes the terminal, if in and out are one; close gives it back.
func newLineFront(in, out *os.File, o *runOptions) (*lineFront, error) {
	f := &lineFront{
		out:      newTextWriter(out),
		terminal: cli.IsTerminal(in) && cli.IsTerminal(out),
		steps:    o.trace,
		noted:    map[string]bool{},
		shown:    map[*scxml.Session]shownState{},
	}
	if canEdit(in, out) {
		c, err := openConsole(in, out)
		if err != nil {
			return nil, fmt.Errorf("cannot use the terminal: %w", err)
		}
		f.console, f.out.w = c, c
	}
	return f, nil
}

// input returns the lines that are typed.
func (f *lineFront) input(in io.Reader) func() <-chan inputLine {
	if f.console != nil {
		return f.console.lines
	}
	return func() <-chan inputLine {
		lines := readLines(in)
		if f.terminal {
			return quitAtEnd(lines)
		}
		return lines
	}
}

// quitAtEnd makes the end of input, which somebody types as Ctrl+D, the command to quit.
func quitAtEnd(in <-chan inputLine) <-chan inputLine {
	out := make(chan inputLine)
	go func() {
		defer close(out)
		number := 0
		for line := range in {
			number = line.number
			out <- line
		}
		out <- inputLine{number: number + 1, text: []byte("quit")}
	}()
	return out
}

// close gives the terminal back.
func (f *lineFront) close() {
	if f.console != nil {
		f.console.close()
	}
}

func (f *lineFront) failed() error { return f.out.err }

func (f *lineFront) hello(d *driver) {
	name := d.chart.Name()
	if name == "" {
		name = d.file
	}
	keys := "? for help, q to quit"
	if f.console != nil {
		keys = "Tab completes, " + keys
	}
	f.out.print(f.out.paint(bold, name) + "  " + f.out.paint(dim, keys) + "\n")
}

func (f *lineFront) trace(d *driver) *scxml.Trace {
	f.driver = d
	t := &scxml.Trace{}
	f.out.trace(t)
	f.whenTracing(t)
	enter := t.Enter
	t.Enter = func(s *scxml.Session, state scxml.State) {
		f.entered(s, state)
		enter(s, state)
	}
	t.Log = func(s *scxml.Session, label string, value datamodel.Value) {
		f.item(yellow, "log", who(s)+logged(label, value))
	}
	t.Send = func(s *scxml.Session, m scxml.Message) { f.item(cyan, "send", who(s)+describeSend(m)) }
	t.Error = func(s *scxml.Session, err *scxml.ExecutionError) { f.unprompt(); f.out.execution(s, err) }
	t.Done = f.done
	return t
}

// whenTracing makes the functions of a trace work only while tracing is on.
func (f *lineFront) whenTracing(t *scxml.Trace) {
	onEvent := func(g func(*scxml.Session, *scxml.Event)) func(*scxml.Session, *scxml.Event) {
		return func(s *scxml.Session, ev *scxml.Event) {
			if f.steps {
				f.unprompt()
				g(s, ev)
			}
		}
	}
	onState := func(g func(*scxml.Session, scxml.State)) func(*scxml.Session, scxml.State) {
		return func(s *scxml.Session, state scxml.State) {
			if f.steps {
				f.unprompt()
				g(s, state)
			}
		}
	}
	onInvoke := func(g func(*scxml.Session, string, *scxml.Session)) func(*scxml.Session, string, *scxml.Session) {
		return func(s *scxml.Session, id string, child *scxml.Session) {
			if f.steps {
				f.unprompt()
				g(s, id, child)
			}
		}
	}
	t.Event, t.Raise = onEvent(t.Event), onEvent(t.Raise)
	t.Exit, t.Enter = onState(t.Exit), onState(t.Enter)
	t.Invoke, t.CancelInvoke = onInvoke(t.Invoke), onInvoke(t.CancelInvoke)
	transition, timer, cancel := t.Transition, t.Timer, t.Cancel
	t.Transition = func(s *scxml.Session, tr scxml.Transition) {
		if f.steps {
			f.unprompt()
			transition(s, tr)
		}
	}
	t.Timer = func(s *scxml.Session, m scxml.Message) {
		if f.steps {
			f.unprompt()
			timer(s, m)
		}
	}
	t.Cancel = func(s *scxml.Session, sendID string, n int) {
		if f.steps {
			f.unprompt()
			cancel(s, sendID, n)
		}
	}
}

// describeSend writes what a <send> sends on one line.
func describeSend(m scxml.Message) string {
	text := message(m.Event.Name, m.Event.Data)
	if m.Target != "" {
		text += " to " + m.Target
	}
	if m.Delay > 0 {
		text += fmt.Sprintf(" in %v", m.Delay)
	}
	return text
}

func (f *lineFront) done(s *scxml.Session) {
	f.unprompt()
	delete(f.shown, s)
	if s != f.driver.session {
		f.out.limit(s)
	}
	switch {
	case s.Status() == scxml.Final && s.DoneData() != nil:
		f.item(bold, "done", who(s)+message(s.FinalState(), s.DoneData()))
	case s.Status() == scxml.Final:
		f.item(bold, "done", who(s)+s.FinalState())
	default:
		f.item(bold, "done", who(s)+"stopped")
	}
}

func (f *lineFront) item(look, word, text string) {
	f.unprompt()
	f.out.item(look, word, text)
}

// unprompt leaves the line of the prompt, for what happens without being asked for.
func (f *lineFront) unprompt() {
	if f.prompted {
		f.prompted = false
		f.out.print("\n")
	}
}

// prompt asks for a line.
func (f *lineFront) prompt() {
	switch {
	case f.console != nil:
		f.console.answer()
	case f.terminal && !f.prompted:
		f.out.print(prompt)
		f.prompted = true
	}
}

// shownAgain is the answer to a line that asks for the state.
type shownAgain struct{}

// rest shows the state of a session that waits, as far as it is news or was asked for.
func (f *lineFront) rest(d *driver, answers []any) {
	if d.session.Status() != scxml.Running {
		return
	}
	if f.console != nil {
		f.console.know(f.vocabulary())
	}
	asked := slices.Contains(answers, any(shownAgain{}))
	if text := f.state(asked, len(answers) > 0); text != "" {
		f.unprompt()
		f.out.print(text)
	}
	if len(answers) > 0 || f.console == nil {
		f.prompt()
	}
}

// vocabulary returns what can be completed now.
func (f *lineFront) vocabulary() vocabulary {
	d := f.driver
	return vocabulary{
		commands: commandWords(),
		events:   completable(d.session.Enabled()),
		states:   stateIDs(d.chart),
		data:     d.chart.Data(),
	}
}

// width is how wide lines may be; 0 is no bound.
func (f *lineFront) width() int {
	switch {
	case f.console != nil:
		return f.console.width()
	case f.terminal:
		width, _, _ := term.GetSize(int(os.Stdout.Fd()))
		return width
	}
	return 0
}
