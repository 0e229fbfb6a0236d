package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A SignalError is the error of Run if a signal or Ctrl+C ended the game. It wraps
// [context.Canceled].
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "sudoku: ended by signal: " + e.Signal.String() }

// Unwrap returns [context.Canceled].
func (e *SignalError) Unwrap() error { return context.Canceled }

// errQuit is the cause of the context if the player has quit.
var errQuit = errors.New("sudoku: the player has quit")

// A Player shows a game on the terminal and takes its keys. It is the front of the
// game's driver.
type Player struct {
	// Interrupts receives the signals that end the game, and os.Interrupt for Ctrl+C. A
	// program can so end itself if a script of the chart hangs, see [Player.Restore].
	Interrupts chan os.Signal

	game   *game.Game
	driver *drive.Driver
	saved  bool // a saved game continues, and its board has not been read yet

	terminal *terminal
	own      atomic.Pointer[terminal] // of the program, while Run uses it
	styles   *theme.Styles
	words    *words.Words
	layout   atomic.Pointer[layout] // of what is on the screen; nil if that is too small
	show     func()                 // screen.Show, or screen.Sync once
	quit     context.CancelCauseFunc
}

// New returns a player of a game, with a session for it. cfg may have Options, Saved,
// Save and Timeout. The error is that of [drive.New].
func New(g *game.Game, cfg drive.Config) (*Player, error) {
	p := &Player{Interrupts: make(chan os.Signal, 2), game: g}
	cfg.Front = p
	var err error
	p.driver, err = g.Driver(cfg)
	p.saved = g.Resumes()
	return p, err
}

// Restore restores the terminal for a program that ends itself while Run has not
// returned. It may be called from any goroutine.
func (p *Player) Restore() {
	if t := p.own.Load(); t != nil {
		t.restore()
	}
}

// Run plays on the terminal until the player quits, and returns nil; until ctx is done,
// and returns its cause; or until the game ends by itself, and returns the error of
// [game.Over]. It also ends on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGABRT. It always
// restores the terminal, even after a panic.
func (p *Player) Run(ctx context.Context) (drive.End, error) {
	signal.Notify(p.Interrupts, endSignals...)
	defer signal.Stop(p.Interrupts)
	t, err := openTerminal()
	if err != nil {
		return drive.End{}, err
	}
	defer t.close() // also before a panic is printed
	p.own.Store(t)
	return p.play(ctx, t)
}

func (p *Player) play(ctx context.Context, t *terminal) (drive.End, error) {
	ctx, p.quit = context.WithCancelCause(ctx)
	screen := t.screen
	p.terminal, p.show = t, screen.Show
	look, _ := theme.Named(theme.Default)
	p.styles = look.For(colors(screen), screen.CharacterSet() == "UTF-8")
	p.words, _ = words.New("")
	screen.EnableMouse(tcell.MouseButtonEvents)
	screen.EnablePaste()
	events, quitEvents := make(chan tcell.Event), make(chan struct{})
	go screen.ChannelEvents(events, quitEvents)
	defer func() {
		close(quitEvents)
		for range events { // until the goroutine has ended
		}
	}()
	defer p.quit(nil)

	inputs := make(chan drive.Input, 1)
	if p.saved {
		inputs <- p.resume
	}
	go p.listen(ctx, events, inputs)
	end, err := p.driver.Run(ctx, inputs)
	switch cause := context.Cause(ctx); cause {
	case nil:
		return end, game.Over(end, err)
	case errQuit:
		return end, nil
	default:
		return end, cause
	}
}

// listen turns events of the terminal into inputs until ctx is done.
func (p *Player) listen(ctx context.Context, events <-chan tcell.Event, inputs chan<- drive.Input) {
	var input input
	for {
		var c command
		select {
		case <-ctx.Done():
			return
		case sig := <-p.terminal.signals:
			if !isStopSignal(sig) {
				p.quit(&SignalError{sig})
				return
			}
			c = suspend
		case ev := <-events:
			switch ev := ev.(type) {
			case nil:
				p.quit(errors.New("sudoku: the screen was closed"))
				return
			case *tcell.EventError:
				p.quit(fmt.Errorf("sudoku: the terminal failed: %w", ev))
				return
			}
			c = input.command(ev, p.layout.Load())
		}
		switch c {
		case nil:
			continue
		case interrupt: // even if a script is running
			select {
			case p.Interrupts <- os.Interrupt:
			default:
			}
			p.quit(&SignalError{os.Interrupt})
			return
		}
		select {
		case <-ctx.Done():
			return
		case inputs <- func(s drive.Session) error { p.do(s, c); return nil }:
		}
	}
}

// resume is the first input of a saved game.
func (p *Player) resume(s drive.Session) error {
	if err := p.game.Resume(s); err != nil {
		p.quit(game.Over(drive.End{}, err))
	}
	p.saved = false
	return nil
}

// do carries out a command.
func (p *Player) do(s drive.Session, c command) {
	switch c {
	case quit:
		p.quit(errQuit)
	case suspend:
		if err := p.terminal.suspend(); err != nil {
			p.quit(fmt.Errorf("sudoku: cannot use the terminal again: %w", err))
		}
		p.show = p.terminal.screen.Sync
	case redraw:
		p.show = p.terminal.screen.Sync
	default:
		if err := p.game.Do(s, c.(game.Input)); err != nil {
			p.quit(game.Over(drive.End{}, err))
		}
	}
}

// Tell shows the game when its session is at rest. The driver calls it.
func (p *Player) Tell(r *record.Record) {
	p.game.Tell(r)
	if r.Kind == record.Rest && !p.saved {
		p.draw()
		if p.game.Save() {
			p.draw()
		}
	}
}

func (p *Player) draw() {
	v := p.game.View()
	l, _ := draw(p.terminal.screen, &scene{view: v, words: p.words, styles: p.styles, panel: true, keys: keys(&v), glow: -1})
	p.layout.Store(l)
	p.show()
	p.show = p.terminal.screen.Show
}

// Failed returns nil: a failure of the terminal is an event. The driver calls it.
func (p *Player) Failed() error { return nil }

// colors returns how many colours to use.
func colors(screen tcell.Screen) int {
	if os.Getenv("NO_COLOR") != "" { // https://no-color.org
		return 0
	}
	return screen.Colors()
}
