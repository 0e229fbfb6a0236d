package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const lineHelp = `Type the name of an event, and its data as JSON if it has any:
  tap {"x":0,"y":2}
An empty line shows the state again. Other words:
  ?, help              this text
  send EVENT [JSON]    send an event whose name is one of these words
  advance TIME         let time pass: 500ms, 1.5s, 2m (with --clock virtual)
  q, quit              stop the chart and leave; so does Ctrl+D
`

// A lineFront is the front end for a terminal, or a pipe that plays one: it
// shows what the session does as text and reads events, one a line.
type lineFront struct {
	out      *textWriter
	terminal bool // somebody types; otherwise the input is shown too
	steps    bool // --trace
	prompted bool // the cursor stands behind a prompt
	shown    string
	driver   *driver
}

func newLineFront(in io.Reader, out io.Writer, o *runOptions) *lineFront {
	return &lineFront{out: newTextWriter(out), terminal: isTerminal(in) && isTerminal(out), steps: o.trace}
}

func (f *lineFront) failed() error { return f.out.err }

func (f *lineFront) hello(d *driver) {
	name := d.chart.Name()
	if name == "" {
		name = d.file
	}
	f.out.print(f.out.paint(bold, name) + "  " + f.out.paint(dim, "? for help, q to quit") + "\n")
}

func (f *lineFront) trace(d *driver) *scxml.Trace {
	f.driver = d
	t := &scxml.Trace{
		Log: func(s *scxml.Session, label string, value datamodel.Value) {
			f.item(yellow, "log", who(s)+logged(label, value))
		},
		Send:  func(s *scxml.Session, m scxml.Message) { f.item(cyan, "send", who(s)+describeSend(m)) },
		Error: func(s *scxml.Session, err *scxml.ExecutionError) { f.unprompt(); f.out.execution(s, err) },
		Done:  f.done,
	}
	if f.steps {
		f.out.trace(t)
	}
	return t
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
	if s != f.driver.session {
		f.out.limit(s)
		return
	}
	switch {
	case s.Status() == scxml.Final && s.DoneData() != nil:
		f.item(bold, "done", message(s.FinalState(), s.DoneData()))
	case s.Status() == scxml.Final:
		f.item(bold, "done", s.FinalState())
	default:
		f.item(bold, "done", "stopped")
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

// rest shows the state of a session that waits, if it is news or was asked for.
func (f *lineFront) rest(d *driver, answers []any) {
	if d.session.Status() != scxml.Running {
		return
	}
	state := f.state(d)
	if len(answers) > 0 || state != f.shown {
		f.unprompt()
		f.out.print(state)
		f.shown = state
	}
	f.prompt()
}

func (f *lineFront) prompt() {
	if f.terminal && !f.prompted {
		f.out.print("> ")
		f.prompted = true
	}
}

// state describes where the session is and what it reacts to.
func (f *lineFront) state(d *driver) string {
	var b strings.Builder
	w := &textWriter{w: &b, colour: f.out.colour}
	for _, s := range d.session.Sessions() {
		configuration := s.Configuration()
		leaves := atomic(s.Chart(), configuration)
		names := make([]string, len(configuration))
		for i, name := range configuration {
			look := ""
			if slices.Contains(leaves, name) {
				look = bold
			}
			names[i] = w.paint(look, name)
		}
		b.WriteString(w.paint(dim, "in     ") + " " + w.paint("", who(s)) + strings.Join(names, " ") + "\n")
	}
	if enabled := d.session.Enabled(); len(enabled) > 0 {
		w.item(dim, "takes", strings.Join(enabled, " "))
	}
	if due, ok := d.session.NextDue(); ok && d.virtual {
		w.item(dim, "next", fmt.Sprintf("a delayed event in %v", due.Sub(d.present)))
	}
	return b.String()
}

// line acts on what was typed.
func (f *lineFront) line(d *driver, in inputLine) (answer any, ok bool) {
	text := strings.TrimSpace(strings.ToValidUTF8(string(in.text), "\uFFFD"))
	if !f.terminal {
		f.out.print("> " + visible(shorten(text, 500), escapeNewlines) + "\n")
	}
	f.prompted = false
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch {
	case in.tooLong:
		err = fmt.Errorf("the line is longer than %d bytes", maxLine)
	case text == "":
	case rest == "" && (text == "?" || text == "help"):
		f.out.print(lineHelp)
		f.prompt()
		return nil, false
	case rest == "" && (text == "q" || text == "quit"):
		d.session.Stop()
	case word == "advance":
		err = f.advance(d, rest)
	case word == "send":
		word, rest, _ = strings.Cut(rest, " ")
		err = f.send(d, word, strings.TrimSpace(rest))
	default:
		err = f.send(d, word, rest)
	}
	if err != nil {
		f.out.item(red, "input", err.Error())
		f.prompt()
		return nil, false
	}
	return nil, true
}

func (f *lineFront) advance(d *driver, text string) error {
	if !d.virtual {
		return errors.New("the real clock cannot be advanced; start with --clock virtual")
	}
	by, err := parseTime(text)
	if err == nil && by <= 100*365*24*time.Hour {
		d.advance(by)
		return nil
	}
	return fmt.Errorf("advance: %w", errTime)
}

// send sends an event, and says so if nothing reacts to it now.
func (f *lineFront) send(d *driver, name, text string) error {
	if err := checkEventName(name); err != nil {
		return err
	}
	ev := scxml.Event{Name: name}
	if text != "" {
		v, err := datamodel.ParseJSON([]byte(text))
		if err != nil {
			return fmt.Errorf("the data of %s: %w", name, jsonProblem(err))
		}
		ev.Data = v
	}
	if enabled := d.session.Enabled(); !slices.ContainsFunc(enabled, func(e string) bool { return matches(e, name) }) {
		hint := ""
		if near := nearest(name, enabled); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		f.out.item(dim, "note", fmt.Sprintf("nothing takes %q now%s", name, hint))
	}
	return d.session.Send(ev)
}

// matches reports whether an event descriptor matches the name of an event (REC 3.12.1).
func matches(descriptor, name string) bool {
	if descriptor == "*" {
		return true
	}
	descriptor = strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".")
	rest, ok := strings.CutPrefix(name, descriptor)
	return ok && (rest == "" || rest[0] == '.')
}
