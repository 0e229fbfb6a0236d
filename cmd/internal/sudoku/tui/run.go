package tui

import (
	"context"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Config says how to play. The zero Config is a game that is not kept, in the language of
// the system.
type Config struct {
	Driver drive.Config // may have Options, Saved, Save and Timeout

	Shelf    *shelf.Shelf    // has the games, results and settings of the player; nil: nothing is kept
	Settings *shelf.Settings // to begin with; nil: the defaults
	Words    *words.Words    // nil: in the language of the settings
	Themes   []*theme.Theme  // besides those that are built in; Settings.Theme names one of all
	Folder   string          // with files of puzzles to choose from; empty: none
	Film     *film.Film      // gets what the screen shows; nil: none
	Note     string          // shown until the first key
}

// A Player shows a game on the terminal and takes its keys. It is the front of the
// game's driver.
type Player struct {
	terminal.App
	hand
	driver game.Driver
	begun  bool // the first input has been carried out; before it there is nothing to show
	shelf  *shelf.Shelf
	folder string
	film   *film.Film
	themes []*theme.Theme

	styles *theme.Styles
	began  time.Time

	// What follows is for the goroutine of the driver.
	row, col int     // the selected cell
	layout   *layout // of the screen
	fits     bool    // the screen is large enough
	windows  widget.Stack
	opened   map[*action.Dialog]*widget.Dialog // and how they are shown
	working  *widget.Dialog                    // shows that something is being done
	pasting  bool
	pasted   []rune
	mouse    mouse
}

// The hand carries out the actions.
type hand = action.Hand

// New returns a player of a game, with a session for it. The error is that of [drive.New].
func New(g *game.Game, cfg Config) (*Player, error) {
	p := &Player{
		shelf: cfg.Shelf, folder: cfg.Folder, film: cfg.Film, opened: map[*action.Dialog]*widget.Dialog{},
		hand: hand{Game: g, Settings: shelf.Defaults(), Words: cfg.Words, Note: cfg.Note},
	}
	if cfg.Settings != nil {
		p.Settings = *cfg.Settings
	}
	if p.Words == nil {
		var err error
		if p.Words, err = words.New(p.Settings.Lang); err != nil {
			return nil, err
		}
	}
	for _, name := range theme.Names() {
		t, _ := theme.Named(name)
		p.themes = append(p.themes, t)
	}
	p.themes = append(p.themes, cfg.Themes...)
	p.Front = front{p}
	p.Prepare()
	p.Init()
	p.addOwn()
	cfg.Driver.Front = p
	var err error
	p.driver, err = g.Driver(cfg.Driver)
	return p, err
}

// Run plays on the terminal until the player quits, and returns nil; until ctx is done,
// and returns its cause; or until the game ends by itself, and returns the error of
// [game.Over]. It also ends on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGABRT. It always
// restores the terminal, even after a panic.
func (p *Player) Run(ctx context.Context) (drive.End, error) {
	t, err := p.Open()
	if err != nil {
		return drive.End{}, fmt.Errorf("sudoku: %w; use --ui plain", err)
	}
	defer p.Close()
	return p.play(ctx, t)
}

func (p *Player) play(ctx context.Context, t *terminal.Terminal) (drive.End, error) {
	defer p.Begin(ctx, t)()
	ctx, p.began = p.Context, time.Now()
	p.Moving.Reset(glowing)
	p.setTheme()
	p.Screen.EnableMouse()
	p.Screen.EnableFocus()
	inputs := make(chan drive.Input)
	go p.Queue(ctx, p.begin, inputs, p.draw)
	go p.Listen(func(do func()) { p.Post(ctx, do) }, p.handle, p.suspend)
	end, err := p.driver.Run(ctx, inputs)
	switch cause := context.Cause(ctx); cause {
	case nil:
		return end, game.Over(end, err)
	case terminal.ErrQuit:
		return end, nil
	default:
		return end, cause
	}
}

// glowing is the time between the pictures of what moves.
const glowing = 100 * time.Millisecond

// begin is the first input.
func (p *Player) begin(s drive.Session) error {
	p.Session = s
	if p.Game.Resumes() {
		if err := p.Game.Resume(s); err != nil {
			p.Quit(game.Over(drive.End{}, err))
		}
	}
	p.ApplySettings()
	p.begun = true
	return p.Game.Begin(s)
}

// input gives the game an input.
func (p *Player) input(in game.Input) {
	if err := p.Game.Do(p.Session, in); err != nil {
		p.Quit(game.Over(drive.End{}, err))
	}
}

// Tell shows the game when it looks different. The driver calls it.
func (p *Player) Tell(r *record.Record) {
	if !p.Game.Tell(r) || !p.begun {
		return
	}
	p.draw()
	if p.Game.Save() {
		p.draw()
	}
}

// Failed returns nil: a failure of the terminal is an event. The driver calls it.
func (p *Player) Failed() error { return nil }

// draw shows everything.
func (p *Player) draw() {
	was := p.View
	p.View = p.Game.View()
	if p.Settings.Sound && action.SoundOf(&was, &p.View) != action.Silence {
		_ = p.Screen.Beep() // a screen that cannot has no bell
	}
	p.row, p.col = p.View.Selected()
	p.layout, p.fits = draw(p.Screen, p.scene())
	if p.fits {
		p.windows.Draw(p.Screen, p.look())
	}
	p.Show()
	if p.film != nil {
		if err := p.film.Add(time.Now(), snapshot(p.Screen)); err != nil {
			p.film = nil
			p.Fail(err) // Close says it again
		}
	}
	if p.glows() || p.windows.Has(p.working) {
		p.Moving.Reset(glowing)
	}
}
