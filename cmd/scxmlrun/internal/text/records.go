package text

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Steps are the kinds of records that --trace adds.
var Steps = record.Kinds(record.Event, record.Raise, record.Exit, record.Enter, record.Transition, record.Timer, record.Cancel, record.Cond, record.Unhandled, record.Invoke, record.CancelInvoke)

// Record writes a record of kind Send, Log or Error, or of a kind in [Steps].
func (t *Writer) Record(r *record.Record) {
	step := func(word, text string) { t.Item(Dim, word, Who(r)+text) }
	switch r.Kind {
	case record.Send:
		text := Message(r.Event.Name, r.Event.Data, t.Width)
		if r.Target != "" {
			text += " to " + r.Target
		}
		if r.Delay > 0 {
			text += fmt.Sprintf(" in %v", r.Delay)
		}
		t.Item(Cyan, "send", Who(r)+text)
	case record.Log:
		t.Item(Yellow, "log", Who(r)+logged(r.Label, r.Value, t.Width))
	case record.Error:
		t.failure(r)
	case record.Event, record.Raise:
		step(r.Kind.String(), Message(r.Event.Name, r.Event.Data, t.Width))
	case record.Exit, record.Enter:
		step(r.Kind.String(), r.State)
	case record.Transition:
		step("take", describe(r))
	case record.Cond:
		step("cond", fmt.Sprintf("%v: %s", r.Value, describe(r)))
	case record.Unhandled:
		if !r.ForHost {
			step("unused", r.Event.Name)
		}
	case record.Timer:
		step("timer", r.Event.Name)
	case record.Cancel:
		step("cancel", fmt.Sprintf("%s (%d pending)", r.Event.SendID, r.Count))
	case record.Invoke:
		step("invoke", r.Event.InvokeID)
	case record.CancelInvoke:
		step("cancel", "invocation "+r.Event.InvokeID)
	}
}

// Who names the session that a line is about; it is empty for the session of FILE.
func Who(r *record.Record) string {
	if r.InvokeID != "" {
		return "[" + r.InvokeID + "] "
	}
	return ""
}

// Message writes an event: its name and value, if any, in about width characters, or in
// many if width is 0.
func Message(name string, value datamodel.Value, width int) string {
	switch {
	case value == nil:
		return name
	case width == 0:
		return name + " " + Shorten(Value(value), maxMessage)
	}
	return name + " " + Brief(value, max(width-len(name)-1, small))
}

// maxMessage is how many characters of a value a long line shows.
const maxMessage = 500

// logged writes a log entry: strings whole, and other large values in about width
// characters unless that is 0.
func logged(label string, value datamodel.Value, width int) string {
	text, isString := value.(string)
	if !isString {
		text = datamodel.Text(value)
		if len(text) > maxMessage && width > 0 {
			text = Brief(value, width)
		}
	}
	switch {
	case label == "":
		return text
	case value == nil:
		return label
	}
	return label + ": " + text
}

// failure writes an error event of the chart. A limit of the session of FILE ends the
// command, whose own message reports it.
func (t *Writer) failure(r *record.Record) {
	if r.Event.Name == "limit" {
		if r.InvokeID != "" {
			t.Item(Red, "error", Who(r)+r.Message)
		}
		return
	}
	text := r.Message
	if r.Element != "" {
		text = "<" + r.Element + ">: " + text
	}
	if r.At != "" {
		text = r.At + ": " + text
	}
	for _, f := range r.Stack[min(1, len(r.Stack)):] { // the innermost call is in At
		text += "\n  at " + strings.TrimSpace(f.Func+" "+f.At)
	}
	t.Item(Red, "error", Who(r)+r.Event.Name+": "+text)
}

// describe writes a transition on one line: source, events, condition, targets and position.
func describe(r *record.Record) string {
	text := r.State
	if len(r.Events) > 0 {
		text += " on " + strings.Join(r.Events, " ")
	}
	if r.Cond != "" {
		text += " if " + strings.Join(strings.Fields(r.Cond), " ")
	}
	if len(r.Targets) > 0 {
		text += " → " + strings.Join(r.Targets, " ")
	}
	if r.At != "" {
		text += "  (" + r.At + ")"
	}
	return text
}
