package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A page is a page without a screen: it has the view, and what it was told besides.
type page struct {
	t        *testing.T
	messages chan Message
	end      func()
	slow     atomic.Bool // services do not answer

	mu    sync.Mutex // the clock needs no message of the page
	view  map[string]json.RawMessage
	cells map[int]cell
	kept  map[string]json.RawMessage
	notes []string         // that it has shown
	told  []map[string]any // other messages
	data  []byte           // of the last file
}

// open opens a page in a bubble of synctest. start has fields of the first message. If it has nothing
// kept, the player has looked at the first puzzle, which lacks two digits, at r3c7 and r7c3.
func open(t *testing.T, start map[string]any) *page {
	t.Helper()
	if start["kept"] == nil {
		first := sudoku.Puzzles()[0]
		text, err := format.Encode(&format.Game{Name: first.Name, Givens: first.Grid})
		if err != nil {
			t.Fatal(err)
		}
		digits := digits(&first.Grid)
		start["kept"] = map[string]json.RawMessage{
			"last": []byte(`"` + digits + `"`), "game/" + digits: fmt.Appendf(nil, `{"saved":"2000-01-01T00:00:00Z","game":%s}`, text),
		}
	}
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
		if p.slow.Load() || strings.Contains(string(m.Text), `"unserve"`) { // the worker would be ended
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

// mayRepeat are the fields of a view that mean something when they are the same again.
var mayRepeat = []string{"type", "say", "note", "sound"}

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
		_, whole := fields["lang"]
		for name, value := range fields {
			if name != "cells" {
				if again := p.view[name]; string(again) == string(value) && !whole && !slices.Contains(mayRepeat, name) {
					p.t.Errorf("the view says again that %s is %s", name, value)
				}
				p.view[name] = value
				if name == "note" {
					p.notes = append(p.notes, string(value))
				}
				continue
			}
			var changed map[int]cell
			if err := json.Unmarshal(value, &changed); err != nil {
				p.t.Error(err)
			}
			for number, c := range changed {
				c.Label = cmp.Or(c.Label, p.cells[number].Label)
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
	p.sayAtOnce(message)
	time.Sleep(2 * afterPaint)
	synctest.Wait()
}

// sayAtOnce is say, but the game has no time to save what comes of it.
func (p *page) sayAtOnce(message map[string]any) {
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
