package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A progress line counts puzzles. It is not shown if the results are on the
// same terminal.
type progress struct {
	*cli.Progress
	hidden bool
	start  time.Time
	count  int
}

// newProgress returns a progress line for results that are written to file, the value
// of --output.
func newProgress(file string) *progress {
	onStdout := file == "" || file == stdinName
	return &progress{Progress: cli.NewProgress(), hidden: onStdout && cli.IsTerminal(os.Stdout), start: time.Now()}
}

// add notes that a puzzle is done.
func (p *progress) add() {
	p.count++
	if p.count%256 == 0 {
		p.show()
	}
}

// show shows the line if it is time for that.
func (p *progress) show() {
	if !p.hidden && p.Due() {
		rate := float64(p.count) / time.Since(p.start).Seconds()
		p.Write(fmt.Sprintf("%s puzzles, %s a second", thousands(p.count), thousands(int(rate))))
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
