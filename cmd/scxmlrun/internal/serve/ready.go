package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A readiness knows whether the store can write: by what the fleet writes, and by a trial of its own when
// the fleet has written nothing lately, or could not.
type readiness struct {
	store  fleet.Store
	wrote  atomic.Int64          // when the fleet has last written, in Unix nanoseconds
	failed atomic.Pointer[error] // of the fleet, and not yet refuted by a trial

	mu    sync.Mutex
	tried time.Time
	err   error // of the last trial
}

const (
	// trialSize is what a trial writes, in bytes. On a full disk a store may have room for little, so
	// this is more than most steps need.
	trialSize  = 64 << 10
	trialPause = time.Second // between trials: anyone may ask
	trialTime  = 5 * time.Second
)

// observer returns an observer that hears what the fleet writes.
func (r *readiness) observer() fleet.Observer {
	return fleet.Observer{Begin: func(ctx context.Context, w fleet.Work) (context.Context, func(fleet.Ending)) {
		if w.Kind != "commit" {
			return ctx, nil
		}
		return ctx, func(e fleet.Ending) {
			switch {
			case e.Err == nil:
				r.wrote.Store(time.Now().UnixNano())
			case !errors.Is(e.Err, fleet.ErrConflict):
				r.failed.Store(&e.Err)
			}
		}
	}}
}

// check returns an error unless the store can write.
func (r *readiness) check(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	failed := r.failed.Load()
	working := failed == nil && r.err == nil && time.Since(time.Unix(0, r.wrote.Load())) < trialPause
	if !working && time.Since(r.tried) >= trialPause {
		r.tried = time.Now()
		r.err = r.try(ctx)
		if r.err == nil {
			r.failed.CompareAndSwap(failed, nil)
		}
	}
	if failed := r.failed.Load(); r.err == nil && failed != nil {
		return *failed
	}
	return r.err
}

// try writes something, whether or not the one who asks waits for it.
func (r *readiness) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), trialTime)
	defer cancel()
	data := make([]byte, trialSize)
	_, _ = rand.Read(data) // never fails; a disk may compress what is not random
	return r.store.PutFile(ctx, "ready", data)
}
