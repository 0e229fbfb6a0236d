package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A network is a system of states with edges for events, which are letters.
type network struct {
	edges map[[2]byte]byte // where an event leads from a state
	now   byte
}

func (n *network) Start(context.Context) error                           { n.now = 0; return nil }
func (n *network) AppendState(dst []byte) ([]byte, error)                { return append(dst, n.now), nil }
func (n *network) LoadState(state []byte) error                          { n.now = state[0]; return nil }
func (n *network) AppendKey(dst []byte) ([]byte, error)                  { return append(dst, n.now), nil }
func (n *network) Final() bool                                           { return false }
func (n *network) In(string) bool                                        { return false }
func (n *network) Configuration() []string                               { return []string{fmt.Sprint(n.now)} }
func (n *network) Eval(context.Context, string) (datamodel.Value, error) { return nil, nil }
func (n *network) AppendInputs(dst []explore.Input) []explore.Input {
	for event := byte('a'); event <= 'z'; event++ {
		if _, ok := n.edges[[2]byte{n.now, event}]; ok {
			dst = append(dst, explore.Input{Event: string(event)})
		}
	}
	return dst
}
func (n *network) Apply(_ context.Context, in explore.Input) error {
	n.now = n.edges[[2]byte{n.now, in.Event[0]}]
	return nil
}

// set is a set of states of a network.
type set uint

func (s set) has(n byte) bool { return s>>n&1 != 0 }

func (s set) states() (all []byte) {
	for n := range byte(16) {
		if s.has(n) {
			all = append(all, n)
		}
	}
	return all
}

// closure returns the states of a set that can be reached from a state through the set, itself included if it
// is in it.
func (n *network) closure(from byte, in set) set {
	if !in.has(from) {
		return 0
	}
	reached := set(1) << from
	for range 16 {
		for edge, to := range n.edges {
			if reached.has(edge[0]) && in.has(to) {
				reached |= 1 << to
			}
		}
	}
	return reached
}

// fair reports whether a run that visits exactly the states of a set for ever, and takes all edges between
// them, exists and is fair.
func (n *network) fair(states set, strong bool) bool {
	inner := false
	stays := map[byte]bool{}
	enabled := map[byte]int{}
	for edge, to := range n.edges {
		if states.has(edge[0]) && to != edge[0] {
			enabled[edge[1]]++
			if states.has(to) {
				inner, stays[edge[1]] = true, true
			}
		}
	}
	for _, from := range states.states() {
		if n.closure(from, states) != states {
			return false
		}
	}
	for event, times := range enabled {
		if !stays[event] && (strong || times == len(states.states())) {
			return false
		}
	}
	return inner || len(enabled) == 0 && len(states.states()) == 1
}

// A response holds on random networks exactly if no set of states is one where a fair run can stay, found by
// trying all sets. A counterexample is such a run.
func TestLeadsToOnRandomNetworks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := [2]int{}
	rounds := 3000
	if testing.Short() {
		rounds /= 5
	}
	for round := range rounds {
		size := byte(2 + random.IntN(5))
		n := &network{edges: map[[2]byte]byte{}}
		for range random.IntN(25) {
			n.edges[[2]byte{byte(random.IntN(int(size))), 'a' + byte(random.IntN(4))}] = byte(random.IntN(int(size)))
		}
		when, then := set(random.Uint32())&(1<<size-1), set(random.Uint32()&random.Uint32())&(1<<size-1)
		strong := round%2 == 0
		bad := false
		everywhere, not := set(1)<<size-1, (set(1)<<size-1)&^then
		for _, start := range (n.closure(0, everywhere) & when).states() {
			reached := n.closure(start, not)
			for states := set(1); states <= everywhere; states++ {
				bad = bad || states&^reached == 0 && n.fair(states, strong)
			}
		}
		is := func(s set) func(context.Context, explore.System) (bool, error) {
			return func(_ context.Context, x explore.System) (bool, error) { return s.has(x.(*network).now), nil }
		}
		r, err := explore.Search(t.Context(), func() (explore.System, error) { return &network{edges: n.edges}, nil }, explore.Options{
			LeadsTo: []explore.Response{{Name: "r", When: is(when), Then: is(then)}}, Strong: strong, Workers: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Violations, func(v explore.Violation) bool { return v.Kind == explore.Unanswered })
		if (at >= 0) != bad {
			t.Fatalf("%v, when %b, then %b, strong %v: %v, want a violation: %v", n.edges, when, then, strong, r.Violations, bad)
		}
		if !bad {
			continue
		}
		v := r.Violations[at]
		asked := false // and not answered
		step := func(now byte, in explore.Input) byte {
			to, ok := n.edges[[2]byte{now, in.Event[0]}]
			if !ok || to == now {
				t.Fatalf("%v: %v does nothing in %d", n.edges, in, now)
			}
			return to
		}
		now := byte(0)
		for i := -1; i < len(v.Path); i++ {
			if i >= 0 {
				now = step(now, v.Path[i])
			}
			asked = (asked || when.has(now)) && !then.has(now)
		}
		taken, visited, begin := map[byte]bool{}, set(1)<<now, now
		for _, in := range v.Cycle {
			now = step(now, in)
			taken[in.Event[0]], visited = true, visited|1<<now
		}
		for event := byte('a'); event <= 'z'; event++ {
			can := 0
			for _, state := range visited.states() {
				if to, ok := n.edges[[2]byte{state, event}]; ok && to != state {
					can++
				}
			}
			if !taken[event] && can > 0 && (strong || can == len(visited.states())) {
				t.Fatalf("%v, strong %v: %v owes %c", n.edges, strong, v, event)
			}
		}
		if !asked || now != begin || visited&then != 0 || v.Configuration[0] != fmt.Sprint(begin) {
			t.Fatalf("%v, when %b, then %b, strong %v: %v is not a counterexample", n.edges, when, then, strong, v)
		}
		found[round%2]++
	}
	if found[0] < 100 || found[1] <= found[0] {
		t.Errorf("found %d counterexamples with strong fairness, %d with weak", found[0], found[1])
	}
}

// A hungry philosopher may starve, unless events that can come again and again do come. Two who take the left
// fork first can block each other in any case.
func TestLeadsTo(t *testing.T) {
	hungry := func(text string) []explore.Response {
		r, err := explore.LeadsTo(text)
		if err != nil {
			t.Fatal(err)
		}
		return []explore.Response{r}
	}
	lock := parse(t, `<datamodel><data id="free" expr="true"/></datamodel><parallel id="p">
		<state id="a"><state id="a0"><transition event="a.asks" target="a1"/></state><state id="a1"><transition event="a.gets" cond="free" target="a2"><assign location="free" expr="false"/></transition></state>
			<state id="a2"><transition event="a.leaves" target="a0"><assign location="free" expr="true"/></transition></state></state>
		<state id="b"><state id="b0"><transition event="b.asks" target="b1"/></state><state id="b1"><transition event="b.gets" cond="free" target="b2"><assign location="free" expr="false"/></transition></state>
			<state id="b2"><transition event="b.leaves" target="b0"><assign location="free" expr="true"/></transition></state></state></parallel>`)
	r := run(t, lock, explore.Options{LeadsTo: hungry("In('a1') => In('a2')")})
	want := "leads-to: In('a1') => In('a2') in p a a1 b b0\n1. a.asks\nand then again and again\n2. b.asks\n3. b.gets\n4. b.leaves"
	if len(r.Violations) != 1 || r.Violations[0].String() != want {
		t.Errorf("got  %v\nwant %s", r.Violations, want)
	}
	if r := run(t, lock, explore.Options{LeadsTo: hungry("In('a1') => In('a2')"), Strong: true}); r.Verdict != explore.Holds {
		t.Errorf("%+v", r)
	}
	if r := run(t, lock, explore.Options{LeadsTo: hungry("In('a1') => In('a2') && In('b2')"), Strong: true}); r.Verdict != explore.Violated {
		t.Errorf("%+v", r)
	}
	table := parse(t, philosophers(3), `datamodel="null"`)
	r = run(t, table, explore.Options{LeadsTo: hungry("In(waits0) => In(eats0)"), Strong: true})
	if len(r.Violations) != 2 || r.Violations[1].Cycle != nil || len(r.Violations[1].Path) != 3 {
		t.Errorf("%v", r.Violations)
	}
	// A run that was not explored to its end is not a counterexample, and one that was is.
	endless := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition event="e"><assign location="n" expr="n + 1"/></transition><transition event="f" target="b"/></state><state id="b"><transition event="e"/></state>`)
	for depth, violations := range map[int]int{1: 0, 3: 2} {
		if r := run(t, endless, explore.Options{LeadsTo: hungry("n == 0 => n == 100"), MaxDepth: depth}); len(r.Violations) != violations {
			t.Errorf("depth %d: %+v", depth, r)
		}
	}
}

func TestLeadsToText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a=>b", "a => b"}, {" x.some(function (y) { return y => 1 }) => In('=>') ", "x.some(function (y) { return y => 1 }) => In('=>')"}, {`'\'=>' => "=>" + [y => 1]`, `'\'=>' => "=>" + [y => 1]`},
		{"a >= b", `error: "a >= b" is not "A => B": want two expressions, for example "In('waits') => In('eats')"`},
		{"a => ", `error: "a => " is not "A => B": want an expression on each side`},
		{"a => b => c", `error: "a => b => c" has two arrows: put an expression with an arrow in parentheses`},
	} {
		r, err := explore.LeadsTo(test.text)
		got := r.Name
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %s\nwant %s", test.text, got, test.want)
		}
	}
}
