package terminal

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// A heardTTY keeps what is written to it.
type heardTTY struct {
	*fedTTY
	mu      sync.Mutex
	written []byte
}

func (t *heardTTY) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written = append(t.written, p...)
	return len(p), nil
}

// A lostTTY cannot be started again.
type lostTTY struct {
	*fedTTY
	started bool
}

func (t *lostTTY) Start() error {
	if t.started {
		return errors.New("it is gone")
	}
	t.started = true
	return nil
}

// A program whose terminal went away while it was suspended ends.
func TestRestoreOfLostTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	screen, err := NewScreen(&lostTTY{fedTTY: &fedTTY{make(chan []byte), 80, 24}})
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		t.Fatal(err)
	}
	terminal := &Terminal{Screen: screen}
	terminal.leave(func() { err = screen.Suspend() })
	if err != nil || screen.Resume() == nil {
		t.Fatalf("the terminal is not lost (%v)", err)
	}
	restored := make(chan struct{})
	go func() {
		terminal.Restore()
		close(restored)
	}()
	select {
	case <-restored:
	case <-time.After(10 * time.Second):
		t.Error("it waits for the terminal")
	}
}

// A program that restores its terminal while another goroutine draws leaves the cursor visible, and the
// screen that was there before.
func TestRestoreDuringDraw(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	for range 20 {
		tty := &heardTTY{fedTTY: &fedTTY{make(chan []byte), 80, 24}}
		screen, err := NewScreen(tty)
		if err == nil {
			err = screen.Init()
		}
		if err != nil {
			t.Fatal(err)
		}
		a := &App{Screen: screen, terminal: &Terminal{Screen: screen}}
		quit := make(chan struct{})
		var draws sync.WaitGroup
		draws.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-quit:
					return
				default:
				}
				// Fini takes the cells without a lock.
				a.terminal.draw(func() { screen.SetContent(i%80, i/80%24, rune('a'+i%26), nil, tcell.StyleDefault) })
				a.redraw = i%2 == 0
				a.Show()
			}
		})
		a.terminal.Restore()
		close(quit)
		draws.Wait()
		const show, hide, leave = "\x1b[?25h", "\x1b[?25l", "\x1b[?1049l"
		if end := bytes.LastIndex(tty.written, []byte(leave)); end < 0 || bytes.Contains(tty.written[end:], []byte(hide)) {
			t.Fatalf("the terminal is not restored: …%q", tty.written[max(0, len(tty.written)-300):])
		} else if bytes.LastIndex(tty.written, []byte(show)) < bytes.LastIndex(tty.written, []byte(hide)) {
			t.Fatal("the cursor is hidden")
		}
	}
}
