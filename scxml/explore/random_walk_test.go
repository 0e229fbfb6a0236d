package explore_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

var (
	walkCharts = flag.Int("walk.charts", 12, "how many random charts with scripts are searched and walked through")
	walkSeed   = flag.Uint64("walk.seed", 1, "the first of their seeds")
)

// What the scripts and conditions of random charts do: each keeps x and y small, and has a place of its own to
// hide a state, or something to look at. An item with a # at its beginning rarely allows a search to say holds.
var (
	walkScripts = strings.Split(strings.TrimSpace(`
x = (x + 1) % 4
y = (y + x) % 4
[x, y] = [y, x]
x = 0; y = 0
o.n = (o.n + 1) % 3; x = o.n
o = {n: y}
delete o.n; o.n = x; o.k = 1
l.push(x); l = l.slice(-2); y = l.length
l.reverse(); x = l[0] % 4
l[0] = l
m.set(x, y); m.delete((x + 1) % 4)
m.delete(x); m.set(x, 1); y = [...m.keys()][0] % 4
s.add(y); s = new Set([...s].slice(-2)); x = s.size % 4
f = () => 1
f = function () { return 2 }; f.k = x
x = f() % 4
x = (f.k || 0) % 4
g = {get v() { return y }, set v(n) { y = n % 4 }}; g.v = x; x = g.v
g = Object.defineProperty({}, 'v', {value: x, configurable: true}); y = g.v % 4
x = (function* () { yield y; yield (y + 1) % 4 })().next().value
x = eval('y')
y = Function('return 3')()
x = globalThis['x'] ? 1 : 2
globalThis['y'] = (y + 1) % 4
globalThis.z = (globalThis.z || 0) ? 0 : 1; x = z
x = this['y']
c = new C(x)
x = c.next() % 4
var v = (typeof v == 'number' ? v + 1 : 0) % 3; x = v
y = typeof _event == 'undefined' ? 0 : 1
y = [3, 1, 2].sort()[x % 3]
x = JSON.stringify({a: y}).length % 4
x = /a+/.exec('caab')[0].length
r.test('aaa'); x = r.lastIndex % 4
x = -0; y = 1 / x < 0 ? 1 : 2
d = new Date(0); x = d.getTime() % 4
d.setTime(y); x = d.getTime() % 4
o = Object.freeze({n: x}); try { o.n = 1 } catch (_) {}; y = o.n % 4
o = Object.create({n: 3}); x = o.n; o.n = 0
o = Object.fromEntries(Object.entries({n: 1, k: 2}).reverse()); x = Object.keys(o)[0] == 'k' ? 1 : 0
l = new Uint8Array([x, y]); y = l[0] % 4; l = [...l]
x = 'n' in o ? 1 : 0
# parseInt.q = (parseInt.q || 0) + 1; x = parseInt.q % 4
# x = Math.random() < 0.1 ? 1 : 2
# y = Date.now() % 2
# x = _sessionid.length % 4
# x = (_event.sendid || '').length % 4
# o = _event
# x = (o.name || '').length % 4
# y = _event.name == 'e' ? 1 : 2
# x = (_event.data || 0) % 4
# x = Math['ran' + 'dom']() < 0.1 ? 1 : 2
`), "\n")
	walkConds = strings.Split(strings.TrimSpace(`
x == 1
y &gt; 2
x == y
o.n == 1
m.size == 1
m.get(1)
f() == 1
l.length &gt; 1
[...s][0] == 1
In('a')
In('b') &amp;&amp; x == 2
Object.keys(o)[0] == 'k'
1 / x &gt; 0
# _event.name == 'e.x'
# _event.data == 2
# Math.random() &lt; 0.01
`), "\n")
	walkContent = []string{
		`<raise event="i"/>`, `<send event="t" delay="1s" id="t"/>`, `<send event="u" delay="2s"/>`, `<send event="t" delayexpr="(x + 1) + 's'"/>`, `<cancel sendid="t"/>`,
		`<send event="i" target="#_internal"/>`, `<foreach array="[1, 2]" item="k"><assign location="x" expr="(x + k) % 4"/></foreach>`,
		`<if cond="x == 2"><assign location="y" expr="1"/><else/><assign location="y" expr="0"/></if>`, `<send event="t" idlocation="o.id"/>`,
	}
)

// randomWalkChart returns a chart whose text depends on the seed alone.
func randomWalkChart(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 9))
	pick := func(list []string) string {
		for {
			item := list[random.IntN(len(list))]
			if rest, rare := strings.CutPrefix(item, "# "); !rare || random.IntN(8) == 0 {
				return rest
			}
		}
	}
	var b strings.Builder
	binding := ""
	if random.IntN(4) == 0 {
		binding = ` binding="late"`
	}
	fmt.Fprintf(&b, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"%s initial="p"><datamodel>`, binding)
	for _, item := range []string{`x" expr="0`, `y" expr="1`, `o" expr="{n: 0}`, `l" expr="[1]`, `m" expr="new Map([[1, 2]])`, `s" expr="new Set([1])`, `f" expr="() =&gt; 0`, `g`, `c`, `d" expr="new Date(1)`, `r" expr="/a/g`} {
		fmt.Fprintf(&b, `<data id="%s"/>`, item)
	}
	b.WriteString("</datamodel>\n<script>class C { constructor(n) { this.n = n } next() { this.n = (this.n + 1) % 3; return this.n } }; c = new C(0)</script>\n")
	content := func() {
		for range 1 + random.IntN(2) {
			if random.IntN(3) == 0 {
				b.WriteString(pick(walkContent))
			} else {
				fmt.Fprintf(&b, "<script><![CDATA[%s]]></script>", pick(walkScripts))
			}
		}
	}
	states := []string{"a", "b", "c", "h", "p"}
	b.WriteString(`<state id="p" initial="a"><history id="h"><transition target="b"/></history><transition event="out" target="q"/>` + "\n")
	for _, name := range []string{"a", "b", "c"} {
		fmt.Fprintf(&b, `<state id="%s">`, name)
		if random.IntN(3) == 0 {
			b.WriteString("<onentry>")
			content()
			b.WriteString("</onentry>")
		}
		if name == "c" && random.IntN(3) == 0 {
			fmt.Fprintf(&b, `<datamodel><data id="k" expr="x"/></datamodel><invoke id="child"><content><scxml version="1.0" datamodel="ecmascript"><datamodel><data id="n" expr="0"/></datamodel><state id="k1"><onentry><send event="w" delay="%ds"/></onentry><transition event="w" target="k2"/></state><final id="k2"><donedata><content expr="3"/></donedata></final></scxml></content></invoke><transition event="done.invoke.child" target="a"><assign location="x" expr="_event.data"/></transition>`, 1+random.IntN(3))
		}
		for range 1 + random.IntN(3) {
			event := []string{"e", "e", "f", "t", "u", "i", "e.x", "*", "error"}[random.IntN(9)]
			fmt.Fprintf(&b, `<transition event="%s"`, event)
			if random.IntN(2) == 0 {
				fmt.Fprintf(&b, ` cond="%s"`, pick(walkConds))
			}
			if random.IntN(2) == 0 {
				fmt.Fprintf(&b, ` target="%s"`, states[random.IntN(len(states))])
			}
			b.WriteString(">")
			content()
			b.WriteString("</transition>")
		}
		b.WriteString("</state>\n")
	}
	b.WriteString(`</state><state id="q"><transition event="back" target="h"/><transition event="*" cond="x == 3" target="p"/></state></scxml>`)
	return b.String()
}

// A seenStates is what a search, or a walk, has seen of a chart: configurations with data.
type seenStates struct {
	mu  sync.Mutex
	all map[string]bool
}

const walkLook = `[x, y, typeof o == 'object' ? o.n : 0, l.length, m.size, s.size].join()`

func describeState(ctx context.Context, s interface {
	Configuration() []string
	Eval(context.Context, string) (datamodel.Value, error)
}) (string, error) {
	v, err := s.Eval(ctx, walkLook)
	return fmt.Sprint(s.Configuration(), v), err
}

// TestWalksOfRandomCharts: what a search says to hold no walk of the ordinary engine refutes, whatever its
// seed, its clock, its id, and the events, data and times are: it comes to no configuration with data that the
// search has not seen.
func TestWalksOfRandomCharts(t *testing.T) {
	if testing.Short() {
		*walkCharts = min(*walkCharts, 4)
	}
	verdicts := map[string]int{}
	walks := 0
	for seed := *walkSeed; seed < *walkSeed+uint64(*walkCharts); seed++ {
		text := randomWalkChart(seed)
		chart, err := scxml.Parse("chart.scxml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		seen := seenStates{all: map[string]bool{}}
		see := explore.Property{Name: "is seen", Holds: func(ctx context.Context, s explore.System) (bool, error) {
			state, err := describeState(ctx, s)
			seen.mu.Lock()
			defer seen.mu.Unlock()
			seen.all[state] = true
			return true, err
		}}
		r, err := explore.Run(t.Context(), chart, explore.Options{NoDeadlocks: true, Workers: 1, MaxStates: 100, Properties: []explore.Property{see}})
		if err != nil {
			verdicts["error"]++
			t.Logf("-walk.seed=%d: %v", seed, err)
			continue
		}
		verdicts[r.Verdict.String()]++
		if r.Verdict != explore.Holds {
			continue
		}
		random := rand.New(rand.NewPCG(seed, 10))
		for range 5 {
			walks++
			if path, state := walk(t, chart, random, &seen); path != nil {
				t.Errorf("-walk.seed=%d: a search says %v, and has not seen %s after %q\n%s", seed, r.Verdict, state, path, text)
				break
			}
		}
	}
	t.Logf("%d charts: %v; %d walks", *walkCharts, verdicts, walks)
	if verdicts["holds"] < *walkCharts/20 {
		t.Errorf("few searches say holds: %v", verdicts)
	}
}

// walk walks through a chart at random, and returns a path to a state that was not seen, or nil.
func walk(t *testing.T, chart *scxml.Chart, random *rand.Rand, seen *seenStates) (path []string, state string) {
	now := time.Unix(random.Int64N(2e9), random.Int64N(1e9))
	s, err := scxml.New(chart, scxml.WithSeed(random.Uint64()), scxml.WithSessionID(fmt.Sprint("walk", random.Uint32())), scxml.WithAccept(chart.IsUserEvent),
		scxml.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	rest := func() {
		for more := true; more; {
			if more, err = s.Step(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	names := []string{"e", "f", "e.x", "out", "back", "other", "e.y.z", "t", "u", "i"}
	path = []string{}
	for range 40 {
		rest()
		if s.Status() != scxml.Running {
			return nil, ""
		}
		state, err := describeState(t.Context(), s)
		if err != nil || !seen.all[state] {
			return path, fmt.Sprint(state, " ", err)
		}
		if random.IntN(3) == 0 {
			d := time.Duration(random.IntN(2500)) * time.Millisecond
			now = now.Add(d)
			path = append(path, fmt.Sprint("advance ", d))
			continue
		}
		name := names[random.IntN(len(names))]
		if !chart.IsUserEvent(name) {
			continue
		}
		ev := scxml.Event{Name: name, Data: []datamodel.Value{nil, int64(2), "text", slices.Clone(names)[0]}[random.IntN(4)]}
		path = append(path, fmt.Sprint(name, " ", ev.Data))
		if err := s.Send(ev); err != nil {
			t.Fatal(err)
		}
	}
	return nil, ""
}
