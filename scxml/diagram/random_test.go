package diagram

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var (
	randomCharts = flag.Int("random.charts", 400, "number of random charts that are laid out")
	randomSeed   = flag.Uint64("random.seed", 1, "seed of the random charts; 0: a fresh one, which is printed")
)

// A drawer makes random charts.
type drawer struct {
	*rand.Rand
	b      strings.Builder
	states int      // that there still can be
	ids    []string // of states, and of those around them
	around map[string][]string
	kinds  map[string]string
}

// randomChart returns a chart with about n states. Some of its transitions are not legal; those are left out.
func randomChart(rng *rand.Rand, n int) string {
	d := &drawer{Rand: rng, states: n, around: make(map[string][]string), kinds: make(map[string]string)}
	d.plan(nil, 0)
	for len(d.ids) < n {
		d.plan(nil, 0)
	}
	d.b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="random">`)
	d.write("")
	d.b.WriteString("</scxml>")
	return d.b.String()
}

// plan makes a state and those in it.
func (d *drawer) plan(above []string, depth int) {
	id := fmt.Sprintf("s%d", len(d.ids))
	d.states--
	kind := "state"
	children := 0
	if depth < 4 && d.states > 2 && d.IntN(3) == 0 {
		children = 1 + d.IntN(4)
		if d.IntN(4) == 0 {
			kind, children = "parallel", children+1
		}
	} else if d.IntN(8) == 0 && (len(above) == 0 || d.kinds[above[len(above)-1]] == "state") {
		kind = "final"
	}
	d.ids = append(d.ids, id)
	d.around[id] = above
	d.kinds[id] = kind
	for range children {
		d.plan(append(above[:len(above):len(above)], id), depth+1)
	}
	if children > 0 && d.IntN(4) == 0 {
		h := id + "h"
		d.ids = append(d.ids, h)
		d.around[h] = append(above[:len(above):len(above)], id)
		d.kinds[h] = "history"
	}
}

func (d *drawer) children(id string) []string {
	var all []string
	for _, c := range d.ids {
		if a := d.around[c]; len(a) == 0 && id == "" || len(a) > 0 && a[len(a)-1] == id {
			all = append(all, c)
		}
	}
	return all
}

func (d *drawer) write(id string) {
	for _, c := range d.children(id) {
		inner := d.children(c)
		switch kind := d.kinds[c]; kind {
		case "history":
			target := d.pick(d.children(id))
			if d.kinds[target] == "history" {
				target = d.children(id)[0]
			}
			fmt.Fprintf(&d.b, "<history id=%q type=%q><transition target=%q/></history>", c, []string{"deep", "shallow"}[d.IntN(2)], target)
			continue
		default:
			fmt.Fprintf(&d.b, "<%s id=%q>", kind, c)
			if d.IntN(3) == 0 {
				d.b.WriteString(`<onentry><log expr="1"/><send event="e" delay="3s"/></onentry>`)
			}
			if kind == "state" && len(inner) > 0 && d.IntN(3) == 0 {
				fmt.Fprintf(&d.b, "<initial><transition target=%q/></initial>", d.pick(inner))
			}
			if kind != "final" {
				for range d.IntN(4) {
					d.transition()
				}
			}
			d.write(c)
			fmt.Fprintf(&d.b, "</%s>", kind)
		}
	}
}

func (d *drawer) transition() {
	d.b.WriteString("<transition")
	cond := d.IntN(8) > 0
	if cond {
		fmt.Fprintf(&d.b, ` event="%s"`, d.pick([]string{"e", "event.long", "done.state.x error", "push"}))
	} else {
		d.b.WriteString(` cond="false"`)
	}
	if cond && d.IntN(3) == 0 {
		d.b.WriteString(` cond="In('s1') &amp;&amp; x == 'a long text'"`)
	}
	if d.IntN(6) == 0 {
		d.b.WriteString(` type="internal"`)
	}
	if d.IntN(8) > 0 {
		fmt.Fprintf(&d.b, ` target="%s"`, d.targets())
	}
	d.b.WriteString(">")
	for range d.IntN(5) / 3 {
		d.b.WriteString(`<raise event="done"/><log expr="'hello'"/>`)
	}
	d.b.WriteString("</transition>")
}

// targets returns one target, or several in the regions of a parallel.
func (d *drawer) targets() string {
	target := d.pick(d.ids)
	if d.kinds[target] != "parallel" || d.IntN(2) == 0 {
		return target
	}
	var all []string
	for _, c := range d.children(target) {
		if d.kinds[c] != "history" {
			if inner := d.children(c); len(inner) > 0 && d.IntN(2) == 0 {
				c = d.pick(inner)
			}
			all = append(all, c)
		}
	}
	return strings.Join(all, " ")
}

func (d *drawer) pick(from []string) string { return from[d.IntN(len(from))] }

// TestRandomLayouts checks on random charts what holds for each picture.
func TestRandomLayouts(t *testing.T) {
	seed := *randomSeed
	if seed == 0 {
		seed = rand.Uint64()
		t.Logf("seed %d", seed)
	}
	legal := 0
	for i := range *randomCharts {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		source := randomChart(rng, 2+rng.IntN(40))
		chart, err := scxml.Parse("random.scxml", []byte(source))
		if err != nil {
			t.Logf("chart %d: %v", i, err)
			continue
		}
		legal++
		l := laidOut(t, chart)
		if problem := l.check(); problem != "" {
			t.Errorf("chart %d of seed %d: %s\n%s", i, seed, problem, source)
			return
		}
	}
	if legal*10 < *randomCharts*8 {
		t.Errorf("%d of %d charts are legal: the generator is at fault", legal, *randomCharts)
	}
}

// check returns what is wrong with a picture, or "".
func (l *Layout) check() string {
	all := Rect{0, 0, l.Width, l.Height}
	for _, b := range l.boxes {
		r := l.Boxes[b.node.Index]
		if p := b.node.Parent; p != nil && !inside(r, l.Boxes[p.Index]) {
			return fmt.Sprintf("%s at %v is not inside of %s at %v", b.node.ID, r, p.ID, l.Boxes[p.Index])
		}
		for _, c := range b.children {
			for _, d := range b.children {
				if c != d && overlap(l.Boxes[c.node.Index], l.Boxes[d.node.Index]) {
					return fmt.Sprintf("%s and %s overlap", c.node.ID, d.node.ID)
				}
			}
		}
	}
	for i := range l.Routes {
		r := &l.Routes[i]
		if !inside(r.Label, all) {
			return fmt.Sprintf("the label of %s at %v is outside of the picture", r.Edge.ID, r.Label)
		}
		for j, n := range l.Diagram.Nodes {
			around := r.Edge.Source.Within(n) && r.Edge.Source != n || r.Edge.Source == n && len(n.Children) > 0 && inside(r.Label, l.Boxes[j])
			if !around && overlap(r.Label, l.Boxes[j]) && !(inside(r.Label, l.Boxes[j]) && len(n.Children) > 0 && r.Edge.Targets[0].Within(n)) {
				return fmt.Sprintf("the label of %s at %v overlaps %s at %v", r.Edge.ID, r.Label, n.ID, l.Boxes[j])
			}
		}
		for j := range i {
			if overlap(r.Label, l.Routes[j].Label) {
				return fmt.Sprintf("the labels of %s and %s overlap", r.Edge.ID, l.Routes[j].Edge.ID)
			}
		}
		if problem := l.checkPaths(r); problem != "" {
			return problem
		}
	}
	return ""
}

func (l *Layout) checkPaths(r *Route) string {
	e := r.Edge
	if len(e.Targets) > 0 && len(r.Paths) == 0 {
		return e.ID + " is missing"
	}
	arrows := 0
	for i, path := range r.Paths {
		if r.Arrows[i] {
			end := path[len(path)-1]
			if box := l.Boxes[e.Targets[arrows].Index]; !onBorder(end, box) && !e.Targets[arrows].IsRound() {
				return fmt.Sprintf("%s ends at %v and not at %s at %v", e.ID, end, e.Targets[arrows].ID, box)
			}
			arrows++
		}
		for k := 1; k < len(path); k++ {
			a, b := path[k-1], path[k]
			line := Rect{min(a.X, b.X), min(a.Y, b.Y), abs(a.X - b.X), abs(a.Y - b.Y)}
			if line.W > 0 && line.H > 0 {
				return fmt.Sprintf("%s is not horizontal or vertical from %v to %v", e.ID, a, b)
			}
			for j, n := range l.Diagram.Nodes {
				belongs := e.Source.Within(n) && (e.Source != n || len(n.Children) > 0)
				for _, target := range e.Targets {
					belongs = belongs || target.Within(n) && (target != n || len(n.Children) > 0 && e.Source.Within(n))
				}
				if !belongs && !n.IsRound() && crosses(line, l.Boxes[j]) {
					return fmt.Sprintf("%s from %v to %v crosses %s at %v", e.ID, a, b, n.ID, l.Boxes[j])
				}
				if head := l.boxes[j].headRect(); crosses(line, head) {
					return fmt.Sprintf("%s from %v to %v crosses the name of %s at %v", e.ID, a, b, n.ID, head)
				}
			}
			for j := range l.Routes {
				if crosses(line, l.Routes[j].Label) {
					return fmt.Sprintf("%s from %v to %v crosses the label of %s at %v", e.ID, a, b, l.Routes[j].Edge.ID, l.Routes[j].Label)
				}
			}
		}
	}
	if arrows != len(e.Targets) {
		return fmt.Sprintf("%s has %d arrows", e.ID, arrows)
	}
	return ""
}

// headRect returns where the name and the rows of a box are.
func (b *box) headRect() Rect {
	if b.graph == nil {
		return Rect{}
	}
	return Rect{b.at.X, b.at.Y, b.head.X, b.head.Y}
}

func inside(r, s Rect) bool {
	return r.X >= s.X && r.Y >= s.Y && r.X+r.W <= s.X+s.W && r.Y+r.H <= s.Y+s.H
}

func overlap(r, s Rect) bool {
	return r.W > 0 && s.W > 0 && r.X < s.X+s.W && s.X < r.X+r.W && r.Y < s.Y+s.H && s.Y < r.Y+r.H
}

// crosses reports whether a line crosses the inside of a rectangle.
func crosses(line, r Rect) bool {
	return r.W > 0 && line.X < r.X+r.W && line.X+line.W > r.X && line.Y < r.Y+r.H && line.Y+line.H > r.Y
}

func onBorder(p Point, r Rect) bool {
	return p.X >= r.X && p.X <= r.X+r.W && p.Y >= r.Y && p.Y <= r.Y+r.H &&
		(p.X == r.X || p.X == r.X+r.W || p.Y == r.Y || p.Y == r.Y+r.H)
}

// A new name changes the order of nothing. If it is about as long as the old one, it moves nothing either.
func TestRename(t *testing.T) {
	for i := range uint64(100) {
		source := randomChart(rand.New(rand.NewPCG(2, i)), 30)
		chart, err := scxml.Parse("random.scxml", []byte(source))
		if err != nil {
			continue
		}
		before := laidOut(t, chart)
		for _, name := range []string{"pull", "a-very-long-event-that-needs-room"} {
			after := laidOut(t, parse(t, strings.ReplaceAll(source, `"push"`, `"`+name+`"`)))
			for j, b := range before.boxes {
				if b.graph != nil && !reflect.DeepEqual(b.graph.layers, after.boxes[j].graph.layers) {
					t.Errorf("chart %d: the layers of %s are %v, and %v after push is renamed to %s", i, b.node.ID, b.graph.layers, after.boxes[j].graph.layers, name)
				}
			}
			if name != "pull" {
				continue
			}
			for j := range before.Routes {
				if !reflect.DeepEqual(before.Routes[j].Paths, after.Routes[j].Paths) || before.Routes[j].Label != after.Routes[j].Label {
					t.Errorf("chart %d: %s moves when push is renamed to %s", i, before.Routes[j].Edge.ID, name)
				}
			}
			if !reflect.DeepEqual(before.Boxes, after.Boxes) {
				t.Errorf("chart %d: boxes move when push is renamed to %s", i, name)
			}
		}
	}
}
