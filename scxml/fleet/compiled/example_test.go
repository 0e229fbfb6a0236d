package compiled_test

import (
	"context"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled"
)

// A session that began interpreted continues compiled.
func Example() {
	ctx := context.Background()
	store := fleet.NewMemory()
	f, err := fleet.New(store, fleet.Config{}, fleet.Define("order", chartOfOrders()))
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Create(ctx, "order-1", fleet.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	f.Close()

	f, err = fleet.New(store, fleet.Config{}, compiled.Define("order", chartOfOrders(), newOrder))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	result, err := f.Do(ctx, "order-1", scxml.Event{Name: "pay", Data: map[string]any{"amount": 7}})
	fmt.Println(result.Handled, result.Configuration, err)
	state, err := f.Get(ctx, "order-1")
	fmt.Println(state.Data, err)
	// Output:
	// true [open] <nil>
	// {"paid":7,"reminders":0,"told":""} <nil>
}
