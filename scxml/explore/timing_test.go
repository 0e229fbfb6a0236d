package explore_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
)

var (
	timedCharts = flag.Uint64("explore.charts", 20, "how many random charts with delays are searched")
	timedSeed   = flag.Uint64("explore.seed", 1, "seed of the first of them")
	gridInputs  = flag.Int("explore.inputs", 4, "how many inputs a search on the grid tries")
)

// gridStep is the time between the points of the grid. What n inputs lead to depends on how their times
// compare with each other, give or take units of the delays. The times have at most n different fractions of
// a unit, besides 0. So each effect that they can have they also have at times of a grid with n+1 steps to
// the unit.
const gridStep = 100 * time.Millisecond

// timedUnit divides all delays.
func timedUnit() time.Duration { return time.Duration(*gridInputs+1) * gridStep }

// timedStates bounds the states of a search, of which Any finds the most.
const timedStates = 20_000

var timedLimits = []scxml.Option{scxml.WithLimits(scxml.Limits{Microsteps: 50, Timers: 6})}

// A discrete state is one without the times.
func discrete(s *scxml.Session) string {
	var delayed []string
	for _, d := range scxml.ForTools(s).Delayed() {
		delayed = append(delayed, d.Message.Event.Name)
	}
	slices.Sort(delayed)
	n, err := s.Eval(context.Background(), "n")
	return fmt.Sprint(s.Configuration(), s.FinalState(), len(s.Sessions()), n, err, delayed)
}

// A grid searches a chart with concrete times.
type grid struct {
	*scxml.Session
	seen   map[string]int // keys, with their numbers
	open   []int
	bytes  []string       // states by number
	next   [][]arrival    // of the states that were visited
	names  []string       // of the discrete states
	states map[string]int // discrete states, with the number of inputs that lead there, plus 1
}

// An arrival is the state that an input leads to, and how long that takes.
type arrival struct {
	number int
	time   time.Duration
}

func newGrid(t testing.TB, chart *scxml.Chart) *grid {
	s, err := scxml.New(chart, append(timedLimits, scxml.WithSeed(1), scxml.WithAccept(chart.IsUserEvent), scxml.WithClock(func() time.Time { return time.Unix(0, 0) }))...)
	if err != nil {
		t.Fatal(err)
	}
	return &grid{Session: s, seen: map[string]int{}, states: map[string]int{}}
}

// search finds all states that some number of inputs leads to, which come at times of the grid.
func (g *grid) search(t testing.TB) {
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.note(t, 0)
	for depth := 1; depth <= *gridInputs; depth++ {
		level := g.open
		g.open = nil
		for _, number := range level {
			g.visit(t, number, depth)
		}
	}
}

func (g *grid) visit(t testing.TB, number, depth int) {
	load := func() {
		if err := scxml.ForSearch(g.Session).LoadState([]byte(g.bytes[number])); err != nil {
			t.Fatal(err)
		}
	}
	load()
	if g.Status() != scxml.Running {
		return
	}
	last := time.Duration(0)
	due, pending := g.NextDue()
	if pending {
		last = due.Sub(g.Now()) - 1
	}
	next := func(wait time.Duration, event string) {
		load()
		if _, err := g.Do(t.Context(), g.Now().Add(wait), scxml.Event{Name: event}); err == nil {
			g.next[number] = append(g.next[number], arrival{g.note(t, depth), wait})
		}
	}
	for _, event := range g.Enabled() {
		for wait := time.Duration(0); wait <= last; wait += gridStep {
			next(wait, event)
		}
	}
	if pending {
		next(last+1, "")
	}
}

func (g *grid) note(t testing.TB, depth int) int {
	key, err := scxml.ForSearch(g.Session).AppendKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	if number, known := g.seen[string(key)]; known {
		return number
	}
	state, err := scxml.ForSearch(g.Session).AppendState(nil)
	if err != nil {
		t.Fatal(err)
	}
	number := len(g.bytes)
	g.seen[string(key)] = number
	g.open, g.bytes, g.next = append(g.open, number), append(g.bytes, string(state)), append(g.next, nil)
	name := discrete(g.Session)
	if g.names = append(g.names, name); g.states[name] == 0 {
		g.states[name] = depth + 1
	}
	return number
}

// times returns the least and the greatest time that some number of inputs take until they lead to a discrete
// state for the first time.
func (g *grid) times(goal func(name string) bool) (least, most time.Duration, ok bool) {
	least = math.MaxInt64
	now := map[int][2]time.Duration{0: {}}
	for depth := 0; len(now) > 0; depth++ {
		later := map[int][2]time.Duration{}
		for number, at := range now {
			if goal(g.names[number]) {
				least, most, ok = min(least, at[0]), max(most, at[1]), true
				continue
			}
			for _, next := range g.next[number] {
				have, known := later[next.number]
				if !known {
					have = [2]time.Duration{math.MaxInt64, 0}
				}
				later[next.number] = [2]time.Duration{min(have[0], at[0]+next.time), max(have[1], at[1]+next.time)}
			}
		}
		if now = later; depth == *gridInputs {
			break
		}
	}
	return least, most, ok
}

// A noted is the set of discrete states that a search has found.
type noted struct {
	sync.Mutex
	states map[string]bool
}

func (n *noted) property() explore.Property {
	return explore.Property{Name: "note", Holds: func(_ context.Context, s explore.System) (bool, error) {
		n.Lock()
		defer n.Unlock()
		n.states[discrete(s.(*explore.Session).Session)] = true
		return true, nil
	}}
}

// searchZones returns the discrete states that some number of inputs leads to at any times.
func searchZones(t testing.TB, chart *scxml.Chart, timing explore.Timing, depth int) (map[string]bool, *explore.Report) {
	found := &noted{states: map[string]bool{}}
	r := run(t, chart, explore.Options{Time: timing, MaxDepth: depth, MaxStates: timedStates, Session: timedLimits, Properties: []explore.Property{found.property()}})
	return found.states, r
}

// eachTimedChart calls f for random charts.
func eachTimedChart(t *testing.T, f func(t *testing.T, seed uint64, text string, chart *scxml.Chart)) {
	end := *timedSeed + *timedCharts
	if testing.Short() {
		end = *timedSeed + *timedCharts/5
	}
	for seed := *timedSeed; seed < end && !t.Failed(); seed++ {
		text := randomchart.Timed(seed, timedUnit())
		chart, err := scxml.Parse("chart.scxml", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		f(t, seed, text, chart)
	}
}

// The states that are found with zones are those that concrete times lead to, on random charts. Those
// found without time between are some of them, and without delays all of them.
func TestZonesOfRandomCharts(t *testing.T) {
	states, longest := 0, 0
	eachTimedChart(t, func(t *testing.T, seed uint64, text string, chart *scxml.Chart) {
		want := newGrid(t, chart)
		want.search(t)
		got, _ := searchZones(t, chart, explore.Zones, *gridInputs)
		if missing, more := difference(want.states, got); missing != nil || more != nil {
			t.Errorf("seed %d: %d states, want %d: zones lack\n%s\nand have besides\n%s\n%s", seed, len(got), len(want.states),
				strings.Join(missing, "\n"), strings.Join(more, "\n"), text)
		}
		if zero, _ := searchZones(t, chart, explore.Zero, *gridInputs); !contains(got, zero) {
			t.Errorf("seed %d: more states without time between\n%s", seed, text)
		}
		if free, r := searchZones(t, chart, explore.Any, *gridInputs); r.States < timedStates && !contains(free, got) {
			t.Errorf("seed %d: fewer states without delays\n%s", seed, text)
		}
		states += len(got)
		longest = max(longest, len(want.seen))
	})
	t.Logf("%d charts, %d discrete states; up to %d states on the grid", *timedCharts, states, longest)
}

func contains(all, some map[string]bool) bool {
	for name := range some {
		if !all[name] {
			return false
		}
	}
	return true
}

// Each path of a report leads to its state when it is replayed, with zones and without delays.
func TestTimedPathsOfRandomCharts(t *testing.T) {
	paths, waits := 0, 0
	eachTimedChart(t, func(t *testing.T, seed uint64, text string, chart *scxml.Chart) {
		var names []string
		for _, st := range chart.States() {
			names = append(names, st.Name())
		}
		for _, timing := range []explore.Timing{explore.Zones, explore.Any} {
			r := run(t, chart, explore.Options{Time: timing, Reach: names, MaxDepth: 6, MaxStates: 1000, Session: timedLimits})
			for _, reached := range r.Reached {
				s, _ := replay(t, chart, reached.Path)
				if !s.In(reached.State) && s.FinalState() != reached.State {
					t.Errorf("seed %d, %v: %v\nleads to %v\n%s", seed, timing, reached, s.Configuration(), text)
				}
				paths++
				waits += strings.Count(lines(reached.Path), "advance")
			}
			for _, v := range r.Violations {
				s, _ := replay(t, chart, v.Path)
				if got := fmt.Sprint(s.Configuration()); v.Kind == explore.Deadlock && got != fmt.Sprint(v.Configuration) {
					t.Errorf("seed %d, %v: %v\nleads to %v\n%s", seed, timing, v, got, text)
				}
			}
		}
	})
	t.Logf("%d paths with %d waits", paths, waits)
}

// replay gives a session the inputs of a path, and returns how long that took.
func replay(t testing.TB, chart *scxml.Chart, path []explore.Input) (*scxml.Session, time.Duration) {
	s, err := scxml.New(chart, append(timedLimits, scxml.WithSeed(1), scxml.WithClock(func() time.Time { return time.Unix(0, 0) }))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := s.Now()
	var limit *scxml.LimitError // the violation may be one
	for _, in := range path {
		if _, err := s.Do(t.Context(), s.Now().Add(in.Wait), scxml.Event{Name: in.Event, Data: in.Data}); err != nil && !errors.As(err, &limit) {
			t.Fatal(err)
		}
	}
	return s, s.Now().Sub(began)
}

// A run on which a delayed event stays pending forever does not count, because time passes. One on which it is
// cancelled again and again does.
func TestLeadsToWithDelays(t *testing.T) {
	const (
		timer  = `<onentry><send event="x" id="x" delay="5s"/></onentry>`
		put    = timer + `<onexit><cancel sendid="x"/></onexit>`
		toggle = `<state id="r"><state id="on"><transition event="e" target="off"/></state><state id="off"><transition event="e" target="on"/></state></state>`
		tick   = `<state id="t"><onentry><send event="y" delay="1s"/></onentry><transition event="y" target="t"/></state>`
	)
	for _, test := range []struct{ name, inside, want string }{
		{"toggled", `<parallel id="p"><state id="q"><state id="a">` + timer + `<transition event="x" target="b"/></state><state id="b"/></state>` + toggle + `</parallel>`, ""},
		{"put off to the same state", `<state id="a">` + put + `<transition event="e" target="a"/><transition event="x" target="b"/></state><state id="b"/>`, " then e"},
		{"put off", `<state id="a">` + put + `<transition event="e" target="c"/><transition event="x" target="b"/></state>
			<state id="c">` + put + `<transition event="e" target="a"/><transition event="x" target="b"/></state><state id="b"/>`, " then e, e"},
		{"another is put off", `<parallel id="p"><state id="q"><state id="a"><onentry><send event="y" delay="6s"/></onentry><transition event="y" target="b"/></state><state id="b"/></state>
			<state id="r"><state id="c">` + put + `<transition event="e" target="d"/></state><state id="d">` + put + `<transition event="e" target="c"/></state></state></parallel>`, ""},
		{"ticks", `<parallel id="p"><state id="q"><state id="a"><transition event="z" target="b"/></state><state id="b"/></state>` + toggle + tick + `</parallel>`, ""},
		{"only ticks", `<parallel id="p"><state id="q"><state id="a"><transition event="z" cond="false" target="b"/></state><state id="b"/></state>` + tick + `</parallel>`, " then "},
		{"toggles and ticks", `<parallel id="p"><state id="q"><state id="a"><transition event="z" cond="false" target="b"/></state><state id="b"/></state>` + toggle + tick + `</parallel>`, " then e, e"},
	} {
		leads, err := explore.LeadsTo("In('a') => In('b')")
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, parse(t, test.inside), explore.Options{LeadsTo: []explore.Response{leads}, NoDeadlocks: true})
		got := ""
		for _, v := range r.Violations {
			got = lines(v.Path) + " then " + lines(v.Cycle)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// difference returns what one set has and the other has not.
func difference(want map[string]int, got map[string]bool) (missing, more []string) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !got[name] {
			missing = append(missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == 0 {
			more = append(more, name)
		}
	}
	return missing, more
}
