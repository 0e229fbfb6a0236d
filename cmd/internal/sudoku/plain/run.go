package plain

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// errQuit is the cause of the context if the player has quit.
var errQuit = errors.New("sudoku: the player has quit")

// A Player plays a game in lines of text. It is the front of the game's driver.
type Player struct {
	game   *game.Game
	driver game.Driver
	words  *words.Words
	shelf  *shelf.Shelf // or nil
	begun  bool         // the first input has been carried out; before it there is nothing to show
	quit   context.CancelCauseFunc

	in      io.Reader
	out     io.Writer
	failed  error
	echo    bool          // show what is read, because it is not typed
	reading bool          // a line has been read that is not answered
	rest    chan struct{} // if echo: receives when it is
	ended   error         // why no more lines come
	waiting bool          // the prompt has been shown
	said    bool          // the line has been answered

	view    game.View // shown last
	began   bool      // something was shown
	asked   []place   // the cells to tell about in any case
	entered bool      // tell the state in any case
	answers bool      // the message of the view answers the last line
	checked bool      // tell whether the entries lead to a solution
	confirm func()    // what happens if the next line is yes
}

// New returns a player of a game, with a session for it. cfg may have Options, Saved,
// Save and Timeout. The error is that of [drive.New].
func New(g *game.Game, cfg drive.Config, in io.Reader, out io.Writer) (*Player, error) {
	p := &Player{game: g, in: in, out: out, echo: true, rest: make(chan struct{}, 1)}
	var err error
	if p.words, err = words.New("en"); err != nil {
		return nil, err
	}
	if f, ok := in.(*os.File); ok {
		info, err := f.Stat()
		p.echo = err != nil || info.Mode()&os.ModeCharDevice == 0
	}
	cfg.Front = p
	p.driver, err = g.Driver(cfg)
	return p, err
}

// Use makes the player speak a language instead of English, and tell what is on a shelf: the
// games that have begun and the results. Either may be nil. Call it before Run.
func (p *Player) Use(w *words.Words, s *shelf.Shelf) {
	if w != nil {
		p.words = w
	}
	p.shelf = s
}

// Run plays until the player quits or the input ends, and returns nil; until ctx is
// done, and returns its cause; or until the game ends by itself, and returns the error
// of [game.Over]. It does not wait for a read that is under way.
func (p *Player) Run(ctx context.Context) (drive.End, error) {
	ctx, p.quit = context.WithCancelCause(ctx)
	defer p.quit(nil)
	inputs := make(chan drive.Input)
	go p.listen(ctx, inputs)
	end, err := p.driver.Run(ctx, inputs)
	if p.waiting { // leave the line of the prompt
		p.write("\n")
	}
	switch cause := context.Cause(ctx); {
	case p.failed != nil:
		return end, p.failed
	case cause == nil:
		return end, game.Over(end, err)
	case cause == errQuit:
		return end, nil
	default:
		return end, cause
	}
}

// listen turns lines into inputs until ctx is done.
func (p *Player) listen(ctx context.Context, inputs chan<- drive.Input) {
	give := func(input drive.Input) bool {
		select {
		case inputs <- input:
			return true
		case <-ctx.Done():
			return false
		}
	}
	give(p.begin)
	var failed error
	for line := range wire.Lines(p.in) {
		if failed = line.Err; failed != nil {
			break
		}
		if !give(func(s drive.Session) error { p.reading = true; p.line(s, string(line.Text)); return nil }) {
			return
		}
		if p.echo { // nobody has seen the answer before typing this line
			select {
			case <-p.rest:
			case <-ctx.Done():
			}
		}
	}
	give(func(drive.Session) error {
		if failed == nil {
			failed = errQuit
		}
		p.ended = failed
		p.end()
		return nil
	})
}

// end quits after the end of input, and after the solver whose work is read from a pipe.
func (p *Player) end() {
	if p.ended != nil && !(p.echo && p.watches()) {
		p.quit(p.ended)
	}
}

// watches reports whether a solver shows its work.
func (p *Player) watches() bool {
	return p.view.State == game.Solving && !p.view.Solver.Paused
}

// begin is the first input. It sets what the player has chosen earlier.
func (p *Player) begin(s drive.Session) error {
	if p.game.Resumes() {
		if err := p.game.Resume(s); err != nil {
			p.quit(game.Over(drive.End{}, err))
		}
	}
	settings := shelf.Defaults()
	if p.shelf != nil {
		if kept, err := p.shelf.Settings(); err == nil {
			settings = kept
		}
	}
	chosen := []game.Input{game.SetClock(true), game.Options{CleanUp: settings.CleanUp}}
	for _, in := range chosen {
		if p.game.View().Has.Has(game.Needs(in)) {
			p.do(s, in)
		}
	}
	p.answers, p.begun = false, true
	return p.game.Begin(s)
}

// Tell shows what is new when the session is at rest. The driver calls it.
func (p *Player) Tell(r *record.Record) {
	switch changed := p.game.Tell(r); {
	case !changed || !p.begun:
	case r.Kind != record.Rest: // a service works
		if v := p.game.View(); v.Generating && !p.view.Generating {
			p.view.Generating = true
			p.tell("Making a puzzle; cancel ends that.")
		}
	default:
		p.show(p.game.View())
		if p.game.Save() {
			p.answers = true
			p.show(p.game.View())
		}
		if p.reading || !p.watches() { // not between the steps of a solver
			p.ask()
		}
		if p.reading && p.echo {
			p.rest <- struct{}{}
		}
		p.reading = false
		p.end()
	}
}

// Failed returns the error of the first write that failed, or nil. The driver calls it.
func (p *Player) Failed() error { return p.failed }

// prompt precedes the line that the user types.
const prompt = "> "

// say writes lines.
func (p *Player) say(text string) {
	p.said = true
	if p.waiting { // keep unsolicited output off the line of the prompt
		p.waiting = false
		text = "\n" + text
	}
	p.write(text + "\n")
}

func (p *Player) write(text string) {
	if p.failed == nil {
		_, p.failed = io.WriteString(p.out, text)
	}
}

// ask asks for a line.
func (p *Player) ask() {
	if !p.waiting {
		p.waiting = true
		p.write(prompt)
	}
}
