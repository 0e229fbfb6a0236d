package serve

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A small store has room for what is not longer than room.
type small struct {
	fleet.Store
	room, trials int
}

var errFull = errors.New("no space left on device")

func (s *small) PutFile(ctx context.Context, name string, data []byte) error {
	if s.trials++; len(data) > s.room {
		return errFull
	}
	return s.Store.PutFile(ctx, name, data)
}

func (s *small) Commit(ctx context.Context, changes []fleet.Change) []error {
	for _, c := range changes {
		if len(c.New.Body) > s.room {
			return []error{errFull}
		}
	}
	return s.Store.Commit(ctx, changes)
}

// A server is not ready from the first step that the store could not write until it can write again, also
// if smaller steps succeed in between. It tries that once a second at most, and not while steps succeed.
func TestReadyWhileTheStoreCanWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const plenty = 1 << 20
		store := &small{Store: fleet.NewMemory(), room: plenty}
		ready := &readiness{store: store}
		chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		f, err := fleet.New(store, fleet.Config{Observers: []fleet.Observer{ready.observer()}}, fleet.Define("c", chart))
		if err == nil {
			err = f.Create(t.Context(), "k", fleet.CreateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			name   string
			room   int
			after  time.Duration
			event  int // bytes; 0 is none
			refuse bool
			ready  error
			trials int // so far
		}{
			{"written now", plenty, 0, 100, false, nil, 0},
			{"idle", plenty, time.Minute, 0, false, nil, 1},
			{"idle, asked again", plenty, time.Second / 2, 0, false, nil, 1},
			{"written again", plenty, time.Minute, 100, false, nil, 1},
			{"full", 10_000, 0, 20_000, true, errFull, 2},
			{"full, but for small steps", 10_000, time.Second / 2, 100, false, errFull, 2},
			{"full, and tried", 10_000, time.Second, 0, false, errFull, 3},
			{"room, and not tried", plenty, 0, 0, false, errFull, 3},
			{"room", plenty, time.Second, 0, false, nil, 4},
			{"one fails just after a trial", 10_000, 0, 20_000, true, errFull, 4},
			{"room again", plenty, time.Second, 0, false, nil, 5},
			{"full while idle", 10_000, time.Minute, 0, false, errFull, 6},
		} {
			store.room = step.room
			time.Sleep(step.after)
			if step.event > 0 {
				if _, err := f.Do(t.Context(), "k", scxml.Event{Name: "e"}); err != nil && !step.refuse {
					t.Errorf("%d. %s: %v", i, step.name, err)
				}
				data := make([]byte, step.event)
				if _, err := f.Send(t.Context(), "k", scxml.Event{Name: "e", Data: string(data)}); (err != nil) != step.refuse {
					t.Errorf("%d. %s: Send: %v", i, step.name, err)
				}
			}
			gone, leave := context.WithCancel(t.Context()) // the one who asks does not wait
			leave()
			if err := ready.check(gone); !errors.Is(err, step.ready) {
				t.Errorf("%d. %s: %v, want %v", i, step.name, err, step.ready)
			}
			if store.trials != step.trials {
				t.Errorf("%d. %s: %d trials, want %d", i, step.name, store.trials, step.trials)
			}
		}
	})
}
