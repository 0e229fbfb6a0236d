package tui

import (
	"slices"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/action"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/terminal"
)

// handle carries out an event of the terminal.
func (p *Player) handle(ev tcell.Event) {
	switch ev := ev.(type) {
	case *tcell.EventResize:
		p.show = p.terminal.Screen.Sync
		if w, h := ev.Size(); w < minWidth || h < minHeight {
			p.pause()
		}
	case *tcell.EventFocus: // its method When panics
		if !ev.Focused && p.settings.PauseOnFocusLoss {
			p.pause()
		}
	case *tcell.EventPaste:
		p.pasting = ev.Start()
		if ev.End() {
			text := string(p.pasted)
			p.pasted = nil
			if !p.windows.Paste(text) {
				p.paste(text)
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
		p.note = ""
		p.windows.Key(ev)
		return
	}
	prefix := p.prefix
	p.prefix, p.note = "", ""
	switch {
	case prefix == "F":
		p.filterBy(name)
		return
	case prefix == "" && name == "G" && p.settings.Vi:
		p.prefix = name
		return
	}
	a := p.keymap.Find(prefix+name, &p.view)
	if a == nil {
		if p.view.State != game.Paused && p.fits {
			p.input(game.Unknown{})
		}
		return
	}
	if p.view.State == game.Paused && !slices.Contains(action.PausedKeys(), a.Name) {
		p.say("P continues, F10 opens the menu")
		return
	}
	p.perform(a, name)
}

// perform carries out an action if it is possible, or says why it is not.
func (p *Player) perform(a *action.Action, key string) {
	v := &p.view
	switch {
	case !p.fits && !a.Anyway:
	case v.State == game.Paused && !a.Paused: // the board is not visible
	case a.Possible(v):
		p.do(a, key)
	case a.Needs != 0 && v.Has&a.Needs == 0:
		p.note = p.words.Message(game.Message{Code: game.Unsupported})
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.State == game.GivenUp && v.Can.Has(game.CanResume):
		p.say("S: continue")
	case a.Needs != 0 && v.Can&a.Needs == 0 && v.Can.Has(game.CanStart):
		p.say("press S to start")
	case a.Name == "undo" && v.Can.Has(game.CanPut):
		p.note = p.words.Message(game.Message{Code: game.NothingToUndo})
	case a.Name == "redo" && v.Can.Has(game.CanPut):
		p.note = p.words.Message(game.Message{Code: game.NothingToRedo})
	default:
		p.note = p.words.Message(game.Message{Code: game.NotNow})
	}
}

// do carries out an action that is possible.
func (p *Player) do(a *action.Action, key string) {
	if a.Inputs == nil {
		p.dialogs[a.Name]()
		return
	}
	for _, in := range a.Inputs(&p.view, key) {
		p.input(in)
	}
}

// performNamed carries out the action with a name.
func (p *Player) performNamed(name string) {
	for i := range p.actions {
		if p.actions[i].Name == name {
			p.perform(&p.actions[i], "")
		}
	}
}
