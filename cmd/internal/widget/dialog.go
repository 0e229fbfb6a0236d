package widget

import (
	"strings"
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// A Dialog is a window with controls below each other. Tab and the arrow keys move
// between them, Enter means the first button unless another control takes it, a letter
// the button that begins with it, and Escape cancels.
type Dialog struct {
	Title    string
	Controls []Control
	Cancel   func() // called after Escape has closed the dialog; may be nil

	focus  int // index of the control that gets the keys; -1: none can
	opened bool
	places []rect // of the controls on the screen
	scroll int    // rows
}

// A Control is a part of a dialog: a [*Label], [*Page], [*Field], [*Check], [*Choice],
// [*List], [*Table], [*Board] or [*Button].
type Control interface {
	// size returns the width and height that it would like in a dialog of at most that
	// width, and the height that it needs.
	size(width int) (w, h, least int)
	draw(c canvas, focused bool)
	takesFocus() bool
	// key reports whether it has used a key.
	key(ev *tcell.EventKey) (outcome, bool)
	// mouse gets a click or a turn of the wheel, relative to it.
	mouse(x, y int, m Mouse) outcome
}

// Focus makes a control get the keys.
func (d *Dialog) Focus(c Control) {
	for i, other := range d.Controls {
		if other == c {
			d.focus, d.opened = i, true
		}
	}
}

func (d *Dialog) open() {
	if d.opened {
		return
	}
	d.opened, d.focus = true, -1
	d.next(+1)
}

// next moves the focus to the next control that takes it.
func (d *Dialog) next(by int) {
	n := len(d.Controls)
	for i := range n {
		at := ((d.focus+by*(i+1))%n + n) % n
		if d.focus < 0 && by < 0 {
			at = n - 1 - i
		}
		if d.Controls[at].takesFocus() {
			d.focus = at
			return
		}
	}
}

func (d *Dialog) focused() Control {
	if d.focus < 0 || d.focus >= len(d.Controls) {
		return nil
	}
	return d.Controls[d.focus]
}

func (d *Dialog) draw(c canvas) {
	d.open()
	most := max(c.w-4, 1) // a frame and a margin on both sides
	width, shared := min(Width(d.Title)+4, most), 0
	for _, control := range d.Controls {
		w, _, _ := control.size(most)
		if _, ok := control.(*Button); ok {
			shared += w + buttonGap
			w = shared - buttonGap
		} else {
			shared = 0
		}
		width = max(width, min(w, most))
	}
	places, height := d.layout(width, c.h-2)
	shown := min(height, c.h-2)
	inside := c.sub(rect{(c.w - width - 4) / 2, (c.h - shown - 2) / 2, width + 4, shown + 2}).frame(d.Title)
	if d.focus >= 0 { // it must be visible
		p := places[d.focus]
		d.scroll = max(min(d.scroll, p.y, height-shown), p.y+min(p.h, shown)-shown, 0)
	}
	content := inside.sub(rect{1, 0, width, shown})
	d.places = make([]rect, len(places))
	for i, p := range places {
		p.y -= d.scroll
		part := content.sub(p)
		d.places[i] = part.rect.intersect(part.visible)
		d.Controls[i].draw(part, i == d.focus)
	}
	inside.scrolled(d.scroll > 0, d.scroll+shown < height)
}

// buttonGap is the distance of buttons in a row.
const buttonGap = 2

// layout computes the places of the controls in a dialog with that inner width and
// height, and the height that they need. Buttons that follow each other share rows, after
// an empty one.
func (d *Dialog) layout(width, height int) (places []rect, total int) {
	places = make([]rect, len(d.Controls))
	missing := -height
	for i := 0; i < len(d.Controls); i++ {
		if n := d.buttonsAt(i); n > 0 {
			missing += d.placeButtons(places[i:i+n], i, width) + 1
			i += n - 1
			continue
		}
		_, h, _ := d.Controls[i].size(width)
		places[i] = rect{0, 0, width, h}
		missing += h
	}
	y := 0
	for i := 0; i < len(d.Controls); i++ {
		if n := d.buttonsAt(i); n > 0 {
			for j := i; j < i+n; j++ {
				places[j].y += y + 1
			}
			i += n - 1
			y = places[i].y + 1
			continue
		}
		// Controls that can be smaller give what is missing.
		_, h, least := d.Controls[i].size(width)
		less := max(min(missing, h-least), 0)
		missing -= less
		places[i].y, places[i].h = y, h-less
		y += h - less
	}
	return places, y
}

// buttonsAt returns how many buttons follow each other from a control on.
func (d *Dialog) buttonsAt(i int) (n int) {
	for ; i+n < len(d.Controls); n++ {
		if _, ok := d.Controls[i+n].(*Button); !ok {
			break
		}
	}
	return n
}

// placeButtons places buttons in centred rows, and returns their number.
func (d *Dialog) placeButtons(places []rect, first, width int) (rows int) {
	begin, used := 0, 0
	end := func(i int) {
		for j := begin; j < i; j++ {
			places[j].x += max((width-used)/2, 0)
		}
		begin, used, rows = i, 0, rows+1
	}
	for i := range places {
		w, _, _ := d.Controls[first+i].size(width)
		if used > 0 {
			if used+buttonGap+w > width {
				end(i)
			} else {
				used += buttonGap
			}
		}
		places[i] = rect{used, rows, min(w, width), 1}
		used += w
	}
	end(len(places))
	return rows
}

func (d *Dialog) key(ev *tcell.EventKey) outcome {
	d.open()
	if c := d.focused(); c != nil {
		if out, used := c.key(ev); used {
			return out
		}
	}
	switch ev.Key() {
	case tcell.KeyEscape:
		return outcome{true, d.Cancel}
	case tcell.KeyTab, tcell.KeyDown, tcell.KeyRight:
		d.next(+1)
	case tcell.KeyBacktab, tcell.KeyUp, tcell.KeyLeft:
		d.next(-1)
	case tcell.KeyEnter:
		for _, c := range d.Controls {
			if b, ok := c.(*Button); ok {
				return b.press()
			}
		}
		return outcome{close: true}
	case tcell.KeyRune:
		for _, c := range d.Controls {
			if b, ok := c.(*Button); ok && strings.HasPrefix(strings.ToLower(b.Text), string(unicode.ToLower(ev.Rune()))) {
				return b.press()
			}
		}
	}
	return outcome{}
}

func (d *Dialog) mouse(m Mouse) outcome {
	d.open()
	for i, place := range d.places {
		if i < len(d.Controls) && place.contains(m.X, m.Y) && d.Controls[i].takesFocus() {
			if m.Press {
				d.focus = i
			}
			return d.Controls[i].mouse(m.X-place.x, m.Y-place.y, m)
		}
	}
	if c := d.focused(); c != nil && m.Wheel != 0 {
		return c.mouse(0, 0, m)
	}
	return outcome{}
}

func (d *Dialog) paste(text string) {
	d.open()
	if f, ok := d.focused().(*Field); ok {
		f.insert(strings.TrimSpace(text))
	}
}
