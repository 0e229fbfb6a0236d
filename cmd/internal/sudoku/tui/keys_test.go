package tui

import (
	"github.com/gdamore/tcell/v2"
)

// testKeys are the names of keys in tests. Other texts are typed character by character.
var testKeys = map[string]struct {
	key tcell.Key
	r   rune
	mod tcell.ModMask
}{
	"up": {key: tcell.KeyUp}, "down": {key: tcell.KeyDown}, "left": {key: tcell.KeyLeft}, "right": {key: tcell.KeyRight},
	"shift+down": {key: tcell.KeyDown, mod: tcell.ModShift}, "shift+right": {key: tcell.KeyRight, mod: tcell.ModShift},
	"home": {key: tcell.KeyHome}, "end": {key: tcell.KeyEnd}, "pgup": {key: tcell.KeyPgUp}, "pgdn": {key: tcell.KeyPgDn},
	"ctrl+home": {key: tcell.KeyHome, mod: tcell.ModCtrl},
	"enter":     {key: tcell.KeyEnter}, "esc": {key: tcell.KeyEscape}, "backspace": {key: tcell.KeyBackspace}, "delete": {key: tcell.KeyDelete},
	"tab": {key: tcell.KeyTab}, "backtab": {key: tcell.KeyBacktab},
	"ctrl+c": {key: tcell.KeyCtrlC}, "ctrl+f": {key: tcell.KeyCtrlF}, "ctrl+l": {key: tcell.KeyCtrlL}, "ctrl+o": {key: tcell.KeyCtrlO}, "ctrl+p": {key: tcell.KeyCtrlP}, "ctrl+q": {key: tcell.KeyCtrlQ},
	"ctrl+y": {key: tcell.KeyCtrlY}, "ctrl+z": {key: tcell.KeyCtrlZ},
	"alt+4": {key: tcell.KeyRune, r: '4', mod: tcell.ModAlt}, "ctrl+4": {key: tcell.KeyRune, r: '4', mod: tcell.ModCtrl},
	"alt+z": {key: tcell.KeyRune, r: 'z', mod: tcell.ModAlt}, "alt+v": {key: tcell.KeyRune, r: 'v', mod: tcell.ModAlt},
	"f1": {key: tcell.KeyF1}, "f2": {key: tcell.KeyF2}, "f10": {key: tcell.KeyF10}, "shift+f10": {key: tcell.KeyF10, mod: tcell.ModShift},
}
