package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A textWriter writes lines for people. After a failed write it writes nothing any more.
type textWriter struct {
	w      io.Writer
	colour bool
	err    error
}

// newTextWriter returns a writer that uses colour if w is a terminal that has
// it and the user does not object (no-color.org).
func newTextWriter(w io.Writer) *textWriter {
	return &textWriter{w: w, colour: cli.IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// The looks of text: parameters of the terminal's SGR sequence.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint returns text in a look, and makes it fit to be shown. Line breaks in it are escaped.
func (t *textWriter) paint(look, text string) string {
	text = cli.Visible(text, cli.EscapeNewlines)
	if !t.colour || look == "" {
		return text
	}
	return "\x1b[" + look + "m" + text + "\x1b[0m"
}

// print writes text as it is.
func (t *textWriter) print(text string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, text)
	}
}

// margin is the width of the column in front of the text of an item.
const margin = 8

// item writes a line with a word in the margin. Further lines of a text are indented like the first.
func (t *textWriter) item(look, word, text string) {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			b.WriteString(t.paint(look, fmt.Sprintf("%-*s", margin-1, word)) + " ")
		} else {
			b.WriteString(strings.Repeat(" ", margin))
		}
		b.WriteString(cli.Visible(line, cli.EscapeNewlines) + "\n")
	}
	t.print(b.String())
}

// message is how an event or a log entry is shown: a name and perhaps a value.
func message(name string, value datamodel.Value) string {
	if value == nil {
		return name
	}
	text := shorten(datamodel.Text(value), 500)
	if name == "" {
		return text
	}
	return name + " " + text
}

// logged is how a log entry is shown.
func logged(label string, value datamodel.Value) string {
	switch {
	case label == "":
		return datamodel.Text(value)
	case value == nil:
		return label
	}
	return label + ": " + datamodel.Text(value)
}

// shorten cuts a text off that is longer than n characters, and says so.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return fmt.Sprintf("%s… (%d characters)", string(runes[:n]), len(runes))
}

// execution writes an error event of the chart.
func (t *textWriter) execution(s *scxml.Session, err *scxml.ExecutionError) {
	text := err.Msg
	if err.Element != "" {
		text = "<" + err.Element + ">: " + text
	}
	if at := place(err.Pos); at != "" {
		text = at + ": " + text
	}
	for _, f := range err.Stack[min(1, len(err.Stack)):] { // the innermost call is the place
		text += "\n  at " + strings.TrimSpace(f.Func+" "+f.Pos.String())
	}
	t.item(red, "error", who(s)+err.Event+": "+text)
}

// who says which session a line is about: nothing for the session of FILE.
func who(s *scxml.Session) string {
	if id := s.InvokeID(); id != "" {
		return "[" + id + "] "
	}
	return ""
}

// limit writes that an invoked session went beyond a limit. That of FILE ends
// the command, which says so itself.
func (t *textWriter) limit(s *scxml.Session) {
	var limit *scxml.LimitError
	if s.InvokeID() != "" && errors.As(s.Err(), &limit) {
		t.item(red, "error", who(s)+limit.Error())
	}
}

// trace adds what --trace shows to a trace.
func (t *textWriter) trace(trace *scxml.Trace) {
	show := func(s *scxml.Session, word, text string) { t.item(dim, word, who(s)+text) }
	trace.Event = func(s *scxml.Session, ev *scxml.Event) { show(s, "event", message(ev.Name, ev.Data)) }
	trace.Raise = func(s *scxml.Session, ev *scxml.Event) { show(s, "raise", message(ev.Name, ev.Data)) }
	trace.Exit = func(s *scxml.Session, state scxml.State) { show(s, "exit", state.Name()) }
	trace.Enter = func(s *scxml.Session, state scxml.State) { show(s, "enter", state.Name()) }
	trace.Transition = func(s *scxml.Session, tr scxml.Transition) { show(s, "take", describe(tr)) }
	trace.Timer = func(s *scxml.Session, m scxml.Message) { show(s, "timer", m.Event.Name) }
	trace.Cancel = func(s *scxml.Session, sendID string, n int) {
		show(s, "cancel", fmt.Sprintf("%s (%d pending)", sendID, n))
	}
	trace.Invoke = func(s *scxml.Session, id string, _ *scxml.Session) { show(s, "invoke", id) }
	trace.CancelInvoke = func(s *scxml.Session, id string, _ *scxml.Session) { show(s, "cancel", "invocation "+id) }
}

// describe writes a transition on one line: source, events, condition, targets and place.
func describe(tr scxml.Transition) string {
	text := tr.Source().Name()
	if events := tr.Events(); len(events) > 0 {
		text += " on " + strings.Join(events, " ")
	}
	if cond := tr.Cond(); cond != "" {
		text += " if " + strings.Join(strings.Fields(cond), " ")
	}
	for i, target := range tr.Targets() {
		if i == 0 {
			text += " →"
		}
		text += " " + target.Name()
	}
	if at := place(tr.Pos()); at != "" {
		text += "  (" + at + ")"
	}
	return text
}

// fill breaks a text into lines of so many characters, and puts an indent
// before all but the first.
func fill(text string, width int, indent string) string {
	if width < 10 {
		return text
	}
	var b strings.Builder
	column := 0
	for i, w := range strings.Fields(text) {
		n := len([]rune(cli.Visible(w, cli.EscapeNewlines)))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += n
	}
	return b.String()
}
