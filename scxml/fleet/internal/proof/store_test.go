package proof

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// Faults of a store, in chances of one call.
type faults struct {
	fail    float64 // an error, and nothing happened
	lost    float64 // an error, and it happened nevertheless
	late    float64 // an error, and it will happen if it still can
	die     float64 // the process dies, before or after
	slow    float64 // it takes seconds
	pause   float64 // the process stands still for minutes
	ordinal float64 // not a chance: the usual time of a call, in milliseconds
}

var (
	errDead  = errors.New("the process is dead")
	errDisk  = errors.New("simulated: the call failed")
	errFuzzy = errors.New("simulated: the outcome is not known")
)

// A line is the connection of one process to the store. It fails as the seed says.
type line struct {
	*world
	name   string
	ctx    context.Context // of the process; it ends when the process dies
	kill   context.CancelFunc
	faults faults
}

var _ fleet.Store = (*line)(nil)

// chance returns the random numbers for the next call of op on key. They do not depend on what
// happens on other keys at the same moment.
func (w *world) chance(op, key string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", op, key, w.calls[op+key])
	w.calls[op+key]++
	return rand.New(rand.NewPCG(w.seed, h.Sum64()))
}

// wait passes the time of a call. It fails if the process dies.
func (l *line) wait(ctx context.Context, r *rand.Rand) error {
	d := time.Duration(r.ExpFloat64() * l.faults.ordinal * float64(time.Millisecond))
	switch p := r.Float64(); {
	case p < l.faults.pause:
		d += time.Duration(r.Int64N(int64(10 * time.Minute)))
	case p < l.faults.pause+l.faults.slow:
		d += time.Duration(r.Int64N(int64(10 * time.Second)))
	}
	timer := time.NewTimer(l.alone(d))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-l.ctx.Done():
	}
	if l.ctx.Err() != nil {
		return errDead
	}
	return ctx.Err()
}

// read carries out a call that changes nothing.
func (l *line) read(ctx context.Context, op, key string, do func() error) error {
	l.mu.Lock()
	r := l.chance(l.name+op, key)
	l.mu.Unlock()
	if err := l.wait(ctx, r); err != nil {
		return err
	}
	switch p := r.Float64(); {
	case p < l.faults.die/4:
		l.die(op + " " + key)
		return errDead
	case p < l.faults.die/4+l.faults.fail:
		l.notef("%s: %s %q fails", l.name, op, key)
		return errDisk
	}
	err := do()
	if err := l.wait(ctx, r); err != nil {
		return err
	}
	l.notef("%s: %s %q: %v", l.name, op, key, err)
	return err
}

func (l *line) die(during string) {
	l.notef("%s dies during %s", l.name, during)
	l.kill()
}

func (l *line) Commit(ctx context.Context, changes []fleet.Change) []error {
	errs := make([]error, len(changes))
	r := make([]*rand.Rand, len(changes))
	for i := range changes {
		l.mu.Lock()
		r[i] = l.chance(l.name+"commit", changes[i].Key)
		l.mu.Unlock()
	}
	var failed error
	for i := range changes {
		if err := l.wait(ctx, r[i]); err != nil && failed == nil {
			failed = err
		}
	}
	for i := range changes {
		c := &changes[i]
		if l.ctx.Err() != nil {
			failed = errDead
		}
		if failed != nil {
			errs[i] = failed
			continue
		}
		p := r[i].Float64()
		chance := func(q float64) bool { p -= q; return p < 0 }
		var what string
		switch f := l.faults; {
		case chance(f.fail):
			errs[i], what = errDisk, "fails"
		case chance(f.late) && c.Old != 0: // a record that was deleted would come back
			errs[i], what = errFuzzy, "will happen"
			l.commitLater(*c, time.Duration(r[i].Int64N(int64(5*time.Second))))
		case chance(f.lost):
			what = fmt.Sprintf("%v, but nobody hears of it", l.commit(c))
			errs[i] = errFuzzy
		case chance(f.die / 2):
			l.die("the commit of " + c.Key + ", before it")
			errs[i] = errDead
		case chance(f.die / 2):
			what := l.commit(c)
			l.die(fmt.Sprintf("the commit of %s, after it: %v", c.Key, what))
			errs[i] = errDead
		default:
			errs[i] = l.commit(c)
			what = fmt.Sprint(errs[i])
		}
		l.notef("%s: commit %q on %d: %s", l.name, c.Key, c.Old, what)
	}
	return errs
}

func (l *line) commit(c *fleet.Change) error {
	return l.store.Commit(context.Background(), []fleet.Change{*c})[0]
}

// commitLater carries out a change whose sender has given up.
func (l *line) commitLater(c fleet.Change, after time.Duration) {
	if c.New != nil {
		record := *c.New
		record.Body = slices.Clone(record.Body)
		c.New = &record
	}
	c.Log = slices.Clone(c.Log)
	l.late.Go(func() {
		time.Sleep(l.alone(after))
		l.notef("late commit %q on %d: %v", c.Key, c.Old, l.commit(&c))
	})
}

func (l *line) Load(ctx context.Context, key string) (record *fleet.Record, err error) {
	err = l.read(ctx, "load", key, func() (err error) {
		record, err = l.store.Load(context.Background(), key)
		return err
	})
	return record, err
}

func (l *line) Due(ctx context.Context, now time.Time, n int) (keys []string, next time.Time, err error) {
	err = l.read(ctx, "due", "", func() (err error) {
		keys, next, err = l.store.Due(context.Background(), now, n)
		return err
	})
	return keys, next, err
}

func (l *line) Pending(ctx context.Context, after string, n int) (keys []string, err error) {
	err = l.read(ctx, "pending", after, func() (err error) {
		keys, err = l.store.Pending(context.Background(), after, n)
		return err
	})
	return keys, err
}

func (l *line) List(ctx context.Context, after string, n int) (records []*fleet.Record, err error) {
	err = l.read(ctx, "list", after, func() (err error) {
		records, err = l.store.List(context.Background(), after, n)
		return err
	})
	return records, err
}

func (l *line) Log(ctx context.Context, key string, after uint64, n int) (entries []fleet.LogEntry, err error) {
	err = l.read(ctx, "log", key, func() (err error) {
		entries, err = l.store.Log(context.Background(), key, after, n)
		return err
	})
	return entries, err
}

func (l *line) PutFile(ctx context.Context, name string, data []byte) error {
	return l.read(ctx, "putfile", name, func() error { return l.store.PutFile(context.Background(), name, data) })
}

func (l *line) File(ctx context.Context, name string) (data []byte, err error) {
	err = l.read(ctx, "file", name, func() (err error) {
		data, err = l.store.File(context.Background(), name)
		return err
	})
	return data, err
}

func (l *line) Files(ctx context.Context, prefix string) (names []string, err error) {
	err = l.read(ctx, "files", prefix, func() (err error) {
		names, err = l.store.Files(context.Background(), prefix)
		return err
	})
	return names, err
}

// A hinted line passes on what the store tells of changes, but for some, and some too late.
type hinted struct{ *line }

func (h hinted) Watch(ctx context.Context, changed func(string)) error {
	return h.store.(fleet.Watcher).Watch(ctx, func(key string) {
		h.mu.Lock()
		r := h.chance(h.name+"hint", key)
		h.mu.Unlock()
		switch p := r.Float64(); {
		case p < 0.1:
		case p < 0.3:
			time.AfterFunc(h.alone(time.Duration(r.Int64N(int64(2*time.Second)))), func() { changed(key) })
		default:
			changed(key)
		}
	})
}

// Close ends the connection and not the store, which other processes use.
func (l *line) Close() error { return nil }
