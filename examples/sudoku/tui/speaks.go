package tui

import (
	"slices"
	"strings"

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

// reactsTo tells whether a chart has a transition that names the event. One
// for every event, "*", does not count.
func reactsTo(chart *scxml.Chart, event string) bool {
	return slices.ContainsFunc(chart.Transitions(), func(t scxml.Transition) bool {
		return slices.ContainsFunc(t.Events(), func(descriptor string) bool { return names(descriptor, event) })
	})
}

// names tells whether an event descriptor is that of just this event and those
// below it.
func names(descriptor, event string) bool {
	// REC 3.12.1: "foo", "foo." and "foo.*" mean the same.
	return strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".") == event
}
