package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A liar is a store whose answers to commits get lost, before or after it has carried them out.
type liar struct {
	fleet.Store
	mu  sync.Mutex
	rnd *rand.Rand
}

var errLost = errors.New("connection lost")

func (l *liar) Commit(ctx context.Context, changes []fleet.Change) []error {
	l.mu.Lock()
	n := l.rnd.IntN(10)
	l.mu.Unlock()
	if n == 0 {
		return []error{errLost}
	}
	errs := l.Store.Commit(ctx, changes)
	if n == 1 {
		changes[0].New.Revision = 0
		return []error{errLost}
	}
	return errs
}

// A forgetful store reports an error after each commit, such as that of a watermark, and has carried it out.
type forgetful struct{ fleet.Store }

func (s forgetful) Commit(ctx context.Context, changes []fleet.Change) []error {
	errs := s.Store.Commit(ctx, changes)
	if errs[0] == nil {
		errs[0] = errLost
	}
	return errs
}

// An error of the store that turns out to be harmless is in the log, although no caller gets it.
func TestErrorsOfTheStoreAreLogged(t *testing.T) {
	var log strings.Builder
	f := newFleet(t, forgetful{fleet.NewMemory()}, fleet.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, parse(t, "counter", counter))
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), errLost.Error()) {
		t.Errorf("the log is %q", log.String())
	}
}

// Fleets that share a store, and hold each other's sessions in their caches, lose and double nothing.
func TestOnlyTheSwapDecides(t *testing.T) {
	store := fleet.NewMemory()
	def := parse(t, "counter", counter)
	const keys, callers, times = 3, 4, 40
	var all sync.WaitGroup
	for i := range 3 {
		f := newFleet(t, &liar{Store: store, rnd: rand.New(rand.NewPCG(1, uint64(i)))}, fleet.Config{Inbox: -1}, def)
		stop := run(t, f)
		defer stop()
		if i == 0 {
			for k := range keys {
				if err := f.Create(t.Context(), fmt.Sprint("k", k), fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for c := range callers {
			all.Go(func() {
				for n := range times {
					id := fleet.ID(fmt.Sprintf("%d.%d.%d", i, c, n))
					for again := true; again; {
						var err error
						if key := fmt.Sprint("k", n%keys); c%2 == 0 {
							_, err = f.Do(t.Context(), key, ev("add", 1), id)
						} else {
							_, err = f.Send(t.Context(), key, ev("add", 1), id)
						}
						if again = errors.Is(err, fleet.ErrUnknown); !again && err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
	all.Wait()
	f := newFleet(t, store, fleet.Config{}, def)
	total := 0
	for k := range keys {
		res, err := f.Do(t.Context(), fmt.Sprint("k", k), ev("nothing", nil))
		if err != nil {
			t.Fatal(err)
		}
		total += int(res.Position) - 1
		if got, want := data(t, f, fmt.Sprint("k", k)), fmt.Sprintf(`{"n":%d}`, res.Position-1); got != want {
			t.Errorf("data %s after %d events", got, res.Position-1)
		}
	}
	if want := 3 * callers * times; total != want {
		t.Errorf("%d events, want %d", total, want)
	}
}

// Messages of many sessions to one leave few marks there.
func TestMarksDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := fleet.NewMemory()
		from := parse(t, "from", `<state id="s"><onentry><send event="hello" target="#_scxml_hub"/></onentry></state>`)
		to := parse(t, "to", `<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="hello"><assign location="n" expr="n + 1"/></transition></state>`)
		f := newFleet(t, store, fleet.Config{}, from, to)
		if err := f.Create(t.Context(), "hub", fleet.CreateOptions{Chart: "to"}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		size := func(from, to int) int {
			for i := from; i < to; i++ {
				if err := f.Create(t.Context(), fmt.Sprint("s", i), fleet.CreateOptions{Chart: "from"}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			rec, err := store.Load(t.Context(), "hub")
			if err != nil {
				t.Fatal(err)
			}
			return len(rec.Body)
		}
		small := size(0, 20)
		if big := size(20, 200); big > small+100 {
			t.Errorf("the record has %d bytes after 20 sources, and %d after 200", small, big)
		}
		if got := data(t, f, "hub"); got != `{"n":200}` {
			t.Errorf("data %s", got)
		}
		stop()
	})
}

// What a session could not take, or only fail at, is refused when it comes.
func TestEventsAreCheckedBeforeTheyAreAccepted(t *testing.T) {
	f := newFleet(t, fleet.NewMemory(), fleet.Config{Size: 100_000, Inbox: 2}, parse(t, "counter", counter, scxml.WithLimits(scxml.Strict())))
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var deep any = 1
	for range 150 {
		deep = []any{deep}
	}
	for _, c := range []struct {
		ev   scxml.Event
		want error
	}{
		{ev("add", deep), fleet.ErrTooLarge},
		{ev("add", strings.Repeat("x", 60_000)), fleet.ErrTooLarge},
		{ev("done.invoke.x", nil), scxml.ErrNotAccepted},
		{ev("add", 1), nil},
		{ev("add", 1), nil},
		{ev("add", 1), fleet.ErrInboxFull},
	} {
		if _, err := f.Send(t.Context(), "k", c.ev); !errors.Is(err, c.want) {
			t.Errorf("Send of %q: %v, want %v", c.ev.Name, err, c.want)
		}
	}
	if _, err := f.Send(t.Context(), "k", ev("a b", nil)); err == nil {
		t.Error("Send accepts a bad name")
	}
	if _, err := f.Do(t.Context(), "k", ev("add", 1)); err != nil {
		t.Error(err)
	}
	if err := f.Create(t.Context(), "a~b", fleet.CreateOptions{}); !errors.Is(err, fleet.ErrKey) {
		t.Error(err)
	}
}

// A damaged is a store in which some records cannot be read.
type damaged struct {
	fleet.Store
	wrong func(key string) bool
}

func (d *damaged) Load(ctx context.Context, key string) (*fleet.Record, error) {
	if d.wrong != nil && d.wrong(key) {
		return nil, fleet.ErrCorrupt
	}
	return d.Store.Load(ctx, key)
}

// Damaged records of old senders do not keep messages of others from a session.
func TestDamagedSendersDoNotStopTheReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &damaged{Store: fleet.NewMemory()}
		from := parse(t, "from", `<state id="s"><onentry><send event="hello" target="#_scxml_hub"/></onentry></state>`)
		to := parse(t, "to", `<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="hello"><assign location="n" expr="n + 1"/></transition></state>`)
		f := newFleet(t, store, fleet.Config{}, from, to)
		if err := f.Create(t.Context(), "hub", fleet.CreateOptions{Chart: "to"}); err != nil {
			t.Fatal(err)
		}
		stop := run(t, f)
		for i := range 40 {
			if i == 17 { // the oldest marks are those of s0, s1 and s2
				store.wrong = func(key string) bool { return key == "s0" || key == "s1" || key == "s2" }
			}
			if err := f.Create(t.Context(), fmt.Sprint("s", i), fleet.CreateOptions{Chart: "from"}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := data(t, f, "hub"); got != `{"n":40}` {
			t.Errorf("data %s, want 40 messages", got)
		}
		stop()
	})
}
