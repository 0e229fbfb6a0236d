package bolt_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// A session continues after the program that has begun it has ended.
func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open"><transition event="pull" target="closed"/></state>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "doors")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	run := func(work func(f *fleet.Fleet) error) {
		store, err := bolt.Open(dir)
		if err != nil {
			log.Fatal(err)
		}
		defer store.Close()
		f, err := fleet.New(store, fleet.Config{}, fleet.Define("door", chart))
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := work(f); err != nil {
			log.Print(err)
		}
	}
	run(func(f *fleet.Fleet) error { return f.Create(ctx, "front", fleet.CreateOptions{}) })
	run(func(f *fleet.Fleet) error {
		result, err := f.Do(ctx, "front", scxml.Event{Name: "push"})
		fmt.Println(result.Handled, result.Configuration)
		return err
	})
	// Output:
	// true [open]
}
