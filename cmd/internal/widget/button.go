package widget

import "github.com/gdamore/tcell/v2"

// A Button does something and closes the dialog.
type Button struct {
	Text string
	Do   func() // called after the dialog has been closed; may be nil
	Stay bool   // the dialog remains open
}

func (b *Button) label() string { return "[ " + b.Text + " ]" }

func (b *Button) size(int) (w, h, least int) { return Width(b.label()), 1, 1 }

func (b *Button) takesFocus() bool { return true }

func (b *Button) draw(c canvas, focused bool) {
	style := c.look.Button
	if focused {
		style = c.look.Selected
	}
	c.print(0, 0, b.label(), style)
}

func (b *Button) press() outcome { return outcome{!b.Stay, b.Do} }

func (b *Button) key(ev *tcell.EventKey) (outcome, bool) {
	if ev.Key() == tcell.KeyEnter || ev.Key() == tcell.KeyRune && ev.Rune() == ' ' {
		return b.press(), true
	}
	return outcome{}, false
}

func (b *Button) mouse(_, _ int, m Mouse) outcome {
	if m.Press {
		return b.press()
	}
	return outcome{}
}
