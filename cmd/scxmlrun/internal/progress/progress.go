// Package progress shows on a terminal how many tests of a run are done.
package progress

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Line counts tests.
type Line struct {
	*cli.Progress
	total, done, bad int
}

// New returns the line of a run of total tests.
func New(total int) *Line { return &Line{Progress: cli.NewProgress(), total: total} }

// Show notes that a test is over, and whether it ended badly.
func (l *Line) Show(name string, bad bool) {
	l.done++
	failed := ""
	if bad {
		l.bad++
	}
	if l.bad > 0 {
		failed = fmt.Sprintf(", %d failed", l.bad)
	}
	if l.Due() || l.done == l.total {
		l.Write(fmt.Sprintf("%d of %d%s: %.40s", l.done, l.total, failed, cli.Visible(name, cli.EscapeNewlines)))
	}
}
