package text

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Steps are the kinds of records that --trace adds to what is shown anyway.
var Steps = record.Kinds(record.Event, record.Raise, record.Exit, record.Enter, record.Transition, record.Timer, record.Cancel, record.Invoke, record.CancelInvoke)

// Record writes what has happened. It knows Send, Log, Error, and those of [Steps].
func (t *Writer) Record(r *record.Record) {
	step := func(word, text string) { t.Item(Dim, word, Who(r)+text) }
	switch r.Kind {
	case record.Send:
		text := Message(r.Event.Name, r.Event.Data)
		if r.Target != "" {
			text += " to " + r.Target
		}
		if r.Delay > 0 {
			text += fmt.Sprintf(" in %v", r.Delay)
		}
		t.Item(Cyan, "send", Who(r)+text)
	case record.Log:
		t.Item(Yellow, "log", Who(r)+logged(r.Label, r.Value))
	case record.Error:
		t.failure(r)
	case record.Event, record.Raise:
		step(r.Kind.String(), Message(r.Event.Name, r.Event.Data))
	case record.Exit, record.Enter:
		step(r.Kind.String(), r.State)
	case record.Transition:
		step("take", describe(r))
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

// Who says which session a line is about: nothing for the session of FILE.
func Who(r *record.Record) string {
	if r.InvokeID != "" {
		return "[" + r.InvokeID + "] "
	}
	return ""
}

// Message is how an event or a log entry is shown: a name and perhaps a value.
func Message(name string, value datamodel.Value) string {
	if value == nil {
		return name
	}
	text := Shorten(datamodel.Text(value), 500)
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

// failure writes an error event of the chart. A limit of the session of FILE
// ends the command, which says so itself.
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
	for _, f := range r.Stack[min(1, len(r.Stack)):] { // the innermost call is the place
		text += "\n  at " + strings.TrimSpace(f.Func+" "+f.At)
	}
	t.Item(Red, "error", Who(r)+r.Event.Name+": "+text)
}

// describe writes a transition on one line: source, events, condition, targets and place.
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
