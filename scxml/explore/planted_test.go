package explore_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A planted mistake is an edit of one of the project's charts.
type planted struct {
	mistake  string
	file     string
	old, new string
	opts     explore.Options
	compare  bool     // with the chart without the mistake
	want     string   // the beginning of the violation
	path     []string // the inputs that lead there
}

var (
	order = map[string][]any{
		"pay":              {map[string]any{"card": "4711"}},
		"payment.accepted": {map[string]any{"key": "session/0"}, map[string]any{"key": "session/1"}},
		"payment.declined": {map[string]any{"key": "session/1"}},
		"parcel.sent":      {map[string]any{"number": 1}},
	}
	partners = []scxml.Option{scxml.WithOutbox(scxml.Outbox{Processors: []string{"x-partner"}})}
	visit    = map[string][]any{"add": {map[string]any{"item": "tea"}}}
	senses   = map[string][]any{"sense": {
		map[string]any{"temperature": 95, "water": 90, "tray": true},
		map[string]any{"temperature": 95, "water": 90, "tray": false},
		map[string]any{"temperature": 125, "water": 90, "tray": true},
		map[string]any{"temperature": 85, "water": 90, "tray": true},
	}}
	words = map[string][]any{"hear": {map[string]any{"text": "pizza"}, map[string]any{"text": "cold"}, map[string]any{"text": "stop"}, map[string]any{"text": "bye"}}}
	// A Sudoku in which one cell is empty.
	last = []scxml.Option{scxml.WithData("initState", [][]int{
		{0, 2, 3, 4, 5, 6, 7, 8, 9}, {4, 5, 6, 7, 8, 9, 1, 2, 3}, {7, 8, 9, 1, 2, 3, 4, 5, 6},
		{2, 3, 4, 5, 6, 7, 8, 9, 1}, {5, 6, 7, 8, 9, 1, 2, 3, 4}, {8, 9, 1, 2, 3, 4, 5, 6, 7},
		{3, 4, 5, 6, 7, 8, 9, 1, 2}, {6, 7, 8, 9, 1, 2, 3, 4, 5}, {9, 1, 2, 3, 4, 5, 6, 7, 8},
	})}
	tap = map[string][]any{"tap": {map[string]any{"x": 0, "y": 0}, map[string]any{"x": 0, "y": 1}}}
)

func never(expr string) []explore.Property  { return []explore.Property{explore.Never(expr)} }
func always(expr string) []explore.Property { return []explore.Property{explore.Always(expr)} }

var mistakes = []planted{
	{mistake: "a light stays yellow", file: "examples/trafficlight/trafficlight.scxml",
		old: `<transition event="next" target="red"/>`, new: ``,
		want: `deadlock`, path: []string{`button`, `advance 10s`, `advance 2s`}},
	{mistake: "cars get less than ten seconds", file: "examples/trafficlight/trafficlight.scxml",
		old: ` &amp;&amp; In('rested')`, new: ``,
		opts: explore.Options{Properties: never("In('yellow') && In('busy')")},
		want: `property: never In('yellow') && In('busy')`, path: []string{`button`}},
	{mistake: "the button stays pressed", file: "examples/trafficlight/trafficlight.scxml",
		old: `<assign location="waiting" expr="0"/>`, new: ``,
		opts: explore.Options{Properties: always("!In('red') || waiting == 0")},
		want: `property: always !In('red') || waiting == 0`, path: []string{`button`, `advance 10s`, `advance 2s`}},

	{mistake: "an overheated boiler stays on", file: "examples/device/device.scxml",
		old: `temperature &gt; 120`, new: `temperature &gt; 220`,
		opts: explore.Options{Data: senses, Properties: never("In('on') && temperature > 120")},
		want: `property: never In('on') && temperature > 120`, path: []string{`press.power`, `sense {"temperature":125,"tray":true,"water":90}`}},
	{mistake: "the thresholds of the boiler overlap", file: "examples/device/device.scxml",
		old: `temperature &gt;= 93`, new: `temperature &gt;= 83`,
		opts: explore.Options{Data: senses},
		want: `limit: scxml: limit Microsteps = 100000 exceeded: the chart loops through hot, heating`, path: []string{`press.power`, `sense {"temperature":85,"tray":true,"water":90}`}},
	{mistake: "it brews without a tray", file: "examples/device/device.scxml",
		old: `<transition cond="In('missing')" target="paused"/>`, new: ``,
		opts: explore.Options{Data: senses, Properties: never("In('brewing') && !tray")},
		want: `property: never In('brewing') && !tray`, path: []string{`press.power`, `sense {"temperature":95,"tray":true,"water":90}`, `press.brew`, `sense {"temperature":95,"tray":false,"water":90}`}},
	{mistake: "a fault never ends", file: "examples/device/device.scxml",
		old: `<state id="fault"><transition event="press.power" target="off"/></state>`, new: `<state id="fault"/>`,
		opts: explore.Options{Data: senses},
		want: `deadlock`, path: []string{`press.power`, `sense {"temperature":125,"tray":true,"water":90}`}},
	{mistake: "an interruption begins anew", file: "examples/device/device.scxml",
		old: `target="interrupted"`, new: `target="wetting"`, compare: true,
		opts: explore.Options{Data: senses},
		want: `difference: state: old: pouring; new: wetting`, path: []string{`press.power`, `sense {"temperature":95,"tray":true,"water":90}`,
			`press.brew`, `advance 3s`, `sense {"temperature":95,"tray":false,"water":90}`, `sense {"temperature":95,"tray":true,"water":90}`}},

	{mistake: "the countdown misses its end", file: "examples/ticker/ticker.scxml",
		old: `left == 1`, new: `left == 0`,
		opts: explore.Options{Properties: always("left >= 1")},
		want: `property: always left >= 1`, path: []string{`advance 100ms`, `advance 100ms`, `advance 100ms`}},
	{mistake: "a held countdown cannot continue", file: "examples/ticker/ticker.scxml",
		old: `<transition event="go" target="running"/>`, new: ``,
		want: `deadlock`, path: []string{`hold`}},
	{mistake: "a name is misspelled", file: "examples/ticker/ticker.scxml",
		old: `expr="left - 1"`, new: `expr="lft - 1"`,
		opts: explore.Options{Errors: true},
		want: `error: error.execution: ticker.scxml:15:37: ReferenceError: lft is not defined`, path: []string{`advance 100ms`}},
	{mistake: "it does not count", file: "examples/ticker/ticker.scxml",
		old: `expr="left - 1"`, new: `expr="left"`,
		opts: explore.Options{Session: []scxml.Option{scxml.WithData("every", "0ms")}},
		want: `endless`, path: []string{}},

	{mistake: "an empty cart is reserved", file: "examples/shop/shop.scxml",
		old: `<transition event="checkout" cond="cart.length &gt; 0"`, new: `<transition event="checkout"`,
		opts: explore.Options{Data: visit, Properties: never("In('reserved') && cart.length == 0")},
		want: `property: never In('reserved') && cart.length == 0`, path: []string{`checkout`}},
	{mistake: "the last order stays in the cart", file: "examples/shop/shop.scxml",
		old: `<assign location="cart" expr="[]"/>`, new: ``, compare: true,
		opts: explore.Options{Data: visit},
		want: `difference: state: old: shopping; new: reserved`, path: []string{`add {"item":"tea"}`, `checkout`, `pay`, `payment.accepted`, `again`, `checkout`}},
	{mistake: "an old refusal is shown", file: "examples/shop/shop.scxml",
		old: `<assign location="declined" expr="false"/>`, new: ``,
		opts: explore.Options{Data: visit, Properties: never("In('paying') && declined")},
		want: `property: never In('paying') && declined`, path: []string{`add {"item":"tea"}`, `checkout`, `pay`, `payment.declined`, `pay`}},

	{mistake: "the bank is asked forever", file: "examples/orders/orders.scxml",
		old: `asked &lt; 3`, new: `asked &lt; 30`,
		opts: explore.Options{Session: partners, Data: order, Properties: never("asked > 3")},
		want: `property: never asked > 3`, path: []string{`pay {"card":"4711"}`, `advance 30s`, `advance 30s`, `advance 30s`}},
	{mistake: "any payment counts", file: "examples/orders/orders.scxml",
		old: `<transition event="payment.accepted" cond="_event.data.key === key"`, new: `<transition event="payment.accepted"`, compare: true,
		opts: explore.Options{Session: partners, Data: order},
		want: `difference: send: old: ask.refund {"key":"session/0"}; new: ask.pack {"items":[]}`, path: []string{`pay {"card":"4711"}`, `payment.accepted {"key":"session/0"}`}},
	{mistake: "a key is used twice", file: "examples/orders/orders.scxml",
		old: `expr="attempts + 1"`, new: `expr="attempts"`,
		opts: explore.Options{Session: partners, Data: order, Properties: always("In('unpaid') || In('closed') || key === 'session/' + attempts && attempts > 0")},
		want: `property: always In('unpaid') || In('closed') || key === 'session/' + attempts && attempts > 0`, path: []string{`pay {"card":"4711"}`}},

	{mistake: "a missing sensor never returns", file: "examples/pool/pool.scxml",
		old: `<transition event="report" target="present"/>`, new: ``,
		want: `deadlock`, path: []string{`advance 1m0s`}},

	{mistake: "a chat never says goodbye", file: "examples/bot/bot.scxml",
		old: `<transition event="hear" cond="says('bye')" target="over">`, new: `<transition event="hear" cond="says('by')" target="topic">`,
		opts:    explore.Options{Data: words},
		compare: true,
		want:    `difference: state: old: over; new: chat topic listening patience waiting`, path: []string{`hear {"text":"bye"}`}},
	{mistake: "a complaint is not understood", file: "examples/bot/complaint.scxml",
		old: `_event.data.text.split`, new: `_event.text.split`,
		opts: explore.Options{Data: words, Errors: true},
		want: `error: error.execution: complaint.scxml:8:45: TypeError`, path: []string{`hear {"text":"pizza"}`}},

	{mistake: "a solved game can be continued", file: "charts/sudoku.scxml",
		old: `<transition event="update" cond="isSolved()" target="solved">`, new: `<transition event="update" cond="isSolved()" target="givenUp">`,
		opts: explore.Options{Session: last, Data: tap, Properties: never("In('givenUp') && isSolved()")},
		want: `property: never In('givenUp') && isSolved()`, path: []string{`start`, `tap {"x":0,"y":0}`}},
	{mistake: "the board changes in a pause", file: "charts/sudoku.scxml",
		old: `<transition event="pause" target="paused"/>`, new: `<transition event="pause"/>`,
		opts: explore.Options{Session: last, Data: tap}, compare: true,
		want: `difference: state: old: paused; new: writing playing`, path: []string{`start`, `pause`}},
}

// Mistakes that are planted into the charts of the examples are found with the fewest inputs.
func TestPlantedMistakes(t *testing.T) {
	if len(mistakes) < 20 {
		t.Errorf("there are %d mistakes", len(mistakes))
	}
	for _, m := range mistakes {
		t.Run(m.mistake, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile("../../" + m.file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(source), m.old) != 1 {
				t.Fatalf("%s has %d times %q", m.file, strings.Count(string(source), m.old), m.old)
			}
			right := load(t, m.file, string(source))
			wrong := load(t, m.file, strings.Replace(string(source), m.old, m.new, 1))
			m.opts.MaxStates, m.opts.First, m.opts.NoDeadlocks = 20_000, true, !strings.HasPrefix(m.want, "deadlock")
			search := func(chart *scxml.Chart) *explore.Report {
				if m.compare {
					r, err := explore.Compare(t.Context(), right, chart, m.opts)
					if err != nil {
						t.Fatal(err)
					}
					return r
				}
				return run(t, chart, m.opts)
			}
			r := search(wrong)
			if len(r.Violations) != 1 || r.Verdict != explore.Violated {
				t.Fatalf("%v: %v", r.Verdict, r.Violations)
			}
			v := r.Violations[0]
			var inputs []string
			for _, in := range v.Path {
				inputs = append(inputs, in.String())
			}
			if !strings.HasPrefix(v.String(), m.want) || !slices.Equal(inputs, m.path) {
				t.Errorf("got\n%s\nwant\n%s\n%s", v, m.want, strings.Join(m.path, "\n"))
			}
			m.opts.MaxStates = 100
			if r := search(right); len(r.Violations) > 0 {
				t.Errorf("without the mistake: %v", r.Violations)
			}
		})
	}
}

func load(t *testing.T, file, source string) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Parse(path.Base(file), []byte(source), scxml.WithLoader(os.DirFS("../../"+path.Dir(file))))
	if err != nil {
		t.Fatal(err)
	}
	return chart
}
