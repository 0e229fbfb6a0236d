package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/web/reading"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A page is a page without a screen: it has the view, and what it was told besides.
type page struct {
	t        *testing.T
	messages chan Message
	end      func()

	mu    sync.Mutex // the clock needs no message of the page
	view  map[string]json.RawMessage
	cells map[int]cell
	kept  map[string]json.RawMessage
	told  []map[string]any // other messages
	data  []byte           // of the last file
}

// open opens a page in a bubble of synctest. start has fields of the first message.
func open(t *testing.T, start map[string]any) *page {
	t.Helper()
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, messages: make(chan Message), view: map[string]json.RawMessage{}, cells: map[int]cell{}, kept: map[string]json.RawMessage{}}
	if kept, ok := start["kept"].(map[string]json.RawMessage); ok {
		for name, value := range kept {
			p.kept[name] = value
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended, toServices := make(chan struct{}), make(chan Message)
	remote := NewRemote(func(m Message) {
		if strings.Contains(string(m.Text), `"unserve"`) { // the worker would be ended
			return
		}
		select {
		case toServices <- m:
		case <-ctx.Done():
		}
	})
	go func() {
		_ = Serve(ctx, toServices, func(m Message) { // ends with ctx
			if !remote.Hear(m) {
				t.Errorf("the game does not hear %s", m.Text)
			}
		})
	}()
	go func() {
		defer close(ended)
		if err := Play(ctx, chart, remote, p.messages, p.hear); ctx.Err() == nil {
			t.Errorf("the game has ended: %v", err)
		}
	}()
	p.end = func() {
		cancel()
		<-ended
	}
	start["do"] = "start"
	p.say(start)
	return p
}

func (p *page) hear(m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(m.Text, &fields); err != nil {
		p.t.Errorf("%s: %v", m.Text, err)
		return
	}
	switch kind := string(fields["type"]); kind {
	case `"view"`:
		for name, value := range fields {
			if name != "cells" {
				p.view[name] = value
				continue
			}
			var changed map[int]cell
			if err := json.Unmarshal(value, &changed); err != nil {
				p.t.Error(err)
			}
			for number, c := range changed {
				p.cells[number] = c
			}
		}
	case `"keep"`:
		var name string
		if err := json.Unmarshal(fields["name"], &name); err != nil {
			p.t.Error(err)
		}
		if p.kept[name] = fields["value"]; string(fields["value"]) == "null" {
			delete(p.kept, name)
		}
	default:
		var all map[string]any
		if err := json.Unmarshal(m.Text, &all); err != nil {
			p.t.Error(err)
		}
		p.told, p.data = append(p.told, all), m.Data
	}
}

// say says something to the game, and waits for what comes of it.
func (p *page) say(message map[string]any) {
	p.t.Helper()
	text, err := json.Marshal(message)
	if err != nil {
		p.t.Fatal(err)
	}
	delete(p.view, "say")
	p.messages <- Message{Text: text}
	synctest.Wait()
}

func (p *page) key(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.say(map[string]any{"do": "key", "key": name})
	}
}

func (p *page) act(name string) { p.say(map[string]any{"do": "act", "name": name}) }

func (p *page) cell(row, col int) {
	p.say(map[string]any{"do": "cell", "row": row, "col": col, "how": "select"})
}

// text returns a field of the view.
func (p *page) text(name string) (s string) {
	if value, ok := p.view[name]; ok {
		if err := json.Unmarshal(value, &s); err != nil {
			p.t.Errorf("%s is %s", name, value)
		}
	}
	return s
}

func (p *page) want(name, want string) {
	p.t.Helper()
	if got := p.text(name); got != want {
		p.t.Errorf("%s is %q, want %q", name, got, want)
	}
}

// dialog returns the dialog that is open, or nil.
func (p *page) dialog() (d *action.Dialog) {
	if err := json.Unmarshal(p.view["dialog"], &d); err != nil {
		p.t.Error(err)
	}
	return d
}

// press presses the button of the dialog with a text.
func (p *page) press(text string) {
	p.t.Helper()
	d := p.dialog()
	if d == nil {
		p.t.Fatalf("there is no dialog with the button %q", text)
	}
	for at, c := range d.Controls {
		if c.Kind == "button" && c.Text == text {
			p.say(map[string]any{"do": "press", "dialog": d.ID, "at": at})
			return
		}
	}
	p.t.Fatalf("the dialog %q has no button %q", d.Title, text)
}

// set gives the control of the dialog with a label another value.
func (p *page) set(label string, value any) {
	p.t.Helper()
	d := p.dialog()
	if d == nil {
		p.t.Fatalf("there is no dialog with %q", label)
	}
	for at, c := range d.Controls {
		if c.Label == label {
			p.say(map[string]any{"do": "control", "dialog": d.ID, "at": at, "value": value})
			return
		}
	}
	p.t.Fatalf("the dialog %q has no control %q", d.Title, label)
}

func test(t *testing.T, name string, f func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// The first puzzle lacks two digits, at row 3, column 7 and at row 7, column 3.
func TestPlay(t *testing.T) {
	test(t, "a game from new to solved by keys", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.want("state", "idle")
		p.want("puzzle", "01-nearly-solved (1 of 24)")
		if c := p.cells[0]; c.Digit != 8 || !c.Given || c.Paper != "pen" || c.Label != "row 1, column 1: 8, given" {
			t.Errorf("the first cell is %+v", c)
		}
		p.key("S")
		p.want("state", "playing")
		p.key("Down", "Down", "Left", "Left", "Left")
		if string(p.view["at"]) != "24" {
			t.Fatalf("at %s, want 24", p.view["at"])
		}
		p.key("5")
		if c := p.cells[24]; c.Digit != 5 || !c.Conflict {
			t.Errorf("the cell is %+v, want a 5 in conflict", c)
		}
		p.want("say", "Row 3, column 7: 5, in conflict.")
		p.key("Ctrl+Z")
		if c := p.cells[24]; c.Digit != 0 || c.Conflict {
			t.Errorf("the cell is %+v after undo", c)
		}
		p.key("4")
		p.cell(6, 2)
		p.say(map[string]any{"do": "put", "digit": 8})
		p.want("state", "solved")
		if !strings.Contains(p.text("say"), "01-nearly-solved (1 of 24): solved in 0:00") {
			t.Errorf("it says %q", p.text("say"))
		}
		if !strings.Contains(string(p.kept["result/000000"]), `"level":`) {
			t.Errorf("the result is %s", p.kept["result/000000"])
		}
	})
	test(t, "the clock moves only the time", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.mu.Lock()
		p.view = map[string]json.RawMessage{}
		p.mu.Unlock()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		p.want("time", "0:03")
		if len(p.view) != 2 { // and the type
			t.Errorf("the view has %d fields, want the time: %v", len(p.view), p.view)
		}
	})
	test(t, "a hidden page pauses, and hides the board", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.say(map[string]any{"do": "hidden"})
		p.want("state", "paused")
		if c := p.cells[0]; c.Digit != 0 {
			t.Errorf("a paused game shows %+v", c)
		}
		p.key("5")
		p.want("note", "P continues, F10 opens the menu")
		p.act("pause")
		p.want("state", "playing")
	})
	test(t, "hints", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S", "?")
		if !strings.HasPrefix(p.text("hint"), "Look for a Full House") || !strings.Contains(p.text("say"), "Full House") {
			t.Errorf("the hint is %q, it says %q", p.text("hint"), p.text("say"))
		}
		p.key("?", "?")
		n := 0
		for _, c := range p.cells {
			if c.Paper == "target" && c.Target != 0 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d cells are targets, want 1", n)
		}
	})
}

// What was kept continues, in another window too.
func TestKept(t *testing.T) {
	test(t, "reload", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		p.key("S")
		p.cell(2, 6)
		p.key("M", "1", "2")
		if c := p.cells[24]; c.Notes != 1<<1|1<<2 {
			t.Errorf("the notes are %b", c.Notes)
		}
		kept := p.kept
		p.end()
		p = open(t, map[string]any{"lang": "en", "kept": kept})
		p.want("state", "paused")
		p.key("P")
		if c := p.cells[24]; c.Notes != 1<<1|1<<2 {
			t.Errorf("the notes are %b after a reload", c.Notes)
		}
		p.key("U")
		if c := p.cells[24]; c.Notes != 1<<1 {
			t.Errorf("the notes are %b after undo", c.Notes)
		}
		p.end()
	})
	test(t, "two windows", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en", "readonly": true})
		defer p.end()
		p.key("S")
		p.cell(2, 6)
		p.key("4")
		p.want("note", "not saved: another window has the games")
		if len(p.kept) > 0 {
			t.Errorf("the second window keeps %v", p.kept)
		}
	})
	test(t, "what cannot be read", func(t *testing.T) {
		bad := map[string]json.RawMessage{"settings": []byte(`7`), "result/000004": []byte(`7`), "last": []byte(`"x"`), "game/x": []byte(`{"game": 7}`)}
		p := open(t, map[string]any{"lang": "en", "kept": bad})
		defer p.end()
		p.want("state", "idle")
		p.key("O")
		if d := p.dialog(); d == nil || len(d.Controls[0].Rows) != 24 {
			t.Errorf("the chooser is %+v", d)
		}
		for _, row := range p.dialog().Controls[0].Rows {
			if !strings.HasPrefix(row.Texts[2], "ER ") {
				t.Errorf("%s is not rated: %q", row.Texts[0], row.Texts[2])
			}
		}
		p.press("Cancel")
		p.key("S")
		p.act("give-up")
		p.press("Give up")
		if p.kept["result/000005"] == nil { // the damaged one is left alone
			t.Errorf("the result is not kept: %v", p.kept)
		}
		p.key("T")
		if d := p.dialog(); d == nil || d.Controls[0].Lines[2] != (action.Line{Key: "given up", Text: "1"}) {
			t.Errorf("the statistics are %+v", d)
		}
	})
	test(t, "the browser is full", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.say(map[string]any{"do": "failed", "error": "quota"})
		p.cell(2, 6)
		p.key("5")
		p.want("note", "not saved: the browser did not keep it: quota")
	})
}

// Services run elsewhere, and what they say comes back; a call that is not waited for is told so.
func TestRemote(t *testing.T) {
	test(t, "events and errors", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var asked []serve
		remote := NewRemote(func(m Message) {
			var s serve
			if err := json.Unmarshal(m.Text, &s); err != nil {
				t.Error(err)
			}
			asked = append(asked, s)
		})
		chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="seen" expr="''"/></datamodel>
			<state id="a"><invoke type="sudoku-generate" id="x"><param name="missing" expr="1/0"/></invoke>
				<transition event="progress"><assign location="seen" expr="seen + _event.data.tried"/></transition>
				<transition event="done.invoke.x" target="b"><assign location="seen" expr="seen + _event.data.name"/></transition></state>
			<state id="b"><invoke type="sudoku-hint" id="y"/><transition event="error.communication" target="c"/></state>
			<state id="c"><invoke type="sudoku-solve" id="z"/><transition event="leave" target="d"/></state><state id="d"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		s, err := scxml.New(chart, remote.Options()...)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(ctx); err != nil {
			t.Fatal(err)
		}
		go func() { _ = s.Run(ctx) }() // ends with ctx
		synctest.Wait()
		for _, text := range []string{
			`{"do":"event","id":1,"name":"progress","data":{"tried":7}}`, `{"do":"served","id":1,"data":{"name":"#8"}}`,
			`{"do":"served","id":2,"error":"not today"}`, `{"do":"served","id":99}`,
		} {
			if !remote.Hear(Message{Text: []byte(text)}) {
				t.Errorf("%s is not for a service", text)
			}
			synctest.Wait()
		}
		if remote.Hear(Message{Text: []byte(`{"do":"key"}`)}) {
			t.Error("a key is for a service")
		}
		if err := s.Send(scxml.Event{Name: "leave"}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		got := ""
		for _, a := range asked {
			got += fmt.Sprintln(a.Type, a.ID, a.Service, string(a.Params))
		}
		want := "serve 1 sudoku-generate {\"missing\":{\"$number\":\"Infinity\"}}\nserve 2 sudoku-hint {\"$undefined\":true}\nserve 3 sudoku-solve {\"$undefined\":true}\nunserve 3  \n"
		if got != want {
			t.Errorf("asked\n%swant\n%s", got, want)
		}
		err = s.Call(ctx, func(s *scxml.Session) {
			if v, err := s.Eval(ctx, "seen"); err != nil || v != "7#8" {
				t.Errorf("seen is %v, %v", v, err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestDialogs(t *testing.T) {
	test(t, "a new game", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("N")
		p.set("Puzzle:", 0)
		if d := p.dialog(); d.Controls[1].Text != "Look where a digit can still go in a box." {
			t.Errorf("it says %q", d.Controls[1].Text)
		}
		p.press("Play")
		if p.dialog() != nil {
			t.Error("the dialog is still open")
		}
		p.want("state", "playing")
		if !strings.HasPrefix(p.text("level"), "beginner, ER") {
			t.Errorf("the level is %q", p.text("level"))
		}
		kept := p.kept["settings"]
		if !strings.Contains(string(kept), `"new_game":{"kind":"level","level":1`) {
			t.Errorf("the settings are %s", kept)
		}
	})
	test(t, "Dutch at once", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "de"})
		defer p.end()
		p.want("lang", "en")
		p.key("F2")
		p.set("Language:", 1)
		p.want("lang", "nl")
		p.want("status", "niet begonnen")
		if d := p.dialog(); d == nil || d.Title != "Instellingen" {
			t.Errorf("the dialog is %+v", d)
		}
		if label := p.cells[0].Label; label != "rij 1, kolom 1: 8, gegeven" {
			t.Errorf("the cell is called %q", label)
		}
	})
	test(t, "a link, a file and the chooser", func(t *testing.T) {
		link := strings.Repeat(".", 79) + "12"
		p := open(t, map[string]any{"lang": "en", "puzzle": link})
		defer p.end()
		if d := p.dialog(); d == nil || d.Title != "Play the puzzle of the link?" {
			t.Fatalf("the dialog is %+v", d)
		}
		p.press("Play")
		p.want("state", "playing")
		if c := p.cells[80]; c.Digit != 2 || !c.Given {
			t.Errorf("the last cell is %+v", c)
		}
		p.messages <- Message{[]byte(`{"do":"file","name":"two.txt"}`), []byte(link + "\n" + strings.Repeat(".", 79) + "34\n")}
		synctest.Wait()
		if d := p.dialog(); d == nil || len(d.Controls[0].Rows) != 2 || d.Controls[0].Rows[1].Board != strings.Repeat(".", 79)+"34" {
			t.Fatalf("the dialog is %+v", d)
		}
		p.say(map[string]any{"do": "control", "dialog": p.dialog().ID, "at": 0, "value": 1})
		p.press("Play")
		if c := p.cells[80]; c.Digit != 4 {
			t.Errorf("the last cell is %+v", c)
		}
		p.say(map[string]any{"do": "text", "text": "no puzzle"})
		p.want("note", "what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
	})
	test(t, "export", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for at, want := range map[int]string{0: "%PDF", 1: "\x89PNG", 2: "<svg", 3: "8 1 3", 5: "{"} {
			p.key("E")
			p.set("Export as:", at)
			p.press("Save")
			if !strings.HasPrefix(string(p.data), want) {
				t.Errorf("the file is %.20q, want %q", p.data, want)
			}
		}
		p.key("E")
		p.press("Copy a link to the puzzle")
		if last := p.told[len(p.told)-1]; last["link"] != true || len(last["text"].(string)) != 81 {
			t.Errorf("told %v", last)
		}
	})
	test(t, "a picture", func(t *testing.T) {
		givens, _ := gridOf("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
		var png bytes.Buffer
		if err := picture.PNG(&png, &format.Game{Givens: givens}, 2, picture.White); err != nil {
			t.Fatal(err)
		}
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		show := func(answer map[string]any) {
			t.Helper()
			p.messages <- Message{[]byte(`{"do":"file","name":"news.png"}`), png.Bytes()}
			synctest.Wait()
			if last := p.told[len(p.told)-1]; last["type"] != "picture" || !bytes.Equal(p.data, png.Bytes()) {
				t.Fatalf("told %v", last)
			}
			if d := p.dialog(); d == nil || d.Controls[0].Text != "reading news.png" {
				t.Fatalf("the dialog is %+v", d)
			}
			if answer != nil {
				answer["do"] = "read"
				p.say(answer)
			}
		}
		show(nil)
		p.press("Cancel")
		if last := p.told[len(p.told)-1]; last["type"] != "unpicture" {
			t.Errorf("told %v", last)
		}
		p.say(map[string]any{"do": "read", "noGrid": true})
		if d := p.dialog(); d != nil {
			t.Errorf("the dialog is %+v after Cancel", d)
		}
		show(map[string]any{"noGrid": true})
		p.press("OK")

		text, err := json.Marshal(reading.Read(t.Context(), png.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		var answer map[string]any
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		sudokus := answer["sudokus"].([]any)
		if sheet, err := base64.StdEncoding.DecodeString(sudokus[0].(map[string]any)["picture"].(string)); err != nil || !bytes.HasPrefix(sheet, []byte("\x89PNG")) {
			t.Errorf("the picture of the cells is %.20q, %v", sheet, err)
		}
		show(answer)
		d := p.dialog()
		if d == nil || d.Title != "news.png" || d.Controls[0].Text != "one solution" {
			t.Fatalf("the dialog is %+v", d)
		}
		if r := d.Controls[1].Board; sudoku.Grid(r.Digits) != givens || r.Labels[0] != "row 1, column 1: 5" || len(r.Guesses[0][0]) == 0 || r.Guesses[0][0][0].Digit != 5 {
			t.Errorf("it was read as %+v", r)
		}
		p.press("Play")
		p.want("state", "playing")
		p.want("puzzle", "news (1 of 25)")

		// The player corrects cells.
		sudokus[0].(map[string]any)["doubt"].([]any)[0].([]any)[0] = true
		show(answer)
		correct := func(value any) {
			p.say(map[string]any{"do": "control", "dialog": p.dialog().ID, "at": 1, "value": value})
		}
		if d := p.dialog(); d.Controls[0].Text != "one solution, 1 in doubt (?)" || d.Controls[1].Board.Labels[0] != "row 1, column 1: 5, in doubt" {
			t.Errorf("the dialog is %+v", d)
		}
		correct(map[string]any{"cell": 0, "digit": 0})
		correct(map[string]any{"cell": 1, "written": true})
		correct(map[string]any{"cell": 81, "digit": 1})
		correct(map[string]any{"cell": 2, "digit": 10})
		correct(map[string]any{"cell": 2, "written": true}) // there is no digit
		if d := p.dialog(); !strings.HasSuffix(d.Controls[0].Text, ", 1 handwritten (')") || d.Controls[1].Board.Labels[0] != "row 1, column 1: empty" || d.Controls[1].Board.Labels[1] != "row 1, column 2: 3, handwritten" {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("Play")
		if c := p.cells[0]; c.Digit != 0 || p.cells[1].Digit != 3 || p.cells[1].Given || !p.cells[4].Given {
			t.Errorf("the cells are %+v, %+v and %+v", c, p.cells[1], p.cells[4])
		}

		// A picture with several.
		answer["sudokus"] = append(sudokus, sudokus[0])
		show(answer)
		p.set("Sudoku:", 1)
		if d := p.dialog(); d.Controls[2].Board.Sheet != 1 {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("Edit")
		p.want("state", "editing")
	})
	test(t, "a slow page", func(t *testing.T) { // says something of a dialog that is closed
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("F1")
		id := p.dialog().ID
		p.press("OK")
		p.say(map[string]any{"do": "press", "dialog": id, "at": 1})
		p.say(map[string]any{"do": "control", "dialog": id + 1, "at": 99, "value": 1})
		if p.dialog() != nil {
			t.Error("a dialog is open")
		}
	})
}

// Whatever the page says, the game continues.
func TestNonsense(t *testing.T) {
	test(t, "nonsense", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		for _, message := range []string{
			`7`, `{}`, `{"do":"act","name":"nothing"}`, `{"do":"cell","row":-1,"col":9}`, `{"do":"put","digit":99}`, `{"do":"key","key":""}`,
			`{"do":"press","dialog":1,"at":-1}`, `{"do":"file","name":""}`, `{"do":"act","name":"suspend"}`,
		} {
			p.messages <- Message{Text: []byte(message)}
			synctest.Wait()
			if d := p.dialog(); d != nil {
				p.press("OK")
			}
		}
		p.key("S")
		p.want("state", "playing")
	})
}

// Each action of the page has a place where it is found: the menu, or the help page.
func TestActions(t *testing.T) {
	test(t, "menu", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		var menu []part
		if err := json.Unmarshal(p.view["menu"], &menu); err != nil || len(menu) != 5 {
			t.Fatalf("the menu is %s", p.view["menu"])
		}
		names := map[string]bool{}
		for _, m := range menu {
			for _, i := range m.Items {
				names[i.Name] = true
			}
		}
		if names["suspend"] || names["quit"] || names["panel"] || !names["new"] || !names["statistics"] {
			t.Errorf("the menu has %v", names)
		}
		var hand player
		hand.Init()
		for state, row := range buttons {
			for name := range strings.FieldsSeq(row) {
				if hand.Action(name) == nil {
					t.Errorf("the buttons of state %d have %q, which is not an action", state, name)
				}
			}
		}
		for _, name := range []string{"Tab", "Ctrl+R", "Ctrl+5"} {
			if strings.Contains(string(p.view["keys"]), fmt.Sprintf("%q", name)) {
				t.Errorf("the page takes the browser's key %s", name)
			}
		}
	})
}

// What the terminal can do the page can do, with a key of the same table. Exceptions are what a
// browser does itself.
func TestSameActions(t *testing.T) {
	test(t, "as the terminal", func(t *testing.T) {
		for _, vi := range []bool{false, true} {
			settings := shelf.Defaults()
			settings.Vi = vi
			text, err := json.Marshal(settings)
			if err != nil {
				t.Fatal(err)
			}
			p := open(t, map[string]any{"lang": "en", "kept": map[string]json.RawMessage{"settings": text}})
			var keys []string
			if err := json.Unmarshal(p.view["keys"], &keys); err != nil {
				t.Fatal(err)
			}
			for _, a := range action.Table() {
				names := a.KeyNames(vi)
				has := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(keys, name) })
				switch a.Name {
				case "quit", "suspend", "redraw", "panel": // tabs are closed, and shown, by the browser
					continue
				}
				if len(names) > 0 && !has {
					t.Errorf("no key of %s (%v) has a meaning on the page", a.Name, names)
				}
				p.say(map[string]any{"do": "act", "name": a.Name}) // each does something, or says why not
				if d := p.dialog(); d != nil {
					p.say(map[string]any{"do": "close", "dialog": d.ID})
				}
			}
			p.end()
		}
	})
}

// The menu of a cell is that of the terminal. The wheel adds one, and a note becomes the digit.
func TestCellMenu(t *testing.T) {
	test(t, "cell menu", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.key("S")
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "menu"})
		if last := p.told[len(p.told)-1]; last["type"] != "context" || last["at"] != 24.0 || string(p.view["at"]) != "24" {
			t.Errorf("told %v, and the selected cell is %s", last, p.view["at"])
		}
		p.key("Menu")
		if last := p.told[len(p.told)-1]; last["type"] != "context" || last["at"] != 24.0 {
			t.Errorf("told %v", last)
		}
		var items []item
		if err := json.Unmarshal(p.view["cell"], &items); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range items {
			names = append(names, i.Name)
		}
		if got, want := strings.Join(names, " "), strings.Join(strings.Fields(strings.Join(action.CellMenu(), " ")), " "); got != want || !items[0].Line || items[1].Line {
			t.Errorf("the menu has %s, want %s", got, want)
		}
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "wheel", "by": -1})
		if c := p.cells[24]; c.Digit != 9 {
			t.Errorf("the cell is %+v after the wheel", c)
		}
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "wheel", "by": 1})
		p.key("M", "4")
		if c := p.cells[24]; c.Digit != 0 || c.Notes != 1<<4 {
			t.Fatalf("the cell is %+v after the wheel and a note", c)
		}
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "note", "digit": 4})
		if c := p.cells[24]; c.Digit != 4 || p.text("pen") != "notes" {
			t.Errorf("the cell is %+v, and the pen %s", c, p.text("pen"))
		}
	})
}
