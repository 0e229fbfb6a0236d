package debugger

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
)

// reasons are the words for why a session has stopped.
var reasons = map[debug.Reason]string{
	debug.Entry: "entry", debug.Step: "step", debug.Hit: "stop", debug.Paused: "pause", debug.Idle: "idle",
	debug.Ended: "end", debug.Beginning: "begin", debug.Arrived: "goto",
}

// show shows where the session has stopped.
func (f *Front) show(stop debug.Stop) {
	f.session, f.from = stop.Session, 0
	what := stop.Text
	if stop.Reason == debug.Beginning {
		what = "there is nothing before: " + what
	}
	if len(stop.Hits) > 0 {
		var ids []string
		for _, id := range stop.Hits {
			ids = append(ids, strconv.Itoa(id))
		}
		noun := "breakpoint "
		if len(ids) > 1 {
			noun = "breakpoints "
		}
		what = noun + strings.Join(ids, ", ") + ": " + what
	}
	line := what
	if all := f.sessions(); len(all) > 1 {
		for _, s := range all[1:] {
			if s.ID == stop.Session {
				line = "[" + s.InvokeID + "] " + line
			}
		}
	}
	if stop.At.IsValid() {
		line += "  (" + stop.At.String() + ")"
	}
	line += "  at " + stop.Place.String()
	now, due, waits, err := f.Now()
	if err == nil && now != 0 {
		line += fmt.Sprintf(" (+%v)", short(now))
	}
	past := stop.Past && !f.recording // all of a recording is
	if past {
		line += ", in the past"
	}
	if waits && err == nil && stop.Kind == debug.AtRest {
		line += fmt.Sprintf(", next delayed event in %v", short(due-now))
	}
	look := text.Bold
	if past {
		look = text.Cyan
	}
	f.out.Item(look, reasons[stop.Reason], line)
	if source := f.source(stop.At); stop.At.IsValid() && stop.At.Line <= len(source) {
		f.sourceLine(source, stop.At.Line, stop.At)
	}
}

// short rounds a time for people.
func short(d time.Duration) time.Duration { return d.Round(time.Millisecond) }

// source returns the lines of the document of a position.
func (f *Front) source(at datamodel.Position) []string {
	for _, s := range f.sessions() {
		if s.Chart.File() == at.File && s.Chart.Source() != "" {
			return strings.Split(s.Chart.Source(), "\n")
		}
	}
	return nil
}

// sourceLine shows a line of the document, with a marker if it is the place.
func (f *Front) sourceLine(source []string, line int, place datamodel.Position) {
	marker, look := "  ", ""
	if line == place.Line {
		marker, look = "=>", text.Bold
	}
	code := strings.ReplaceAll(strings.TrimRight(source[line-1], "\r"), "\t", "    ")
	f.out.Print(f.out.Paint(look, fmt.Sprintf("%s %4d  %s", marker, line, text.Shorten(code, 200))) + "\n")
}

// around is how many lines list shows before and after a line.
const around = 5

// runList shows lines: around the place, or more of them if it has shown those.
func (f *Front) runList(argument string) error {
	stop, err := f.Stop()
	if err != nil {
		return err
	}
	place := stop.At
	if frames, err := f.Stack(stop.Session); !place.IsValid() && err == nil && len(frames) > 0 {
		place = frames[0].At
	}
	at := place
	if at.File == "" {
		at = datamodel.Position{File: f.Chart().File(), Line: 1}
	}
	source := f.source(at)
	first := at.Line - around
	line, notNumber := strconv.Atoi(argument)
	switch {
	case argument == "" && f.from > 0:
		first = f.from
	case argument == "":
	case notNumber == nil:
		first = line - around
	default:
		st, ok := f.state(argument)
		if !ok {
			return fmt.Errorf("list: %q is neither a line nor a state", argument)
		}
		at = st.Pos()
		source, first = f.source(at), at.Line-around
	}
	if len(source) == 0 {
		return fmt.Errorf("the text of the document is not known")
	}
	if first > len(source) {
		return fmt.Errorf("the document has %d lines", len(source))
	}
	first = max(first, 1)
	last := min(first+2*around, len(source))
	if place.File != at.File || stop.At == (datamodel.Position{}) {
		place = datamodel.Position{}
	}
	for n := first; n <= last; n++ {
		f.sourceLine(source, n, place)
	}
	f.from = last + 1
	return nil
}

// state returns the state with an id, of any session.
func (f *Front) state(id string) (st scxml.State, ok bool) {
	for _, s := range f.sessions() {
		if st, ok = s.Chart.State(id); ok {
			return st, true
		}
	}
	return st, false
}

// showPoint shows a breakpoint.
func (f *Front) showPoint(b debug.Breakpoint) {
	line := fmt.Sprintf("%d: ", b.ID)
	switch b.Kind {
	case debug.AtLine:
		if b.At.IsValid() {
			line += b.At.String()
			if e := f.Chart().ElementAt(b.At); e != nil {
				line += " <" + e.Name + ">"
			}
		} else {
			line += strings.TrimPrefix(b.File+":", ":") + strconv.Itoa(b.Line)
		}
	case debug.OnState:
		word := "state "
		if b.Entered != b.Exited {
			word = map[bool]string{true: "enter ", false: "exit "}[b.Entered]
		}
		line += word + b.Name
	case debug.OnEvent:
		line += "event " + b.Name
	case debug.OnData:
		line += "watch " + b.Name
	case debug.OnError:
		line += strings.TrimSpace("error " + b.Name)
	case debug.OnUnhandled:
		line += strings.TrimSpace("unhandled " + b.Name)
	}
	if b.Once {
		line += ", once"
	}
	if b.Condition != "" {
		line += " if " + b.Condition
	}
	if b.Count != "" {
		line += ", count " + b.Count
	}
	if b.Log != "" {
		line += ", log " + b.Log
	}
	if b.Hits > 0 {
		line += fmt.Sprintf(", hits: %d", b.Hits)
	}
	if b.Reason != "" {
		line += "\n" + b.Reason
	}
	f.out.Item(text.Dim, "break", line)
}

func (f *Front) runFrames(string) error {
	frames, err := f.Stack(f.session)
	if err != nil {
		return err
	}
	for i, fr := range frames {
		f.out.Item(text.Dim, strconv.Itoa(i), fmt.Sprintf("%s  (%v)", fr.Name, fr.At))
	}
	if len(frames) == 0 {
		f.out.Item(text.Dim, "frames", "none")
	}
	return nil
}

// brief is the length of a value in a list.
const brief = 200

// showScope shows the variables of a scope, or one of them whole.
func (f *Front) showScope(scope, name string) error {
	scopes, err := f.Scopes(f.ctx, f.session)
	if err != nil {
		return err
	}
	word := strings.ToLower(strings.TrimSuffix(scope, "s"))
	if word == "queue" {
		word = ""
	}
	var names []string
	shown := false
	for _, s := range scopes {
		if s.Name != scope {
			continue
		}
		for _, v := range s.Variables {
			names = append(names, v.Name)
			value := text.Value(v.Value)
			switch {
			case v.Err != nil:
				value = v.Err.Error()
			case v.Value == nil && scope == "History":
				value = "nothing yet"
			}
			switch name {
			case "":
				value = text.Shorten(value, brief)
			case v.Name:
			default:
				continue
			}
			shown = true
			f.out.Item(text.Dim, text.Shorten(word, text.Margin-1), v.Name+" = "+value)
		}
	}
	switch {
	case shown:
	case name != "":
		return fmt.Errorf("unknown data item %q%s; to see the value of an expression, write: print %s", name, cli.DidYouMean(name, names), name)
	default:
		f.out.Item(text.Dim, strings.ToLower(scope), "none")
	}
	return nil
}

func (f *Front) runSessions(string) error {
	for i, s := range f.sessions() {
		line := s.Chart.File()
		if s.InvokeID != "" {
			line = "[" + s.InvokeID + "] " + line
		}
		if s.Status != scxml.Running {
			line += ", " + s.Status.String()
		}
		if s.ID == f.session {
			line += ", shown"
		}
		f.out.Item(text.Dim, strconv.Itoa(i), line)
	}
	return nil
}
