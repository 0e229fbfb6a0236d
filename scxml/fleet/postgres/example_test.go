package postgres_test

import (
	"context"
	"log"
	"os"
	"os/signal"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/postgres"
)

// A process that runs the sessions of a store, next to others like it.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	store, err := postgres.Open(ctx, "postgres://fleet@db.example.com/orders", postgres.Options{Watermark: "watermark"})
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
