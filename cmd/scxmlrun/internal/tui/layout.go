package tui

import (
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The smallest screen.
const (
	minWidth  = 80
	minHeight = 24
)

type rect struct{ x, y, w, h int }

func (r rect) contains(x, y int) bool {
	return r.x <= x && x < r.x+r.w && r.y <= y && y < r.y+r.h
}

// A panelID is a part of the screen with a title.
type panelID int

const (
	eventsPanel panelID = iota
	chartPanel
	logPanel
	effectPanel
	dataPanel
	timersPanel
	numPanels
)

var panelTitles = [numPanels]string{"Events", "Chart", "Log", "Effect", "Data", "Timers"}

// A layout says where everything is on the screen.
type layout struct {
	width, height int
	panels        [numPanels]rect // a title, and what is below it; empty if the panel is hidden
	scrub         rect            // the bar with the positions
	spots         []spot          // what can be clicked, the last ones first
}

// A spot does something when it is clicked.
type spot struct {
	rect
	do func()
}

// newLayout returns the layout of a screen that is large enough. It depends on the chart and not on the
// state of a session, so that nothing moves when that changes. A zoomed panel has all of the room.
func newLayout(width, height int, chart *scxml.Chart, zoomed panelID, isZoomed bool) *layout {
	l := &layout{width: width, height: height, scrub: rect{0, height - 2, width, 1}}
	body := rect{0, 1, width, height - 3}
	if isZoomed {
		l.panels[zoomed] = body
		return l
	}
	right := max(34, min(width*2/5, 64))
	left := width - right - 1
	log := max(body.h/3, 7)
	l.panels[chartPanel] = rect{0, body.y, left, body.h - log}
	l.panels[logPanel] = rect{0, body.y + body.h - log, left, log}

	// The panels on the right share the height as they need it.
	type want struct {
		panel      panelID
		least, all int
	}
	events, data, delays := 0, 0, false
	seen := map[string]bool{}
	for _, t := range chart.Transitions() {
		for _, e := range t.Events() {
			if !seen[e] {
				seen[e] = true
				events++
			}
		}
	}
	for _, st := range chart.States() {
		data += len(st.Data())
	}
	data = max(data, len(chart.Data()))
	for _, send := range chart.Sends() {
		delays = delays || send.Delay > 0 || send.Event == ""
	}
	// Each has a title, the events have a heading, and invoked sessions have more of all.
	wants := []want{{eventsPanel, 5, max(events+2, 5)}, {effectPanel, 5, 7}, {dataPanel, 3, max(data+1, 3)}, {timersPanel, 3, 4}}
	if delays {
		wants[3].all = 5
	}
	left0 := body.h
	heights := make([]int, len(wants))
	for i, w := range wants {
		heights[i] = w.least
		left0 -= heights[i]
	}
	for grown := true; grown && left0 > 0; { // a row for each in turn
		grown = false
		for i, w := range wants {
			if heights[i] < w.all && left0 > 0 {
				heights[i]++
				left0--
				grown = true
			}
		}
	}
	heights[1] += left0
	y := body.y
	for i, w := range wants {
		l.panels[w.panel] = rect{left + 1, y, right, heights[i]}
		y += heights[i]
	}
	return l
}

// at returns the panel at a place of the screen.
func (l *layout) at(x, y int) (panelID, bool) {
	for i, r := range l.panels {
		if r.contains(x, y) {
			return panelID(i), true
		}
	}
	return 0, false
}
