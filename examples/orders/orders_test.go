package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
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

// A shop is a service that is started anew for each call, in a bubble in which time passes at once.
type shop struct {
	*testing.T
	store fleet.Store
	down  bool     // partners cannot be reached
	asked []string // since the last time
	ids   []string // of all deliveries that were tried
}

// open runs a test of a shop with one order.
func open(t *testing.T, test func(*shop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{T: t, store: fleet.NewMemory()}
		s.with(func(sv *service) {
			if err := sv.place(t.Context(), "one", []item{{"tea", 320}, {"cake", 530}}); err != nil {
				t.Fatal(err)
			}
		})
		test(s)
	})
}

// with runs a service until all is done that can be done at once, and ends it as a crash would.
func (s *shop) with(f func(*service)) {
	s.Helper()
	sv, err := newService(s.store, time.Now, s.partner)
	if err != nil {
		s.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.Context())
	ran := make(chan error)
	go func() { ran <- sv.fleet.Run(ctx) }()
	f(sv)
	synctest.Wait()
	cancel()
	<-ran
	if err := sv.fleet.Close(); err != nil {
		s.Error(err)
	}
}

func (s *shop) partner(_ context.Context, d fleet.Delivery) error {
	s.ids = append(s.ids, d.ID)
	if s.down {
		return errors.New("the bank is down")
	}
	s.asked = append(s.asked, d.Message.Event.Name+" "+datamodel.Text(d.Message.Event.Data))
	return nil
}

// sends gives the order an event of the customer, which fails with want.
func (s *shop) sends(event string, data any, want error) {
	s.Helper()
	s.with(func(sv *service) {
		if err := sv.send(s.Context(), "one", time.Now().String(), event, data); !errors.Is(err, want) {
			s.Fatalf("%s: %v, want %v", event, err, want)
		}
	})
	time.Sleep(time.Nanosecond) // for the next request
}

// answers gives the order an event of a partner, twice, which fails with want.
func (s *shop) answers(event string, data any, want error) {
	s.Helper()
	for range 2 {
		s.with(func(sv *service) {
			if err := sv.answer(s.Context(), "one", event+datamodel.Text(data), event, data); !errors.Is(err, want) {
				s.Fatalf("%s: %v, want %v", event, err, want)
			}
		})
	}
}

// asks checks what the order has asked for since the last time.
func (s *shop) asks(want ...string) {
	s.Helper()
	if !slices.Equal(s.asked, want) {
		s.Fatalf("asks for\n%q, want\n%q", s.asked, want)
	}
	s.asked = nil
}

func (s *shop) is(state string) {
	s.Helper()
	s.with(func(sv *service) {
		if v, err := sv.look(s.Context(), "one"); err != nil || v.State != state || len(v.Items) != 2 {
			s.Fatalf("%+v, %v, want %s", v, err, state)
		}
	})
}

func card(number string) map[string]any { return map[string]any{"card": number} }
func key(key string) map[string]any     { return map[string]any{"key": key} }

const charge = `ask.charge {"key":"one/1","card":"4711","amount":850}`

func TestOrderIsPaidAndShipped(t *testing.T) {
	open(t, func(s *shop) {
		s.sends("pay", card("4711"), nil)
		s.asks(charge)
		s.answers("payment.accepted", key("one/1"), nil)
		s.asks(`ask.pack {"items":[{"name":"tea","price":320},{"name":"cake","price":530}]}`)
		s.answers("parcel.sent", map[string]any{"number": "JJD 17"}, nil)
		s.sends("cancel", nil, errConflict)
		s.is("shipped")
		s.asks()
	})
}

// The deadline comes first, even if no service runs when it passes.
func TestPaymentAfterTheDeadline(t *testing.T) {
	open(t, func(s *shop) {
		time.Sleep(15 * time.Minute)
		s.sends("pay", card("4711"), errConflict)
		s.asks()
		s.is("closed")
	})
}

// A service closes unpaid orders by itself.
func TestDeadline(t *testing.T) {
	open(t, func(s *shop) {
		began := time.Now()
		s.with(func(sv *service) {
			for _, want := range []string{"unpaid", "closed"} {
				time.Sleep(time.Until(began.Add(15*time.Minute - 1)))
				synctest.Wait()
				if stored, err := sv.fleet.Get(s.Context(), "one"); err != nil || !slices.Contains(stored.Configuration, want) {
					s.Fatalf("stored in %q, %v, want %s", stored.Configuration, err, want)
				}
				began = began.Add(1)
			}
		})
	})
}

// A silent bank is asked three times, with the same key.
func TestBankIsSilent(t *testing.T) {
	open(t, func(s *shop) {
		s.sends("pay", card("4711"), nil)
		time.Sleep(2 * time.Minute)
		s.is("unpaid")
		s.asks(charge, charge, charge)
		s.answers("payment.accepted", key("one/1"), nil) // too late
		s.asks(`ask.refund {"key":"one/1"}`)
		s.is("unpaid")
	})
}

func TestLatePaymentsAreGivenBack(t *testing.T) {
	open(t, func(s *shop) {
		s.sends("pay", card("0000"), nil)
		s.answers("payment.declined", key("one/1"), nil)
		s.sends("cancel", nil, nil)
		s.answers("payment.accepted", key("one/1"), nil)
		s.asks(`ask.charge {"key":"one/1","card":"0000","amount":850}`, `ask.refund {"key":"one/1"}`)
		s.is("closed")
	})
}

// Nobody can send what is not theirs to say.
func TestForgery(t *testing.T) {
	open(t, func(s *shop) {
		s.sends("payment.accepted", key("one/1"), scxml.ErrNotAccepted)
		s.sends("parcel.sent", nil, scxml.ErrNotAccepted)
		for _, event := range []string{"deadline", "silence", "ask.charge", "error.execution", "done.state.order"} {
			s.answers(event, nil, scxml.ErrNotAccepted)
		}
		s.is("unpaid")
	})
}

func TestRequestIsDoneOnce(t *testing.T) {
	open(t, func(s *shop) {
		for range 2 {
			s.with(func(sv *service) {
				if err := sv.send(s.Context(), "one", "r1", "pay", card("4711")); err != nil {
					s.Fatal(err)
				}
			})
		}
		s.asks(charge)
	})
}

// A partner who cannot be reached is tried again, also by the next service, and is told that it is the
// same charge.
func TestPartnersAreTriedAgain(t *testing.T) {
	open(t, func(s *shop) {
		s.down = true
		s.sends("pay", card("4711"), nil)
		s.asks()
		s.down = false
		s.with(func(*service) { time.Sleep(10 * time.Second) })
		s.asks(charge)
		if len(s.ids) < 2 || len(slices.Compact(s.ids)) != 1 {
			s.Errorf("tried as %q, want one id", s.ids)
		}
	})
}

func TestPlaceRefuses(t *testing.T) {
	open(t, func(s *shop) {
		s.with(func(sv *service) {
			for id, want := range map[string]error{"one": fleet.ErrExists, "": fleet.ErrKey, "../two": fleet.ErrKey, "t/wo": fleet.ErrKey} {
				if err := sv.place(s.Context(), id, nil); !errors.Is(err, want) {
					s.Errorf("%q: %v, want %v", id, err, want)
				}
			}
			if err := sv.send(s.Context(), "two", "r", "cancel", nil); !errors.Is(err, fleet.ErrNotFound) {
				s.Errorf("got %v, want %v", err, fleet.ErrNotFound)
			}
		})
		s.sends("pay", nil, errConflict)
	})
}
