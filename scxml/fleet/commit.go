package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A group collects changes of different sessions, so that the store can make them durable together.
// While it writes some, the next ones gather. Each group is written by one of those who wait for it.
type group struct {
	mu      sync.Mutex // never held while anything waits
	writing bool
	waiting []*write
	free    sync.Pool // of writes; not shared, so that their channels stay in a synctest bubble
}

// A write is a change on its way to the store.
type write struct {
	change Change
	err    error
	done   chan bool // receives false when err is set, and true when it is the turn of this write to lead
}

const maxGroup = 256

// commit stores a change and returns the store's error. It does not end early: a change that was
// begun must be known to have happened, or not.
func (g *group) commit(ctx context.Context, store Store, change Change) error {
	w, _ := g.free.Get().(*write)
	if w == nil {
		w = &write{done: make(chan bool, 1)}
	}
	w.change, w.err = change, nil
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	lead := !g.writing
	g.writing = true
	g.mu.Unlock()
	if lead || <-w.done {
		g.lead(context.WithoutCancel(ctx), store, w)
	}
	err := w.err
	w.change = Change{}
	g.free.Put(w)
	return err
}

// lead writes the group that begins with first, and then lets another one lead.
func (g *group) lead(ctx context.Context, store Store, first *write) {
	g.mu.Lock()
	n := min(len(g.waiting), maxGroup)
	batch := append([]*write(nil), g.waiting[:n]...)
	g.waiting = append(g.waiting[:0], g.waiting[n:]...)
	g.mu.Unlock()

	changes := make([]Change, n)
	for i, w := range batch {
		changes[i] = w.change
	}
	errs := commitAll(ctx, store, changes)
	for i, w := range batch {
		w.err = errs[i]
		if w != first {
			w.done <- false
		}
	}

	g.mu.Lock()
	if len(g.waiting) > 0 {
		g.waiting[0].done <- true
	} else {
		g.writing = false
	}
	g.mu.Unlock()
}

// commitAll calls the store. A panic there must not leave the others waiting.
func commitAll(ctx context.Context, store Store, changes []Change) (errs []error) {
	defer func() {
		if p := recover(); p != nil {
			errs = make([]error, len(changes))
			for i := range errs {
				errs[i] = fmt.Errorf("the store has panicked: %v", p)
			}
		}
	}()
	return store.Commit(ctx, changes)
}

// commit stores a change of a record, and finds out whether it has happened if the store cannot tell.
// The error is nil, ErrConflict, or one that wraps ErrUnknown.
func (f *Fleet) commit(ctx context.Context, change Change, nonce uint64) error {
	err := f.group.commit(ctx, f.store, change)
	if err == nil || errors.Is(err, ErrConflict) {
		return err
	}
	// As long as the record keeps its revision, the change may still happen. Writing it again ends
	// that, if it succeeds or conflicts.
	again := f.group.commit(ctx, f.store, change)
	if again == nil {
		return nil
	}
	stored, lerr := f.store.Load(context.WithoutCancel(ctx), change.Key)
	var r *record
	if lerr == nil {
		r, lerr = decode(stored)
	}
	switch {
	case errors.Is(lerr, ErrNotFound) && change.New == nil:
		return nil
	case lerr == nil && change.New != nil && r.nonce == nonce:
		change.New.Revision = r.Revision
		return nil
	}
	return fmt.Errorf("%w: session %q: %w", ErrUnknown, change.Key, errors.Join(err, lerr))
}
