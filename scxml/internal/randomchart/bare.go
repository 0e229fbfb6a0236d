package randomchart

import (
	"math/rand/v2"
	"slices"
)

// Bare changes a trial so that its chart has nothing but states without final ones, and transitions. Compiled charts
// have their quickest code for such parts. Transitions are for one of several events, so that few are for the same in
// regions next to each other, and many lead to histories.
func Bare(rng *rand.Rand, t *Trial) {
	g := &chartMaker{Rand: rng}
	g.bare(t.Chart, t.Chart.histories())
	for range 60 {
		t.Stimuli = append(t.Stimuli, Stimulus{Event: g.plainEvent()})
	}
}

func (g *chartMaker) plainEvent() string { return string(rune('a' + g.IntN(10))) }

// histories returns the ids of the histories in an element.
func (e *Element) histories() (ids []string) {
	for _, c := range e.Children {
		if id := c.attr("id"); c.Name == "history" && id != "" {
			ids = append(ids, id)
		}
		ids = append(ids, c.histories()...)
	}
	return ids
}

func (g *chartMaker) bare(e *Element, histories []string) {
	structure := []string{"state", "parallel", "final", "history", "initial", "transition"}
	e.Children = slices.DeleteFunc(e.Children, func(c *Element) bool { return !slices.Contains(structure, c.Name) })
	for _, c := range e.Children {
		if c.Name == "final" {
			c.Name = "state"
		}
		if c.Name == "transition" && e.Name != "history" && e.Name != "initial" {
			if c.attr("event") == "" || g.maybe(80) {
				c.put("event", g.plainEvent())
			}
			if len(histories) > 0 && g.maybe(25) {
				c.put("target", choose(g, histories))
			}
		}
		g.bare(c, histories)
	}
}

// put sets an attribute, which may be there.
func (e *Element) put(name, value string) {
	for i := 0; i < len(e.Attrs); i += 2 {
		if e.Attrs[i] == name {
			e.Attrs[i+1] = value
			return
		}
	}
	e.set(name, value)
}
