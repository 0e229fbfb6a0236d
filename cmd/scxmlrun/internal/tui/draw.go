package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
)

// A painter draws on a frame.
type painter struct {
	*terminal.Frame
	*styles
	layout *layout
}

// draw looks at the session and shows everything.
func (f *Front) draw() {
	screen := f.Screen
	width, height := screen.Size()
	p := &painter{terminal.NewFrame(width, height, tcell.StyleDefault), f.styles, nil}
	if width < minWidth || height < minHeight {
		f.layout = nil
		p.tooSmall()
		p.Put(screen)
		screen.HideCursor()
	} else {
		p.layout = newLayout(width, height, f.chart, f.panel, f.zoomed)
		f.layout = p.layout
		f.refresh()
		f.bar(p)
		for panel, r := range p.layout.panels {
			if r.h > 0 {
				f.drawPanel(p, panelID(panel), r)
			}
		}
		p.dividers()
		f.scrubber(p)
		f.hints(p)
		p.Put(screen)
		f.windows.Draw(screen, &f.styles.look)
	}
	f.Show()
	f.drawn, f.known = time.Now(), f.lines[0].h.Len()
	if _, ok := f.nextDue(); f.ticking() && ok {
		f.drawIn(tickTime)
	} else if f.ticking() {
		f.drawIn(time.Second)
	}
}

// refresh looks at the position that is shown, if it is not the one that was.
func (f *Front) refresh() {
	n, before := f.line.position(), f.layout.panels[logPanel].h+f.views.scroll[logPanel]
	k := f.look
	switch {
	case k == nil || k.line != f.line || k.n != n || k.line.steps[max(n-before, f.line.h.First())] == nil || f.ended != "" && k.ended != f.ended && f.line.live && f.line.follow:
		f.look = f.see(f.line, n, before)
	case k.last != k.line.present():
		k.last = k.line.present()
	}
	f.choose()
}

// choose makes sure that an event is selected, and finds out what it would do.
func (f *Front) choose() {
	e := f.look.event(f.chosen)
	if e == nil && len(f.look.events) > 0 {
		e = &f.look.events[0]
		f.chosen = e.name()
	}
	if e == nil {
		f.effect = &effect{}
		return
	}
	if f.look.queued && f.line.live && f.line.follow { // it is soon another position
		f.effect = &effect{lines: []entry{{"busy", "the session does what is queued", dimTone}}}
		return
	}
	f.effect = f.effectOf(e.Name, e.Data(e.values()))
}

func (f *Front) nextDue() (time.Time, bool) {
	if f.look == nil || f.look.session == nil {
		return time.Time{}, false
	}
	return f.look.session.NextDue()
}

// dividers draws the line between the panels on the left and on the right.
func (p *painter) dividers() {
	left, top := p.layout.panels[chartPanel], p.layout.panels[eventsPanel]
	if left.h == 0 || top.h == 0 {
		return
	}
	line := [2][2]rune{{p.glyph('│', '|'), p.glyph('├', '+')}, {p.glyph('┤', '+'), p.glyph('┼', '+')}}
	titles := map[int][2]int{} // by row: whether a title is on the left, and on the right
	for _, r := range p.layout.panels {
		t := titles[r.y]
		t[min(r.x, 1)] = 1
		titles[r.y] = t
	}
	for y := top.y; y < p.layout.scrub.y; y++ {
		t := titles[y]
		p.Rune(left.w, y, line[t[0]][t[1]], p.of[dimTone])
	}
	p.Rune(left.w, top.y, p.glyph('┬', '+'), p.of[dimTone])
}

func (p *painter) tooSmall() {
	text := fmt.Sprintf("The window is too small: it is %d x %d and must be at least %d x %d. Make it larger, or press q to quit and add --ui line.", p.Width, p.Height, minWidth, minHeight)
	lines := widget.Wrap(text, max(p.Width, 1))
	for i, line := range lines {
		p.Text(0, max((p.Height-len(lines))/2, 0)+i, line, p.of[plainTone])
	}
}

// text draws a line that is cut at a width, and returns the column after it.
func (p *painter) text(x, y, width int, text string, style tcell.Style) int {
	text = widget.Cut(p.signs(printable(text)), max(width, 0), string(p.glyph('…', '~')))
	p.Text(x, y, text, style)
	return x + widget.Width(text)
}

// printable replaces characters that a terminal would execute.
func printable(text string) string {
	return cli.Visible(strings.ReplaceAll(text, "\n", " "), cli.EscapeNewlines)
}

// bar draws the line at the top: the chart, what is shown of it, and the time.
func (f *Front) bar(p *painter) {
	k, style := f.look, p.of[barTone]
	mode := "live"
	switch {
	case k.line.follow && k.ended != "":
		mode = k.line.name + ": " + k.ended
	case k.line.follow && !k.line.live:
		mode, style = k.line.name+": nothing leaves the session", p.of[pastTone]
	case !k.line.follow:
		mode, style = fmt.Sprintf("the past of %s: step %d of %d", k.line.name, k.n, k.last), p.of[pastTone]
		if k.line.live {
			mode = fmt.Sprintf("the past: step %d of %d", k.n, k.last)
		}
	}
	p.Fill(0, 0, p.Width, 1, style)
	clock := clock(f.elapsed(), !f.ticking())
	if f.virtual && k.line.live {
		clock += " virtual"
	}
	x := p.text(1, 0, p.Width/2, f.title(), style)
	p.text(x+3, 0, p.Width-x-3-widget.Width(clock)-2, mode, style)
	p.text(p.Width-widget.Width(clock)-1, 0, widget.Width(clock), clock, style)
}

func (f *Front) title() string {
	if name := f.chart.Name(); name != "" {
		return name
	}
	return filepath.Base(f.chart.File())
}

// elapsed returns the chart time that is shown.
func (f *Front) elapsed() time.Duration {
	if f.look.session == nil {
		return 0
	}
	return max(f.now().Sub(f.line.h.Start()), 0)
}

// clock writes the time since the start, with tenths of a second if it stands still.
func clock(d time.Duration, tenths bool) string {
	text := fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	if tenths {
		text += fmt.Sprintf(".%d", d/(100*time.Millisecond)%10)
	}
	return text
}

// duration writes a time that is left: tenths of a second, or milliseconds if it is short.
func duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// scrubber draws the positions as a bar.
func (f *Front) scrubber(p *painter) {
	k, r := f.look, p.layout.scrub
	label := fmt.Sprintf(" step %d of %d", k.n, k.last)
	if k.step.label != "" {
		label += ": " + k.step.label
	}
	const least = 30
	label = widget.Cut(printable(label), r.w-least, string(p.glyph('…', '~')))
	w := r.w - max(widget.Width(label), least) - 2
	f.layout.scrub = rect{1, r.y, w, 1}
	p.Rune(0, r.y, p.glyph('◂', '<'), p.of[keyTone])
	p.Rune(w+1, r.y, p.glyph('▸', '>'), p.of[keyTone])
	at := column(k.n, k.last, w)
	for x := range w {
		r0, style := p.glyph('─', '-'), p.of[dimTone]
		if x < at {
			r0, style = p.glyph('━', '='), p.of[plainTone]
		}
		p.Rune(1+x, r.y, r0, style)
	}
	p.Rune(1+at, r.y, p.glyph('●', 'O'), p.of[keyTone])
	p.text(w+2, r.y, r.w-w-2, label, p.of[plainTone])
}

// column returns where a position is on a bar of so many columns, and position the inverse.
func column(n, last, columns int) int {
	if last == 0 {
		return columns - 1
	}
	return n * (columns - 1) / last
}

func position(x, last, columns int) int {
	return (x*last + (columns-1)/2) / max(columns-1, 1)
}

// hints draws the line at the bottom: the answer to the last key, or what keys there are.
func (f *Front) hints(p *painter) {
	y := p.Height - 1
	if f.note != "" {
		p.text(1, y, p.Width-2, f.note, p.of[plainTone].Bold(true))
		return
	}
	x := 1
	for _, h := range []struct{ key, text string }{
		{p.arrows("↑↓"), "event"}, {"Enter", "send"}, {p.arrows("←→"), "past"}, {".", "next timer"}, {"V", "view"}, {"Tab", "panel"}, {"Z", "zoom"}, {"?", "help"}, {"q", "quit"},
	} {
		if x+widget.Width(h.key+h.text)+1 > p.Width {
			break
		}
		x = p.text(x, y, p.Width-x, h.key, p.of[keyTone])
		x = p.text(x+1, y, p.Width-x-1, h.text, p.of[dimTone]) + 2
	}
}

// arrows names the arrow keys where their signs can be shown.
func (p *painter) arrows(keys string) string {
	if p.ascii {
		return map[string]string{"↑↓": "Up/Down", "←→": "Left/Right"}[keys]
	}
	return keys
}
