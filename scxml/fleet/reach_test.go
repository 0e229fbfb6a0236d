package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// sender sends to the session, or the address, that an event names.
func sender(t testing.TB) fleet.Definition {
	return parse(t, "sender", `<datamodel><data id="got" expr="[]"/></datamodel><state id="s">
		<transition event="tell"><send event="told" targetexpr="'#_scxml_' + _event.data"/><raise event="next"/></transition>
		<transition event="post"><send event="posted" type="x-test" targetexpr="_event.data"/></transition>
		<transition event="end" target="f"/>
		<transition event="*"><script>got.push(_event.name)</script></transition></state><final id="f"/>`)
}

// A message that cannot arrive is error.communication in the step that sends it, as it is in process.
func TestSendersHearAtOnceWhoIsMissing(t *testing.T) {
	for _, cache := range []int{-1, 100} {
		f := newFleet(t, fleet.NewMemory(), fleet.Config{
			Cache:      cache,
			Processors: map[string]fleet.Deliver{"x-test": func(context.Context, fleet.Delivery) error { return nil }},
			Check: func(id string, m scxml.Message) error {
				if id != "a" || m.Type != "x-test" {
					t.Errorf("asked about %s %s", id, m.Type)
				}
				if m.Target == "" {
					return errors.New("no target")
				}
				return nil
			},
		}, sender(t))
		do := func(key, event, to, want string) {
			t.Helper()
			if _, err := f.Do(t.Context(), key, ev(event, to)); err != nil {
				t.Fatal(err)
			}
			if got := data(t, f, "a"); got != fmt.Sprintf(`{"got":[%s]}`, want) {
				t.Errorf("after %s %q of %s: %s, want %s", event, to, key, got, want)
			}
		}
		if err := f.Create(t.Context(), "a", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		do("a", "tell", "b", `"error.communication","next"`)
		do("a", "tell", "not a key", `"error.communication","next","error.communication","next"`)
		do("a", "tell", "a~gone", `"error.communication","next","error.communication","next","error.communication","next"`)
		seen := `"error.communication","next","error.communication","next","error.communication","next"`
		if err := f.Create(t.Context(), "b", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		do("a", "tell", "b", seen+`,"next"`) // it is there now
		do("b", "end", "", seen+`,"next"`)
		do("a", "tell", "b", seen+`,"next","error.communication","next"`) // it has ended
		do("a", "post", "x", seen+`,"next","error.communication","next"`)
		do("a", "post", "", seen+`,"next","error.communication","next","error.communication"`)
		if state, err := f.Get(t.Context(), "a"); err != nil || len(state.Tasks) != 2 {
			t.Errorf("tasks %+v, %v; want those of the messages that may arrive", state.Tasks, err)
		}
	}
}

// A silent is a store that does not answer about a key.
type silent struct {
	fleet.Store
	key string
}

func (s *silent) Load(ctx context.Context, key string) (*fleet.Record, error) {
	if key == s.key {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Store.Load(ctx, key)
}

// Steps do not wait for a store that does not tell who is there: for the first message they do for a
// second.
func TestStepsDoNotWaitForReceivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, &silent{fleet.NewMemory(), "b"}, fleet.Config{Cache: -1}, sender(t))
		if err := f.Create(t.Context(), "a", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for range 5 {
			if _, err := f.Do(t.Context(), "a", ev("tell", "b")); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("five steps took %v, want 1s", took)
		}
		if got := data(t, f, "a"); got != `{"got":["next","next","next","next","next"]}` {
			t.Error(got)
		}
	})
}

// Sessions that send to each other at the same moment do not wait for each other.
func TestSessionsSendToEachOtherAtOnce(t *testing.T) {
	for _, cache := range []int{-1, 100} {
		synctest.Test(t, func(t *testing.T) {
			f := newFleet(t, fleet.NewMemory(), fleet.Config{Cache: cache}, sender(t))
			for _, key := range []string{"a", "b"} {
				if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			stop := run(t, f)
			var all sync.WaitGroup
			for i := range 40 {
				all.Go(func() {
					key, to := "a", "b"
					if i%2 == 0 {
						key, to = to, key
					}
					if i%5 == 0 {
						to = key
					}
					if _, err := f.Do(t.Context(), key, ev("tell", to)); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			synctest.Wait()
			told := 0
			for _, key := range []string{"a", "b"} {
				err := f.View(t.Context(), key, func(l fleet.Live) error {
					n, err := l.Eval(t.Context(), "got.filter(e => e === 'told').length")
					told += int(n.(int64))
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
			if told != 40 {
				t.Errorf("%d messages have arrived, want 40", told)
			}
			stop()
		})
	}
}
