package share

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// Steps measures steps of sessions in a store as BenchmarkSteps of scxml/temporal/servertest does elsewhere: 50
// sessions of the same chart get events at the same time, each sender waits for its answer.
func Steps(b *testing.B, store fleet.Store) {
	const sessions = 50
	chart, err := scxml.Parse("counter.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="add"><assign location="n" expr="n + 1"/></transition></state></scxml>`))
	if err != nil {
		b.Fatal(err)
	}
	f, err := fleet.New(store, fleet.Config{}, fleet.Define("counter", chart))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for i := range sessions {
		if err := f.Create(b.Context(), fmt.Sprint(i), fleet.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	var senders sync.WaitGroup
	b.ResetTimer()
	for i := range sessions {
		senders.Go(func() {
			for n := i; n < b.N; n += sessions {
				if _, err := f.Do(context.Background(), fmt.Sprint(i), scxml.Event{Name: "add"}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	senders.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}
