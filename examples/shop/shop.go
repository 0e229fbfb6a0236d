package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// maxVisits is the number of visits that the shop has at most at a time.
const maxVisits = 100_000

var (
	errNoVisit = errors.New("the visit is over")
	errFull    = errors.New("too many visits")
)

// renamed are the states of earlier versions of shop.scxml that have another id now, from old to new.
var renamed = map[string]string{}

// An order is what the shop sends to those who pack. If it comes twice, it has the same ID.
type order struct {
	ID    string   `json:"id"`
	Visit string   `json:"visit"`
	Items []string `json:"items"`
	Total int      `json:"total"`
}

// An outside is what the shop needs of other systems. Both functions are called again with the same
// ID after a crash or an error.
type outside struct {
	order   func(context.Context, order) error
	collect func(ctx context.Context, id string, amount int) (accepted bool, err error)
}

// A shop has a session for each visitor. It is safe for concurrent use.
type shop struct {
	fleet       *fleet.Fleet
	outside     outside
	reservation time.Duration
	visits      atomic.Int64
}

// openShop returns the shop whose visits are in a store. Visits of an earlier version of the chart are
// moved to this one, all or none of them.
func openShop(ctx context.Context, store fleet.Store, chart *scxml.Chart, reservation time.Duration, o outside) (*shop, error) {
	sh := &shop{outside: o, reservation: reservation}
	f, err := fleet.New(store, fleet.Config{
		Processors: map[string]fleet.Deliver{"shop": sh.deliver},
	}, fleet.Define("shop", chart))
	if err != nil {
		return nil, err
	}
	sh.fleet = f
	report, err := f.Migrate(ctx, fleet.Migration{Chart: "shop", States: renamed})
	if err != nil {
		return nil, err
	}
	for _, u := range report.Unfit {
		err = errors.Join(err, fmt.Errorf("visit %s does not fit the chart: %w", u.Key, u.Err))
	}
	if err != nil {
		return nil, err
	}
	for after, more := "", true; more; {
		list, err := f.List(ctx, after, 1000)
		if err != nil {
			return nil, err
		}
		sh.visits.Add(int64(len(list)))
		if more = len(list) > 0; more {
			after = list[len(list)-1].Key
		}
	}
	return sh, nil
}

// begin starts the session of a new visitor, and returns the visitor's secret.
func (sh *shop) begin(ctx context.Context) (visitor string, err error) {
	if sh.visits.Add(1) > maxVisits {
		err = errFull
	} else {
		visitor = rand.Text() // visitors must not choose it
		err = sh.fleet.Create(ctx, key(visitor), fleet.CreateOptions{
			Data: map[string]any{"reservation": fmt.Sprint(sh.reservation.Milliseconds(), "ms")},
		})
	}
	if err != nil {
		sh.visits.Add(-1)
	}
	return visitor, err
}

// key is the key of a visitor's session. It is in orders and logs, and does not tell the secret.
func key(visitor string) string {
	sum := sha256.Sum256([]byte(visitor))
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20])
}

// process sends an event to a visitor's session, unless it has accepted one with this id before. If it
// returns nil, the event is processed and stored; if it fails, nothing has changed.
func (sh *shop) process(ctx context.Context, visitor, id string, ev scxml.Event) error {
	res, err := sh.fleet.Do(ctx, key(visitor), ev, fleet.ID(id))
	if errors.Is(err, fleet.ErrNotFound) || errors.Is(err, fleet.ErrEnded) || err == nil && res.Status != scxml.Running.String() {
		return errNoVisit
	}
	return err
}

// look returns what a visitor sees now. It stores nothing: what is due happens in a copy here, and
// in the session later, at the same times and with the same results.
func (sh *shop) look(ctx context.Context, visitor string) (*page, error) {
	p := new(page)
	err := sh.fleet.View(ctx, key(visitor), func(s fleet.Live) error {
		if s.Status() != scxml.Running {
			return errNoVisit
		}
		value, err := s.Eval(ctx, "view()")
		if err == nil {
			err = datamodel.Decode(value, p)
		}
		p.State = s.Configuration()[0]
		p.Due, _ = s.NextDue()
		return err
	})
	if errors.Is(err, fleet.ErrNotFound) {
		err = errNoVisit
	}
	return p, err
}

// deliver takes what the charts send to the shop.
func (sh *shop) deliver(ctx context.Context, d fleet.Delivery) error {
	switch d.Message.Event.Name {
	case "collect":
		return sh.collect(ctx, d)
	case "order":
		o, err := scxml.EventData[order](d.Message.Event)
		if err != nil {
			return fmt.Errorf("%w: %w", fleet.ErrRefused, err)
		}
		o.ID, o.Visit = d.ID, d.Key
		return sh.outside.order(ctx, o)
	case "over":
		err := sh.fleet.Delete(ctx, d.Key)
		if err == nil {
			sh.visits.Add(-1)
		}
		return err
	}
	return fmt.Errorf("event %q: %w", d.Message.Event.Name, fleet.ErrRefused)
}

// collect asks the bank, and sends its answer to the session: once, as the event has the id of the
// question.
func (sh *shop) collect(ctx context.Context, d fleet.Delivery) error {
	p, err := scxml.EventData[struct{ Amount int }](d.Message.Event)
	if err != nil {
		return fmt.Errorf("%w: %w", fleet.ErrRefused, err)
	}
	accepted, err := sh.outside.collect(ctx, d.ID, p.Amount)
	if err != nil {
		return err
	}
	answer := scxml.Event{Name: "payment.declined"}
	if accepted {
		answer.Name = "payment.accepted"
	}
	_, err = sh.fleet.Send(ctx, d.Key, answer, fleet.ID(d.ID))
	return err
}
