package scxml_test

import (
	"math/bits"
	"os"
	"slices"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The minimal cost of a chart: a loop over bitset tables, written by hand for charts without
// conditions, data and executable content except <raise>. The benchmarks compare the engine with
// it, because their ratio carries over from machine to machine. It is correct for these charts
// only, in which transitions never conflict, and calls nothing of the engine.

// loopTables are the immutable part.
type loopTables struct {
	states   int
	words    int // of a set of states
	parent   []int32
	last     []int32
	atomic   []uint64
	first    []int32    // by state: its first transition; its last is before first[state+1]
	raises   []int32    // by state: what entering it raises, -1 for nothing
	leaves   []int32    // by state: 1; reading it is the check for onexit handlers
	events   []string   // by number; 0 is "no event"
	reacting [][]uint64 // by event: the atomic states that it is for, or for an ancestor
	matching [][]uint64 // by event: its transitions
	arcs     []loopArc
	initial  []uint64 // the states that are entered first
	history  int32    // the one history, 0 without
}

// loopArc is a transition.
type loopArc struct {
	exit    []uint64 // the exit set is what is active of these
	entry   []uint64 // the entry set
	history int32    // the history that it leads to, 0 for none
}

// loop is a session.
type loop struct {
	*loopTables
	config, exit, entry []uint64
	remembered          []uint64 // by the one history there is
	enabled             []int32
	queue               [16]int32 // a ring
	head, tail          uint32
	exits               int32
}

// newLoopTables makes the tables of a chart.
func newLoopTables(root *node) *loopTables {
	t := &loopTables{events: []string{""}}
	var nodes []*node
	ids := make(map[string]int32)
	var number func(n *node, parent int32)
	number = func(n *node, parent int32) {
		at := int32(len(nodes))
		nodes = append(nodes, n)
		ids[n.id] = at
		t.parent = append(t.parent, parent)
		t.last = append(t.last, at)
		for _, c := range n.children {
			number(c, at)
		}
		t.last[at] = int32(len(nodes)) - 1
	}
	number(root, -1)
	t.states = len(nodes)
	t.words = (t.states + 63) / 64
	event := func(name string) int32 {
		i := slices.Index(t.events, name)
		if i < 0 {
			i = len(t.events)
			t.events = append(t.events, name)
		}
		return int32(i)
	}
	t.atomic = t.set()
	t.raises, t.leaves = make([]int32, t.states), make([]int32, t.states)
	for i, n := range nodes {
		t.raises[i], t.leaves[i] = -1, 1
		if n.raise != "" {
			t.raises[i] = event(n.raise)
		}
		if n.kind == "history" {
			t.history = int32(i)
		} else if len(n.children) == 0 {
			add(t.atomic, int32(i))
		}
	}
	// down adds the states below st that are entered with it.
	var down func(set []uint64, st int32)
	down = func(set []uint64, st int32) {
		add(set, st)
		switch n := nodes[st]; {
		case n.kind == "parallel":
			for _, c := range n.children {
				if !overlaps(set, ids[c.id], t.last[ids[c.id]]) {
					down(set, ids[c.id])
				}
			}
		case n.initial != "":
			down(set, ids[n.initial])
		case len(n.children) > 0:
			down(set, ids[n.children[0].id])
		}
	}
	t.initial = t.set()
	down(t.initial, ids[root.initial])
	type labelled struct {
		event int32
		arc   loopArc
	}
	var all []labelled
	below := make(map[int32][]uint64) // by domain
	for i, n := range nodes {
		t.first = append(t.first, int32(len(all)))
		if n.kind == "history" {
			continue
		}
		for _, a := range n.arcs {
			target, domain := ids[a.target], t.parent[i]
			for target <= domain || target > t.last[domain] || nodes[domain].kind == "parallel" {
				domain = t.parent[domain]
			}
			arc := loopArc{exit: below[domain], entry: t.set()}
			if arc.exit == nil {
				arc.exit = t.set()
				for st := domain + 1; st <= t.last[domain]; st++ {
					add(arc.exit, st)
				}
				below[domain] = arc.exit
			}
			if nodes[target].kind == "history" {
				arc.history = target
			} else {
				down(arc.entry, target)
			}
			for p := t.parent[target]; p != domain; p = t.parent[p] {
				add(arc.entry, p)
			}
			all = append(all, labelled{event(a.event), arc})
		}
	}
	t.first = append(t.first, int32(len(all)))
	for range t.events {
		t.matching = append(t.matching, make([]uint64, (len(all)+63)/64))
		t.reacting = append(t.reacting, t.set())
	}
	for i, l := range all {
		t.arcs = append(t.arcs, l.arc)
		add(t.matching[l.event], int32(i))
	}
	for event := range t.events {
		for st := int32(0); int(st) < t.states; st++ {
			for p := st; p > 0 && has(t.atomic, st); p = t.parent[p] {
				if t.find(p, int32(event)) >= 0 {
					add(t.reacting[event], st)
				}
			}
		}
	}
	return t
}

func (t *loopTables) set() []uint64 { return make([]uint64, t.words) }

func add(set []uint64, i int32) { set[i/64] |= 1 << (i % 64) }

func has(set []uint64, i int32) bool { return set[i/64]>>(i%64)&1 != 0 }

func overlaps(set []uint64, from, to int32) bool {
	for i := from; i <= to; i++ {
		if has(set, i) {
			return true
		}
	}
	return false
}

// number returns the number of an event that occurs in the chart.
func (t *loopTables) number(event string) int32 { return int32(slices.Index(t.events, event)) }

// start returns a session in its initial configuration.
func (t *loopTables) start() *loop {
	l := &loop{loopTables: t}
	sets := make([]uint64, 4*t.words)
	l.config, l.exit, l.entry, l.remembered = sets[:t.words], sets[t.words:2*t.words], sets[2*t.words:3*t.words], sets[3*t.words:]
	copy(l.entry, t.initial)
	l.enter()
	for l.take(0) {
	}
	return l
}

// step processes an external event to the end of its macrostep.
func (l *loop) step(event int32) {
	l.take(event)
	for {
		if l.take(0) {
			continue
		}
		if l.head == l.tail {
			return
		}
		event := l.queue[l.head%16]
		l.head++
		l.take(event)
	}
}

// take takes the transitions that the event enables.
func (l *loop) take(event int32) bool {
	l.enabled = l.enabled[:0]
	for w, word := range l.reacting[event] {
		for active := word & l.config[w]; active != 0; active &= active - 1 {
			for st := int32(w*64 + bits.TrailingZeros64(active)); ; st = l.parent[st] {
				if arc := l.find(st, event); arc >= 0 {
					l.enabled = append(l.enabled, arc)
					break
				}
			}
		}
	}
	if len(l.enabled) == 0 {
		return false
	}
	arc := &l.arcs[l.enabled[0]]
	for w := range l.config {
		l.exit[w] = l.config[w] & arc.exit[w]
		l.entry[w] = arc.entry[w]
	}
	if arc.history != 0 {
		l.restore(arc.history)
	}
	for _, id := range l.enabled[1:] {
		arc := &l.arcs[id]
		for w := range l.config {
			l.exit[w] |= l.config[w] & arc.exit[w]
			l.entry[w] |= arc.entry[w]
		}
	}
	l.leave()
	l.enter()
	return true
}

// find returns the first transition of a state that the event enables, or -1.
func (t *loopTables) find(st, event int32) int32 {
	from, to := t.first[st], t.first[st+1]
	set := t.matching[event]
	for w := from / 64; w*64 < to; w++ {
		word := set[w]
		if w == from/64 {
			word &^= 1<<(from%64) - 1
		}
		if word != 0 {
			if arc := w*64 + int32(bits.TrailingZeros64(word)); arc < to {
				return arc
			}
			return -1
		}
	}
	return -1
}

// leave exits the exit set, the last state first.
func (l *loop) leave() {
	if l.history != 0 && has(l.exit, l.parent[l.history]) {
		l.remember(l.parent[l.history])
	}
	for w := l.words - 1; w >= 0; w-- {
		for rest := l.exit[w]; rest != 0; {
			bit := 63 - bits.LeadingZeros64(rest)
			rest &^= 1 << bit
			l.exits += l.leaves[w*64+bit]
		}
		l.config[w] &^= l.exit[w]
	}
}

// enter enters the entry set, the first state first.
func (l *loop) enter() {
	for w, rest := range l.entry {
		l.config[w] |= rest
		for ; rest != 0; rest &= rest - 1 {
			if event := l.raises[w*64+bits.TrailingZeros64(rest)]; event >= 0 {
				l.queue[l.tail%16] = event
				l.tail++
			}
		}
	}
}

// remember notes which atomic states below st are exited.
func (l *loop) remember(st int32) {
	for w := range l.words {
		l.remembered[w] = l.exit[w] & l.atomic[w]
	}
	for i := int32(0); i <= st; i++ {
		l.remembered[i/64] &^= 1 << (i % 64)
	}
}

// restore adds what the history remembers to the entry set.
func (l *loop) restore(history int32) {
	for w, rest := range l.remembered {
		for ; rest != 0; rest &= rest - 1 {
			for st := int32(w*64 + bits.TrailingZeros64(rest)); st != l.parent[history]; st = l.parent[st] {
				add(l.entry, st)
			}
		}
	}
}

// guardsByHand is the measure for guardsOp: the five conditions and the assignment as Go functions
// over a variable of the script engine.
func guardsByHand(tb testing.TB) func() {
	vm := goja.New()
	must := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	must(vm.Set("count", 0))
	count := func() float64 { return vm.GlobalObject().Get("count").ToFloat() }
	data := func(ev scxml.Event) float64 {
		n, _ := ev.Data.(*datamodel.Object).Get("n")
		return float64(n.(int64))
	}
	conds := []func(scxml.Event) bool{
		func(scxml.Event) bool { return count() < 0 },
		func(ev scxml.Event) bool { return data(ev) < 0 },
		func(ev scxml.Event) bool { return count() > 1e9 && data(ev) > 10 },
		func(ev scxml.Event) bool { return data(ev) == -1 || count() == -1 },
		func(ev scxml.Event) bool { return count() >= 0 && data(ev) >= 0 },
	}
	n := int64(0)
	return func() {
		n = (n + 1) % 100
		ev := scxml.Event{Name: "tick", Data: datamodel.NewObject("n", n)}
		if i := slices.IndexFunc(conds, func(cond func(scxml.Event) bool) bool { return cond(ev) }); i != 4 {
			tb.Fatalf("condition %d holds", i)
		}
		must(vm.GlobalObject().Set("count", vm.ToValue(int64(count()+1))))
	}
}

// sudokuByHand is the measure for the taps of sudokuOp: it runs the same scripts on the same data
// and extracts the two boards, without the engine. It does not distinguish undefined from null.
func sudokuByHand(tb testing.TB) func() {
	functions, err := os.ReadFile("testdata/speed/sudoku.js")
	if err != nil {
		tb.Fatal(err)
	}
	vm := goja.New()
	run := func(p *goja.Program) goja.Value {
		v, err := vm.RunProgram(p)
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
	program := func(text string) *goja.Program { return goja.MustCompile("", text, false) }
	run(program("var initState = emptyGrid(), currentState, undoStack; initState[0] = [1, 2, 3, 4, 5, 6, 7, 8, 9];" + string(functions)))
	restart, isTap, tap := program("restart()"), program("isTap(_event.data)"), program("tap(_event.data)")
	isSolved, current, initial := program("isSolved()"), program("currentState"), program("initState")
	taps := 0
	return func() {
		if taps%1000 == 0 {
			run(restart)
		}
		cell := taps % 72
		taps++
		event, data := vm.NewObject(), vm.NewObject()
		for _, err := range []error{data.Set("x", 1+cell/9), data.Set("y", cell%9), event.Set("data", data), vm.Set("_event", event)} {
			if err != nil {
				tb.Fatal(err)
			}
		}
		if !run(isTap).ToBoolean() {
			tb.Fatal("not a tap")
		}
		run(tap)
		if run(isSolved).ToBoolean() {
			tb.Fatal("solved")
		}
		latest = [2]any{run(current).Export(), run(initial).Export()}
	}
}

// TestSudokuByHand plays the same game with both.
func TestSudokuByHand(t *testing.T) {
	op, hand := sudokuOp(t), sudokuByHand(t)
	for range 150 {
		op()
		hand()
	}
	boards, ok := latest.([2]any)
	if !ok {
		t.Fatal("no boards")
	}
	sum := int64(0)
	for _, row := range boards[0].([]any) {
		for _, n := range row.([]any) {
			sum += n.(int64)
		}
	}
	if sum != 45+150 {
		t.Errorf("after 150 taps the numbers add up to %d", sum)
	}
}

// TestHandWrittenLoop checks that the loop does the same as the engine.
func TestHandWrittenLoop(t *testing.T) {
	for _, c := range speedCharts() {
		t.Run(c.name, func(t *testing.T) {
			tables := newLoopTables(c.root)
			l := tables.start()
			chart := compiled(t, c.name, render(c.name, c.root))
			s := driven(t, chart)
			states := chart.States()
			for i := range 40 {
				var got []string
				for st := 1; st < tables.states; st++ {
					if has(l.config, int32(st)) {
						got = append(got, states[st].Name())
					}
				}
				if want := s.Configuration(); !slices.Equal(got, want) {
					t.Fatalf("after %d events the loop is in %q, the engine in %q", i, got, want)
				}
				event := c.events[i%len(c.events)]
				l.step(tables.number(event))
				s.process(scxml.Event{Name: event})
			}
		})
	}
}
