package scxml_test

import (
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

// typedCharts are charts whose guards look at data of different origin.
var typedCharts = []struct{ name, data, cond string }{
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

func BenchmarkTyped(b *testing.B) {
	for _, c := range typedCharts {
		b.Run(c.name, func(b *testing.B) {
			d := typedSession(b, c.data, c.cond)
			ev := scxml.Event{Name: "e"}
			if c.name == "event" {
				ev.Data = sampleOrder
			}
			b.ReportAllocs()
			for b.Loop() {
				d.process(ev)
			}
		})
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

func BenchmarkSessionOfOrder(b *testing.B) {
	chart := parse(b, `<datamodel><data id="order"/></datamodel><state id="a"><transition event="e" cond="order.total &gt; 100" target="a"/></state>`)
	b.ReportAllocs()
	for b.Loop() {
		d := driven(b, chart, scxml.WithData("order", sampleOrder))
		d.process(scxml.Event{Name: "e"})
	}
}
