package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

//go:embed orders.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "orders.scxml")

var errConflict = errors.New("the order does not take this event now")

// An item is what a customer orders.
type item struct {
	Name  string `json:"name"`
	Price int    `json:"price"`
}

// A view is what a customer sees of an order.
type view struct {
	State  string
	Can    []string // events that the customer can send
	Items  []item   // and Parcel: data of the chart
	Parcel string
}

// A service has the orders of a store, each a session whose key is the id of the order. Its methods may
// be called from any goroutine, in any number of processes if the store allows it.
type service struct{ fleet *fleet.Fleet }

// newService returns the service of the orders in a store. partner does what they ask for. It may be
// asked again under the same Delivery.ID.
func newService(store fleet.Store, now func() time.Time, partner fleet.Deliver) (*service, error) {
	f, err := fleet.New(store, fleet.Config{Now: now, Processors: map[string]fleet.Deliver{"x-partner": partner}},
		fleet.Define("order", chart))
	return &service{f}, err
}

// place makes a new order.
func (sv *service) place(ctx context.Context, id string, items []item) error {
	return sv.fleet.Create(ctx, id, fleet.CreateOptions{Data: map[string]any{"items": items}})
}

// customers send these events. They must not say that they have paid.
var customers = []string{"pay", "cancel"}

// send gives an order an event of its customer. request tells one click from the next: a repeated one
// is done once.
func (sv *service) send(ctx context.Context, id, request, event string, data any) error {
	if !slices.Contains(customers, event) {
		return fmt.Errorf("event %q: %w", event, scxml.ErrNotAccepted)
	}
	result, err := sv.fleet.Do(ctx, id, scxml.Event{Name: event, Data: data}, fleet.ID("customer "+request))
	if err == nil && !result.Handled {
		err = errConflict
	}
	return err
}

// answer gives an order an event of a partner, who does not wait for what comes of it. A repeated answer
// counts once.
func (sv *service) answer(ctx context.Context, id, answer, event string, data any) error {
	_, err := sv.fleet.Send(ctx, id, scxml.Event{Name: event, Data: data}, fleet.ID("partner "+answer))
	return err
}

// look returns an order as it is now.
func (sv *service) look(ctx context.Context, id string) (v view, err error) {
	err = sv.fleet.View(ctx, id, func(s fleet.Live) (err error) {
		if v, err = fleet.SessionData[view](ctx, s); err != nil {
			return err
		}
		v.State = s.Configuration()[1]
		v.Can, err = s.Enabled(ctx)
		v.Can = slices.DeleteFunc(v.Can, func(event string) bool { return !slices.Contains(customers, event) })
		return err
	})
	return v, err
}
