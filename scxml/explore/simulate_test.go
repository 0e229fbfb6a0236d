package explore_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A simulation makes the same report on any number of workers, and another with another seed.
func TestSimulationIsRepeatable(t *testing.T) {
	chart := parse(t, philosophers(7), `datamodel="null"`)
	reports := map[string]bool{}
	for seed := range uint64(3) {
		var want *explore.Report
		for _, workers := range []int{1, 2, 5} {
			r := run(t, chart, explore.Options{Simulate: &explore.Simulation{Seed: seed}, Workers: workers, Reach: []string{"eats3", "eats6"}})
			if want == nil {
				want = r
			} else if !reflect.DeepEqual(r, want) {
				t.Errorf("%d workers: %+v\nwant %+v", workers, r, want)
			}
		}
		if want.Verdict != explore.Violated || want.Violations[0].Kind != explore.Deadlock || want.Deadlocks != 1 {
			t.Errorf("seed %d: %+v", seed, want)
		}
		reports[fmt.Sprintf("%+v", want)] = true
	}
	if len(reports) != 3 {
		t.Errorf("%d reports of 3 seeds", len(reports))
	}
}

// Inputs that a violation does not need are not in its path, and it leads there.
func TestSimulationShrinks(t *testing.T) {
	for seed := range uint64(10) {
		table := parse(t, philosophers(9), `datamodel="null"`)
		r := run(t, table, explore.Options{Simulate: &explore.Simulation{Seed: seed}})
		if len(r.Violations) != 1 || len(r.Violations[0].Path) != 9 {
			t.Errorf("seed %d: the deadlock is %v, want one after 9 inputs", seed, r.Violations)
		}
		r = run(t, table, explore.Options{Simulate: &explore.Simulation{Seed: seed}, NoDeadlocks: true, Reach: []string{"eats4"}, Stop: true})
		if got := fmt.Sprint(r.Reached); got != "[reached: eats4\n1. left.4\n2. right.4]" {
			t.Errorf("seed %d: %s", seed, got)
		}
	}
	// A lock that opens after two digits, after any number of wrong ones. What opens it may need an event that changes nothing.
	lock := parse(t, `<datamodel><data id="digits" expr="[]"/><data id="n" expr="0"/></datamodel>
		<state id="a"><onentry><send event="tick" delay="5s"/></onentry>
			<transition event="digit" cond="digits.length &lt; 12"><assign location="digits" expr="digits.concat(_event.data)"/></transition>
			<transition event="clear"><assign location="digits" expr="[]"/></transition>
			<transition event="look" cond="digits.slice(-2).join('') == '37'"><log expr="nowhere"/></transition>
			<transition event="tick" target="b"/></state>
		<state id="b"><transition event="back" target="a"/></state>`)
	opts := explore.Options{Data: map[string][]any{"digit": {3, 7, 4}}, Errors: true, Properties: []explore.Property{explore.Never("digits.concat('x').length > 12")}}
	found := map[string]bool{}
	for seed := range uint64(8) {
		opts.Simulate = &explore.Simulation{Seed: seed}
		for _, v := range run(t, lock, opts).Violations {
			found[string(v.Kind)] = true
			var events []string
			for _, in := range v.Path {
				if in.Event != "" {
					events = append(events, in.String())
				}
			}
			if v.Kind == explore.Error && !slices.Equal(events, []string{"digit 3", "digit 7", "look"}) || v.Kind == explore.Broken && len(events) != 12 {
				t.Errorf("seed %d: %v", seed, v)
			}
		}
	}
	if len(found) != 2 {
		t.Errorf("found %v", found)
	}
}

func TestSimulationBounds(t *testing.T) {
	walk := `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="up"><assign location="n" expr="n + 1"/></transition><transition event="down" cond="n > 0"><assign location="n" expr="n - 1"/></transition></state>`
	for _, test := range []struct {
		name, inside string
		opts         explore.Options
		want         explore.Report
	}{
		{"runs", walk, explore.Options{Simulate: &explore.Simulation{Runs: 11}}, explore.Report{Bound: "runs", Runs: 11, States: 11001, Transitions: 11000, Depth: 1000}},
		{"length", walk, explore.Options{Simulate: &explore.Simulation{Runs: 3}, MaxDepth: 7}, explore.Report{Bound: "runs", Runs: 3, States: 22, Transitions: 21, Depth: 7}},
		{"states", walk, explore.Options{Simulate: &explore.Simulation{}, MaxStates: 20, MaxDepth: 7}, explore.Report{Bound: "states", Runs: 3, States: 22, Transitions: 21, Depth: 7}},
		{"reached", walk, explore.Options{Simulate: &explore.Simulation{}, Reach: []string{"a"}, Stop: true}, explore.Report{Bound: "reached", Runs: 1, States: 1001, Transitions: 1000, Depth: 1000, Reached: []explore.Reached{{State: "a"}}}},
		{"ends", `<state id="a"><transition event="e" target="b"/></state><final id="b"/>`, explore.Options{Simulate: &explore.Simulation{Runs: 2}}, explore.Report{Bound: "runs", Runs: 2, States: 3, Transitions: 2, Depth: 1}},
	} {
		test.want.Verdict = explore.Inconclusive
		if r := run(t, parse(t, test.inside), test.opts); !reflect.DeepEqual(*r, test.want) {
			t.Errorf("%s: got  %+v\nwant %+v", test.name, *r, test.want)
		}
	}
	// What is wrong at the start is found without a run.
	r := run(t, parse(t, `<state id="a"><onentry><log expr="nowhere"/></onentry></state>`), explore.Options{Simulate: &explore.Simulation{Runs: 1}, Errors: true})
	if r.Verdict != explore.Violated || r.Runs != 0 || len(r.Violations) != 1 {
		t.Errorf("%+v", r)
	}
	r = run(t, parse(t, `<state id="a"/><state id="b"/>`), explore.Options{Simulate: &explore.Simulation{Runs: 1}, Unused: true})
	if len(r.Violations) != 1 || r.Violations[0].String() != "deadlock in a, at the start" || len(r.Unentered) != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := explore.Run(t.Context(), parse(t, `<state id="a"/>`), explore.Options{Simulate: &explore.Simulation{Runs: 1}, Graph: true}); err == nil {
		t.Error("a simulation has a graph")
	}
	observer := explore.Options{Simulate: &explore.Simulation{Seed: 3}, Observers: []*scxml.Chart{parse(t, `<state id="o"><transition event="enter.b" target="f"/></state><final id="f"/>`)}}
	r = run(t, parse(t, `<state id="a"><transition event="e" cond="false"/><transition event="f" target="b"/></state><state id="b"><transition event="g" target="a"/></state>`), observer)
	if len(r.Violations) != 1 || r.Violations[0].String() != "property: chart.scxml: f in b\n1. f" {
		t.Errorf("%+v", r)
	}
}
