package game

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Speaks tells whether a chart speaks the protocol of the game, by what it
// says about itself and not by its name: it has transitions for tap, undo,
// setup, start and stop, and it sends updateGUI with the params currentState
// and initState.
func Speaks(chart *scxml.Chart) bool {
	for _, event := range []string{"tap", "undo", "setup", "start", "stop"} {
		if !reactsTo(chart, event) {
			return false
		}
	}
	return slices.ContainsFunc(chart.Sends(), func(s scxml.SendInfo) bool {
		return s.Event == "updateGUI" && slices.Contains(s.Params, "currentState") && slices.Contains(s.Params, "initState")
	})
}

// reactsTo tells whether a chart has a transition for the event.
func reactsTo(chart *scxml.Chart, event string) bool {
	return slices.ContainsFunc(chart.Transitions(), func(t scxml.Transition) bool { return isFor(t, event) })
}

// isFor tells whether a transition names the event. One for every event, "*",
// does not count.
func isFor(t scxml.Transition, event string) bool {
	return slices.ContainsFunc(t.Events(), func(descriptor string) bool { return names(descriptor, event) })
}

// names tells whether an event descriptor is that of just this event and those
// below it.
func names(descriptor, event string) bool {
	// REC 3.12.1: "foo", "foo." and "foo.*" mean the same.
	return strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".") == event
}

// The data of the events that the game sends, and of the one it receives.
type (
	tapData struct {
		X int `json:"x"` // the row
		Y int `json:"y"`
	}
	setData struct {
		X     int `json:"x"`
		Y     int `json:"y"`
		Value int `json:"value"`
	}
	setupData struct {
		InitState sudoku.Grid `json:"initState"`
	}
	updateData struct {
		CurrentState sudoku.Grid `json:"currentState"`
		InitState    sudoku.Grid `json:"initState"`
	}
)
