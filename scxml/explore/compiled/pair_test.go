package compiled_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

// Random charts are compared, each with one that was changed a little, with the same result by sessions and by a program.
func TestRandomPairs(t *testing.T) { testRandom(t, randomPair) }

// spin has an input that exceeds a limit and changes an object meanwhile, and counts to five.
const spin = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/><data id="o" expr="({x: 0})"/></datamodel>
	<state id="a"><transition event="spin" target="loop"/><transition event="go" target="b"><log label="at" expr="o"/></transition>
		<transition event="up" cond="n &lt; 5"><script>n++; o.x = n % 2</script><send event="step"><param name="o" expr="o"/></send></transition>
		<transition event="off" cond="n == 5" target="over"/></state>
	<state id="loop"><transition target="loop"><script>o.x = 7</script></transition></state>
	<state id="b"><transition event="spin" target="loop"/><transition event="back" target="a"/><transition event="bad" cond="n == 4"><script>nowhere.x = n</script></transition></state>
	<final id="over"/></scxml>`

// What differs is found by a program, and what is the same in spite of other names and steps.
func TestPairs(t *testing.T) {
	parse := func(source string) *scxml.Chart { return parseText(t, source) }
	var all []*subject
	for _, test := range []struct{ name, old, new, want string }{
		{"same", "", "", ""},
		{"refactored", `n++; o.x = n % 2`, `o.x = 1 - o.x; n = n + 1`, ""},
		{"renamed", `"loop"`, `"around"`, ""},
		{"raised", `<send event="step">`, `<raise event="more"/><send event="step">`, ""},
		{"guard", `n &lt; 5`, `n &lt; 4`, "send"},
		{"data", `n % 2`, `n % 3`, "send"},
		{"sent to nobody", `event="back" target="a"/>`, `event="back" target="a"><send event="bell"/></transition>`, "send"},
		{"log", `label="at" expr="o"`, `label="at" expr="n"`, "log"},
		{"state", `event="back" target="a"`, `event="back"`, "state"},
		{"error", `cond="n == 4"`, `cond="n == 3"`, "error"},
		{"end", `<final id="over"/>`, `<state id="over"/>`, "end"},
		{"limit", `<transition target="loop"><script>o.x = 7</script></transition>`, ``, "limit"},
		{"start", `</datamodel>`, `</datamodel><script>nowhere.x = 1</script>`, "error"},
	} {
		s := &subject{name: test.name, old: parse(spin), chart: parse(strings.ReplaceAll(spin, test.old, test.new)), opts: explore.Options{Workers: 2}}
		r, err := s.explore(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, v := range r.Violations {
			got += v.Property
		}
		if got != test.want {
			t.Errorf("%s: sessions differ in %q, want %q", test.name, got, test.want)
		}
		all = append(all, s)
	}
	compareAll(t, all)
}

// randomPair returns two random charts with random options, or nil if one of them is not legal.
func randomPair(t *testing.T, n int) *subject {
	rng := rand.New(rand.NewPCG(*seed, uint64(n)))
	trial, _ := randomTrial(rng)
	still(trial.Chart)
	simple(trial.Chart)
	trial.Chart.Attrs = slices.DeleteFunc(trial.Chart.Attrs, func(text string) bool { return text == "binding" || text == "late" })
	old := parse(trial)
	for range rng.IntN(6) { // many are at places to which nothing leads
		change(rng, trial.Chart)
	}
	chart := parse(trial)
	o := explore.Options{Workers: 1 + rng.IntN(2), MaxStates: 300}
	if timed := rng.IntN(3) == 0; timed {
		text := randomchart.Timed(rng.Uint64(), time.Second)
		old, chart = parseText(t, text), parseText(t, changeTimed(rng, text))
		if rng.IntN(4) == 0 {
			o.Time, o.MaxStates = explore.Any, 60
		}
	}
	if old == nil || chart == nil {
		return nil
	}
	if rng.IntN(5) == 0 {
		o.MaxDepth = 1 + rng.IntN(4)
	}
	given := rng.IntN(4) == 0
	for _, s := range trial.Stimuli {
		if s.Event == "" || !(given || s.Data != nil && rng.IntN(2) == 0) {
			continue
		}
		if given && !slices.Contains(o.Names, s.Event) {
			o.Names = append(o.Names, s.Event)
		}
		if s.Data != nil && len(o.Data[s.Event]) < 3 {
			if o.Data == nil {
				o.Data = map[string][]any{}
			}
			o.Data[s.Event] = append(o.Data[s.Event], s.Data)
		}
	}
	var aspects []explore.Aspect
	for _, a := range explore.Aspects {
		if rng.IntN(2) == 0 {
			aspects = append(aspects, a)
		}
	}
	if rng.IntN(3) == 0 {
		aspects = nil
	}
	return &subject{name: fmt.Sprintf("pair %d of seed %d, by %q", n, *seed, aspects), chart: chart, opts: o, old: old, aspects: aspects}
}

// simple makes each <send> one of an event that the chart itself gets.
func simple(e *randomchart.Element) {
	for _, c := range e.Children {
		if c.Name == "send" {
			attrs := c.Attrs
			c.Attrs = nil
			for i := 0; i < len(attrs); i += 2 {
				if slices.Contains([]string{"event", "eventexpr", "id", "namelist", "delay"}, attrs[i]) {
					c.Attrs = append(c.Attrs, attrs[i], attrs[i+1])
				}
			}
		}
		simple(c)
	}
}

// changeTimed changes at most one place of a chart that delays events.
func changeTimed(rng *rand.Rand, text string) string {
	change := [][2]string{
		{`delay="1s"`, `delay="2s"`}, {`delay="2s"`, `delay="1s"`}, {`delay="3s"`, `delay="2s"`}, {`<raise event="i"/>`, ``}, {`<cancel sendid="x"/>`, ``},
		{`(n + 1) % 3`, `(n + 2) % 3`}, {`event="a"`, `event="b"`}, {`event="t1" delay`, `event="t2" delay`}, {` id="x"`, ``},
	}[rng.IntN(9)]
	from := rng.IntN(len(text))
	return text[:from] + strings.Replace(text[from:], change[0], change[1], 1)
}

// change makes one change to what the chart does: an element is dropped, comes again or has another one, or an attribute has
// the value that it has elsewhere.
func change(rng *rand.Rand, chart *randomchart.Element) {
	type place struct {
		parent *randomchart.Element
		at     int
	}
	var all []place
	values := map[string][]string{}
	var list func(e *randomchart.Element)
	list = func(e *randomchart.Element) {
		for i := 0; i < len(e.Attrs); i += 2 {
			values[e.Attrs[i]] = append(values[e.Attrs[i]], e.Attrs[i+1])
		}
		for i, c := range e.Children {
			if !slices.Contains([]string{"state", "parallel", "final", "history", "datamodel", "data", "initial"}, c.Name) {
				all = append(all, place{e, i})
			}
			list(c)
		}
	}
	list(chart)
	if len(all) == 0 {
		return
	}
	p := all[rng.IntN(len(all))]
	e := p.parent.Children[p.at]
	switch n := rng.IntN(10); {
	case n < 2:
		p.parent.Children = slices.Delete(p.parent.Children, p.at, p.at+1)
	case n < 3:
		p.parent.Children = slices.Insert(p.parent.Children, p.at, e)
	case n < 6 && slices.Contains([]string{"transition", "onentry", "onexit"}, e.Name):
		e.Children = append(e.Children, []*randomchart.Element{
			{Name: "log", Attrs: []string{"label", "new"}}, {Name: "send", Attrs: []string{"event", "a"}}, {Name: "raise", Attrs: []string{"event", "b"}},
		}[rng.IntN(3)])
	case len(e.Attrs) > 0:
		i := 2 * rng.IntN(len(e.Attrs)/2)
		others := values[e.Attrs[i]]
		e.Attrs[i+1] = others[rng.IntN(len(others))]
	}
}
