package terminal

import (
	"fmt"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// named are the keys that are not characters.
var named = map[tcell.Key]string{
	tcell.KeyUp: "Up", tcell.KeyDown: "Down", tcell.KeyLeft: "Left", tcell.KeyRight: "Right",
	tcell.KeyHome: "Home", tcell.KeyEnd: "End", tcell.KeyPgUp: "PgUp", tcell.KeyPgDn: "PgDn",
	tcell.KeyInsert: "Insert", tcell.KeyDelete: "Delete", tcell.KeyBackspace: "Backspace",
	tcell.KeyTab: "Tab", tcell.KeyBacktab: "Shift+Tab", tcell.KeyEnter: "Enter", tcell.KeyCtrlJ: "Enter",
	tcell.KeyEscape: "Esc", tcell.KeyMenu: "Menu",
}

// KeyName returns the name of a key, which is the same in every terminal that can tell it apart: "U", "Shift+U", "Ctrl+Z",
// "Alt+5", "Shift+Up", "Space", "?".
func KeyName(ev *tcell.EventKey) string {
	mod, name := ev.Modifiers(), ""
	switch key := ev.Key(); {
	case key == tcell.KeyRune && ev.Rune() == ' ':
		name = "Space"
	case key == tcell.KeyRune:
		upper := unicode.ToUpper(ev.Rune())
		if upper != ev.Rune() { // a small letter
			mod &^= tcell.ModShift
		} else if unicode.IsLetter(upper) {
			mod |= tcell.ModShift
		} else {
			mod &^= tcell.ModShift // it is part of the character
		}
		name = string(upper)
	case named[key] != "": // before Ctrl+letters, among which are Enter and Tab in old terminals
		name = named[key]
		if key == tcell.KeyCtrlJ {
			mod = 0
		}
	case tcell.KeyCtrlA <= key && key <= tcell.KeyCtrlZ:
		mod |= tcell.ModCtrl
		name = string('A' + rune(key-tcell.KeyCtrlA))
	case tcell.KeyF1 <= key && key <= tcell.KeyF12:
		name = fmt.Sprint("F", int(key-tcell.KeyF1)+1)
	default:
		name = ev.Name()
		mod = 0
	}
	for _, m := range []struct {
		mask tcell.ModMask
		name string
	}{{tcell.ModShift, "Shift+"}, {tcell.ModAlt | tcell.ModMeta, "Alt+"}, {tcell.ModCtrl, "Ctrl+"}} {
		if mod&m.mask != 0 {
			name = m.name + name
		}
	}
	return name
}
