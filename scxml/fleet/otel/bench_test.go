package otel_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace/noop"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/otel"
)

// BenchmarkObservers measures what observers cost: two fleets, one of them with observers, take turns of 20
// events, so that whatever else the machine does concerns both. "ratio" is the median of the turns with observers,
// divided by that of those without. The store in memory costs least, which makes the ratio the worst there is.
func BenchmarkObservers(b *testing.B) {
	people := census.New()
	counts := metrics.New(people)
	spans := otel.Observer(noop.NewTracerProvider())
	stores := map[string]func() (fleet.Store, error){
		"memory": func() (fleet.Store, error) { return fleet.NewMemory(), nil },
		"bolt":   func() (fleet.Store, error) { return bolt.Open(b.TempDir()) },
	}
	for _, store := range []string{"memory", "bolt"} {
		for _, c := range []struct {
			name      string
			observers []fleet.Observer
		}{
			{"none", nil},
			{"census", []fleet.Observer{people.Observer()}},
			{"metrics", []fleet.Observer{people.Observer(), counts.Observer()}},
			{"spans", []fleet.Observer{spans}},
			{"all", []fleet.Observer{people.Observer(), counts.Observer(), spans}},
		} {
			b.Run(store+"/"+c.name, func(b *testing.B) {
				plain, observed := newDesk(b, stores[store], nil), newDesk(b, stores[store], c.observers)
				var without, with []time.Duration
				for b.Loop() {
					without = append(without, plain.turn(b))
					with = append(with, observed.turn(b))
				}
				slices.Sort(without)
				slices.Sort(with)
				m := len(with) / 2
				b.ReportMetric(float64(with[m])/float64(without[m]), "ratio")
				b.ReportMetric(float64(without[m].Nanoseconds())/events, "ns/event-without")
				b.ReportMetric(float64(with[m].Nanoseconds())/events, "ns/event-with")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

const events = 20 // of a turn

// A desk is a fleet with some sessions.
type desk struct {
	fleet *fleet.Fleet
	n     int
}

func newDesk(b *testing.B, open func() (fleet.Store, error), observers []fleet.Observer) *desk {
	store, err := open()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<datamodel><data id="n" expr="0"/></datamodel>
		<state id="a"><transition event="go" target="b"><assign location="n" expr="n + 1"/></transition></state>
		<state id="b"><transition event="go" target="a"/></state></scxml>`))
	if err != nil {
		b.Fatal(err)
	}
	f, err := fleet.New(store, fleet.Config{Observers: observers}, fleet.Define("c", chart))
	if err != nil {
		b.Fatal(err)
	}
	for i := range 20 {
		if err := f.Create(b.Context(), fmt.Sprint("s", i), fleet.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	return &desk{fleet: f}
}

func (d *desk) turn(b *testing.B) time.Duration {
	began := time.Now()
	for range events {
		d.n++
		if _, err := d.fleet.Do(b.Context(), fmt.Sprint("s", d.n%20), scxml.Event{Name: "go"}); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(began)
}
