package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/words"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Message is what the page and the game say to each other.
type Message struct {
	Text []byte // a JSON object
	Data []byte // of a file; nil: none
}

// Ready says that the program can hear.
var Ready = messageOf(bare{"ready"})

// Failed says that the program has ended.
func Failed(err error) Message {
	return messageOf(map[string]string{"type": "failed", "error": err.Error()})
}

// said is a message of the page.
type said struct {
	Do string `json:"do"`

	Kept     map[string]json.RawMessage `json:"kept"`
	Lang     string                     `json:"lang"`
	Readonly bool                       `json:"readonly"`
	Puzzle   string                     `json:"puzzle"`

	Key    string          `json:"key"`
	Name   string          `json:"name"`
	Row    int             `json:"row"`
	Col    int             `json:"col"`
	How    string          `json:"how"`
	Digit  int             `json:"digit"`
	Dialog int             `json:"dialog"`
	At     int             `json:"at"`
	Value  json.RawMessage `json:"value"`
	Text   string          `json:"text"`
	Error  string          `json:"error"`

	Camera  bool         `json:"camera"`
	Screen  bool         `json:"screen"`
	Sudokus []sudokuRead `json:"sudokus"`
	NoGrid  bool         `json:"noGrid"`

	data []byte
}

// A player shows a game on the page. It is the front of the game's driver.
type player struct {
	tell     func(Message)
	camera   bool // the page can take photos
	screen   bool // the page can take pictures of the screen
	game     *game.Game
	driver   *drive.Driver
	kept     *kept
	settings shelf.Settings
	words    *words.Words
	actions  []action.Action
	keymap   action.Keymap
	own      map[string]func() // what the actions without inputs do, by their names

	// What follows is for the goroutine of the driver.
	session drive.Session // while an input is carried out
	begun   bool          // the first input has been carried out; before it there is nothing to show
	view    game.View     // what the page shows
	dialogs []*dialog     // the last one is on top
	opened  int           // dialogs so far
	note    string        // answers the last input, instead of the message of the view
	prefix  string        // the key that waits for another one
	picture string        // the name of the picture that is read, or was read last
	reading *dialog       // while a picture is read
	sent    sent
}

// Play plays a game of the chart on a page until ctx is done. It reads what the page says from
// messages, and calls tell with what the game says, on one goroutine. The configuration may have
// Options.
func Play(ctx context.Context, chart *scxml.Chart, cfg drive.Config, messages <-chan Message, tell func(Message)) error {
	var start said
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case m := <-messages:
		if err := json.Unmarshal(m.Text, &start); err != nil {
			return fmt.Errorf("cannot read the first message of the page: %w", err)
		}
	}
	g, err := game.New(chart, nil)
	if err != nil {
		return err
	}
	p := &player{tell: tell, camera: start.Camera, screen: start.Screen, game: g, actions: action.Table()}
	p.own = p.ownActions()
	p.kept = newKept(start.Kept, start.Readonly, p.keep)
	p.settings = p.kept.settings()
	p.setLang(start.Lang)
	p.keymap = newKeymap(p.actions, p.settings.Vi)
	g.Keep(p.kept)
	if last := p.kept.last(); last != nil {
		if err := g.Open(last); err != nil {
			return err
		}
	}
	cfg.Front = p
	if p.driver, err = g.Driver(cfg); err != nil {
		return err
	}
	inputs := make(chan drive.Input)
	go p.listen(ctx, messages, inputs, start.Puzzle)
	end, err := p.driver.Run(ctx, inputs)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return game.Over(end, err)
}

// setLang chooses the language of the settings, or else that of the browser, or English.
func (p *player) setLang(browser string) {
	for _, lang := range []string{p.settings.Lang, browser, "en"} {
		if w, err := words.New(lang); err == nil && lang != "" {
			p.words = w
			return
		}
	}
}

// say sends a message that has no bytes.
func (p *player) say(message any) { p.give(message, nil) }

// give sends a message.
func (p *player) give(message any, data []byte) {
	m := messageOf(message)
	m.Data = data
	p.tell(m)
}

func messageOf(message any) Message {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // messages have texts, numbers and JSON
	}
	return Message{Text: text}
}

// listen turns messages of the page into inputs until ctx is done. It takes them also while the
// chart is busy.
func (p *player) listen(ctx context.Context, messages <-chan Message, inputs chan<- drive.Input, puzzle string) {
	waiting := []drive.Input{p.begin(puzzle)}
	for {
		var out chan<- drive.Input
		var next drive.Input
		if len(waiting) > 0 {
			out, next = inputs, waiting[0]
		}
		var do func()
		select {
		case <-ctx.Done():
			return
		case out <- next:
			waiting = waiting[1:]
		case m := <-messages:
			s := said{data: m.Data}
			if err := json.Unmarshal(m.Text, &s); err != nil {
				do = func() { p.fail(err) }
			} else {
				do = func() { p.hear(&s) }
			}
		}
		if do != nil {
			waiting = append(waiting, func(s drive.Session) error {
				p.session = s
				if do(); p.view.Generating || p.view.State == game.Solving { // no record.Rest follows
					p.show()
				}
				return nil
			})
		}
	}
}

// begin returns the first input, which opens the puzzle of a link if there is one.
func (p *player) begin(puzzle string) drive.Input {
	return func(s drive.Session) error {
		p.session = s
		if p.game.Resumes() {
			if err := p.game.Resume(s); err != nil {
				return err
			}
		}
		p.applySettings()
		p.begun = true
		if puzzle != "" {
			p.view = p.game.View()
			p.openText(puzzle, "Play the puzzle of the link?", "the link does not have a puzzle: want 81 digits, with a dot for each empty cell")
		}
		return nil
	}
}

// input gives the game an input. An error has stopped the session, which the driver sees.
func (p *player) input(in game.Input) { _ = p.game.Do(p.session, in) }

// Tell shows the game when it looks different. The driver calls it.
func (p *player) Tell(r *record.Record) {
	if !p.game.Tell(r) || !p.begun {
		return
	}
	p.show()
	if p.game.Save() {
		p.show()
	}
}

// Failed returns nil: the page is always there. The driver calls it.
func (p *player) Failed() error { return nil }

// hear carries out what the page says.
func (p *player) hear(s *said) {
	if s.Do != "failed" && s.Do != "hidden" && s.Do != "read" {
		p.note = ""
	}
	switch s.Do {
	case "key":
		p.key(s.Key)
	case "act":
		if a := p.action(s.Name); a != nil {
			p.prefix = ""
			p.perform(a, "")
		}
	case "cell":
		p.cell(s)
	case "put":
		if s.Digit >= 0 && s.Digit <= 9 {
			p.perform(p.action("set"), string(rune('0'+s.Digit)))
		}
	case "control", "press", "close":
		p.dialogSaid(s)
	case "hidden":
		if p.settings.PauseOnFocusLoss && p.view.State == game.Playing && p.view.Can.Has(game.CanPause) {
			p.input(game.Pause{})
		}
	case "text":
		p.openText(s.Text, "Play the puzzle that was pasted?", "what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
	case "file":
		p.openFile(s.Name, s.data)
	case "read":
		p.pictureRead(s)
	case "failed":
		p.kept.failed(s.Error)
	}
}

// cell carries out a press on a cell.
func (p *player) cell(s *said) {
	if s.Row < 0 || s.Row > 8 || s.Col < 0 || s.Col > 8 || p.view.State == game.Paused {
		return
	}
	if s.How == "drag" {
		p.input(game.Drag{Row: s.Row, Col: s.Col})
	} else {
		p.input(game.Select{Row: s.Row, Col: s.Col})
	}
}

// openText asks a question about a puzzle that was pasted, or that a link has, or answers that it is not
// one.
func (p *player) openText(text string, question, refusal words.Key) {
	for g, err := range format.Read("", strings.NewReader(text)) {
		if err != nil {
			break
		}
		if g.Name == "" {
			g.Name = "own puzzle" // package words translates it
		}
		p.offer(&g, question)
		return
	}
	p.answer(refusal)
}
