package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/text"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A row is a line of a panel: texts with their tones.
type row []cell

type cell struct {
	text string
	tone tone
	do   func() // when it is clicked; may be nil
}

// drawPanel draws a panel with its title.
func (f *Front) drawPanel(p *painter, panel panelID, r rect) {
	style, line := p.of[titleTone], p.glyph('─', '-')
	if panel == f.panel {
		style = p.of[focusTone]
	}
	for x := range r.w {
		p.Rune(r.x+x, r.y, line, p.of[dimTone])
	}
	p.text(r.x+1, r.y, r.w-2, " "+f.panelTitle(panel)+" ", style)
	f.spot(rect{r.x, r.y, r.w, 1}, func() { f.panel = panel })
	inside := rect{r.x, r.y + 1, r.w, r.h - 1}
	switch panel {
	case chartPanel:
		f.drawChart(p, inside)
	case eventsPanel:
		n, at, row := f.eventRows(inside.w)
		f.drawRows(p, panel, inside, n, at, row)
	case logPanel:
		f.drawLog(p, inside)
	case effectPanel:
		f.drawAll(p, panel, inside, entryRows(f.effect.lines), -1)
	case dataPanel:
		rows := f.dataRows(inside.w)
		f.drawAll(p, panel, inside, rows, slices.IndexFunc(rows, func(r row) bool { return r[0].tone == changedTone }))
	case timersPanel:
		f.drawAll(p, panel, inside, f.timerRows(), -1)
	}
}

func (f *Front) panelTitle(panel panelID) string {
	switch {
	case panel == effectPanel && f.effect.name != "":
		return "What " + f.effect.name + " would do"
	case panel == chartPanel && f.line != nil && !f.line.follow:
		return "Chart at step " + fmt.Sprint(f.look.n)
	case panel == timersPanel && len(f.look.pending) > 0:
		return "Timers, queues"
	}
	return panelTitles[panel]
}

// spot makes a part of the screen do something when it is clicked.
func (f *Front) spot(r rect, do func()) { f.layout.spots = append(f.layout.spots, spot{r, do}) }

// drawAll draws what fits of some rows, so that row at can be seen unless the user has scrolled; -1 is none.
func (f *Front) drawAll(p *painter, panel panelID, r rect, rows []row, at int) {
	f.drawRows(p, panel, r, len(rows), at, func(i int) row { return rows[i] })
}

// drawRows is drawAll for n rows. It makes those that are shown.
func (f *Front) drawRows(p *painter, panel panelID, r rect, n, at int, rowOf func(i int) row) {
	scroll := f.views.scroll[panel]
	if at >= 0 && (panel != f.panel || panel == eventsPanel) {
		scroll = max(min(scroll, at), at-r.h+1)
	}
	scroll = max(min(scroll, n-r.h), 0)
	f.views.scroll[panel] = scroll
	for y := range min(r.h, n-scroll) {
		x := r.x
		for _, c := range rowOf(scroll + y) {
			from := x
			x = p.text(x, r.y+y, r.x+r.w-x, c.text, p.of[c.tone])
			if c.do != nil {
				f.spot(rect{from, r.y + y, x - from, 1}, c.do)
			}
		}
	}
	p.scrolled(r, scroll > 0, scroll+r.h < n)
}

// scrolled marks in the last column that there is more above or below.
func (p *painter) scrolled(r rect, above, below bool) {
	if above {
		p.Rune(r.x+r.w-1, r.y, p.glyph('▴', '^'), p.of[keyTone])
	}
	if below {
		p.Rune(r.x+r.w-1, r.y+r.h-1, p.glyph('▾', 'v'), p.of[keyTone])
	}
}

// pad returns the text with spaces up to a width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-widget.Width(text), 0))
}

// eventRows returns how many rows there are for the events that can be sent, which of them is selected,
// and what makes a row.
func (f *Front) eventRows(width int) (n, at int, rowOf func(i int) row) {
	k := f.look
	all := func(rows ...row) (int, int, func(int) row) { return len(rows), -1, func(i int) row { return rows[i] } }
	if k.err != nil {
		return all(row{{" " + k.err.Error(), errorTone, nil}})
	}
	if k.ended != "" {
		return all(row{{" The session has " + k.ended + ".", plainTone, nil}})
	}
	if len(k.events) == 0 {
		nothing := row{{" No event does anything now.", dimTone, nil}}
		if _, ok := f.nextDue(); ok {
			return all(nothing, row{{" Wait, or press . for the next timer.", dimTone, nil}})
		}
		return all(nothing)
	}
	names, own := 0, -1 // the row above the events that the chart sends itself
	at = -1
	for i := range k.events {
		e := &k.events[i]
		names = max(names, widget.Width(e.name()))
		if e.Own && own < 0 {
			own = n
			n++
		}
		if e.name() == f.chosen {
			at = n
		}
		n++
	}
	names = min(names, width/2)
	return n, at, func(i int) row {
		switch {
		case i == own:
			return row{{" The chart sends itself:", dimTone, nil}}
		case own >= 0 && i > own:
			i--
		}
		e := &k.events[i]
		name, key, tone := e.name(), "   ", plainTone
		if r, ok := f.keys[name]; ok {
			key = fmt.Sprintf(" %c ", r)
		}
		does, something := e.does()
		if !something {
			tone = dimTone
		}
		does = f.styles.signs(does)
		shown := pad(widget.Cut(name, names, "~"), names)
		do := func() { f.chosen = name; f.press(name) }
		if name == f.chosen {
			return row{{key, keyTone, do}, {pad(shown+" "+does, width-4), chosenTone, do}}
		}
		return row{{key, keyTone, do}, {shown, tone, do}, {" " + does, dimTone, do}}
	}
}

// does says in a few words what an event does, and reports whether that is anything.
func (e *event) does() (words string, something bool) {
	if len(e.Fields) > 0 {
		words = "… " // it has a form
	}
	trial := e.trial()
	switch where := takes(trial); {
	case where != "":
		words += where
	case e.Name == "":
		words += "any name"
	case e.Open:
		words += "any name that begins so"
	case trial.Certain && len(e.Fields) == 0:
		return "does nothing now", false
	default:
		words += "may do something"
	}
	return words, true
}

// takes says where an event leads, or "" if it is not known to lead anywhere.
func takes(trial scxml.Trial) (where string) {
	for _, c := range trial.Candidates {
		if c.Verdict != scxml.Taken {
			continue
		}
		var targets []string
		for _, t := range c.Transition.Targets() {
			targets = append(targets, t.Name())
		}
		if len(targets) > 0 {
			return "→ " + strings.Join(targets, " ")
		}
		where = "stays"
	}
	return where
}

func entryRows(entries []entry) (rows []row) {
	for _, e := range entries {
		rows = append(rows, row{{" " + pad(e.word, 6) + " ", dimTone, nil}, {e.text, e.tone, nil}})
	}
	return rows
}

// dataRows returns a row for each data item.
func (f *Front) dataRows(width int) (rows []row) {
	for _, c := range f.look.data {
		if whole := text.Value(c.value); c.changed && widget.Width(c.name()+whole) > width-5 { // its parts say more
			for _, line := range text.Differences(c.name(), c.was, c.value, width-3) {
				rows = append(rows, row{{"* " + line, changedTone, nil}})
			}
			continue
		}
		mark, tone := "  ", plainTone
		name := c.name() + " = "
		if c.changed {
			mark, tone = "* ", changedTone
		}
		value := text.Brief(c.value, max(width-widget.Width(name)-3, 8))
		if c.err != nil {
			value, tone = "(no value)", dimTone
		}
		r := row{{mark, tone, nil}, {name, dimTone, nil}, {value, tone, nil}}
		if room := width - widget.Width(mark+name+value) - 6; c.changed && room > 2 {
			r = append(r, cell{" was " + text.Brief(c.was, room), dimTone, nil})
		}
		rows = append(rows, r)
	}
	return rows
}

// timerRows returns a row for each timer with the time that is left, and for all else that waits.
func (f *Front) timerRows() (rows []row) {
	if f.look.session == nil {
		return nil
	}
	for _, d := range scxml.ForTools(f.look.session).Delayed() {
		name := d.Message.Event.Name
		if id := d.Session.InvokeID(); id != "" {
			name = "[" + id + "] " + name
		}
		if d.Message.Target != "" {
			name += " to " + d.Message.Target
		}
		rows = append(rows, row{{" " + pad(duration(d.Due.Sub(f.now())), 7), keyTone, f.jump}, {" " + name, plainTone, f.jump}})
	}
	for _, line := range f.look.pending {
		rows = append(rows, row{{" " + line, plainTone, nil}})
	}
	if len(rows) == 0 {
		rows = []row{{{" none", dimTone, nil}}}
	}
	return rows
}

// drawLog draws the log up to the position that is shown, the last line at the bottom.
func (f *Front) drawLog(p *painter, r rect) {
	k := f.look
	want := r.h + f.views.scroll[logPanel]
	gutter := len(fmt.Sprint(k.last)) + 1
	var rows []row // the last one first
	for n := k.n; n >= 0 && len(rows) < want; n-- {
		s := k.line.steps[n]
		if s == nil {
			break
		}
		there := func() { f.line.seek(n) }
		log := s.log
		if len(log) == 0 {
			word := "step"
			if n == 0 {
				word = "start"
			}
			log = []entry{{word, "", dimTone}}
		}
		for i := len(log) - 1; i >= 0; i-- {
			number := pad("", gutter)
			if i == 0 {
				number = pad(fmt.Sprint(n), gutter)
			}
			e := log[i]
			rows = append(rows, row{{number, keyTone, there}, {pad(e.word, 6) + " ", dimTone, there}, {e.text, e.tone, there}})
		}
	}
	f.views.scroll[logPanel] = max(min(f.views.scroll[logPanel], len(rows)-r.h), 0)
	from := f.views.scroll[logPanel]
	for y := range min(r.h, len(rows)-from) {
		x, at := r.x+1, r.y+min(r.h, len(rows)-from)-1-y
		for _, c := range rows[from+y] {
			left := x
			x = p.text(x, at, r.x+r.w-x, c.text, p.of[c.tone])
			f.spot(rect{left, at, x - left, 1}, c.do)
		}
	}
	p.scrolled(r, len(rows) > from+r.h || len(rows) > 0 && k.n > 0 && len(rows) >= want, from > 0)
}
