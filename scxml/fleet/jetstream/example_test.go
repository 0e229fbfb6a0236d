package jetstream_test

import (
	"context"
	"log"
	"os"
	"os/signal"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

// A process that runs the sessions of a store, next to others like it.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	store, err := jetstream.Open(ctx, "nats://n1:4222,n2:4222,n3:4222/orders", jetstream.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	chart := scxml.MustLoad(os.DirFS("."), "order.scxml")
	f, err := fleet.New(store, fleet.Config{}, fleet.Define("order", chart))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := f.Run(ctx); err != nil && ctx.Err() == nil {
		log.Print(err)
	}
}
