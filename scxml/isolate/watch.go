package isolate

import (
	"sync"
	"time"
)

const (
	// yieldAfter is the processor time that a request may use before its child yields to all others.
	yieldAfter = 8 * time.Millisecond
	// checkInterval is the time between two looks at the processor time of a child.
	checkInterval = 10 * time.Millisecond
)

// A watch ends a child that takes longer for a request than it may. The time of the host does not
// count.
type watch struct {
	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration // when it last began
	began   time.Time
	worked  time.Duration // what the child had worked before
	paused  bool
	yielded bool
}

func (t *Tenant) watch(name string, session int) *watch {
	w := &watch{left: t.pool.cfg.Deadline, worked: worked(t.proc.cmd)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.begin(), func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.left -= time.Since(w.began)
		switch {
		case w.paused:
			return
		case w.left > 0:
			if worked(t.proc.cmd)-w.worked >= yieldAfter {
				w.yielded = true
				yield(t.proc.cmd)
			}
		case name == advanceSession.op && t.works(session):
			w.left = t.pool.cfg.Deadline // Advance waits for services
		default:
			t.overrun()
			return
		}
		w.timer.Reset(w.begin())
	})
	return w
}

// begin returns when to look again.
func (w *watch) begin() time.Duration {
	w.began = time.Now()
	if w.yielded {
		return max(w.left, 0)
	}
	return max(min(w.left, checkInterval), 0)
}

// exclude calls f, which is the host's: it may take its time, or has a deadline of its own.
func (w *watch) exclude(f func()) {
	w.pause()
	defer w.resume()
	f()
}

func (w *watch) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.left -= time.Since(w.began)
	w.paused = true
}

func (w *watch) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = false
	w.timer.Reset(w.begin())
}
