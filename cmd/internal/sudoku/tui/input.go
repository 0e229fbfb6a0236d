package tui

import (
	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
)

// handle carries out an event of the terminal.
func (p *Player) handle(ev tcell.Event) {
	switch ev := ev.(type) {
	case *tcell.EventResize:
		p.Redraw()
		if w, h := ev.Size(); w < minWidth || h < minHeight {
			p.Pause()
		}
	case *tcell.EventFocus: // its method When panics
		if !ev.Focused && p.Settings.PauseOnFocusLoss {
			p.Pause()
		}
	case *tcell.EventPaste:
		p.pasting = ev.Start()
		if ev.End() {
			text := string(p.pasted)
			p.pasted = nil
			if !p.windows.Paste(text) {
				p.Paste(text, "Play the puzzle that was pasted?", "what was pasted is not a puzzle: want 81 digits, with a dot for each empty cell")
			}
		}
	case *tcell.EventKey:
		if p.pasting {
			p.addPasted(ev)
			return
		}
		p.key(ev)
	case *tcell.EventMouse:
		p.mouseEvent(ev)
	}
}

// maxPasted is the maximum length of a pasted text, in characters. The rest is ignored.
const maxPasted = 64 << 10

func (p *Player) addPasted(ev *tcell.EventKey) {
	r := ev.Rune()
	switch ev.Key() {
	case tcell.KeyEnter, tcell.KeyCtrlJ:
		r = '\n'
	case tcell.KeyTab:
		r = '\t'
	case tcell.KeyRune:
	default:
		return
	}
	if len(p.pasted) < maxPasted {
		p.pasted = append(p.pasted, r)
	}
}

// key carries out a key.
func (p *Player) key(ev *tcell.EventKey) {
	name := terminal.KeyName(ev)
	if p.fits && p.windows.Top() != nil && name != "Ctrl+L" {
		p.Note = ""
		p.windows.Key(ev)
		return
	}
	if a := p.Find(name); !p.fits && (a == nil || !a.Anyway) {
		return
	}
	p.Key(name)
}
