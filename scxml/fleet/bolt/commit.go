package bolt

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// A transaction of bbolt is synced to the disk, however small it is. So all changes that wait share one:
// the first Commit becomes the writer, the others wait, and the next writer takes what has come in the
// meantime.

// A group is what one call of Commit wants.
type group struct {
	changes []fleet.Change
	errs    []error
	done    chan struct{} // closed when errs is final
}

// Commit implements [fleet.Store].
func (s *Store) Commit(ctx context.Context, changes []fleet.Change) []error {
	if err := ctx.Err(); err != nil {
		return slices.Repeat([]error{err}, len(changes))
	}
	g := &group{changes, make([]error, len(changes)), make(chan struct{})}
	s.queue.Lock()
	s.queue.groups = append(s.queue.groups, g)
	s.queue.Unlock()
	select {
	case <-g.done:
	case s.writer <- struct{}{}:
		defer func() { <-s.writer }()
		select {
		case <-g.done:
		default:
			groups := s.waiting()
			s.commit(groups)
			s.queue.Lock()
			s.queue.expected = len(groups) + len(s.queue.groups)
			s.queue.Unlock()
		}
	}
	return g.errs
}

// patience is how long a writer waits for each caller who may come.
const patience = 5 * time.Microsecond

// rounds bounds the wait for each of them where time does not pass: in a bubble of testing/synctest.
const rounds = 100

// waiting empties the queue. The callers of the last transaction, who have just been told, often want to
// commit again: they get the time to come. Otherwise they and those who were waiting then would be two
// halves that take turns, with twice as many syncs. A caller who is alone does not wait.
func (s *Store) waiting() []*group {
	start := time.Now()
	for round := 0; ; round++ {
		s.queue.Lock()
		missing := s.queue.expected - len(s.queue.groups)
		if missing <= 0 || round > rounds*s.queue.expected || time.Since(start) > patience*time.Duration(s.queue.expected) {
			groups := s.queue.groups
			s.queue.groups = nil
			s.queue.Unlock()
			return groups
		}
		s.queue.Unlock()
		runtime.Gosched()
	}
}

// commit carries out groups in one transaction.
func (s *Store) commit(groups []*group) {
	revisions := map[*fleet.Record]uint64{}
	err := s.update(func(t *txn) error {
		for _, g := range groups {
			for i, c := range g.changes {
				refused, err := t.change(c)
				if err != nil {
					return err
				}
				if g.errs[i] = refused; refused == nil && c.New != nil {
					revisions[c.New] = t.state.revision
				}
			}
		}
		return nil
	})
	if err == nil {
		for rec, revision := range revisions {
			rec.Revision = revision
		}
	}
	for _, g := range groups {
		for i := range g.errs {
			if g.errs[i] == nil {
				g.errs[i] = err
			}
		}
		close(g.done)
	}
}

// PutFile implements [fleet.Store].
func (s *Store) PutFile(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writer <- struct{}{}
	defer func() { <-s.writer }()
	k := fileKey(name)
	return s.update(func(t *txn) error {
		old, exists := s.files[name]
		if !exists && data == nil {
			return nil
		}
		t.state.revision++
		if exists {
			t.state.sum -= part(old)
		}
		if data == nil {
			t.file = func() { delete(s.files, name) }
			return t.Delete(k)
		}
		v := append(make([]byte, 4, 4+len(data)), data...)
		sum := seal(k, v)
		t.state.sum += part(sum)
		t.file = func() { s.files[name] = sum }
		return t.Put(k, v)
	})
}

// A txn is a transaction that writes.
type txn struct {
	*bbolt.Bucket
	index  *index.Index
	state  state
	staged map[string]index.Entry // for the index when the transaction is durable; Revision 0 is a deleted record
	file   func()                 // does the same for a file
}

// update calls f in a transaction, commits that, and notes it in the index and the watermark. The caller
// is the writer.
func (s *Store) update(f func(*txn) error) error {
	if s.closed {
		return fleet.ErrClosed
	}
	if s.failed != nil {
		return s.failed
	}
	t := &txn{index: &s.index, state: s.state, staged: map[string]index.Entry{}}
	err := s.transact(t, f)
	if err == errUnchanged {
		return nil
	}
	if err != nil {
		// bbolt returns errors after which the transaction has not happened, and, when the last sync
		// has failed, one after which it has.
		now, failed := stored(s.db)
		if failed != nil {
			s.failed = fmt.Errorf("cannot read the store after %w: %w", err, failed)
			return s.failed
		}
		if now != t.state {
			return err
		}
	}
	s.unsynced.Store(err != nil)
	s.state = t.state
	s.mu.Lock()
	if t.file != nil {
		t.file()
	}
	for key, e := range t.staged {
		if e.Revision == 0 {
			s.index.Delete(key)
		} else {
			s.index.Put(key, e)
		}
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.mark.Write(s.state.numbers())
}

// errUnchanged ends a transaction that has nothing to write.
var errUnchanged = fmt.Errorf("nothing has changed")

func (s *Store) transact(t *txn, f func(*txn) error) (err error) {
	defer protect(&err)()
	return s.db.Update(func(tx *bbolt.Tx) error {
		t.Bucket = tx.Bucket(bucketName)
		if err := f(t); err != nil {
			return err
		}
		if t.state == s.state && !s.unsynced.Load() {
			return errUnchanged
		}
		return t.Put(stateKey, t.state.value())
	})
}

const maxSize = 1 << 30 // of a body or log entry

// change carries out a change, unless it is refused. After another error the transaction cannot be
// committed.
func (t *txn) change(c fleet.Change) (refused, err error) {
	old, staged := t.staged[c.Key]
	if !staged {
		old, _ = t.index.Get(c.Key)
	}
	if err := c.Check(old.Revision, old.Accepted); err != nil {
		return err, nil
	}
	if c.New != nil && max(len(c.New.Body), len(c.Log)) > maxSize {
		return fmt.Errorf("cannot store %q: its body and log entry have at most %d bytes each", c.Key, maxSize), nil
	}
	k := recordKey(c.Key)
	l, err := t.tail(k, old)
	if err != nil {
		return err, nil
	}
	packed := old.Logs - l.count
	t.state.revision++
	if old.Revision != 0 {
		t.state.sum -= part(old.Sum)
	}
	if c.New == nil {
		t.staged[c.Key] = index.Entry{}
		if err := t.Delete(k); err != nil {
			return nil, err
		}
		left, err := t.trim(c.Key, packed, 0)
		if err == nil && left != 0 {
			err = fmt.Errorf("log of %q: there are too many entries: %w", c.Key, fleet.ErrCorrupt)
		}
		return nil, err
	}
	if c.Log != nil {
		l.add(t.state.revision, c.Log, packed, c.KeepLog)
	}
	if len(l.entries) >= packSize {
		packed += l.count
		if err := t.pack(c.Key, t.state.revision, l); err != nil {
			return nil, err
		}
		if packed, err = t.trim(c.Key, packed, l.shown); err != nil {
			return nil, err
		}
	}
	v, sum := recordValue(k, c.New, t.state.revision, l)
	if err := t.Put(k, v); err != nil {
		return nil, err
	}
	t.state.sum += part(sum)
	t.state.accepted += c.New.Accepted - old.Accepted
	t.staged[c.Key] = index.Entry{
		Revision: t.state.revision, Accepted: c.New.Accepted, Wake: index.Nanos(c.New.Wake), Pending: c.New.Pending,
		Logs: packed + l.count, Sum: sum,
	}
	return nil, nil
}

func hasPrefix(k, prefix []byte) bool { return k != nil && bytes.HasPrefix(k, prefix) }
