package fleet

import (
	"context"
	"errors"
	"fmt"
)

// commit stores a change of a record, and finds out whether it has happened if the store cannot tell.
// It does not end early: what was begun must be known to have happened, or not. The error is nil,
// ErrConflict, or one that wraps ErrUnknown.
func (f *Fleet) commit(ctx context.Context, change Change, nonce uint64) (err error) {
	ctx = context.WithoutCancel(ctx)
	chart := ""
	if change.New != nil {
		chart = change.New.Chart
	}
	ctx, end := f.begin(ctx, Work{Kind: "commit", Key: change.Key, Chart: chart})
	defer func() { end(Ending{Err: err}) }()
	err = f.store.Commit(ctx, []Change{change})[0]
	if err == nil || errors.Is(err, ErrConflict) {
		return err
	}
	// Nobody else learns this, if the change turns out to be stored.
	f.cfg.Logger.Warn("the store has failed; trying again", "session", change.Key, "error", err)
	// As long as the record keeps its revision, the change may still happen. Writing it again ends
	// that, if it succeeds or conflicts.
	again := f.store.Commit(ctx, []Change{change})[0]
	if again == nil {
		return nil
	}
	stored, lerr := f.store.Load(ctx, change.Key)
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
