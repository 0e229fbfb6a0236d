package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A progress line shows on a terminal how far a long run has come. It is
// written to standard error, and not at all if the results are on the same terminal.
type progress struct {
	shown       bool
	start, last time.Time
	count       int
	dirty       bool // there is a line that has to go
}

// newProgress returns a progress line for results that go to the file of that
// name, the value of --output.
func newProgress(file string) *progress {
	now := time.Now()
	onStdout := file == "" || file == stdinName
	return &progress{
		shown: cli.IsTerminal(os.Stderr) && !(onStdout && cli.IsTerminal(os.Stdout)) && os.Getenv("TERM") != "dumb",
		start: now, last: now,
	}
}

// add notes that a puzzle is done.
func (p *progress) add() {
	p.count++
	if p.shown && p.count%256 == 0 {
		p.show()
	}
}

// show shows the line, though not more often than five times a second.
func (p *progress) show() {
	now := time.Now()
	if now.Sub(p.last) < time.Second/5 {
		return
	}
	p.last, p.dirty = now, true
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s puzzles, %s a second", thousands(p.count), thousands(int(float64(p.count)/now.Sub(p.start).Seconds())))
}

// stage says what is being done, on any terminal: the results come when the
// line is gone.
func (p *progress) stage(what string) {
	if cli.IsTerminal(os.Stderr) && os.Getenv("TERM") != "dumb" {
		p.dirty = true
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", what)
	}
}

// clear removes the line.
func (p *progress) clear() {
	if p.dirty {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		p.dirty = false
	}
}

// thousands writes a number as 1,234,567.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
