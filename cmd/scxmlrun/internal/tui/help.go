package tui

import (
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/datamodel"
)

func dataJSON(e *event) []byte { return datamodel.AppendJSON(nil, e.Data(e.values())) }

// help opens the list of keys.
func (f *Front) help() {
	lines := []widget.Line{
		{Text: "Events", Head: true},
		{Key: "a letter", Text: "sends the event that has it. An event with data opens a form first."},
		{Key: "Up, Down", Text: "selects an event: the chart and a panel show what it would do."},
		{Key: "Enter", Text: "sends the selected event."},
		{Key: "E", Text: "sends any event, with any data."},
		{Text: "Time", Head: true},
		{Key: ".", Text: "lets time pass until the next timer is due."},
		{Key: "Left, Right", Text: "goes one step back, or forward; with Shift ten. Home is the start and End the present."},
		{Text: "An event that is sent in the past begins a branch. It goes its own way from there: it starts no service and sends nothing out, and its time stands still but for the key \".\"."},
		{Key: "B", Text: "chooses the live session or a branch."},
		{Key: "Esc", Text: "returns to the present, and then to the live session, which has continued meanwhile."},
		{Text: "Screen", Head: true},
		{Key: "Tab", Text: "chooses a panel; Up, Down, PgUp and PgDn scroll it."},
		{Key: "Z", Text: "makes this panel as large as the screen, or small again."},
		{Key: "V", Text: "draws the chart as boxes, or as a tree."},
		{Key: "D", Text: "draws less or more of it."},
		{Key: "Ctrl+L", Text: "draws the screen again. Ctrl+Z stops the program until the shell continues it."},
		{Key: "q", Text: "quits; the session is stopped."},
		{Text: "The mouse: a click on an event is its key, one on a transition in the chart selects its event, one on the bar of steps or a line of the log goes there, and one on a timer lets time pass."},
		{Text: "In the chart", Head: true},
		{Key: "reversed", Text: "an active state."},
		{Key: "underlined", Text: "a state that the selected event would enter; one that it would leave is struck through."},
		{Key: "coloured", Text: "a transition that has just been taken, or would be by the selected event."},
	}
	f.windows.Open(&widget.Dialog{Title: "Keys", Controls: []widget.Control{&widget.Page{Lines: lines}, &widget.Button{Text: "Close"}}})
}

// branches opens a list of the live session and its branches.
func (f *Front) branches() {
	list := &widget.List{Find: "Type to search:"}
	for i, l := range f.lines {
		what := text.Count(l.present(), "step")
		if l == f.line {
			list.At = i
			what += ", shown"
		}
		list.Rows = append(list.Rows, widget.Row{l.name, what})
	}
	list.Do = func() {
		if list.At >= 0 {
			f.line = f.lines[list.At]
			f.line.seek(f.line.present())
		}
	}
	text := "An event that is sent in the past begins a branch."
	f.windows.Open(&widget.Dialog{Title: "Branches", Controls: []widget.Control{&widget.Label{Text: text, Dim: true}, list, &widget.Button{Text: "Show", Do: list.Do}, &widget.Button{Text: "Cancel"}}})
}
