package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"
)

// A SignalError is the cause of the context of an [App] if a signal or Ctrl+C has ended it. It wraps
// [context.Canceled].
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// Unwrap returns [context.Canceled].
func (e *SignalError) Unwrap() error { return context.Canceled }

// ErrQuit is the cause of the context of an [App] if the user has quit.
var ErrQuit = errors.New("the user has quit")

// An App is what all applications on the terminal have in common.
type App struct {
	// Interrupts receives the signals that end the application, and os.Interrupt for Ctrl+C. A
	// program can so end itself if a script hangs, see [App.Restore].
	Interrupts chan os.Signal

	// What follows is set by Begin.
	Screen  tcell.Screen
	Context context.Context         // of the application
	Quit    context.CancelCauseFunc // ends it
	Moving  *time.Timer             // fires when what moves must be drawn again; stopped at first

	terminal *Terminal
	own      atomic.Pointer[Terminal] // of the program, while it is used
	events   chan tcell.Event
	redraw   bool // all of the screen
}

// Prepare prepares an application.
func (a *App) Prepare() { a.Interrupts = make(chan os.Signal, 2) }

// Open opens the terminal of the program until Close, which must be called whatever happens, also before a
// panic is printed.
func (a *App) Open() (*Terminal, error) {
	t, err := Open()
	a.own.Store(t)
	// Not before the terminal hears of them: what only came to Interrupts could be lost.
	signal.Notify(a.Interrupts, EndSignals...)
	return t, err
}

// Close restores the terminal.
func (a *App) Close() {
	if t := a.own.Load(); t != nil {
		t.Close()
	}
	signal.Stop(a.Interrupts)
}

// Restore restores the terminal for a program that ends itself while the application has not. It may be
// called from any goroutine.
func (a *App) Restore() {
	if t := a.own.Load(); t != nil {
		t.Restore()
	}
}

// Begin prepares the context, the screen and its events. The function end must be called after the
// application.
func (a *App) Begin(ctx context.Context, t *Terminal) (end func()) {
	a.Context, a.Quit = context.WithCancelCause(ctx)
	a.terminal, a.Screen, a.events = t, t.Screen, make(chan tcell.Event)
	a.Moving = time.NewTimer(time.Hour)
	a.Screen.EnablePaste()
	quit := make(chan struct{})
	go a.Screen.ChannelEvents(a.events, quit)
	return func() {
		a.Quit(nil)
		close(quit)
		for range a.events { // until the goroutine has ended
		}
		a.Moving.Stop()
	}
}

// Listen posts what is to be done: handle for an event of the terminal, suspend when the program must stop
// for a while, and nothing when it is time to draw. It returns when the context is done, and ends the
// application on a signal, on Ctrl+C, and when the terminal fails. It hears that also while a script runs.
func (a *App) Listen(post func(func()), handle func(tcell.Event), suspend func()) {
	for {
		select {
		case <-a.Context.Done():
			return
		case <-a.Moving.C:
			post(func() {})
		case sig := <-a.terminal.Signals:
			if !IsStop(sig) {
				a.Quit(&SignalError{sig})
				return
			}
			post(suspend)
		case ev := <-a.events:
			switch ev := ev.(type) {
			case nil:
				a.Quit(errors.New("the screen was closed"))
				return
			case *tcell.EventError:
				a.Quit(fmt.Errorf("the terminal failed: %w", ev))
				return
			case *tcell.EventKey:
				if KeyName(ev) == "Ctrl+C" {
					select {
					case a.Interrupts <- os.Interrupt:
					default:
					}
					a.Quit(&SignalError{os.Interrupt})
					return
				}
			}
			post(func() { handle(ev) })
		}
	}
}

// Suspend gives the terminal back to the shell until the program is continued.
func (a *App) Suspend() {
	if err := a.terminal.Suspend(); err != nil {
		a.Quit(fmt.Errorf("cannot use the terminal again: %w", err))
	}
	a.redraw = true
}

// Redraw makes the next Show draw all of the screen: the terminal may show something else.
func (a *App) Redraw() { a.redraw = true }

// Show shows what was drawn.
func (a *App) Show() {
	show := a.Screen.Show
	if a.redraw {
		show = a.Screen.Sync
	}
	a.terminal.draw(show)
	a.redraw = false
}
