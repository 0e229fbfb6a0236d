package behavioral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// This file compares programs of random b-threads with a literal transcription of the rules.

// A script is a b-thread that goes from step to step.
type script []step

type step struct{ Requests, Waits, Blocks []clause }

// A clause is a bid. N is -1 for none.
type clause struct {
	Name, Except string
	N, Priority  int
}

const scriptChart = `<datamodel><data id="steps"/><data id="i" expr="0"/><data id="c"/></datamodel>
<state id="at">
  <onentry>
    <foreach array="steps[i].Requests" item="c">
      <if cond="c.N &lt; 0"><b:request eventexpr="c.Name" priority="c.Priority"/>
      <else/><b:request eventexpr="c.Name" priority="c.Priority"><param name="n" expr="c.N"/></b:request></if>
    </foreach>
    <foreach array="steps[i].Waits" item="c">
      <if cond="c.Except != ''"><b:wait eventexpr="c.Name" except="a.x"/>
      <elseif cond="c.N &lt; 0"/><b:wait eventexpr="c.Name"/>
      <else/><b:wait eventexpr="c.Name"><param name="n" expr="c.N"/></b:wait></if>
    </foreach>
    <foreach array="steps[i].Blocks" item="c">
      <if cond="c.Except != ''"><b:block eventexpr="c.Name" except="a.x"/>
      <elseif cond="c.N &lt; 0"/><b:block eventexpr="c.Name"/>
      <else/><b:block eventexpr="c.Name"><param name="n" expr="c.N"/></b:block></if>
    </foreach>
    <assign location="c" expr="null"/>
  </onentry>
  <transition event="*" target="at">
    <assign location="i" expr="(i + _event.name.length + (_event.data ? _event.data.n : 0) + 1) % steps.length"/>
  </transition>
</state>`

func randomScript(r *rand.Rand) script {
	clauses := func(most int, patterns bool) []clause {
		all := []clause{}
		for range r.IntN(most + 1) {
			c := clause{Name: []string{"a", "a.x", "ab", "b"}[r.IntN(4)], N: r.IntN(4) - 1, Priority: []int{0, 0, 0, 0, 1, -1}[r.IntN(6)]}
			if patterns && r.IntN(4) == 0 {
				c.Name, c.Except, c.N = "*", []string{"", "a.x"}[r.IntN(2)], -1
			}
			all = append(all, c)
		}
		return all
	}
	s := make(script, 1+r.IntN(6))
	for i := range s {
		s[i] = step{clauses(3, false), clauses(2, true), clauses(r.IntN(2), true)}
	}
	return s
}

// occurs is an event. n is -1 for none.
type occurs struct {
	name string
	n    int
}

func (c clause) matches(e occurs) bool {
	is := func(d string) bool { return d == "*" || e.name == d || strings.HasPrefix(e.name, d+".") }
	return is(c.Name) && (c.Except == "" || !is(c.Except)) && (c.N < 0 || c.N == e.n)
}

// An oracle is a program in the most literal way. Its state is the step of each script.
type oracle struct {
	scripts  []script
	external []occurs
	fewest   bool
}

func (o *oracle) blocked(at []int, e occurs) bool {
	for i, s := range o.scripts {
		if slices.ContainsFunc(s[at[i]].Blocks, func(c clause) bool { return c.matches(e) }) {
			return true
		}
	}
	return false
}

func (o *oracle) hears(at []int, i int, e occurs) bool {
	s := o.scripts[i][at[i]]
	return slices.ContainsFunc(s.Waits, func(c clause) bool { return c.matches(e) }) ||
		slices.ContainsFunc(s.Requests, func(c clause) bool { return occurs{c.Name, c.N} == e })
}

// free returns what a b-thread requests at a priority and nobody blocks, each event once or as often as it
// is requested.
func (o *oracle) free(at []int, i, priority int) (all []occurs, times int) {
	for _, c := range o.scripts[i][at[i]].Requests {
		e := occurs{c.Name, c.N}
		if c.Priority != priority || o.blocked(at, e) {
			continue
		}
		times++
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all, times
}

// selectable returns what can be selected, and whether anything is requested.
func (o *oracle) selectable(at []int) (all []occurs, requested bool) {
	for i, s := range o.scripts {
		requested = requested || len(s[at[i]].Requests) > 0
	}
	for priority := 1; priority >= -1 && all == nil; priority-- {
		fewest := math.MaxInt
		for i := range o.scripts {
			free, times := o.free(at, i, priority)
			switch {
			case !o.fewest:
				for _, e := range free {
					if !slices.Contains(all, e) {
						all = append(all, e)
					}
				}
			case times > 0 && times < fewest:
				fewest, all = times, free
			}
		}
	}
	return all, requested
}

// inputs returns what may come next.
func (o *oracle) inputs(at []int) (all []occurs, final bool) {
	all, requested := o.selectable(at)
	if len(all) > 0 {
		return all, false
	}
	for _, e := range o.external {
		heard := false
		for i := range o.scripts {
			heard = heard || o.hears(at, i, e)
		}
		if heard && !o.blocked(at, e) {
			all = append(all, e)
		}
	}
	return all, len(all) == 0 && !requested
}

func (o *oracle) after(at []int, e occurs) []int {
	next := slices.Clone(at)
	for i, s := range o.scripts {
		if o.hears(at, i, e) {
			next[i] = (at[i] + len(e.name) + max(e.n, 0) + 1) % len(s)
		}
	}
	return next
}

// search counts states, transitions that change something, and deadlocks.
func (o *oracle) search() (states, transitions, deadlocks int) {
	seen := map[string]bool{}
	first := make([]int, len(o.scripts))
	seen[fmt.Sprint(first)] = true
	for open := [][]int{first}; len(open) > 0; open = open[1:] {
		at := open[0]
		states++
		inputs, final := o.inputs(at)
		changed := 0
		for _, e := range inputs {
			next := o.after(at, e)
			if slices.Equal(next, at) {
				continue
			}
			changed++
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				open = append(open, next)
			}
		}
		transitions += changed
		if changed == 0 && !final {
			deadlocks++
		}
	}
	return states, transitions, deadlocks
}

func (e occurs) event() scxml.Event {
	if e.n < 0 {
		return scxml.Event{Name: e.name}
	}
	return scxml.Event{Name: e.name, Data: map[string]any{"n": e.n}}
}

func TestRandomPrograms(t *testing.T) {
	chart := parse(t, scriptChart)
	most := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := &oracle{fewest: r.IntN(3) == 0}
		var threads []behavioral.Thread
		for i := range 1 + r.IntN(5) {
			o.scripts = append(o.scripts, randomScript(r))
			threads = append(threads, behavioral.Thread{Name: fmt.Sprint("t", i), Chart: chart, Data: map[string]any{"steps": o.scripts[i]}})
		}
		var opts []behavioral.Option
		if o.fewest {
			opts = append(opts, behavioral.WithFewestFirst())
		}
		for range r.IntN(3) {
			e := occurs{[]string{"a", "a.x", "c"}[r.IntN(3)], r.IntN(3) - 1}
			if !slices.Contains(o.external, e) {
				o.external = append(o.external, e)
				opts = append(opts, behavioral.WithExternal(e.event()))
			}
		}
		p := newProgram(t, threads, opts...)
		var report *explore.Report
		var first string
		for workers := 1; workers <= 3; workers++ {
			var err error
			report, err = explore.Search(t.Context(), p.System, explore.Options{
				Workers: workers, Properties: []explore.Property{explore.Never("data('t0', 'i') == 1")},
			})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got := fmt.Sprintf("%+v", *report); workers == 1 {
				first = got
			} else if got != first {
				t.Errorf("seed %d: with %d workers %s, with one %s", seed, workers, got, first)
			}
		}
		states, transitions, deadlocks := o.search()
		most = max(most, states)
		if report.States != states || report.Transitions != transitions || report.Deadlocks != deadlocks {
			t.Errorf("seed %d: %d states, %d transitions, %d deadlocks: want %d, %d, %d", seed,
				report.States, report.Transitions, report.Deadlocks, states, transitions, deadlocks)
		}

		// A run takes what is selectable, the first one without a seed. Events from outside wait until
		// nobody blocks them.
		if seed%2 == 0 {
			p = newProgram(t, threads, append(opts, behavioral.WithSeed(seed))...)
		}
		at := make([]int, len(o.scripts))
		queue := slices.Clone(o.external)
		for _, e := range queue {
			if err := p.Send(e.event()); err != nil {
				t.Fatal(err)
			}
		}
		for range 30 {
			free, requested := o.selectable(at)
			outside := slices.IndexFunc(queue, func(e occurs) bool { return !o.blocked(at, e) })
			if p.Ended() == requested || p.Stuck() != (requested && free == nil) {
				t.Fatalf("seed %d: at %v it has ended: %v, is stuck: %v", seed, at, p.Ended(), p.Stuck())
			}
			s, ok, err := p.Step(t.Context())
			if err != nil || ok != (free != nil || outside >= 0) {
				t.Fatalf("seed %d: at %v: step %v, %v", seed, at, ok, err)
			}
			if !ok {
				break
			}
			taken := occurs{s.Event.Name, -1}
			if data, err := scxml.EventData[map[string]int](s.Event); err == nil && data != nil {
				taken.n = data["n"]
			}
			switch {
			case free == nil && taken == queue[outside]:
				queue = slices.Delete(queue, outside, outside+1)
			case free == nil || seed%2 != 0 && taken != free[0] || !slices.Contains(free, taken):
				t.Fatalf("seed %d: at %v: %v was selected from %v", seed, at, taken, free)
			}
			at = o.after(at, taken)
		}
	}
	if most < 50 {
		t.Errorf("the largest program has %d states", most)
	}
}
