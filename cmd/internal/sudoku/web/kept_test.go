package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
)

// What was kept continues, in another window too.
func TestKept(t *testing.T) {
	test(t, "reload", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
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
	test(t, "a page that ends", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		before := fmt.Sprint(p.kept)
		p.cell(2, 6)
		p.sayAtOnce(map[string]any{"do": "key", "key": "4"})
		if c := p.cells[24]; c.Digit != 4 || fmt.Sprint(p.kept) != before {
			t.Errorf("the cell shows %d, and was kept before that: %v", c.Digit, p.kept)
		}
		p.sayAtOnce(map[string]any{"do": "hidden"})
		p.want("state", "paused")
		for name, game := range p.kept {
			if strings.HasPrefix(name, "game/") && !strings.Contains(string(game), `"mode":"paused"`) {
				t.Errorf("%s is kept as %s", name, game)
			}
		}
		if fmt.Sprint(p.kept) == before {
			t.Error("the digit is not kept")
		}
	})
	test(t, "another puzzle at once", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.cell(2, 6)
		p.sayAtOnce(map[string]any{"do": "key", "key": "4"})
		p.sayAtOnce(map[string]any{"do": "key", "key": "]"})
		p.press("Leave")
		p.key("[", "P")
		if c := p.cells[24]; c.Digit != 4 {
			t.Errorf("the cell shows %d", c.Digit)
		}
	})
	for name, refused := range map[string]struct {
		start map[string]any
		note  string
	}{
		"two windows":                 {map[string]any{"readonly": true}, "another window has the games"},
		"a store that cannot be read": {map[string]any{"unread": "UnknownError"}, "the browser cannot read what it has kept: UnknownError"},
	} {
		test(t, name, func(t *testing.T) {
			refused.start["lang"], refused.start["kept"] = "en", map[string]json.RawMessage{}
			p := open(t, refused.start)
			defer p.end()
			p.cell(0, 0)
			p.key("4")
			p.want("note", "not saved: "+refused.note)
			if len(p.kept) > 0 {
				t.Errorf("it keeps %v", p.kept)
			}
		})
	}
	test(t, "what cannot be read", func(t *testing.T) {
		bad := map[string]json.RawMessage{"settings": []byte(`7`), "result/000004": []byte(`7`), "last": []byte(`"x"`), "game/x": []byte(`{"game": 7}`)}
		p := open(t, map[string]any{"lang": "en", "kept": bad})
		defer p.end()
		p.want("state", "playing")
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
		p.act("give-up")
		p.press("Give up")
		if p.kept["result/000005"] == nil { // the damaged one is left alone
			t.Errorf("the result is not kept: %v", p.kept)
		}
		p.key("T")
		if d := p.dialog(); d == nil || d.Controls[0].Lines[2] != (action.Line{Key: "given up", Text: "1", Count: true}) {
			t.Errorf("the statistics are %+v", d)
		}
	})
	test(t, "the browser is full", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.say(map[string]any{"do": "failed", "error": "quota"})
		p.cell(2, 6)
		p.key("5")
		p.want("note", "not saved: the browser did not keep it: quota")
		p.say(map[string]any{"do": "failed", "error": "quota"})
		p.sayAtOnce(map[string]any{"do": "key", "key": "6"})
		p.notes = nil
		p.sayAtOnce(map[string]any{"do": "key", "key": "Right"})
		if !slices.Contains(p.notes, `"not saved: the browser did not keep it: quota"`) {
			t.Errorf("the notes are %s", p.notes)
		}
	})
}
