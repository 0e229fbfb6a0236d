// Command orders runs the chart of examples/orders on Temporal.
//
//	go run ./orders ../../examples/orders/orders.scxml
//
// It is a worker for the task queue "orders" of the server at TEMPORAL_ADDRESS, or localhost:7233, and places an
// order, which it pays for. Its partners, a bank and a warehouse, answer at once. An interrupt ends it.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: orders FILE, the chart of examples/orders")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// register makes orders workflows. partner does what they ask for.
func register(r worker.Registry, file string, partner temporal.Activity) error {
	chart, err := scxml.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err == nil {
		temporal.Register(r, "order", chart, temporal.Options{Activities: map[string]temporal.Activity{"x-partner": partner}})
	}
	return err
}

// partner is a bank and a warehouse. An answer that is repeated has the same ID, and counts once.
func partner(ctx context.Context, t temporal.Task) (any, error) {
	log.Println(t.Session, t.Event, datamodel.Text(t.Data))
	answer := temporal.Event{ID: t.Key, Data: t.Data}
	switch t.Event {
	case "ask.charge":
		answer.Name = "payment.accepted"
	case "ask.pack":
		answer.Name, answer.Data = "parcel.sent", map[string]string{"number": "JJD 17"}
	default:
		return nil, nil
	}
	return nil, activity.GetClient(ctx).SignalWorkflow(ctx, t.Session, "", temporal.SignalEvent, answer)
}

func run(ctx context.Context, file string) error {
	c, err := client.Dial(client.Options{HostPort: os.Getenv("TEMPORAL_ADDRESS"), Logger: sdk.NewStructuredLogger(slog.Default())})
	if err != nil {
		return err
	}
	defer c.Close()
	w := worker.New(c, "orders", worker.Options{})
	if err := register(w, file, partner); err != nil {
		return err
	}
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()

	items := []map[string]any{{"name": "tea", "price": 320}}
	order, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{TaskQueue: "orders"}, "order", temporal.Input{Data: map[string]any{"items": items}})
	if err != nil {
		return err
	}
	pay := temporal.Event{Name: "pay", Data: map[string]string{"card": "4711"}, ID: "click 1"}
	answer, err := temporal.Do(ctx, c, order.GetID(), pay)
	if err != nil {
		return err
	}
	fmt.Printf("%s is in %s and has sent %s\n", order.GetID(), answer.Configuration, answer.Sent)
	<-worker.InterruptCh()
	state, err := temporal.Get(ctx, c, order.GetID())
	fmt.Printf("%s is in %s, can %s, and has %s\n", order.GetID(), state.Configuration, state.Events, state.Data)
	return err
}
