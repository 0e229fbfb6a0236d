package cli

import (
	"fmt"
	"os"
	"time"
)

// A Progress is a line on standard error that says how far a long run has come.
// It is not shown where that is not a terminal that can take a line back.
type Progress struct {
	shown   bool
	written bool // there is a line to be removed
	last    time.Time
}

// NewProgress returns the line of a run that begins now.
func NewProgress() *Progress {
	return &Progress{shown: CanMoveCursor(os.Stderr), last: time.Now()}
}

// Due reports whether it is time to write the line: ten times a second.
func (p *Progress) Due() bool { return p.shown && time.Since(p.last) >= time.Second/10 }

// Write writes the line anew.
func (p *Progress) Write(text string) {
	if p.shown {
		p.last, p.written = time.Now(), true
		fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
	}
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.written {
		p.written = false
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
