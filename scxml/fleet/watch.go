package fleet

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"
)

// An Entry is what the log of a session says about one change of it. Changes that only accept events
// have none.
type Entry struct {
	Revision      uint64    `json:"-"` // of the session after the change
	Time          time.Time `json:"time"`
	Steps         []Step    `json:"steps"`
	Status        string    `json:"status"`
	Configuration []string  `json:"configuration,omitempty"` // missing if the change did not concern it; long ones are cut
}

// entry encodes the log of the turn.
func (t *turn) entry() []byte {
	e := Entry{Time: t.now.UTC(), Steps: t.log, Status: t.state()}
	if t.used {
		e.Configuration = clip(t.e.live.Configuration())
	}
	return e.encode()
}

// Log returns at most n entries of the log of a session that come after a revision, the oldest first.
// The log keeps the last [Config].Log entries.
func (f *Fleet) Log(ctx context.Context, key string, after uint64, n int) ([]Entry, error) {
	stored, err := f.store.Log(ctx, key, after, n)
	if err != nil {
		return nil, fmt.Errorf("session %q: %w", key, err)
	}
	entries := make([]Entry, len(stored))
	for i, s := range stored {
		if entries[i], err = decodeEntry(s.Body); err != nil {
			return nil, fmt.Errorf("session %q: entry of its log: %w", key, err)
		}
		entries[i].Revision = s.Revision
	}
	return entries, nil
}

// Watch yields the entries of the log of a session after a revision, first those that are there and
// then new ones as they come. It ends with an error: that of ctx, or [ErrNotFound] after the session
// was deleted. A watcher that is slower than the log is long misses entries. Changes by other
// processes are noticed within a few seconds.
func (f *Fleet) Watch(ctx context.Context, key string, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		changed := f.hub.watch(key)
		defer f.hub.unwatch(key, changed)
		poll := time.NewTicker(watchPoll)
		defer poll.Stop()
		for {
			entries, err := f.Log(ctx, key, after, 100)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range entries {
				after = e.Revision
				if !yield(e, nil) {
					return
				}
			}
			if len(entries) == 100 {
				continue
			}
			select {
			case <-ctx.Done():
				yield(Entry{}, context.Cause(ctx))
				return
			case <-changed:
			case <-poll.C:
			}
		}
	}
}

const watchPoll = 5 * time.Second

// A hub tells a Run and those who watch of changes.
type hub struct {
	mu       sync.Mutex // never held while anything waits
	run      *runner
	watchers map[string][]chan struct{}
}

// setRunner sets or, with nil, removes the Run in progress. It fails if there is one.
func (h *hub) setRunner(r *runner) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r != nil && h.run != nil {
		return false
	}
	h.run = r
	return true
}

// changed reports a new version of a record, or of its deletion.
func (h *hub) changed(key string, rec *record) {
	h.tell(key)
	switch run := h.runner(); {
	case run == nil:
	case rec == nil:
		run.deleted(key)
	default:
		run.changed(rec)
	}
}

// tell tells those who watch a session.
func (h *hub) tell(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.watchers[key] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// runner returns the Run in progress, or nil.
func (h *hub) runner() *runner {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.run
}

func (h *hub) watch(key string) chan struct{} {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers == nil {
		h.watchers = make(map[string][]chan struct{})
	}
	h.watchers[key] = append(h.watchers[key], c)
	return c
}

func (h *hub) unwatch(key string, c chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[key] = slices.DeleteFunc(h.watchers[key], func(d chan struct{}) bool { return c == d })
	if len(h.watchers[key]) == 0 {
		delete(h.watchers, key)
	}
}
