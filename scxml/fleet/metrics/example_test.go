package metrics_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
)

func Example() {
	chart, err := scxml.Parse("lamp.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="on"><transition event="off" target="end"/></state>
  <final id="end"/>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	people := census.New()
	m := metrics.New(people)
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{
		Observers: []fleet.Observer{people.Observer(), m.Observer()},
	}, fleet.Define("lamp", chart))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	ctx := context.Background()
	if err := f.Create(ctx, "hall", fleet.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	if _, err := f.Do(ctx, "hall", scxml.Event{Name: "off"}); err != nil {
		log.Fatal(err)
	}
	var page strings.Builder // or the answer to a request of Prometheus
	if err := m.Write(&page, f); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(page.String()) {
		if strings.HasPrefix(line, "scxml_sessions{") || strings.HasPrefix(line, "scxml_events_total{") {
			fmt.Print(line)
		}
	}
	// Output:
	// scxml_sessions{chart="lamp",status="final"} 1
	// scxml_events_total{source="event",result="accepted"} 1
}
