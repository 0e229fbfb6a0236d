package scxml_test

import (
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// A typedOrder is data as a Go program has them.
type typedOrder struct {
	ID       string    `json:"id"`
	Customer string    `json:"customer"`
	Status   string    `json:"status"`
	Currency string    `json:"currency"`
	Total    float64   `json:"total"`
	Items    int       `json:"items"`
	Paid     bool      `json:"paid"`
	Express  bool      `json:"express"`
	Placed   time.Time `json:"placed"`
	Note     string    `json:"note"`
}

var sampleOrder = typedOrder{
	ID: "o-4711", Customer: "c-17", Status: "placed", Currency: "EUR", Total: 129.5, Items: 3, Express: true,
	Placed: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Note: "leave it at the door",
}

type typedChart struct{ name, data, cond string }

// typedCharts are charts whose guards look at data of different origin.
var typedCharts = []typedChart{
	{"number", `<data id="n" expr="129.5"/>`, "n &gt; 100"},
	{"struct", `<data id="order"/>`, "order.total &gt; 100"},
	{"event", ``, "_event.data.total &gt; 100"},
	{"func", `<data id="n" expr="129.5"/>`, "rate(n) &gt; 100"},
	{"script", `<data id="n" expr="129.5"/><data id="order"/>`, "[1, 2].some(function (x) { return x + n &gt; 100; })"},
}

func typedSession(tb testing.TB, data, cond string) driver {
	tb.Helper()
	inside := `<datamodel>` + data + `</datamodel><state id="a"><transition event="e" cond="` + cond + `" target="b"/></state>` +
		`<state id="b"><transition event="e" cond="` + cond + `" target="a"/></state>`
	chart := parse(tb, inside)
	opts := []scxml.Option{scxml.WithFunc("rate", func(n float64) float64 { return n * 2 })}
	if len(chart.Data()) > 0 && chart.Data()[len(chart.Data())-1] == "order" {
		opts = append(opts, scxml.WithData("order", sampleOrder))
	}
	return driven(tb, chart, opts...)
}

// goFuncs is a chart whose guard and action are functions of the host.
const goFuncs = `<datamodel><data id="n" expr="129.5"/></datamodel>
	<state id="a"><onentry><script>note(n)</script></onentry><transition event="e" cond="above(n)" target="b"/></state>
	<state id="b"><onentry><script>note(n)</script></onentry><transition event="e" cond="above(n)" target="a"/></state>`

// goFuncsOp returns a function that measures an event of goFuncs.
func goFuncsOp(tb testing.TB) func() {
	d := driven(tb, parse(tb, goFuncs), scxml.WithFunc("above", func(n float64) bool { return n > 3 }), scxml.WithFunc("note", func(float64) {}))
	return func() { d.process(scxml.Event{Name: "e"}) }
}

// typedOp returns a function that measures an event of one of the typedCharts.
func typedOp(name string) func(tb testing.TB) func() {
	return func(tb testing.TB) func() {
		i := slices.IndexFunc(typedCharts, func(c typedChart) bool { return c.name == name })
		c := typedCharts[i]
		d := typedSession(tb, c.data, c.cond)
		ev := scxml.Event{Name: "e"}
		if c.name == "event" {
			ev.Data = sampleOrder
		}
		return func() { d.process(ev) }
	}
}

func BenchmarkTyped(b *testing.B) {
	for _, c := range typedCharts {
		b.Run(c.name, func(b *testing.B) { run(b, typedOp(c.name)(b)) })
	}
	b.Run("guard and action", func(b *testing.B) { run(b, goFuncsOp(b)) })
}

// TestTypedGuardsAllocateNothing: data of Go structs is read as it is.
func TestTypedGuardsAllocateNothing(t *testing.T) {
	for _, name := range []string{"number", "struct"} {
		op := typedOp(name)(t)
		op()
		if got := testing.AllocsPerRun(100, op); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

func BenchmarkAdvanceIdle(b *testing.B) {
	d := typedSession(b, "", "true")
	b.Run("Step", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Step(d.ctx, now); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Advance", func(b *testing.B) {
		for b.Loop() {
			if err := d.Advance(d.ctx, now); err != nil {
				b.Fatal(err)
			}
		}
	})
	at := now
	b.Run("AdvanceOn", func(b *testing.B) {
		for b.Loop() {
			at = at.Add(1)
			if err := d.Advance(d.ctx, at); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// orderSessionOp returns a function that starts a session with an order of ten fields, and gives it
// an event whose guard looks at one.
func orderSessionOp(tb testing.TB) func() {
	chart := parse(tb, `<datamodel><data id="order"/></datamodel><state id="a"><transition event="e" cond="order.total &gt; 100" target="a"/></state>`)
	return func() { driven(tb, chart, scxml.WithData("order", sampleOrder)).process(scxml.Event{Name: "e"}) }
}

func BenchmarkSessionOfOrder(b *testing.B) { run(b, orderSessionOp(b)) }
