package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
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
var Ready = messageOf(fields{"type": "ready"})

// Failed says that the program has ended.
func Failed(err error) Message {
	return messageOf(fields{"type": "failed", "error": datamodel.Visible(err.Error(), nil)})
}

// start is the first message of the page.
type start struct {
	Do string `json:"do"`

	Kept     map[string]json.RawMessage `json:"kept"`
	Lang     string                     `json:"lang"`
	Readonly bool                       `json:"readonly"`
	Unread   string                     `json:"unread"` // why what was kept cannot be read
	Puzzle   string                     `json:"puzzle"`
	Camera   string                     `json:"camera"`
	Screen   bool                       `json:"screen"`
	Left     json.RawMessage            `json:"left"` // a leftover
}

// said is another message of the page.
type said struct {
	Do string `json:"do"`
	No int64  `json:"no"` // of a message that the page keeps until the game has; each has a higher one

	Key    string          `json:"key"`
	Name   string          `json:"name"`
	Row    int             `json:"row"`
	Col    int             `json:"col"`
	How    string          `json:"how"`
	By     int             `json:"by"`
	Digit  int             `json:"digit"`
	Dialog int             `json:"dialog"`
	At     int             `json:"at"`
	Value  json.RawMessage `json:"value"`
	Text   string          `json:"text"`
	Error  string          `json:"error"`

	Sudokus []*action.Read `json:"sudokus"`
	NoGrid  bool           `json:"noGrid"`

	data []byte
}

// A player shows a game on the page. It is the front of the game's driver.
type player struct {
	action.Hand
	ctx    context.Context
	tell   func(Message)
	camera string // how the page takes photos, see the message start
	screen bool   // the page can take pictures of the screen
	remote *Remote
	driver game.Driver
	kept   *kept

	// What follows is for the goroutine of the driver.
	begun   bool             // before there is nothing to show: the first input, or what is left over, is carried out
	lang    string           // in which the page has all texts
	dialogs []*action.Dialog // the last one is on top
	opened  int              // dialogs so far
	picture string           // the name of the picture that is read, or was read last
	reading *action.Dialog   // while a picture is read
	preview *action.Dialog   // while the camera is shown
	sheets  int              // pictures of cells that the page has, of all readings
	saving  bool             // saveGame is to follow
	hidden  bool             // the page paints nothing, and may end at once
	heard   int64            // the number of the last message that has one
	known   int64            // what the page knows to be kept
	sent    sent
}

// Play plays a game of the chart on a page until ctx is done. It reads what the page says from
// messages, and calls tell with what the game says, on one goroutine. Its services are remote.
func Play(ctx context.Context, chart *scxml.Chart, remote *Remote, messages <-chan Message, tell func(Message)) error {
	var start start
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case m := <-messages:
		err := read(m.Text, &start)
		if err == nil && start.Do != "start" {
			err = fmt.Errorf("it is %q, not \"start\"", start.Do)
		}
		if err != nil {
			return fmt.Errorf("cannot read the first message of the page: %w", err)
		}
	}
	g, err := game.New(chart, nil)
	if err != nil {
		return err
	}
	p := &player{ctx: ctx, tell: tell, camera: start.Camera, screen: start.Screen, remote: remote}
	var closed error
	if start.Readonly {
		closed = game.ErrInUse
	} else if start.Unread != "" {
		closed = fmt.Errorf("the browser cannot read what it has kept: %s", start.Unread)
	}
	p.kept = newKept(start.Kept, closed, p.keep)
	p.Front, p.Game, p.Settings, p.Words = p, g, p.kept.settings(), wordsOf(p.kept.settings().Lang, start.Lang)
	p.Init(browserKeys...)
	p.addOwn()
	g.Keep(p.kept)
	if last := p.kept.last(); last != nil {
		if err := g.Open(last); err != nil {
			return err
		}
	}
	if p.driver, err = g.Driver(drive.Config{Options: remote.Options(), Front: p}); err != nil {
		return err
	}
	var left leftover
	if json.Unmarshal(start.Left, &left) != nil {
		left = leftover{} // damaged
	}
	inputs := make(chan drive.Input)
	go p.Queue(ctx, p.begin(start.Puzzle, len(left.Moves) == 0), inputs, p.show)
	go func() {
		if len(left.Moves) > 0 {
			p.catchUp(ctx, &left)
		}
		p.listen(messages)
	}()
	end, err := p.driver.Run(ctx, inputs)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return game.Over(end, err)
}

// wordsOf returns the words in the language of the settings, or else that of the browser, or English.
func wordsOf(languages ...string) *words.Words {
	for _, lang := range languages {
		if w, err := words.New(lang); err == nil && lang != "" {
			return w
		}
	}
	w, err := words.New("en")
	if err != nil {
		panic(err) // it is built in
	}
	return w
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

// read reads a message. An unknown field is an error: it would be dropped.
func read(text []byte, message any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(message)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("field %q: it is not for a %s", wrong.Field, wrong.Value)
	}
	return err
}

// listen posts what the page says, until the game ends.
func (p *player) listen(messages <-chan Message) {
	for {
		select {
		case <-p.ctx.Done():
			return
		case m := <-messages:
			s := said{data: m.Data}
			if err := read(m.Text, &s); err != nil {
				p.Post(p.ctx, func() { p.refuse("%w", err) })
			} else {
				p.Post(p.ctx, func() { p.hear(&s) })
			}
		}
	}
}

// begin returns the first input, which opens the puzzle of a link if there is one. With all there is
// something to show after it.
func (p *player) begin(puzzle string, all bool) drive.Input {
	return func(s drive.Session) error {
		p.Session = s
		if p.Game.Resumes() {
			if err := p.Game.Resume(s); err != nil {
				return err
			}
		}
		p.ApplySettings()
		if err := p.Game.Begin(s); err != nil {
			return err
		}
		p.begun = all
		if puzzle != "" {
			p.View = p.Game.View()
			p.Paste(puzzle, "Play the puzzle of the link?", "the link does not have a puzzle: want 81 digits, with a dot for each empty cell")
		}
		return nil
	}
}

// Tell shows the game when it looks different. The driver calls it.
func (p *player) Tell(r *record.Record) {
	if !p.Game.Tell(r) || !p.begun {
		return
	}
	p.shown()
}

// shown shows the game, and sees to it that it is saved.
func (p *player) shown() {
	p.show()
	if !p.Game.Unsaved() {
		p.tellKept()
		return
	}
	if p.saving {
		return
	}
	p.saving = true
	if p.hidden {
		p.saveGame()
	} else {
		time.AfterFunc(afterPaint, func() { p.Post(p.ctx, p.saveGame) })
	}
}

// afterPaint is how long the game waits before it saves what a key has changed, so that the page can
// paint that first. A key that is held down comes again after 33 ms.
const afterPaint = 20 * time.Millisecond

// saveGame saves the game if it has not been saved, and shows a failure.
func (p *player) saveGame() {
	if p.saving {
		p.saving = false
		if p.Game.Save() {
			p.show()
		}
		p.tellKept()
	}
}

// Failed returns nil: the page is always there. The driver calls it.
func (p *player) Failed() error { return nil }

// refuse answers a message that would be dropped, which is a mistake of the page.
func (p *player) refuse(format string, args ...any) {
	p.Fail(fmt.Errorf("cannot use what the page says: "+format, args...))
}

// hear carries out what the page says.
func (p *player) hear(s *said) {
	p.saveGame()
	p.heard = max(p.heard, s.No)
	if s.Do != "failed" && s.Do != "hidden" && s.Do != "read" && s.Do != "camera" {
		p.Note, p.hidden = "", false
		if p.sent.note != "" { // the same note again is shown again
			p.sent.note = ""
			delete(p.sent.fields, "note")
		}
	}
	switch s.Do {
	case "key":
		p.Key(s.Key)
	case "act":
		p.ForgetKey()
		p.perform(s.Name)
	case "cell":
		p.cell(s)
	case "part":
		p.ForgetKey()
		p.press(s.Name)
	case "put":
		if s.Digit < 0 || s.Digit > 9 {
			p.refuse("digit %d", s.Digit)
			return
		}
		p.Perform(p.Action("set"), string(rune('0'+s.Digit)))
	case "control", "press", "close":
		p.dialogSaid(s)
	case "hidden":
		p.hidden = true
		if p.Settings.PauseOnFocusLoss {
			p.Pause()
		}
	case "text":
		p.Paste(s.Text, "Play the puzzle that was pasted?", "what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
	case "file":
		if s.Error != "" {
			p.Message(s.Error, "Not opened")
		} else {
			p.openFile(s.Name, s.data)
		}
	case "read":
		p.pictureRead(s)
	case "camera":
		p.noCamera(s)
	case "failed":
		p.kept.failed(s.Error)
	default:
		p.refuse("unknown kind %.100q", s.Do)
	}
}

// perform carries out an action.
func (p *player) perform(name string) {
	if p.Action(name) == nil {
		p.refuse("unknown action %.100q", name)
	}
	p.PerformNamed(name)
}

// drawn writes a digit that was drawn into a cell, with the pen that digits have; 0 could not be read.
func (p *player) drawn(s *said) {
	switch {
	case s.Error != "":
		p.Fail(errors.New(s.Error))
	case s.Digit < 1 || s.Digit > 9:
		p.Answer("the drawing is not clear: draw one digit, as large as the cell")
	default:
		p.SelectOnly(s.Row, s.Col)
		p.Session.Settle()
		p.View = p.Game.View()
		p.Perform(p.Action("set"), string(rune('0'+s.Digit)))
	}
}

// cell carries out a press on a cell.
func (p *player) cell(s *said) {
	if s.Row < 0 || s.Row > 8 || s.Col < 0 || s.Col > 8 {
		p.refuse("cell %d, %d", s.Row, s.Col)
		return
	}
	if p.View.State == game.Paused {
		return
	}
	switch s.How {
	case "drag":
		p.Input(game.Drag{Row: s.Row, Col: s.Col})
	case "menu":
		if !p.View.Cells[s.Row][s.Col].Marked {
			p.SelectOnly(s.Row, s.Col)
		}
		p.openCellMenu(s.Row, s.Col)
	case "wheel":
		p.Wheel(s.Row, s.Col, max(min(s.By, 1), -1))
	case "note":
		if s.Digit >= 0 && s.Digit <= 9 && (s.Digit > 0 || !p.View.Cells[s.Row][s.Col].Given) && p.View.Can.Has(game.CanPut) {
			p.SelectOnly(s.Row, s.Col)
			p.Write(s.Digit)
		}
	case "drawn":
		p.drawn(s)
	case "select":
		p.Input(game.Select{Row: s.Row, Col: s.Col})
	default:
		p.refuse("how %.100q", s.How)
	}
}
