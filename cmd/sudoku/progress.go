package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// A progress line counts puzzles, and says of what takes long that it works.
type progress struct {
	*cli.Progress
	end   func() // removes the line; may be called again
	start time.Time
	count int
}

// newProgress returns a progress line for results that are written to out, unless that is nil: they may share
// the terminal. While puzzles of in are typed there, the line does not appear by itself. A nil input is not typed.
func newProgress(in *input, out *output) *progress {
	p := &progress{Progress: cli.NewProgress(), start: time.Now()}
	p.end = p.Clear
	if in == nil || !in.typed() {
		p.end = sync.OnceFunc(p.Working("working"))
	}
	p.share(out)
	return p
}

// share says that results are written to out, which may be on the terminal of the line, or nil.
func (p *progress) share(out *output) {
	if out != nil && out.direct == os.Stdout && cli.IsTerminal(os.Stdout) {
		out.progress = p
	}
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
	if p.Due() {
		rate := float64(p.count) / time.Since(p.start).Seconds()
		p.Write(fmt.Sprintf("%s, %s a second", counted(p.count, "puzzle"), thousands(int(rate))))
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
