package dap

import (
	"fmt"

	"github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// output shows a line on the console of the client, with the place that it is about.
func (s *server) output(category, line string, at datamodel.Position) {
	e := &dap.OutputEvent{Body: dap.OutputEventBody{Category: category, Output: cli.Visible(line, cli.KeepNewlines) + "\n"}}
	if at.IsValid() {
		e.Body.Source = &s.sources.source(at.File).dap
		e.Body.Line, e.Body.Column = s.sources.place(at)
	}
	s.event("output", e)
}

// maxLog is how many characters of a log entry are shown.
const maxLog = 10_000

// log shows what the chart or a log point says.
func (s *server) log(o debug.Output) {
	category := "stdout"
	if o.Point != 0 {
		category = "console"
	}
	s.output(category, text.Shorten(o.Text, maxLog), o.Position)
}

// sent shows an event that the chart sends.
func (s *server) sent(from *scxml.Session, m scxml.Message) {
	line := who(from) + "send " + text.Message(m.Event.Name, m.Event.Data, 0)
	if m.Target != "" {
		line += " to " + m.Target
	}
	if m.Delay > 0 {
		line += fmt.Sprintf(" in %v", m.Delay)
	}
	s.output("stdout", line, datamodel.Position{})
}

// failure shows an error event of the chart.
func (s *server) failure(in *scxml.Session, err *scxml.ExecutionError) {
	s.output("stderr", who(in)+failureText(err), err.Pos)
}

// failureText describes an error event, without its place.
func failureText(err *scxml.ExecutionError) string {
	if err.Element == "" {
		return err.Event + ": " + err.Msg
	}
	return fmt.Sprintf("%s: <%s>: %s", err.Event, err.Element, err.Msg)
}

// who names a session; it is empty for the one of the program.
func who(s *scxml.Session) string {
	if id := s.InvokeID(); id != "" {
		return "[" + id + "] "
	}
	return ""
}
