package cli

import (
	"fmt"
	"os"
	"time"
)

// A Progress is a line on standard error that shows the progress of a long run. It
// is not shown unless standard error is a terminal that can remove it again.
type Progress struct {
	shown   bool
	written bool // there is a line to remove
	last    time.Time
}

// NewProgress returns a line for a run that begins now.
func NewProgress() *Progress {
	return &Progress{shown: CanMoveCursor(os.Stderr), last: time.Now()}
}

// Due reports whether it is time to write the line, ten times a second.
func (p *Progress) Due() bool { return p.shown && time.Since(p.last) >= time.Second/10 }

// Write replaces the line.
func (p *Progress) Write(text string) {
	if p.shown {
		p.last, p.written = time.Now(), true
		fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
	}
}

// Working shows from a second after it was called, until done is called, that the command does something,
// and for how long. It is for what cannot tell how much is done.
func Working(what string) (done func()) { return NewProgress().working(what) }

func (p *Progress) working(what string) (done func()) {
	if !p.shown {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		defer p.Clear()
		begin := time.Now()
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case now := <-ticker.C:
				p.Write(fmt.Sprintf("%s: %.0f s", Visible(what, EscapeNewlines), now.Sub(begin).Seconds()))
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.written {
		p.written = false
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
