package explore_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

var (
	reduceCharts = flag.Int("explore.reduced", 300, "number of random charts of regions that are searched with and without reduction")
	reduceSeed   = flag.Uint64("explore.reduceseed", 1, "seed of these charts; 0: a fresh one")
)

// A reduced search has the same answers.
func TestReduce(t *testing.T) {
	if *reduceSeed == 0 {
		*reduceSeed = rand.Uint64()
	}
	fewer, full, less := 0, 0, 0
	for n := range *reduceCharts {
		rng := rand.New(rand.NewPCG(*reduceSeed, uint64(n)))
		source := randomchart.Regions(rng)
		chart, err := scxml.Parse("chart.scxml", []byte(source), scxml.WithLimits(scxml.Limits{Microsteps: 50}))
		if err != nil {
			t.Fatalf("chart %d: %v", n, err)
		}
		o := explore.Options{Workers: 1 + rng.IntN(2), Errors: rng.IntN(2) == 0}
		state := func() string { return fmt.Sprintf("s%d_%d", rng.IntN(2), rng.IntN(2)) }
		if rng.IntN(2) == 0 {
			o.Properties = append(o.Properties, explore.Never(fmt.Sprintf("In('%s') && v%d == %d", state(), rng.IntN(2), rng.IntN(3))))
		}
		if rng.IntN(3) == 0 {
			o.Reach = []string{state()}
		}
		want, err := explore.Run(t.Context(), chart, o)
		if err != nil {
			t.Fatalf("chart %d: %v\n%s", n, err, source)
		}
		o.Reduce = true
		got, err := explore.Run(t.Context(), chart, o)
		if err != nil {
			if !strings.Contains(err.Error(), "nothing can be reduced") {
				t.Fatalf("chart %d: %v\n%s", n, err, source)
			}
			continue
		}
		full, less = full+want.States, less+got.States
		if got.States < want.States {
			fewer++
		}
		if answer(got) != answer(want) || got.States > want.States {
			t.Errorf("seed %d, chart %d: a reduced search says\n%s\nwant\n%s\n%+v\n%s", *reduceSeed, n, answer(got), answer(want), o, source)
		}
	}
	t.Logf("seed %d: of %d charts %d have fewer states, all together %d of %d", *reduceSeed, *reduceCharts, fewer, less, full)
	if fewer == 0 {
		t.Error("nothing was reduced")
	}
}

// answer is what a report says, apart from numbers and paths.
func answer(r *explore.Report) string {
	all := []string{r.Verdict.String(), r.Bound, fmt.Sprint(r.Deadlocks)}
	for _, v := range r.Violations {
		all = append(all, string(v.Kind)+" "+v.Property)
	}
	for _, reached := range r.Reached {
		all = append(all, reached.State)
	}
	slices.Sort(all[3:])
	return strings.Join(all, "\n")
}

// Where a region takes part in something that others can notice, it is not reduced.
func TestLocalStates(t *testing.T) {
	const data = `<datamodel><data id="v" expr="0"/><data id="w" expr="0"/><data id="o" expr="[]"/></datamodel>`
	for name, test := range map[string]struct{ a, b, more, property, want string }{
		"apart":              {want: "a1 b1 b2"},
		"own data":           {a: `<transition event="a.x" cond="v == 0"><assign location="v" expr="v + 1"/></transition>`, want: "a1 b1 b2"},
		"own raised event":   {a: `<transition event="a.x"><raise event="a.y"/></transition>`, want: "b1 b2"},
		"event of another":   {a: `<transition event="a.x"><raise event="b"/></transition>`, want: ""},
		"the same event":     {a: `<transition event="b.x"/>`, want: ""},
		"any event":          {a: `<transition event="*"/>`, want: ""},
		"data of another":    {a: `<transition event="a.x" cond="w == 0"/>`, b: `<transition event="b.x"><assign location="w" expr="1"/></transition>`, want: "b2"},
		"a shared object":    {a: `<transition event="a.x"><assign location="v" expr="o"/></transition>`, b: `<transition event="b.x" cond="o.length"/>`, want: "b2"},
		"a property":         {property: "v == 0 || In('b2')", a: `<transition event="a.x"><assign location="v" expr="1"/></transition>`, want: ""},
		"asks for another":   {a: `<transition event="a.x" cond="In('b1')"/>`, want: ""},
		"is asked for":       {b: `<transition event="b.x" cond="In('a1')"/>`, want: "b2"},
		"always":             {a: `<transition cond="w == 1" target="a1"/>`, b: `<transition event="b.x"><assign location="w" expr="1"/></transition>`, want: "b2"},
		"done":               {a: `<transition event="done.state"/>`, want: "b1 b2"},
		"error":              {a: `<transition event="error"/>`, want: "b1 b2"},
		"error of another":   {a: `<transition event="error"/>`, b: `<transition event="b.x"><log expr="v"/></transition>`, want: "b2"},
		"onentry":            {a: `<transition event="a.x" target="a1"/><onentry><raise event="c"/></onentry>`, want: "b1 b2"},
		"a region in it":     {a: `<transition event="a.x" target="a2"/></state><parallel id="a2"><state id="a3"/><state id="a4"/></parallel><state id="a5">`, want: "b1 b2"},
		"of others":          {a: `<transition event="a.x"><foo xmlns="urn:x"/></transition>`, want: "another namespace"},
		"data of its end":    {a: `<transition event="a.x" target="a2"/></state><final id="a2"><donedata><param name="p" expr="w"/></donedata></final><state id="a5"><transition event="w" cond="w"/>`, b: `<transition event="b.x" cond="w"/>`, want: "b2"},
		"delayed":            {a: `<transition event="a.x"><send event="t" delay="1s"/></transition>`, want: "a delayed event"},
		"out of its region":  {a: `<transition event="a.x" target="b2"/>`, want: "leaves a region"},
		"around the regions": {more: `<transition event="reset" target="all"/>`, want: "outside of the regions"},
		"computed code":      {a: `<transition event="a.x" cond="eval('w')"/>`, want: "the word eval"},
		"asks by a variable": {a: `<transition event="a.x" cond="In(v)"/>`, want: "not the name of a state"},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+data+`<parallel id="all">`+test.more+`
				<state id="a"><state id="a1"><transition event="a"/>`+test.a+`</state></state>
				<state id="b"><state id="b1"><transition event="b" target="b2"/>`+test.b+`</state><state id="b2"><transition event="b" target="b1"/></state></state>
				</parallel></scxml>`))
			if err != nil {
				t.Fatal(err)
			}
			var o explore.Options
			if test.property != "" {
				o.Properties = []explore.Property{explore.Always(test.property)}
			}
			all, err := explore.LocalStates(chart, o)
			var local []string
			for i, is := range all {
				if is {
					local = append(local, chart.States()[i].ID())
				}
			}
			switch got := strings.Join(local, " "); {
			case err == nil && got != test.want, err != nil && test.want == "" && !strings.Contains(err.Error(), "in no state"), err != nil && !strings.Contains(err.Error(), test.want):
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}
