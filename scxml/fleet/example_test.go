package fleet_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

const orderChart = `
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="total"/></datamodel>
  <state id="placed">
    <onentry><send event="overdue" delay="48h"/></onentry>
    <transition event="pay" cond="_event.data === total" target="paid"/>
    <transition event="overdue" target="cancelled"/>
  </state>
  <state id="paid">
    <onentry><send type="x-mail" target="warehouse" event="order"/></onentry>
    <transition event="ship" target="shipped"/>
  </state>
  <final id="shipped"/>
  <final id="cancelled"/>
</scxml>`

func Example() {
	chart, err := scxml.Parse("order.scxml", []byte(orderChart))
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	mails := make(chan fleet.Delivery, 1)
	mail := func(_ context.Context, d fleet.Delivery) error {
		mails <- d
		return nil
	}
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{
		Processors: map[string]fleet.Deliver{"x-mail": mail},
	}, fleet.Define("order", chart))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()

	if err := f.Create(ctx, "order-1", fleet.CreateOptions{Data: map[string]any{"total": 12}}); err != nil {
		log.Fatal(err)
	}
	for range 2 { // the customer clicks twice
		result, err := f.Do(ctx, "order-1", scxml.Event{Name: "pay", Data: 12}, fleet.ID("click-1"))
		fmt.Println(result.Position, result.Handled, result.Duplicate, result.Configuration, err)
	}
	letter := <-mails
	fmt.Println("mail to", letter.Message.Target, "for", letter.Key)
	_, err = f.Do(ctx, "order-1", scxml.Event{Name: "ship"})
	fmt.Println(err)
	_, err = f.Do(ctx, "order-1", scxml.Event{Name: "overdue"})
	fmt.Println(err)
	stop()
	<-done
	// Output:
	// 1 true false [paid] <nil>
	// 1 true true [paid] <nil>
	// mail to warehouse for order-1
	// <nil>
	// session "order-1": event "overdue": the session does not accept this event from outside
}

func ExampleFleet_View() {
	chart, err := scxml.Parse("order.scxml", []byte(orderChart))
	if err != nil {
		log.Fatal(err)
	}
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	f, err := fleet.New(fleet.NewMemory(), fleet.Config{Now: clock}, fleet.Define("order", chart, scxml.WithMissing())) // no mail
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := f.Create(ctx, "order-1", fleet.CreateOptions{Data: map[string]any{"total": 12}}); err != nil {
		log.Fatal(err)
	}
	show := func(s fleet.Live) error {
		data, err := fleet.SessionData[struct{ Total int }](ctx, s)
		fmt.Printf("%d %q %q\n", data.Total, s.Configuration(), s.FinalState())
		return err
	}
	if err := f.View(ctx, "order-1", show); err != nil {
		log.Fatal(err)
	}
	now = now.Add(49 * time.Hour)
	if err := f.View(ctx, "order-1", show); err != nil { // although nothing has run meanwhile
		log.Fatal(err)
	}
	// Output:
	// 12 ["placed"] ""
	// 12 [] "cancelled"
}
