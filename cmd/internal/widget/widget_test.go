package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

// A bench has windows on a screen, and what was done with them.
type bench struct {
	t      *testing.T
	screen tcell.SimulationScreen
	look   Look
	Stack
	log []string
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Fini)
	s.SetSize(w, h)
	b := &bench{t: t, screen: s}
	b.look.Selected = tcell.StyleDefault.Reverse(true)
	b.look.Disabled = tcell.StyleDefault.Dim(true)
	return b
}

func (b *bench) does(what string) func() { return func() { b.log = append(b.log, what) } }

// did checks what was done since.
func (b *bench) did(want ...string) {
	b.t.Helper()
	if !slices.Equal(b.log, want) {
		b.t.Errorf("got %q, want %q", b.log, want)
	}
	b.log = nil
}

func (b *bench) text() string {
	b.screen.Clear()
	b.Draw(b.screen, &b.look)
	b.screen.Show()
	cells, w, h := b.screen.GetContents()
	var lines []string
	for y := range h {
		line := ""
		for x := range w {
			line += string(cells[y*w+x].Runes)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// selected returns the text in the style of what is selected.
func (b *bench) selected() string {
	b.text()
	cells, _, _ := b.screen.GetContents()
	text := ""
	for _, c := range cells {
		if _, _, attr := c.Style.Decompose(); attr&tcell.AttrReverse != 0 {
			text += string(c.Runes)
		}
	}
	return strings.TrimSpace(text)
}

func (b *bench) shows(want ...string) {
	b.t.Helper()
	text := b.text()
	for _, w := range want {
		if !strings.Contains(text, w) {
			b.t.Errorf("%q is not on the screen:\n%s", w, text)
		}
	}
}

func (b *bench) hides(unwanted ...string) {
	b.t.Helper()
	text := b.text()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			b.t.Errorf("there is %q on the screen:\n%s", u, text)
		}
	}
}

var keyNames = map[string]tcell.Key{
	"up": tcell.KeyUp, "down": tcell.KeyDown, "left": tcell.KeyLeft, "right": tcell.KeyRight, "home": tcell.KeyHome,
	"end": tcell.KeyEnd, "pgup": tcell.KeyPgUp, "pgdn": tcell.KeyPgDn, "enter": tcell.KeyEnter, "esc": tcell.KeyEscape,
	"tab": tcell.KeyTab, "backtab": tcell.KeyBacktab, "backspace": tcell.KeyBackspace, "delete": tcell.KeyDelete,
}

func (b *bench) keys(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.text() // the player sees each step
		if k, ok := keyNames[key]; ok {
			b.Key(tcell.NewEventKey(k, 0, 0))
			continue
		}
		for _, r := range key {
			b.Key(tcell.NewEventKey(tcell.KeyRune, r, 0))
		}
	}
}

// click clicks on a text of the screen.
func (b *bench) click(text string) {
	b.t.Helper()
	for y, line := range strings.Split(b.text(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			b.Mouse(Mouse{X: len([]rune(line[:i])), Y: y, Press: true})
			return
		}
	}
	b.t.Fatalf("%q is not on the screen:\n%s", text, b.text())
}

func (b *bench) closed() {
	b.t.Helper()
	if b.Top() != nil {
		b.t.Errorf("a window is open:\n%s", b.text())
		b.Close(b.Top())
	}
}

func (b *bench) bar() *Menu {
	return &Menu{Bar: true, Parts: []Part{
		{"Game", []Item{{Label: "New…", Key: "N", Do: b.does("new")}, {}, {Label: "Quit", Key: "Q", Do: b.does("quit")}}},
		{"Edit", []Item{{Label: "Undo", Key: "U", Disabled: true, Do: b.does("undo")}, {Label: "Redo", Do: b.does("redo")}, {Label: "Remove", Do: b.does("remove"), Checked: true}}},
	}}
}

func TestMenu(t *testing.T) {
	b := newBench(t, 40, 12)
	b.Open(b.bar())
	b.shows(" Game  Edit", "│ New…  N │", "│ Quit  Q │", "│─────────│")
	b.keys("down")
	if got := b.selected(); got != "Game  Quit  Q" {
		t.Errorf("selected %q", got)
	}
	b.keys("enter")
	b.did("quit")
	b.closed()

	b.Open(b.bar())
	b.keys("right", "enter") // disabled
	b.did()
	b.shows("✓ Remove")
	b.keys("r", "r", "enter") // the second that begins with it
	b.did("remove")
	b.closed()

	b.Open(b.bar())
	b.keys("left", "u") // the only one, but disabled
	b.did()
	b.click("Game")
	b.keys("q")
	b.did("quit")

	b.Open(b.bar())
	b.click("Edit")
	b.Mouse(Mouse{Wheel: +1})
	b.click("Redo")
	b.did("redo")
	b.Open(b.bar())
	b.click("Game") // it is open
	b.closed()
	b.Open(b.bar())
	b.text()
	b.Mouse(Mouse{X: 39, Y: 11, Press: true})
	b.closed()
	b.Open(b.bar())
	b.keys("esc")
	b.closed()
	b.did()
}

// A menu that does not fit scrolls, and a bar too.
func TestSmallMenu(t *testing.T) {
	b := newBench(t, 14, 6)
	m := &Menu{Bar: true}
	for i := range 5 {
		part := Part{Title: fmt.Sprintf("Part %d", i)}
		for j := range 9 {
			part.Items = append(part.Items, Item{Label: fmt.Sprintf("Item %d of %d, long", j, i), Key: "K"})
		}
		m.Parts = append(m.Parts, part)
	}
	b.Open(m)
	b.shows(" Part 0 Part", "Item 2 … K▾")
	b.keys("right", "right", "end")
	b.shows("Part 2", "Item 8", "▴")
	b.hides("Item 0", "Part 0")
	b.keys("down")
	b.shows("Item 0")
}

// A menu that pops up stays on the screen.
func TestPopup(t *testing.T) {
	for _, at := range [][2]int{{0, 0}, {39, 11}, {39, 0}, {0, 11}, {20, 6}} {
		b := newBench(t, 40, 12)
		b.Open(&Menu{X: at[0], Y: at[1], Parts: []Part{{Items: []Item{{Label: "Set"}, {Label: "Clear", Do: b.does("clear")}}}}})
		b.shows("┌───────┐", "│ Set   │", "│ Clear │", "└───────┘")
		b.click("Clear")
		b.did("clear")
	}
}

func TestDialog(t *testing.T) {
	b := newBench(t, 50, 14)
	name, easy := &Field{Label: "Name", Max: 10}, &Check{Label: "Easy"}
	level := &Choice{Label: "Level", Options: []string{"low", "medium", "high"}, At: 1}
	open := func() {
		b.Open(&Dialog{Title: "New", Cancel: b.does("cancel"), Controls: []Control{
			&Label{Text: "What to play"}, name, level, easy,
			&Button{Text: "Play", Do: b.does("play")}, &Button{Text: "Another", Do: b.does("another"), Stay: true},
		}})
	}
	open()
	b.shows("─ New ─", "What to play", "Name", "Level ◂ medium ▸", "[ ] Easy", "[ Play ]  [ Another ]")
	b.keys("abcd", "left", "left", "x", "backspace", "delete", "home", "y", "end", "z")
	if name.Text != "yabdz" {
		t.Errorf("got %q", name.Text)
	}
	b.Paste("  p\x1bq 123456789\n")
	if name.Text != "yabdzpq 12" {
		t.Errorf("got %q", name.Text)
	}
	b.keys("tab", "right", "right", "left", "down", " ", "tab")
	b.shows("◂ high   ▸", "[✓] Easy")
	if got := b.selected(); got != "[ Play ]" {
		t.Errorf("selected %q", got)
	}
	b.keys("right", "enter")
	b.did("another")
	b.keys("tab") // back to the field
	b.keys("enter")
	b.did("play")
	b.closed()

	open()
	b.keys("backtab", "p")
	b.did("play")
	open()
	b.click("[✓]")
	b.click("▸")
	b.shows("◂ low", "[ ] Easy")
	b.click("Level")
	b.shows("◂ high")
	b.click("Another")
	b.keys("esc")
	b.did("another", "cancel")
	b.closed()
}

// The focused control of a dialog that does not fit is visible, and a list and a page
// become smaller before.
func TestSmallDialog(t *testing.T) {
	b := newBench(t, 24, 8)
	var controls []Control
	for i := range 12 {
		controls = append(controls, &Check{Label: fmt.Sprint("check ", i)})
	}
	b.Open(&Dialog{Controls: append(controls, &Button{Text: "A long answer"}, &Button{Text: "Another one"})})
	for i := range 12 {
		b.shows(fmt.Sprint("check ", i))
		b.keys("tab")
	}
	b.shows("[ A long answer ]")
	b.keys("tab")
	b.shows("[ Another one ]", "check 11")
	b.keys("tab")
	b.shows("check 0")
	b.keys("esc")

	b.Open(&Dialog{Controls: []Control{&Check{Label: "a label of many words"}}})
	b.shows("[ ] a label of many", "│     words")
	b.keys("esc")

	page := &Page{}
	for i := range 20 {
		page.Lines = append(page.Lines, Line{Text: fmt.Sprint("line ", i)})
	}
	b.Open(&Dialog{Controls: []Control{page, &Button{Text: "Close"}}})
	b.shows("line 0", "line 3", "[ Close ]", "▾")
	b.keys("down", "pgdn")
	b.shows("line 4", "▴")
	b.Mouse(Mouse{Wheel: -1})
	b.shows("line 1")
	b.keys("end")
	b.shows("line 19")
	b.keys("enter")
	b.closed()
}

func TestList(t *testing.T) {
	b := newBench(t, 40, 10)
	l := &List{Find: "Find:", Empty: "nothing", Do: b.does("chosen"), Delete: b.does("deleted")}
	for i := range 30 {
		l.Rows = append(l.Rows, Row{fmt.Sprintf("puzzle %02d", i), fmt.Sprintf("ER %d.2", i%5), "a very long text that does not fit"})
	}
	b.Open(&Dialog{Controls: []Control{l}})
	b.shows("puzzle 00  ER 0.2", "puzzle 06")
	b.hides("very long")
	b.keys("down", "pgdn")
	if l.At != 7 {
		t.Errorf("row %d is selected", l.At)
	}
	b.keys("2", "5")
	b.shows("Find: 25", "puzzle 25")
	b.hides("puzzle 24")
	if l.At != 25 {
		t.Errorf("row %d is selected", l.At)
	}
	b.keys("delete", "x")
	b.did("deleted")
	b.shows("nothing")
	b.keys("enter") // there is nothing to choose
	b.did()
	b.Close(b.Top())
	b.Open(&Dialog{Controls: []Control{l}})
	b.keys("esc")
	b.shows("puzzle 00")
	b.click("puzzle 03")
	b.did()
	b.click("puzzle 03")
	b.did("chosen")
	b.closed()
}

// Texts of pages begin in a column, or below their key where there is no room.
func TestPage(t *testing.T) {
	lines := []Line{{Text: "Keys", Head: true}, {Key: "Ctrl+Z", Text: "undo the last move"}, {Key: "U", Text: "the same"}}
	b := newBench(t, 60, 10)
	b.Open(&Dialog{Controls: []Control{&Page{Lines: lines}}})
	b.shows("Ctrl+Z  undo the last move", "U       the same")
	b = newBench(t, 20, 10)
	b.Open(&Dialog{Controls: []Control{&Page{Lines: lines}}})
	b.shows("│ Ctrl+Z", "│   undo the  ")
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one\ntwo", 80, []string{"one", "two"}},
		{"abcdefgh i", 3, []string{"abc", "def", "gh", "i"}},
		{"日本 語", 4, []string{"日本", "語"}},
		{"日本", 1, []string{"日本"}},
	} {
		if got := Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("Wrap(%q, %d): got %q, want %q", test.text, test.width, got, test.want)
		}
	}
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 4, "日…"}, {"e\u0301a", 2, "e\u0301a"}, {"abc", 0, ""}} {
		if got := Cut(test.text, test.width, "…"); got != test.want {
			t.Errorf("Cut(%q, %d): got %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

// Nothing fails on a screen of any size, and a terminal without Unicode gets only its own
// characters.
func TestAnySize(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {5, 5}, {12, 4}, {30, 16}, {200, 60}} {
		b := newBench(t, size[0], size[1])
		b.look.ASCII = true
		l := &List{Rows: []Row{{"a", "b"}, {"c\x1b[2J", "d"}}}
		for _, w := range []Window{
			&Menu{Bar: true, Parts: []Part{{"Game", []Item{{Label: "New", Key: "N", Checked: true}, {}, {Label: "Quit", Disabled: true}}}, {"Edit", []Item{{Label: "Undo"}}}}},
			&Menu{X: 100, Y: 100, Parts: []Part{{Items: []Item{{Label: "New"}}}}},
			&Dialog{Title: "A title", Controls: []Control{&Label{Text: "A text of words"}, &Field{Label: "Name"}, &Check{Label: "On"},
				&Choice{Label: "Level", Options: []string{"low", "high"}}, l, &Page{Lines: []Line{{Key: "F1", Text: "help"}}}, &Button{Text: "OK"}}},
			&Dialog{},
		} {
			b.Open(w)
			for _, key := range []string{"down", "right", " ", "x", "tab", "tab", "tab", "tab", "tab", "left", "up", "pgup", "home", "end"} {
				for _, r := range b.text() {
					if r > '~' {
						t.Fatalf("got %q:\n%s", r, b.text())
					}
				}
				b.keys(key)
			}
			for y := range size[1] {
				for x := range size[0] {
					b.Mouse(Mouse{X: x, Y: y, Wheel: 1})
				}
			}
			b.Close(w)
		}
	}
}
