package otel_test

import (
	"context"
	"fmt"
	"log"

	"go.opentelemetry.io/otel/trace/noop"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/otel"
)

// A program gives the provider of its SDK instead, with an exporter.
func Example() {
	chart, err := scxml.Parse("lamp.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="on"><transition event="off" target="off"/></state>
  <state id="off"/>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	provider := noop.NewTracerProvider()
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{
		Observers: []fleet.Observer{otel.Observer(provider)},
	}, fleet.Define("lamp", chart))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	ctx := context.Background() // with the span of a request, if there is one
	if err := f.Create(ctx, "hall", fleet.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	result, err := f.Do(ctx, "hall", scxml.Event{Name: "off"})
	fmt.Println(result.Configuration, err)
	// Output: [off] <nil>
}
