package scxml_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/debug"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

var benchMacrosteps = flag.Int("debug.macrosteps", 20_000, "macrosteps before BenchmarkStepBack steps back")

// BenchmarkStepBack goes back by one microstep from random places of a long past, in processor time. Each
// iteration also goes to the place, which is not measured.
func BenchmarkStepBack(b *testing.B) {
	for name, source := range map[string]string{
		"values": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="last"/></datamodel>
  <state id="a"><transition event="up" target="b"><assign location="n" expr="n + 1"/><assign location="last" expr="_event.data"/></transition></state>
  <state id="b">
    <onentry><send event="back" delay="1s" id="x"/></onentry><onexit><cancel sendid="x"/></onexit>
    <transition event="up" target="a"><assign location="n" expr="n + 1"/></transition>
  </state>
</scxml>`,
		"grid": `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="grid" expr="[]"/></datamodel>
  <script>
    function put(at, n) { grid[at % 81] = { digit: n, notes: [n, at], given: n % 2 == 0 }; return check(); }
    function check() { var sum = 0; for (var i = 0; i &lt; grid.length; i++) if (grid[i]) sum += grid[i].digit; return sum; }
  </script>
  <state id="a"><transition event="up"><script>put(_event.data, 7)</script><raise event="more"/></transition><transition event="more"/></state>
</scxml>`,
	} {
		b.Run(name, func(b *testing.B) {
			chart, err := scxml.Parse("chart.scxml", []byte(source))
			if err != nil {
				b.Fatal(err)
			}
			d, err := debug.New(debug.Config{Chart: chart, Start: scxmltest.Epoch, Options: []scxml.Option{scxml.WithSeed(1)}})
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			ctx := b.Context()
			began := time.Now()
			for i := range *benchMacrosteps {
				if err := d.Send("", scxml.Event{Name: "up", Data: i}); err != nil {
					b.Fatal(err)
				}
				if i%100 == 99 {
					if _, err := d.Continue(ctx); err != nil {
						b.Fatal(err)
					}
				}
			}
			forwards := time.Since(began)
			rng := rand.New(rand.NewPCG(1, 1))
			var times []time.Duration
			for b.Loop() {
				b.StopTimer()
				if _, err := d.Goto(ctx, debug.Place{Macrostep: 1 + rng.IntN(*benchMacrosteps)}); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				began := cpuTime()
				if _, err := d.StepBack(ctx); err != nil {
					b.Fatal(err)
				}
				times = append(times, cpuTime()-began)
			}
			b.ReportMetric(float64(forwards.Microseconds())/float64(*benchMacrosteps), "µs/macrostep")
			slices.Sort(times)
			for _, p := range []struct {
				percent int
				unit    string
			}{{50, "p50-ms"}, {95, "p95-ms"}, {99, "p99-ms"}} {
				b.ReportMetric(float64(times[len(times)*p.percent/100].Microseconds())/1000, p.unit)
			}
		})
	}
}
