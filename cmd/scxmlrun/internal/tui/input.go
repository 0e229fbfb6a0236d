package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
)

// eventKeys gives the events of a chart keys, which remain the same whatever state it is in.
func eventKeys(chart *scxml.Chart) map[string]rune {
	keys := map[string]rune{}
	var names []string
	known := map[string]bool{}
	for _, own := range []bool{false, true} { // what a user sends has the better keys
		for _, t := range chart.Transitions() {
			for _, descriptor := range t.Events() {
				name := strings.TrimSuffix(descriptor, ".")
				bare := strings.TrimSuffix(strings.TrimSuffix(name, "*"), ".")
				if own != (bare != "" && !chart.IsUserEvent(bare)) || known[name] || strings.HasPrefix(name, "done.") || strings.HasPrefix(name, "error.") {
					continue
				}
				names, known[name] = append(names, name), true
			}
		}
	}
	for _, name := range names {
		giveKey(keys, name, "")
	}
	for _, name := range names {
		giveKey(keys, name, spareKeys)
	}
	return keys
}

// spareKeys are the keys of events. The key q quits.
const spareKeys = "abcdefghijklmnoprstuvwxyz1234567890"

// giveKey gives an event a key if it has none and there is one left: a character of its name, or another
// one.
func giveKey(keys map[string]rune, name, others string) {
	used := func(r rune) bool {
		for _, key := range keys {
			if key == r {
				return true
			}
		}
		return false
	}
	if keys[name] != 0 || len(keys) == len(spareKeys) {
		return
	}
	for _, r := range strings.ToLower(name) + others {
		if strings.ContainsRune(spareKeys, r) && !used(r) {
			keys[name] = r
			return
		}
	}
}

// handle handles an event of the terminal.
func (f *Front) handle(ev tcell.Event) {
	switch ev := ev.(type) {
	case *tcell.EventResize:
		f.Redraw()
	case *tcell.EventKey:
		if terminal.KeyName(ev) == "Ctrl+L" { // also in windows
			f.Redraw()
			return
		}
		if f.layout == nil { // the window is too small
			if ev.Rune() == 'q' {
				f.Quit(terminal.ErrQuit)
			}
			return
		}
		f.note = ""
		if !f.windows.Key(ev) {
			f.key(ev)
		}
	case *tcell.EventMouse:
		f.mouse(ev)
	}
}

// key handles a key while no window is open.
func (f *Front) key(ev *tcell.EventKey) {
	l := f.line
	if r := ev.Rune(); ev.Key() == tcell.KeyRune && ev.Modifiers()&(tcell.ModAlt|tcell.ModCtrl) == 0 && !unicode.IsUpper(r) {
		for name, key := range f.keys {
			if key == r {
				f.press(name)
				return
			}
		}
	}
	switch terminal.KeyName(ev) {
	case "Q", "Ctrl+Q":
		f.Quit(terminal.ErrQuit)
	case "?", "F1", "Shift+H":
		f.help()
	case "Enter", "Space":
		if f.look.event(f.chosen) != nil {
			f.press(f.chosen)
		}
	case "Tab":
		f.panel = (f.panel + 1) % numPanels
	case "Shift+Tab":
		f.panel = (f.panel + numPanels - 1) % numPanels
	case "Up":
		f.move(-1)
	case "Down":
		f.move(+1)
	case "PgUp":
		f.scroll(f.panel, -f.page())
	case "PgDn":
		f.scroll(f.panel, +f.page())
	case "Left":
		l.seek(l.position() - 1)
	case "Right":
		l.seek(l.position() + 1)
	case "Shift+Left", "Ctrl+Left":
		l.seek(l.position() - 10)
	case "Shift+Right", "Ctrl+Right":
		l.seek(l.position() + 10)
	case "Home":
		l.seek(0)
	case "End":
		l.seek(l.present())
	case "Esc":
		f.back()
	case ".":
		f.jump()
	case "Shift+V":
		f.views.tree, f.views.chosen = !f.views.tree, true
		f.note = map[bool]string{true: "the chart as a tree", false: "the chart as boxes"}[f.views.tree]
	case "Shift+D":
		f.views.detail, f.views.chosen = (f.views.detail+1)%(cells.States+1), true
		f.note = map[cells.Detail]string{cells.Everything: "states, transitions and what they do", cells.Transitions: "states and transitions", cells.States: "states only"}[f.views.detail]
	case "Shift+Z":
		f.zoomed = !f.zoomed
	case "Shift+E":
		f.anyEvent()
	case "Shift+B":
		f.branches()
	case "Ctrl+Z":
		f.Suspend()
	default:
		f.note = "this key does nothing; ? shows what keys there are"
	}
}

// anyEvent opens the form for any event, with the selected one to begin with.
func (f *Front) anyEvent() {
	e := f.look.event(f.chosen)
	switch {
	case f.look.session == nil || f.look.session.Status() != scxml.Running:
		f.note = "the session has " + f.look.ended
	case e == nil:
		f.ask("", "")
	case len(e.Fields) == 0:
		f.ask(e.Name, "")
	default:
		f.ask(e.Name, string(dataJSON(e)))
	}
}

// back returns from the past to the present, and from there to the live session.
func (f *Front) back() {
	switch {
	case f.zoomed:
		f.zoomed = false
	case !f.line.follow:
		f.line.seek(f.line.present())
	default:
		f.line = f.lines[0]
		f.line.seek(f.line.present())
	}
}

// move moves the selection among the events, or scrolls another panel.
func (f *Front) move(by int) {
	if f.panel != eventsPanel {
		f.scroll(f.panel, by)
		return
	}
	if n := len(f.look.events); n > 0 {
		at := slices.IndexFunc(f.look.events, func(e event) bool { return e.name() == f.chosen })
		f.chosen = f.look.events[max(min(at+by, n-1), 0)].name()
	}
}

func (f *Front) page() int { return max(f.layout.panels[f.panel].h-2, 1) }

// scroll scrolls a panel by some rows.
func (f *Front) scroll(panel panelID, by int) {
	switch panel {
	case logPanel:
		by = -by // it begins at the end
	case chartPanel:
		f.views.hand = true
	}
	f.views.scroll[panel] = max(f.views.scroll[panel]+by, 0)
}

// wheelRows is how far a turn of the wheel scrolls.
const wheelRows = 3

func (f *Front) mouse(ev *tcell.EventMouse) {
	x, y := ev.Position()
	m := widget.Mouse{X: x, Y: y}
	pressed := ev.Buttons()&tcell.Button1 != 0
	m.Press = pressed && !f.pressed
	drag := pressed && f.pressed
	f.pressed = pressed
	switch {
	case ev.Buttons()&tcell.WheelUp != 0:
		m.Wheel = -1
	case ev.Buttons()&tcell.WheelDown != 0:
		m.Wheel = +1
	}
	if f.layout == nil || !m.Press && m.Wheel == 0 && !drag {
		return
	}
	if !drag && f.windows.Mouse(m) {
		f.note = ""
		return
	}
	if s := f.layout.scrub; pressed && s.contains(x, y) {
		f.note = ""
		f.line.seek(position(x-s.x, f.line.present(), s.w))
		return
	}
	panel, ok := f.layout.at(x, y)
	switch {
	case drag:
	case m.Wheel != 0:
		if ok && panel == eventsPanel {
			f.panel = panel
			f.move(m.Wheel)
		} else if ok {
			f.scroll(panel, wheelRows*m.Wheel)
		}
	case m.Press:
		f.note = ""
		for _, s := range slices.Backward(f.layout.spots) {
			if s.contains(x, y) {
				s.do()
				return
			}
		}
		if ok {
			f.panel = panel
		}
	}
}
