package terminal

import (
	"testing"

	"github.com/gdamore/tcell/v2"
)

// A key has the same name in every terminal that can tell it apart.
func TestKeyName(t *testing.T) {
	for _, test := range []struct {
		key  tcell.Key
		r    rune
		mod  tcell.ModMask
		want string
	}{
		{tcell.KeyRune, 'u', 0, "U"},
		{tcell.KeyRune, 'U', 0, "Shift+U"},
		{tcell.KeyRune, 'U', tcell.ModShift, "Shift+U"},
		{tcell.KeyRune, '?', 0, "?"},
		{tcell.KeyRune, '?', tcell.ModShift, "?"},
		{tcell.KeyRune, ' ', 0, "Space"},
		{tcell.KeyRune, '5', tcell.ModAlt, "Alt+5"},
		{tcell.KeyRune, '5', tcell.ModCtrl, "Ctrl+5"},
		{tcell.KeyRune, 'z', tcell.ModCtrl, "Ctrl+Z"},
		{tcell.KeyCtrlZ, 0, 0, "Ctrl+Z"},
		{tcell.KeyCtrlZ, 0, tcell.ModCtrl | tcell.ModShift, "Ctrl+Shift+Z"},
		{tcell.KeyRune, 'v', tcell.ModAlt, "Alt+V"},
		{tcell.KeyUp, 0, tcell.ModShift, "Shift+Up"},
		{tcell.KeyTab, 0, tcell.ModShift, "Shift+Tab"},
		{tcell.KeyBacktab, 0, 0, "Shift+Tab"},
		{tcell.KeyTab, 0, 0, "Tab"},
		{tcell.KeyBackspace2, 0, 0, "Backspace"},
		{tcell.KeyRune, '\r', 0, "Enter"},
		{tcell.KeyCtrlJ, 0, tcell.ModCtrl, "Enter"},
		{tcell.KeyF10, 0, tcell.ModShift, "Shift+F10"},
		{tcell.KeyEscape, 0, 0, "Esc"},
	} {
		if got := KeyName(tcell.NewEventKey(test.key, test.r, test.mod)); got != test.want {
			t.Errorf("%v %q %v: got %q, want %q", test.key, test.r, test.mod, got, test.want)
		}
	}
}
