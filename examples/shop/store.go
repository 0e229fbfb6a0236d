package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The buckets of the database.
var (
	visitBucket  = []byte("visits") // from a visitor to a visit in JSON; the sequence counts visits
	dueBucket    = []byte("due")    // from a dueKey to a visitor
	outboxBucket = []byte("outbox") // from a number to an order in JSON
)

const (
	maxVisits  = 100_000 // more visitors get errFull
	keptEvents = 64      // number of event ids kept for each visitor
)

var (
	errNoVisit = errors.New("the visit is over")
	errFull    = errors.New("too many visits")
)

// A visit is what the store keeps of a visitor.
type visit struct {
	Events   []string        `json:"events,omitempty"` // ids of the last events processed
	Due      int64           `json:"due,omitempty"`    // time of its entry in dueBucket, in Unix nanoseconds
	Snapshot json.RawMessage `json:"snapshot"`
}

// A store keeps the sessions of all visitors. It is safe for concurrent use.
type store struct {
	db      *bbolt.DB
	chart   *scxml.Chart
	now     func() time.Time
	options []scxml.Option // of new sessions
	ordered chan struct{}  // receives a value after an order was put into the outbox
}

// openStore opens a database file, which no other process may use.
func openStore(path string, chart *scxml.Chart, options ...scxml.Option) (*store, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("cannot open database %q: another process uses it", path)
	} else if err != nil {
		return nil, fmt.Errorf("cannot open database %q: %w", path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{visitBucket, dueBucket, outboxBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("cannot open database %q: %w", path, err)
	}
	// Concurrent requests share a transaction and its fsync. This is how long a
	// request waits for others.
	db.MaxBatchDelay = time.Millisecond
	return &store{db: db, chart: chart, now: time.Now, options: options, ordered: make(chan struct{}, 1)}, nil
}

// begin starts the session of a new visitor.
func (st *store) begin(ctx context.Context, visitor string) (s *scxml.Session, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		visits := tx.Bucket(visitBucket)
		if visits.Sequence() >= maxVisits {
			return errFull
		}
		if err := visits.SetSequence(visits.Sequence() + 1); err != nil {
			return err
		}
		s, err = scxml.New(st.chart, append(slices.Clip(st.options), scxml.WithClock(st.now))...)
		if err != nil {
			return err
		}
		if err := s.Start(ctx); err != nil {
			return err
		}
		return st.turn(ctx, tx, visitor, &visit{}, s, scxml.Event{})
	})
	return s, err
}

// look returns the session of a visitor at the present time. It does not save
// anything: due events are processed in a copy here, and later in the saved
// session at the same times and with the same results.
func (st *store) look(ctx context.Context, visitor string) (s *scxml.Session, err error) {
	err = st.db.View(func(tx *bbolt.Tx) error {
		_, s, err = st.load(tx, visitor)
		return err
	})
	if err == nil {
		_, err = s.Do(ctx, st.now(), scxml.Event{})
	}
	if err == nil && s.Status() != scxml.Running {
		err = errNoVisit
	}
	return s, err
}

// process sends an event to a visitor's session, unless the session has already
// processed one with this id. If it returns nil, the event is saved; if it fails,
// nothing has changed.
func (st *store) process(ctx context.Context, visitor, id string, ev scxml.Event) error {
	var status scxml.Status
	// Batch may run the function several times. That is safe because it changes
	// only the transaction.
	err := st.db.Batch(func(tx *bbolt.Tx) error {
		v, s, err := st.load(tx, visitor)
		if err != nil {
			return err
		}
		if slices.Contains(v.Events, id) {
			status = scxml.Running
			return nil
		}
		v.Events = append(v.Events, id)
		v.Events = v.Events[max(0, len(v.Events)-keptEvents):]
		err = st.turn(ctx, tx, visitor, v, s, ev)
		status = s.Status()
		return err
	})
	if err == nil && status != scxml.Running {
		return errNoVisit
	}
	return err
}

// sweep processes due events of all visitors. It tries a visit that fails again
// after a minute.
func (st *store) sweep(ctx context.Context) error {
	var visitors []string
	err := st.db.View(func(tx *bbolt.Tx) error {
		end := string(dueKey(st.now().UnixNano()+1, ""))
		c := tx.Bucket(dueBucket).Cursor()
		for k, v := c.First(); k != nil && string(k) < end; k, v = c.Next() {
			visitors = append(visitors, string(v))
		}
		return nil
	})
	for _, visitor := range visitors {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var v *visit
		failed := st.db.Update(func(tx *bbolt.Tx) (err error) {
			var s *scxml.Session
			if v, s, err = st.load(tx, visitor); err != nil {
				return err
			}
			return st.turn(ctx, tx, visitor, v, s, scxml.Event{})
		})
		switch {
		case failed == nil || errors.Is(failed, errNoVisit):
		case v == nil:
			err = errors.Join(err, failed)
		default:
			slog.Error("cannot continue a visit; trying again in a minute", "error", failed)
			err = errors.Join(err, st.db.Update(func(tx *bbolt.Tx) error {
				return st.put(tx, visitor, v, st.now().Add(time.Minute).UnixNano())
			}))
		}
	}
	return err
}

// load restores the session of a visitor.
func (st *store) load(tx *bbolt.Tx, visitor string) (*visit, *scxml.Session, error) {
	value := tx.Bucket(visitBucket).Get([]byte(visitor))
	if value == nil {
		return nil, nil, errNoVisit
	}
	v := new(visit)
	if err := json.Unmarshal(value, v); err != nil {
		return nil, nil, err
	}
	s, err := scxml.Restore(st.chart, v.Snapshot, scxml.WithClock(st.now), scxml.WithMigration(migrate))
	return v, s, err
}

// turn brings the session to the present, gives it an event unless that has no name, and saves it.
// Orders go into the outbox in the same transaction.
func (st *store) turn(ctx context.Context, tx *bbolt.Tx, visitor string, v *visit, s *scxml.Session, ev scxml.Event) error {
	effect, err := s.Do(ctx, st.now(), ev)
	if err != nil && !errors.Is(err, scxml.ErrEnded) { // what was due has ended the visit
		return err
	}
	for _, m := range effect.Sent {
		if m.Event.Name == "order" {
			if err := st.order(tx, m.Event); err != nil {
				return err
			}
		}
	}
	if s.Status() != scxml.Running {
		return st.remove(tx, visitor, v)
	}
	if v.Snapshot, err = s.Snapshot(); err != nil {
		return err
	}
	var due int64
	if at, ok := s.NextDue(); ok {
		due = at.UnixNano()
	}
	return st.put(tx, visitor, v, due)
}

// put writes a visit and its entry in dueBucket, unless due is 0.
func (st *store) put(tx *bbolt.Tx, visitor string, v *visit, due int64) error {
	index := tx.Bucket(dueBucket)
	if err := index.Delete(dueKey(v.Due, visitor)); err != nil {
		return err
	}
	if v.Due = due; due != 0 {
		if err := index.Put(dueKey(due, visitor), []byte(visitor)); err != nil {
			return err
		}
	}
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Bucket(visitBucket).Put([]byte(visitor), value)
}

func (st *store) remove(tx *bbolt.Tx, visitor string, v *visit) error {
	visits := tx.Bucket(visitBucket)
	return errors.Join(
		tx.Bucket(dueBucket).Delete(dueKey(v.Due, visitor)),
		visits.Delete([]byte(visitor)),
		visits.SetSequence(visits.Sequence()-1),
	)
}

// dueKey returns a key that sorts by time.
func dueKey(due int64, visitor string) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(due)), visitor...)
}
