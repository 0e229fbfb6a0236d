package proof

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// TestOverload: a session accepts as many events as its inbox holds and refuses the others, however
// many come. Nothing of a refused event is stored. What was accepted is processed, and then it accepts
// events again.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const inbox, senders, events = 10, 20, 500
		charts, err := clerks()
		if err != nil {
			t.Fatal(err)
		}
		store := fleet.NewMemory()
		f, err := fleet.New(store, fleet.Config{Inbox: inbox}, fleet.Define("clerk", charts[0], scxml.WithMissing()))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		if err := f.Create(ctx, "A", fleet.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		send := func(n int) error {
			_, err := f.Send(ctx, "A", scxml.Event{Name: "note", Data: map[string]any{"n": n}})
			return err
		}
		full := func() (accepted int) {
			var mu sync.Mutex
			var sending sync.WaitGroup
			for i := range senders {
				sending.Go(func() {
					for n := range events {
						err := send(i*events + n)
						if err != nil && !errors.Is(err, fleet.ErrInboxFull) {
							t.Errorf("Send: %v, want ErrInboxFull", err)
						}
						if err == nil {
							mu.Lock()
							accepted++
							mu.Unlock()
						}
					}
				})
			}
			sending.Wait()
			return accepted
		}
		size := 0
		for round := 1; round <= 3; round++ {
			if got := full(); got != inbox {
				t.Errorf("round %d: %d events of %d were accepted, want %d", round, got, senders*events, inbox)
			}
			record, err := store.Load(ctx, "A")
			if err != nil {
				t.Fatal(err)
			}
			if record.Accepted != uint64(round*inbox) {
				t.Errorf("round %d: %d events are accepted, want %d", round, record.Accepted, round*inbox)
			}
			if grown := len(record.Body) - size; round > 1 && grown > 200 {
				t.Errorf("round %d: the record has grown by %d bytes", round, grown)
			}
			size = len(record.Body)
			running, pause := context.WithCancel(ctx)
			done := make(chan error)
			go func() { done <- f.Run(running) }()
			time.Sleep(time.Second)
			pause()
			<-done
			state, err := f.Get(ctx, "A")
			if err != nil || state.Inbox != 0 || state.Processed != uint64(round*inbox) {
				t.Errorf("round %d: %d events wait and %d are processed (%v), want 0 and %d", round, state.Inbox, state.Processed, err, round*inbox)
			}
		}
	})
}
