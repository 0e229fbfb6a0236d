package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Growth is something that became ever more on one path of a search that did not visit all states: a data
// item that had ever new values, or a delayed event of which ever more were pending. It says what was seen,
// not that there is no end. Without such a thing, it is an input during which the memory was full.
type Growth struct {
	Kind   GrowthKind
	Name   string             // a location as "board.moves", the name of the event, or the input
	Count  int                // how many values it had, or how many were pending at last
	Inputs int                // of the path
	Last   []string           // the last values, shortened
	Pos    datamodel.Position // of the data item or the <send>; may not be valid
}

// A GrowthKind is what grows.
type GrowthKind string

const (
	DataGrows   GrowthKind = "data"
	TimersGrow  GrowthKind = "timer"
	InputGrows  GrowthKind = "input"
	leastValues            = 8 // different ones of a data item that grows
	leastTimers            = 4
	mostGrowths            = 5 // that are reported
	growthPath             = 200
	growthTime             = 500 * time.Millisecond
	growthAfter            = 2 * time.Second
)

// String says what was seen: "turnstile.scxml:3:5: coins had 501 values on one path of 1000 inputs, at last 499, 500".
func (g Growth) String() string {
	text := fmt.Sprintf("%s had %d values on one path of %d inputs, at last %s", g.Name, g.Count, g.Inputs, strings.Join(g.Last, ", "))
	switch g.Kind {
	case InputGrows:
		text = "the memory was full while the chart started"
		if g.Inputs > 0 {
			text = fmt.Sprintf("the memory was full while the chart did what follows from %s, the last of %d inputs", g.Name, g.Inputs)
		}
	case TimersGrow:
		text = fmt.Sprintf("%d delayed events %q are pending after one path of %d inputs", g.Count, g.Name, g.Inputs)
	}
	if g.Pos.IsValid() {
		text = g.Pos.String() + ": " + text
	}
	return text
}

// A measured system tells what may grow in its present state: data with their values, and delayed events by
// name, one call for each.
type measured interface {
	measure(note func(g Growth, value string))
}

// A trail is what was seen of something along a path.
type trail struct {
	Growth
	seen map[hash]bool // values
	now  int           // how many are pending
	last int           // the input at which there was a new value, or more than ever
}

// inside notes during which input the memory was full, if it was.
func (s *search) inside(ctx context.Context, states []state, visits []visit) {
	if s.lost || stopped(ctx) != "memory" {
		return
	}
	for i := range visits {
		if in := visits[i].interrupted; in != nil {
			s.growth = []Growth{{Kind: InputGrows, Name: in.String(), Inputs: len(s.path(states[i].number)) + 1}}
			return
		}
	}
}

// grows replays the path to the state that was found last, one of those that are the farthest.
func (s *search) grows() []Growth {
	path := s.path(int32(s.found.size) - 1)
	if s.start == nil || len(path) < leastValues {
		return nil
	}
	if s.replays == nil {
		system, err := s.newSystem()
		if err != nil {
			return nil
		}
		s.replays = system
	}
	if s.replays.LoadState(s.start) != nil {
		return nil
	}
	return growthOn(s.replays, path)
}

// growthOn takes a path, and returns what grows on it.
func growthOn(system System, path []Input) []Growth {
	m, ok := system.(measured)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), growthTime)
	defer cancel()
	trails := map[string]*trail{}
	var all []*trail
	at := 0 // the input
	note := func(g Growth, value string) {
		t := trails[string(g.Kind)+g.Name]
		if t == nil {
			t = &trail{Growth: g, seen: map[hash]bool{}}
			trails[string(g.Kind)+g.Name] = t
			all = append(all, t)
		}
		if g.Kind == TimersGrow {
			t.now++
			return
		}
		if h := hashOf([]byte(value)); !t.seen[h] {
			t.seen[h] = true
			t.Count, t.last = len(t.seen), at
			t.Last = append(t.Last[max(0, len(t.Last)-2):], short(value))
		}
	}
	m.measure(note)
	for _, in := range path[:min(len(path), growthPath)] {
		for _, t := range all {
			t.now = 0
		}
		if system.Apply(ctx, in) != nil || ctx.Err() != nil {
			break
		}
		at++
		m.measure(note)
		for _, t := range all {
			if t.Kind == TimersGrow && t.now > t.Count {
				t.Count, t.last = t.now, at
			}
		}
	}
	var found []Growth
	for _, t := range all {
		least := leastValues
		if t.Kind == TimersGrow {
			least = leastTimers
		}
		if t.Count >= least && t.last > at*3/4 {
			t.Inputs = at
			found = append(found, t.Growth)
		}
	}
	return found[:min(len(found), mostGrowths)]
}

// measure tells of the data items of the session, and of the delayed events of all sessions.
func (s *Session) measure(note func(Growth, string)) {
	for _, id := range s.chart.AllData() {
		if s.view.keep != nil {
			break // only the values of expressions make a difference
		}
		if v, err := s.Session.Eval(context.Background(), id); err == nil {
			measureData(func(g Growth, value string) {
				if !s.view.drops(g.Name) {
					note(g, value)
				}
			}, Growth{Kind: DataGrows, Name: id, Pos: s.chart.DataPos(id)}, v, 0)
		}
	}
	scxml.ForSearch(s.Session).Looks() // those of Eval do not count
	for _, d := range scxml.ForTools(s.Session).Delayed() {
		g := Growth{Kind: TimersGrow, Name: d.Message.Event.Name}
		sends := d.Session.Chart().Sends()
		if i := slices.IndexFunc(sends, func(send scxml.SendInfo) bool { return send.Event == g.Name }); i >= 0 {
			g.Pos = sends[i].Pos
		}
		note(g, "")
	}
}

// measureData tells of a value, or of the members of a small object.
func measureData(note func(Growth, string), g Growth, v datamodel.Value, depth int) {
	const deep, members = 3, 20
	if o, ok := v.(*datamodel.Object); ok && depth < deep && 0 < o.Len() && o.Len() <= members {
		for key, part := range o.All() {
			inner := g
			if inner.Name += "." + key; !isName(key) {
				inner.Name = fmt.Sprintf("%s[%s]", g.Name, datamodel.AppendJSON(nil, key))
			}
			measureData(note, inner, part, depth+1)
		}
		return
	}
	note(g, shown(v))
}

// isName reports whether a key can follow a point in a location.
func isName(key string) bool {
	for i, r := range key {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return key != ""
}

// drops reports whether the view leaves out a location.
func (v *view) drops(location string) bool {
	return slices.ContainsFunc(v.dropped, func(d string) bool {
		return location == d || strings.HasPrefix(location, d+".") || strings.HasPrefix(location, d+"[")
	})
}

// short shortens the JSON of a value.
func short(value string) string {
	const most = 40
	if len(value) <= most {
		return value
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(value[:most], ""), len(value))
}

// measure tells of both sides.
func (p *pair) measure(note func(Growth, string)) {
	for i, s := range p.sides {
		s.measure(func(g Growth, value string) {
			g.Name += [...]string{" of the old chart", " of the new chart"}[i]
			note(g, value)
		})
	}
}
