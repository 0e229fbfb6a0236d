package tui

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
)

// A deafTTY is a terminal on which nobody types.
type deafTTY struct{ stopped chan struct{} }

func (d *deafTTY) Start() error                { d.stopped = make(chan struct{}); return nil }
func (d *deafTTY) Drain() error                { close(d.stopped); return nil }
func (d *deafTTY) Stop() error                 { return nil }
func (d *deafTTY) Close() error                { return nil }
func (d *deafTTY) NotifyResize(func())         {}
func (d *deafTTY) Write(p []byte) (int, error) { return len(p), nil }
func (d *deafTTY) Read([]byte) (int, error)    { <-d.stopped; return 0, io.EOF }
func (d *deafTTY) WindowSize() (tcell.WindowSize, error) {
	return tcell.WindowSize{Width: 80, Height: 24}, nil
}

// The pauses that the definition of a VT100 asks for are left out.
func TestOldTerminalsAreNotWaitedFor(t *testing.T) {
	t.Setenv("TERM", "vt100")
	synctest.Test(t, func(t *testing.T) {
		screen, err := terminal.NewScreen(new(deafTTY))
		if err == nil {
			err = screen.Init()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer screen.Fini()
		start := time.Now()
		draw(screen, someScene(0))
		screen.Show()
		if waited := time.Since(start); waited > 0 {
			t.Errorf("the board waits %v", waited)
		}
	})
}
