package scxml_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestLintIsSound runs random charts with random events. No state is entered that Lint calls
// unreachable, no transition is taken that it calls never taken, no session leaves a state without
// a way out, and each that takes a transition of an endless loop ends by the limit.
func TestLintIsSound(t *testing.T) {
	reported, charts, looped := 0, 0, 0
	for seed := range uint64(3000) {
		g := &generator{rng: rand.New(rand.NewPCG(seed, 3))}
		src := g.chart()
		chart, err := scxml.Parse("f", []byte(src))
		var refused *scxml.DocumentError
		if errors.As(err, &refused) {
			continue // two targets that cannot be entered together, for example
		}
		if err != nil {
			t.Fatal(err)
		}
		charts++
		odd := map[datamodel.Position]scxml.Diagnostic{}
		for _, d := range scxml.Lint("f", []byte(src), scxml.LintOptions{}) {
			odd[d.Pos] = d
			reported++
		}
		check := func(pos datamodel.Position, code string) {
			if d, ok := odd[pos]; ok && d.Code == code {
				t.Fatalf("seed %d: %v, but it is\n%s", seed, d, src)
			}
		}
		left := func(s scxml.State) {
			// The end of the session is not a way out.
			check(s.Pos(), "no-way-out")
		}
		running, loops := true, false
		trace := &scxml.Trace{
			Enter: func(_ *scxml.Session, s scxml.State) { check(s.Pos(), "unreachable-state") },
			Transition: func(_ *scxml.Session, tr scxml.Transition) {
				check(tr.Pos(), "never-taken")
				loops = loops || odd[tr.Pos()].Code == "endless-loop"
			},
			Exit: func(_ *scxml.Session, s scxml.State) {
				if running {
					left(s)
				}
			},
		}
		s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithTrace(trace), scxml.WithLimits(scxml.Limits{Microsteps: 50}), scxml.WithSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Start(context.Background())
		for range 60 {
			if err != nil {
				break
			}
			if s.Send(scxml.Event{Name: g.event()}) != nil {
				break
			}
			_, err = s.Step(context.Background(), time.Time{})
		}
		running = false
		if limit := (*scxml.LimitError)(nil); loops && !errors.As(err, &limit) {
			t.Fatalf("seed %d: a transition in an endless loop is taken, but: %v\n%s", seed, err, src)
		} else if loops {
			looped++
		}
	}
	if looped < 10 {
		t.Errorf("%d charts with a loop: the generator is not what it was", looped)
	}
	if charts < 1000 || reported < 1000 {
		t.Errorf("%d charts with %d findings: the generator is not what it was", charts, reported)
	}
}

// TestLintOfDamagedCharts makes a mistake in a random chart without moving any place. Whatever else
// Lint then finds, it also finds without the mistake.
func TestLintOfDamagedCharts(t *testing.T) {
	structural := []string{"unreachable-state", "never-taken", "no-way-out", "event-not-taken", "unknown-in", "endless-loop", "event-never-raised", "undeclared-name", "undeclared-location", "unknown-send-target"}
	type finding struct {
		pos  datamodel.Position
		code string
	}
	find := func(src string) (found map[finding]scxml.Diagnostic, refused bool) {
		found = map[finding]scxml.Diagnostic{}
		for _, d := range scxml.Lint("f", []byte(src), scxml.LintOptions{}) {
			refused = refused || d.Severity == scxml.SeverityError
			if slices.Contains(structural, d.Code) {
				found[finding{d.Pos, d.Code}] = d
			}
		}
		return found, refused
	}
	kept := 0
	for seed := range uint64(1000) {
		g := &generator{rng: rand.New(rand.NewPCG(seed, 4))}
		src := g.chart()
		chart, err := scxml.Parse("f", []byte(src))
		if err != nil {
			continue
		}
		before, _ := find(src)
		for _, s := range chart.States() {
			// States inside a state that is never entered are not reported.
			if p, ok := s.Parent(); ok {
				if d, ok := before[finding{p.Pos(), "unreachable-state"}]; ok {
					before[finding{s.Pos(), "unreachable-state"}] = d
				}
			}
		}
		for range 20 {
			damaged, inElement := g.damage(src)
			after, refused := find(damaged)
			if !refused {
				continue // the message is about another chart
			}
			for f, d := range after {
				if _, ok := before[f]; !ok && (f.code != "unknown-in" || inElement) {
					t.Fatalf("seed %d: %v, but not without the mistake\n%s\n%s", seed, d, damaged, src)
				}
			}
			kept += len(after)
		}
	}
	if kept < 10_000 {
		t.Errorf("%d findings in all documents with errors: too few", kept)
	}
}

var (
	elementTags = regexp.MustCompile(`</?([a-z]+)[^>]*?(/?)>`)
	values      = regexp.MustCompile(` (?:id|target|event|initial)="([^"]*)"`)
)

// damage makes a mistake in a chart: a wrong element name, or a wrong letter in an id, a reference
// or an event.
func (g *generator) damage(src string) (damaged string, inElement bool) {
	b := []byte(src)
	if g.rng.IntN(2) == 0 {
		all := values.FindAllStringSubmatchIndex(src, -1)
		at := all[g.rng.IntN(len(all))]
		b[at[2]+g.rng.IntN(at[3]-at[2])] = "sz09 *."[g.rng.IntN(7)]
		return string(b), false
	}
	all := elementTags.FindAllStringSubmatchIndex(src, -1)
	first := 1 + g.rng.IntN(len(all)-2) // not the root
	for src[all[first][0]+1] == '/' {
		first--
	}
	last, depth := first, 0 // the end tag
	for ; ; last++ {
		if at := all[last]; at[4] == at[5] {
			depth++
		}
		if src[all[last][0]+1] == '/' {
			depth -= 2
		}
		if depth == 0 {
			break
		}
	}
	name := src[all[first][2]:all[first][3]]
	other := "zzzzz"
	switch kind := g.rng.IntN(3); {
	case kind == 0:
		other = name[:1] + name[2:3] + name[1:2] + name[3:]
	case kind == 1 && (name == "state" || name == "parallel"):
		other = "final" // so that its content is misplaced
	}
	for _, at := range [][]int{all[first], all[last]} {
		for i := at[2]; i < at[3]; i++ {
			if b[i] = ' '; i-at[2] < len(other) {
				b[i] = other[i-at[2]]
			}
		}
	}
	return string(b), true
}

// A generator makes random charts.
type generator struct {
	rng *rand.Rand
	n   int // states so far
	ids []string
	b   strings.Builder
}

func (g *generator) event() string {
	return []string{"a", "b", "a.x", "a.x.y", "b.x"}[g.rng.IntN(5)]
}

func (g *generator) chart() string {
	// The ids have to be known before transitions can name them.
	shape := g.shape(0)
	g.b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">` + "\n")
	for _, s := range shape {
		g.write(s)
	}
	g.b.WriteString("</scxml>")
	return g.b.String()
}

// A shape is a state without transitions.
type shape struct {
	kind, id string
	children []shape
}

func (g *generator) shape(depth int) []shape {
	var all []shape
	for range 1 + g.rng.IntN(4) {
		s := shape{kind: "state", id: fmt.Sprintf("s%d", g.n)}
		g.n++
		g.ids = append(g.ids, s.id)
		if depth < 3 && g.rng.IntN(3) == 0 {
			if g.rng.IntN(2) == 0 {
				s.kind = "parallel"
			}
			s.children = g.shape(depth + 1)
			if g.rng.IntN(3) == 0 {
				h := shape{kind: "history", id: fmt.Sprintf("s%d", g.n)}
				g.n++
				g.ids = append(g.ids, h.id)
				s.children = append(s.children, h)
			}
		}
		all = append(all, s)
	}
	return all
}

func (g *generator) write(s shape) {
	fmt.Fprintf(&g.b, "<%s id=%q", s.kind, s.id)
	if s.kind == "state" && len(s.children) > 1 && g.rng.IntN(2) == 0 {
		fmt.Fprintf(&g.b, " initial=%q", s.children[g.rng.IntN(len(s.children))].id)
	}
	g.b.WriteString(">\n")
	for range g.rng.IntN(3) {
		g.b.WriteString("<transition")
		eventless := g.rng.IntN(6) == 0
		if !eventless {
			fmt.Fprintf(&g.b, " event=%q", g.descriptors())
		}
		if g.rng.IntN(3) == 0 {
			g.b.WriteString([]string{` cond="true"`, ` cond="1 &gt; 2"`, ` cond="Math.random() &gt; 0.5"`}[g.rng.IntN(3)])
		}
		if eventless || g.rng.IntN(5) > 0 {
			fmt.Fprintf(&g.b, " target=%q", g.target())
		}
		if g.rng.IntN(3) == 0 {
			g.b.WriteString(` type="internal"`)
		}
		g.b.WriteString("/>\n")
	}
	if g.rng.IntN(4) == 0 {
		fmt.Fprintf(&g.b, "<onentry><raise event=%q/><log expr=\"In('s%d')\"/></onentry>\n", []string{"a", "a.x.y", "b.y", "c"}[g.rng.IntN(4)], g.rng.IntN(g.n+1))
	}
	for _, c := range s.children {
		if c.kind == "history" {
			deep := ""
			if g.rng.IntN(2) == 0 {
				deep = ` type="deep"`
			}
			fmt.Fprintf(&g.b, "<history id=%q%s><transition target=%q/></history>\n", c.id, deep, s.children[0].id)
		} else {
			g.write(c)
		}
	}
	fmt.Fprintf(&g.b, "</%s>\n", s.kind)
}

func (g *generator) target() string {
	target := g.ids[g.rng.IntN(len(g.ids))]
	if g.rng.IntN(6) == 0 {
		target += " " + g.ids[g.rng.IntN(len(g.ids))]
	}
	return target
}

func (g *generator) descriptors() string {
	all := []string{"a", "b", "a.x", "a.x.y.*", "*", "b.x", "b."}
	d := all[g.rng.IntN(len(all))]
	if g.rng.IntN(4) == 0 {
		d += " " + all[g.rng.IntN(len(all))]
	}
	return d
}
