package tui

import (
	"image"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
)

// A view is how the user looks at things.
type view struct {
	scroll [numPanels]int // rows

	tree    bool // the chart is a tree instead of boxes
	detail  cells.Detail
	decided rect  // the place of the chart for which they were chosen
	chosen  bool  // they were chosen by the user
	hand    bool  // the user has scrolled the chart
	seen    *look // for which the chart was scrolled
	drawing *cells.Grid
	of      *look // of the drawing
	width   int   // of its room
	asTree  bool
	details cells.Detail
}

// drawing returns the chart as it is drawn in so many columns.
func (f *Front) drawing(width int) *cells.Grid {
	v := &f.views
	if v.drawing == nil || v.of != f.look || v.width != width || v.asTree != v.tree || v.details != v.detail {
		v.of, v.width, v.asTree, v.details = f.look, width, v.tree, v.detail
		opts := cells.Options{Width: width, Detail: v.detail, ASCII: f.styles.ascii, Steady: true, Active: func(n *diagram.Node) bool { return f.look.active[n] }}
		if v.tree {
			v.drawing = cells.Tree(f.diagram, opts)
		} else {
			v.drawing = cells.Boxes(f.diagram, opts)
		}
	}
	return v.drawing
}

// decide chooses the drawing that shows most of the chart in a part of the screen, unless the user has.
func (f *Front) decide(r rect) {
	v := &f.views
	if v.chosen || v.decided == r {
		return
	}
	v.decided = r
	for _, try := range []struct {
		tree   bool
		detail cells.Detail
	}{{false, cells.Everything}, {false, cells.Transitions}, {true, cells.Transitions}, {false, cells.States}, {true, cells.States}} {
		size := len(f.diagram.Nodes)
		if try.detail != cells.States {
			size += len(f.diagram.Edges)
		}
		if size > r.w*r.h { // not all fit, and to find that out takes seconds
			continue
		}
		v.tree, v.detail = try.tree, try.detail
		if g := f.drawing(r.w); g.Height() <= r.h && g.Width <= r.w {
			return
		}
	}
	v.tree, v.detail = true, cells.States
}

// drawChart draws the chart. Unless the user has scrolled it, active states can be seen.
func (f *Front) drawChart(p *painter, r rect) {
	f.decide(r)
	g, v := f.drawing(r.w), &f.views
	if v.seen != f.look {
		v.seen, v.hand = f.look, false
	}
	scroll := v.scroll[chartPanel]
	if !v.hand {
		scroll = f.follow(g, scroll, r.h)
	}
	scroll = max(min(scroll, g.Height()-r.h), 0)
	v.scroll[chartPanel] = scroll
	for y := range min(r.h, g.Height()-scroll) {
		x := r.x
		for _, span := range g.Row(scroll + y) {
			if x >= r.x+r.w {
				break
			}
			left := x
			x = p.text(x, r.y+y, r.x+r.w-x, span.Text, f.spanStyle(span))
			if do := f.spanClick(span); do != nil {
				f.spot(rect{left, r.y + y, x - left, 1}, do)
			}
		}
	}
	p.scrolled(r, scroll > 0, scroll+r.h < g.Height())
}

// follow returns how far to scroll so that the active states can be seen, as many as there is room for,
// the innermost first.
func (f *Front) follow(g *cells.Grid, scroll, height int) int {
	var all image.Rectangle
	for _, n := range f.diagram.Nodes {
		if !f.look.active[n] || len(n.Children) > 0 {
			continue
		}
		both := all.Union(g.Bounds(n))
		if !all.Empty() && both.Dy() > height {
			break
		}
		all = both
	}
	if all.Empty() {
		return scroll
	}
	return min(max(scroll, all.Max.Y-height), all.Min.Y)
}

// spanStyle returns the style of a part of the chart.
func (f *Front) spanStyle(span cells.Span) tcell.Style {
	s := f.styles
	n, e := span.Node, span.Edge
	if e != nil {
		at := e.Transition.Pos().String()
		switch {
		case e.Kind == diagram.Transition && f.look.taken[at]:
			return s.of[takenTone]
		case e.Kind == diagram.Transition && f.effect.edges[at]:
			return s.of[wouldTone]
		}
	}
	switch span.Kind {
	case cells.Name, cells.Mark:
		switch {
		case f.effect.entered[n]:
			return s.of[wouldTone].Bold(true).Underline(true)
		case f.effect.exited[n]:
			return s.of[activeTone].StrikeThrough(true)
		case f.look.active[n]:
			return s.of[activeTone]
		}
		return s.of[titleTone]
	case cells.Border:
		if f.look.active[n] && !f.views.tree {
			return s.of[activeTone].Reverse(false)
		}
		return s.of[dimTone]
	case cells.Event:
		return s.of[plainTone]
	case cells.Target:
		return s.of[plainTone]
	}
	return s.of[dimTone]
}

// spanClick returns what a click on a part of the chart does, or nil: a transition selects its event.
func (f *Front) spanClick(span cells.Span) func() {
	if span.Edge == nil || !f.look.active[span.Edge.Source] {
		return nil
	}
	for _, descriptor := range span.Edge.Transition.Events() {
		for i := range f.look.events {
			if e := &f.look.events[i]; e.name() == descriptor || e.Name == descriptor {
				return func() { f.chosen = e.name() }
			}
		}
	}
	return nil
}
