// Package progress shows on a terminal how far a long run has come.
package progress

import (
	"fmt"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A Line is a line on standard error, and nothing where that is not a terminal
// that can take a line back.
type Line struct {
	shown     bool // on a terminal
	total     int
	done, bad int
	last      time.Time
}

// New returns the line of a run of total tests. Total is 0 where they are not counted
// by Show.
func New(total int) *Line {
	return &Line{shown: cli.IsTerminal(os.Stderr) && os.Getenv("TERM") != "dumb", total: total}
}

// Show notes that a test is over, and whether it ended badly.
func (p *Line) Show(name string, bad bool) {
	p.done++
	if bad {
		p.bad++
	}
	if !p.Due() && p.done < p.total {
		return
	}
	failed := ""
	if p.bad > 0 {
		failed = fmt.Sprintf(", %d failed", p.bad)
	}
	p.Write(fmt.Sprintf("%d of %d%s: %.40s", p.done, p.total, failed, cli.Visible(name, cli.EscapeNewlines)))
}

// Due reports whether it is time to write the line again.
func (p *Line) Due() bool { return p.shown && time.Since(p.last) >= 50*time.Millisecond }

// Write writes the line again.
func (p *Line) Write(text string) {
	if p.shown {
		p.last = time.Now()
		fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
	}
}

// Clear removes the line.
func (p *Line) Clear() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
