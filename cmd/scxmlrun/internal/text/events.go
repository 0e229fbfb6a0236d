package text

import (
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Events returns the descriptors of the events that a chart has transitions for, sorted.
func Events(chart *scxml.Chart) (all []string) {
	for _, t := range chart.Transitions() {
		all = append(all, t.Events()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Takes reports whether one of some descriptors matches an event (REC 3.12.1).
func Takes(descriptors []string, event string) bool {
	return slices.ContainsFunc(descriptors, func(d string) bool {
		d = strings.TrimSuffix(strings.TrimSuffix(d, "*"), ".")
		return d == "" || d == event || strings.HasPrefix(event, d+".")
	})
}
