package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/action"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

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

// A click on what is shown besides the board does what it does in the terminal.
func TestParts(t *testing.T) {
	test(t, "parts", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		part := func(name string) { p.say(map[string]any{"do": "part", "name": name}) }
		part("open")
		if d := p.dialog(); d == nil || len(d.Controls[0].Rows) != 24 {
			t.Fatalf("the dialog is %+v", d)
		}
		p.press("Cancel")
		p.key("F", "8")
		facts := func() (all string) {
			var facts []fact
			if err := json.Unmarshal(p.view["facts"], &facts); err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				all += f.Part + " "
			}
			return all
		}
		if got, want := facts(), "valid counts counts counts highlight "; got != want {
			t.Errorf("the facts are %s, want %s", got, want)
		}
		part("highlight")
		part("counts")
		if got, want := facts(), "valid "; got != want {
			t.Errorf("the facts are %s, want %s", got, want)
		}
		for range 4 {
			part("hint")
		}
		if d := p.dialog(); d == nil || d.Title != "Hint" {
			t.Errorf("the dialog is %+v", d)
		}
		p.press("OK")
		part("nothing")
	})
}

// The menu of a cell is that of the terminal. The wheel adds one, and a note becomes the digit.
func TestCellMenu(t *testing.T) {
	test(t, "cell menu", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
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
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "drawn", "digit": 7}) // with the pen for notes
		p.key("M")
		p.say(map[string]any{"do": "cell", "row": 6, "col": 2, "how": "drawn", "digit": 1})
		if c := p.cells[56]; c.Digit != 1 {
			t.Errorf("the cell is %+v after a drawn 1", c)
		}
		p.say(map[string]any{"do": "cell", "row": 6, "col": 2, "how": "drawn"})
		p.want("note", "the drawing is not clear: draw one digit, as large as the cell")
		p.key("U")
		p.act("draw")
		if string(p.view["draw"]) != "true" {
			t.Errorf("drawing with a finger is %s", p.view["draw"])
		}
		p.say(map[string]any{"do": "cell", "row": 2, "col": 6, "how": "note", "digit": 0})
		if c := p.cells[24]; c.Digit != 0 {
			t.Errorf("the cell is %+v after a double click on its digit", c)
		}
	})
}
