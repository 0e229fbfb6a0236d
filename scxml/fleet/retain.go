package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	sweepPage  = 1000             // sessions that are listed at once
	sweepLeast = time.Second      // between two sweeps
	sweepMost  = 10 * time.Minute // the same, at most, unless they take long
	sweepRest  = 20               // and how many times as long as one of them
)

var finished = []string{scxml.Final.String(), scxml.Stopped.String()}

// A Selection says which sessions [Fleet.DeleteAll] deletes.
type Selection struct {
	Chart  string        // name of their chart; "" is any
	Status []string      // running, suspended, final or stopped; none is final and stopped
	Older  time.Duration // 0, or how long ago they have ended at least
	Try    bool          // delete nothing
}

// A Deletion is what [Fleet.DeleteAll] has done.
type Deletion struct {
	Deleted int    // or, with Try, that would be
	Busy    int    // sessions that have ended, and stay for now
	Next    string // the after of the next call; "" at the end
}

// DeleteAll deletes sessions as [Fleet.Delete] does, of the next n after a key. One that has ended stays as
// long as others need it: events wait in its inbox, tasks in its outbox, or a session that has sent it a
// message does not know yet that it has arrived. A session that has become another one meanwhile stays. The
// age of sessions that ended with an earlier version of this package is not known; they are not older than
// anything.
func (f *Fleet) DeleteAll(ctx context.Context, which Selection, after string, n int) (Deletion, error) {
	status := which.Status
	if len(status) == 0 {
		status = finished
	}
	for _, s := range status {
		if !slices.Contains(append([]string{running, suspended}, finished...), s) {
			return Deletion{}, fmt.Errorf("%q is not a status", s)
		}
		if which.Older != 0 && !slices.Contains(finished, s) {
			return Deletion{}, fmt.Errorf("sessions that are %s have no age: they have not ended", s)
		}
	}
	list, err := f.List(ctx, after, n)
	if err != nil {
		return Deletion{}, err
	}
	now := f.cfg.Now()
	d, err := f.deleteSome(ctx, list, which.Try, func(s *Info) bool {
		return (which.Chart == "" || s.Chart == which.Chart) && slices.Contains(status, s.Status) &&
			(which.Older == 0 || !s.Ended.IsZero() && now.Sub(s.Ended) >= which.Older)
	})
	if n > 0 && len(list) == n {
		d.Next = list[n-1].Key
	}
	return d, err
}

// deleteSome deletes those of some sessions that are wanted, a few at once.
func (f *Fleet) deleteSome(ctx context.Context, list []Info, try bool, wanted func(*Info) bool) (Deletion, error) {
	var mu sync.Mutex // of d and failed
	var d Deletion
	var failed error
	jobs := pool{limit: max(1, f.cfg.Workers/8)}
	for i := range list {
		if !wanted(&list[i]) {
			continue
		}
		jobs.do(func() {
			busy := false
			err := f.remove(ctx, list[i].Key, func(r *Record) error {
				info := r.info()
				if !wanted(&info) {
					return errStays
				}
				if slices.Contains(finished, info.Status) {
					if settled, err := f.settled(ctx, r); err != nil {
						return err
					} else if busy = !settled; busy {
						return errStays
					}
				}
				if try {
					return errTried
				}
				return nil
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil, errors.Is(err, errTried):
				d.Deleted++
			case busy:
				d.Busy++
			case !errors.Is(err, errStays) && !errors.Is(err, ErrNotFound):
				failed = err
			}
		})
	}
	jobs.wg.Wait()
	return d, failed
}

var (
	errStays = errors.New("the session stays")
	errTried = errors.New("the session would have been deleted")
)

// settled reports whether nobody needs a session that has ended.
func (f *Fleet) settled(ctx context.Context, stored *Record) (bool, error) {
	r, err := decode(stored)
	if err != nil || len(r.inbox) > 0 || len(r.tasks) > 0 {
		return false, err
	}
	needed := func(m mark) bool { return m.incarnation != 0 && f.needed(ctx, m) }
	return !slices.ContainsFunc(r.marks, needed), nil
}

// expired reports whether the time of a session that has ended has passed.
func (f *Fleet) expired(s *Info) bool {
	keep := f.kept(s.Chart)
	return keep > 0 && slices.Contains(finished, s.Status) && !s.Ended.IsZero() && f.cfg.Now().Sub(s.Ended) >= keep
}

// kept returns how long sessions of a chart are kept when they have ended, or 0.
func (f *Fleet) kept(chart string) time.Duration {
	if keep, ok := f.cfg.KeepFinished[chart]; ok {
		return keep
	}
	return f.cfg.KeepFinished[""]
}

// retain deletes what has expired, now and then, until ctx is done.
func (r *runner) retain() {
	every := sweepMost
	for _, keep := range r.f.cfg.KeepFinished {
		if keep > 0 {
			every = min(every, max(keep/10, sweepLeast))
		}
	}
	for rest := every; r.pause(r.ctx, rest, nil, nil); {
		began := time.Now()
		if r.hosts.joined() {
			r.sweep()
		}
		rest = max(every, sweepRest*time.Since(began)) // it reads the list of all sessions
	}
}

// sweep deletes what has expired of the sessions of this host.
func (r *runner) sweep() {
	f, all := r.f, Deletion{}
	for after, more := "", true; more && r.ctx.Err() == nil; {
		list, err := f.List(r.ctx, after, sweepPage)
		var d Deletion
		if more = len(list) == sweepPage; more {
			after = list[len(list)-1].Key
		}
		if err == nil {
			list = slices.DeleteFunc(list, func(s Info) bool {
				return !slices.Contains(finished, s.Status) || f.kept(s.Chart) <= 0 || !r.hosts.mine(s.Key, version{s.Chart, s.Hash})
			})
			d, err = f.deleteSome(r.ctx, list, false, f.expired)
		}
		for i := range list {
			if list[i].Ended.IsZero() && err == nil {
				err = f.date(r.ctx, list[i].Key)
			}
		}
		if err != nil && r.ctx.Err() == nil {
			f.cfg.Logger.Error("cannot delete sessions that have ended", "error", err)
		}
		all.Deleted, all.Busy = all.Deleted+d.Deleted, all.Busy+d.Busy
	}
	if all.Deleted+all.Busy > 0 {
		f.cfg.Logger.Info("deleted sessions that had ended", "sessions", all.Deleted, "needed", all.Busy)
	}
}

// date gives a session that has ended with an earlier version of this package the present time for that.
func (f *Fleet) date(ctx context.Context, key string) error {
	err := f.turn(ctx, key, func(_ context.Context, t *turn) error {
		t.dirty = !t.running() && t.ended.IsZero()
		return nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
