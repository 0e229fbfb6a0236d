package census_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
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
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{Observers: []fleet.Observer{people.Observer()}}, fleet.Define("lamp", chart))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	ctx := context.Background()
	if err := people.Scan(ctx, f); err != nil { // what was in the store before; Run repeats it
		log.Fatal(err)
	}
	for _, key := range []string{"hall", "kitchen", "stairs"} {
		if err := f.Create(ctx, key, fleet.CreateOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := f.Do(ctx, "hall", scxml.Event{Name: "off"}); err != nil {
		log.Fatal(err)
	}
	for _, count := range people.Counts() {
		fmt.Println(count.Chart, count.Status, count.Sessions)
	}
	for _, s := range people.Find(ctx, f, census.Query{Status: "running"}, time.Now()).Sessions {
		fmt.Println(s.Key)
	}
	// Output:
	// lamp final 1
	// lamp running 2
	// kitchen
	// stairs
}
