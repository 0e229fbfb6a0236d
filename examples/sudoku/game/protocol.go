package game

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Speaks reports whether a chart speaks the protocol of the game: it has transitions
// for tap, undo, setup, start and stop, and it sends updateGUI with the params
// currentState and initState.
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

// reactsTo reports whether a chart has a transition for the event.
func reactsTo(chart *scxml.Chart, event string) bool {
	return slices.ContainsFunc(chart.Transitions(), func(t scxml.Transition) bool { return isFor(t, event) })
}

// isFor reports whether a transition names the event. The wildcard "*" does not
// count.
func isFor(t scxml.Transition, event string) bool {
	return slices.ContainsFunc(t.Events(), func(descriptor string) bool { return names(descriptor, event) })
}

// names reports whether an event descriptor matches just this event and those that
// begin with its tokens.
func names(descriptor, event string) bool {
	// REC 3.12.1: "foo", "foo." and "foo.*" mean the same.
	return strings.TrimSuffix(strings.TrimSuffix(descriptor, "*"), ".") == event
}

// The data of the events that the game sends. That of one field is a fields.
type (
	fields   map[string]any
	cellData struct {
		X int `json:"x"` // the row
		Y int `json:"y"`
	}
	candidateData struct {
		X     int `json:"x"`
		Y     int `json:"y"`
		Digit int `json:"digit"`
	}
	setData struct {
		X     int `json:"x"`
		Y     int `json:"y"`
		Value int `json:"value"`
	}
	setCellsData struct {
		Cells []cellData `json:"cells"`
		Value int        `json:"value"`
	}
	markData struct {
		Cells []cellData `json:"cells"`
		Of    string     `json:"of"`
		Digit int        `json:"digit"`
	}
	solveData struct {
		Method string `json:"method,omitempty"`
		Delay  int64  `json:"delay"`
	}
	generateData struct {
		Level    int    `json:"level,omitempty"`
		Missing  int    `json:"missing,omitempty"`
		Flash    bool   `json:"flash,omitempty"`
		Daily    string `json:"daily,omitempty"`
		Symmetry string `json:"symmetry,omitempty"`
	}
	// loadData is also what the chart's function saved returns.
	loadData struct {
		InitState    sudoku.Grid      `json:"initState"`
		CurrentState sudoku.Grid      `json:"currentState"`
		Notes        format.Notes     `json:"notes"`
		Corner       format.Notes     `json:"corner"`
		Colours      format.Notes     `json:"colours"`
		Moves        [][]changeData   `json:"moves"`
		Undone       int              `json:"undone"`
		SavePoints   *[]savePointData `json:"savePoints"` // nil if the chart does not have them
		Time         *float64         `json:"time"`       // in milliseconds; nil likewise
		Helps        int              `json:"helps"`
		Mode         *format.Mode     `json:"mode"` // nil likewise
	}
	changeData struct {
		X    int    `json:"x"`
		Y    int    `json:"y"`
		Of   string `json:"of"`
		From int    `json:"from"`
		To   int    `json:"to"`
	}
	savePointData struct {
		Name         string       `json:"name"`
		CurrentState sudoku.Grid  `json:"currentState"`
		Notes        format.Notes `json:"notes"`
		Corner       format.Notes `json:"corner"`
		Colours      format.Notes `json:"colours"`
	}
)
