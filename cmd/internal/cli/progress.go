package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A Progress is a line on standard error that shows the progress of a long run. Where standard error is not a
// terminal that can remove it again, there is a new line every ten seconds.
type Progress struct {
	mu      sync.Mutex
	began   time.Time
	shown   bool
	written bool // there is a line to remove
	within  bool // the terminal shows a part of another line
	last    time.Time
	text    string // of the last line
}

// NewProgress returns a line for a run that begins now.
func NewProgress() *Progress {
	now := time.Now()
	return &Progress{shown: CanMoveCursor(os.Stderr), began: now, last: now}
}

// Due reports whether it is time to write the line, ten times a second.
func (p *Progress) Due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.last) >= p.between()
}

func (p *Progress) between() time.Duration {
	if p.shown {
		return time.Second / 10
	}
	return 10 * time.Second
}

// Write replaces the line.
func (p *Progress) Write(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
	if now := time.Now(); !p.shown && now.Sub(p.last) >= p.between() {
		p.last = now
		fmt.Fprintf(os.Stderr, "%.0f s: %s\n", now.Sub(p.began).Seconds(), text)
	}
	p.write(text)
}

func (p *Progress) write(text string) {
	if p.shown && !p.within {
		p.last, p.written = time.Now(), true
		fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
	}
}

// Through writes to w, which is on the same terminal. The line is removed first, and not due until nothing has
// been written for a second. It never replaces a part of a line.
func (p *Progress) Through(w io.Writer, text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.last = time.Now().Add(time.Second)
	p.within = len(text) > 0 && text[len(text)-1] != '\n'
	return w.Write(text)
}

// Working shows from a second after it was called, until done is called, that the command does something,
// and for how long. It is for what cannot tell how much is done.
func Working(what string) (done func()) { return NewProgress().Working(what) }

// Working shows in every second in which the line would not change for how long the command works: at what it
// wrote last, or else at what.
func (p *Progress) Working(what string) (done func()) {
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
				p.mu.Lock()
				if now.Sub(p.last) >= time.Second/2 {
					p.write(fmt.Sprintf("%s: %.0f s", cmp.Or(p.text, Visible(what, EscapeNewlines)), now.Sub(begin).Seconds()))
				}
				p.mu.Unlock()
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.last = time.Now()
}

func (p *Progress) clear() {
	if p.written {
		p.written = false
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
