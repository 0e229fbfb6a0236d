package widget

import "github.com/gdamore/tcell/v2"

// A Check is something that is on or off.
type Check struct {
	Label   string
	On      bool
	Changed func() // called after a change; may be nil
}

func (k *Check) size(width int) (w, h, least int) {
	h = len(Wrap(k.Label, width-4))
	return Width(k.Label) + 4, h, h
}

func (k *Check) takesFocus() bool { return true }

func (k *Check) draw(c canvas, focused bool) {
	style, mark := c.look.Text, " "
	if focused {
		style = c.look.Selected
	}
	if k.On {
		mark = c.look.glyphs().check
	}
	c.print(0, 0, "["+mark+"] ", style)
	for y, line := range Wrap(k.Label, c.w-4) {
		c.print(4, y, line, style)
	}
}

func (k *Check) toggle() {
	k.On = !k.On
	if k.Changed != nil {
		k.Changed()
	}
}

func (k *Check) key(ev *tcell.EventKey) (outcome, bool) {
	if ev.Key() == tcell.KeyRune && ev.Rune() == ' ' {
		k.toggle()
		return outcome{}, true
	}
	return outcome{}, false
}

func (k *Check) mouse(_, _ int, m Mouse) outcome {
	if m.Press {
		k.toggle()
	}
	return outcome{}
}

// A Choice is one of several texts. The arrow keys to the left and right change it.
type Choice struct {
	Label   string
	Options []string
	At      int    // the one that is chosen
	Off     bool   // only the label is visible
	Changed func() // called after a change; may be nil
}

// widths returns the columns of the label with its gap, and of the longest option.
func (o *Choice) widths() (label, option int) {
	if o.Label != "" {
		label = Width(o.Label) + 1
	}
	for _, text := range o.Options {
		option = max(option, Width(text))
	}
	return label, option
}

func (o *Choice) size(int) (w, h, least int) {
	label, option := o.widths()
	return label + option + 4, 1, 1
}

func (o *Choice) takesFocus() bool { return len(o.Options) > 0 && !o.Off }

func (o *Choice) draw(c canvas, focused bool) {
	if o.Off {
		c.print(0, 0, o.Label, c.look.Dim)
		return
	}
	label, option := o.widths()
	g, style := c.look.glyphs(), c.look.Field
	if focused {
		style = c.look.Selected
	}
	option = min(option, c.w-label-4)
	c.print(0, 0, o.Label, c.look.Text)
	c.print(label, 0, g.less, c.look.Key)
	box := c.sub(rect{label + 1, 0, option + 2, 1})
	box.fill(style)
	if o.At < len(o.Options) {
		box.print(1, 0, Cut(o.Options[o.At], option, g.cut), style)
	}
	c.print(label+option+3, 0, g.more, c.look.Key)
}

func (o *Choice) move(by int) {
	o.At = (o.At + by + len(o.Options)) % len(o.Options)
	if o.Changed != nil {
		o.Changed()
	}
}

func (o *Choice) key(ev *tcell.EventKey) (outcome, bool) {
	switch {
	case ev.Key() == tcell.KeyLeft:
		o.move(-1)
	case ev.Key() == tcell.KeyRight, ev.Key() == tcell.KeyRune && ev.Rune() == ' ':
		o.move(+1)
	default:
		return outcome{}, false
	}
	return outcome{}, true
}

func (o *Choice) mouse(x, _ int, m Mouse) outcome {
	label, _ := o.widths()
	switch {
	case m.Wheel != 0:
		o.move(m.Wheel)
	case m.Press && x <= label:
		o.move(-1)
	case m.Press:
		o.move(+1)
	}
	return outcome{}
}
