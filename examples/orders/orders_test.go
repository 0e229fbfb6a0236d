package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func Example_day() {
	dir, _ := os.MkdirTemp("", "orders")
	defer os.RemoveAll(dir)
	if err := day(context.Background(), dir, os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// 09:05:00  tea ask.charge {"key":"tea/1","card":"0000","amount":320}
	// 09:10:00  tea ask.charge {"key":"tea/2","card":"4711","amount":320}
	// 09:10:00  tea ask.pack {"items":[{"name":"tea","price":320}]}
	// 10:10:00  tea is packing, can [cancel]
	// 10:10:00  cake is closed, can []
}

// A shop is a service on a virtual clock that is opened again before each call.
type shop struct {
	t   *testing.T
	dir string
	now time.Time
}

func newShop(t *testing.T) *shop {
	s := &shop{t, t.TempDir(), time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	if _, err := s.service().place(t.Context(), "one", []item{{"tea", 320}, {"cake", 530}}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shop) service() *service {
	s.t.Helper()
	sv, err := openService(s.dir, func() time.Time { return s.now })
	if err != nil {
		s.t.Fatal(err)
	}
	return sv
}

// sends gives the order an event of the customer, which fails with want.
func (s *shop) sends(event string, data any, want error) {
	s.t.Helper()
	if _, err := s.service().send(s.t.Context(), "one", "", event, data); !errors.Is(err, want) {
		s.t.Fatalf("%s: %v, want %v", event, err, want)
	}
}

func (s *shop) answers(event string, data any) {
	s.t.Helper()
	if err := s.service().answer(s.t.Context(), "one", event, data); err != nil {
		s.t.Fatalf("%s: %v", event, err)
	}
}

// asks checks what the order has asked for since the last time.
func (s *shop) asks(want ...string) {
	s.t.Helper()
	var got []string
	err := s.service().work(s.t.Context(), func(_ context.Context, id string, t task) error {
		got = append(got, t.Name+" "+string(t.Data))
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		s.t.Fatalf("asks for\n%q, %v, want\n%q", got, err, want)
	}
}

func (s *shop) is(state string) {
	s.t.Helper()
	v, err := s.service().send(s.t.Context(), "one", "", "", nil)
	if err != nil || v.State != state || len(v.Items) != 2 {
		s.t.Fatalf("%+v, %v, want %s", v, err, state)
	}
}

func card(number string) map[string]string { return map[string]string{"card": number} }
func key(key string) map[string]string     { return map[string]string{"key": key} }

const charge = `ask.charge {"key":"one/1","card":"4711","amount":850}`

func TestOrderIsPaidAndShipped(t *testing.T) {
	s := newShop(t)
	s.sends("pay", card("4711"), nil)
	s.asks(charge)
	s.answers("payment.accepted", key("one/1"))
	s.asks(`ask.pack {"items":[{"name":"tea","price":320},{"name":"cake","price":530}]}`)
	s.answers("parcel.sent", map[string]string{"number": "JJD 17"})
	s.sends("cancel", nil, errConflict)
	s.is("shipped")
}

// The deadline comes first, even if nobody looks at the order when it passes.
func TestPaymentAfterTheDeadline(t *testing.T) {
	s := newShop(t)
	s.now = s.now.Add(15 * time.Minute)
	s.sends("pay", card("4711"), errConflict)
	s.asks()
	s.is("closed")
}

func TestSweepClosesUnpaidOrders(t *testing.T) {
	s := newShop(t)
	sv := s.service()
	s.now = s.now.Add(15*time.Minute - 1)
	for _, want := range []string{"unpaid", "closed"} {
		if err := sv.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := sv.read("one")
		if err != nil {
			t.Fatal(err)
		}
		saved, err := scxml.Restore(sv.chart, r.Snapshot)
		if err != nil || !saved.In(want) {
			t.Fatalf("saved in %v, %v, want %s", saved.Configuration(), err, want)
		}
		s.now = s.now.Add(1)
	}
}

// A silent bank is asked three times, with the same key.
func TestBankIsSilent(t *testing.T) {
	s := newShop(t)
	s.sends("pay", card("4711"), nil)
	s.now = s.now.Add(2 * time.Minute)
	s.is("unpaid")
	s.asks(charge, charge, charge)
	s.answers("payment.accepted", key("one/1")) // too late
	s.asks(`ask.refund {"key":"one/1"}`)
	s.is("unpaid")
}

func TestLatePaymentsAreGivenBack(t *testing.T) {
	s := newShop(t)
	s.sends("pay", card("0000"), nil)
	s.answers("payment.declined", key("one/1"))
	s.sends("cancel", nil, nil)
	s.answers("payment.accepted", key("one/1"))
	s.asks(`ask.charge {"key":"one/1","card":"0000","amount":850}`, `ask.refund {"key":"one/1"}`)
	s.is("closed")
}

// Nobody can send what is not theirs to say.
func TestForgery(t *testing.T) {
	s := newShop(t)
	s.sends("payment.accepted", key("one/1"), scxml.ErrNotAccepted)
	s.sends("parcel.sent", nil, scxml.ErrNotAccepted)
	for _, event := range []string{"deadline", "silence", "ask.charge", "error.execution", "done.state.order"} {
		if err := s.service().answer(t.Context(), "one", event, nil); !errors.Is(err, scxml.ErrNotAccepted) {
			t.Errorf("%s: %v", event, err)
		}
	}
	s.is("unpaid")
}

func TestRequestIsDoneOnce(t *testing.T) {
	s := newShop(t)
	for range 2 {
		if _, err := s.service().send(t.Context(), "one", "r1", "pay", card("4711")); err != nil {
			t.Fatal(err)
		}
	}
	s.asks(charge)
	s.asks()
}

// A task that fails stays, and those after it wait.
func TestTasksAreTriedAgain(t *testing.T) {
	s := newShop(t)
	s.sends("pay", card("4711"), nil)
	down := errors.New("the bank is down")
	err := s.service().work(t.Context(), func(context.Context, string, task) error { return down })
	if !errors.Is(err, down) {
		t.Fatalf("%v, want %v", err, down)
	}
	s.asks(charge)
}

func TestPlaceRefuses(t *testing.T) {
	s := newShop(t)
	for _, id := range []string{"one", "", "../two", "t/wo"} {
		if _, err := s.service().place(t.Context(), id, nil); err == nil {
			t.Errorf("%q: placed", id)
		}
	}
	s.sends("pay", nil, errConflict)
	if _, err := s.service().send(t.Context(), "two", "", "cancel", nil); !errors.Is(err, errNoOrder) {
		t.Errorf("got %v, want %v", err, errNoOrder)
	}
}
