package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// ErrTooLarge says that a record or a file is larger than a message of the servers may be: max_payload
// in their configuration, 1 MB unless it is set.
var ErrTooLarge = errors.New("larger than the servers allow: set max_payload in their configuration")

// Commit implements [fleet.Store].
func (s *Store) Commit(ctx context.Context, changes []fleet.Change) []error {
	if err := s.write(ctx); err != nil {
		return slices.Repeat([]error{err}, len(changes))
	}
	defer s.calls.Done()
	errs := make([]error, len(changes))
	var all sync.WaitGroup
	for i := 1; i < len(changes); i++ {
		all.Go(func() { errs[i] = s.commit(ctx, changes[i]) })
	}
	if len(changes) > 0 {
		errs[0] = s.commit(ctx, changes[0])
	}
	all.Wait()
	return errs
}

func (s *Store) commit(ctx context.Context, c fleet.Change) error {
	if err := c.Check(c.Old, 0); err != nil {
		return err
	}
	sh := s.shard(c.Key)
	m := message{kind: tombstoneKind, key: c.Key, old: c.Old, id: s.nextID()}
	h, logs, err := history{}, 0, error(nil)
	if c.Old != 0 {
		var accepted uint64
		if h, m.trail, accepted, err = s.base(ctx, sh, c); err == nil {
			err = c.Check(c.Old, accepted)
		}
		if err != nil {
			return err
		}
	} else {
		m.old = s.tombstone(sh, c.Key)
	}
	chunks := len(h.chunks)
	if c.New != nil {
		if c.Log != nil {
			if h.size() > 0 && h.size()+len(c.Log) > chunkSize {
				if h, err = s.move(ctx, sh, c.Key, c.Old, h); err != nil {
					return err
				}
			}
			h = h.add(c.Log, c.KeepLog)
		}
		if h.count > 0 {
			logs = 1
		}
		m.kind = recordKind
		m.about = about{c.New.Chart, c.New.Hash, c.New.Status}
		m.entry = index.Entry{Accepted: c.New.Accepted, Wake: index.Nanos(c.New.Wake), Pending: c.New.Pending, Logs: logs}
		m.data = append(codec.Append(make([]byte, 0, h.size()+len(c.New.Body)+64), h.code), c.New.Body...)
	}
	for {
		m.seq, err = s.swap(ctx, sh, sh.subject(c.Key), m, c.Old == 0)
		var moved *movedError
		switch {
		case errors.As(err, &moved):
			last := moved.last
			last.key = c.Key
			if c.Old == 0 && last.kind != recordKind && last.seq != m.old {
				m.old = last.seq // a tombstone
				continue
			}
			if last.seq != 0 {
				s.learn(sh, last)
			}
			return fleet.ErrConflict
		case err != nil:
			return fmt.Errorf("cannot store %q: %w", c.Key, err)
		}
		break
	}
	m.entry.Revision = m.seq
	s.learn(sh, m)
	if c.New != nil {
		c.New.Revision = m.seq
		s.remember(m, h.written(m.seq))
	} else if chunks > 0 {
		s.sweep(sh, c.Key, m.seq)
	}
	return nil
}

// base returns what the record that a change replaces says of its log, its trail, and how many events it
// has accepted. The error is ErrConflict if the record has another revision.
func (s *Store) base(ctx context.Context, sh *shard, c fleet.Change) (history, []step, uint64, error) {
	s.mu.Lock()
	e, exists := s.index.Get(c.Key)
	known := s.histories.all[c.Key]
	gone := !exists && c.Old < sh.ahead[c.Key].seq
	s.mu.Unlock()
	switch {
	case e.Revision > c.Old || gone:
		return history{}, nil, 0, fleet.ErrConflict
	case e.Revision == c.Old && known.revision == c.Old:
		return known.history, known.trail, e.Accepted, nil
	case e.Revision == c.Old && e.Logs == 0:
		return history{}, nil, e.Accepted, nil
	}
	m, h, _, err := s.record(ctx, sh, c.Key)
	if errors.Is(err, fleet.ErrNotFound) || err == nil && m.seq != c.Old {
		err = fleet.ErrConflict
	}
	return h, m.steps(), m.entry.Accepted, err
}

// tombstone returns the last sequence of a key that has no record, as far as it is known.
func (s *Store) tombstone(sh *shard, key string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.index.Get(key); exists {
		return 0
	}
	return sh.ahead[key].seq
}

// fits returns an error for a message that is too large.
func (s *Store) fits(msg *nats.Msg) error {
	const headers = 400 // with those of a batch
	size := int64(len(msg.Data) + len(msg.Header.Get(aboutHeader)) + headers)
	if limit := s.nc.MaxPayload(); size > limit {
		return fmt.Errorf("its %d bytes are more than %d: %w", size, limit, ErrTooLarge)
	}
	return nil
}

// sweep removes the log of a session that was deleted, while the store does other things. What it does
// not remove is never read.
func (s *Store) sweep(sh *shard, key string, tombstone uint64) {
	s.work.Go(func() {
		ctx, cancel := context.WithTimeout(s.ctx, slow)
		defer cancel()
		s.api(ctx, "STREAM.PURGE."+sh.name, map[string]any{"filter": sh.prefix + ".l." + escape(key) + ".*", "seq": tombstone})
	})
}

// PutFile implements [fleet.Store].
func (s *Store) PutFile(ctx context.Context, name string, data []byte) error {
	if err := s.write(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	sh := s.files
	m := message{kind: fileKind, key: name, id: s.nextID(), data: data}
	if data == nil {
		m.kind = tombstoneKind
	}
	subject := sh.subject(name)
	last, err := s.lastOf(ctx, sh, subject, name, 0)
	for err == nil {
		if data == nil && last.kind != fileKind {
			return nil
		}
		m.old = last.seq
		if m.seq, err = s.swap(ctx, sh, subject, m, false); err == nil {
			s.learn(sh, m)
			return nil
		}
		if moved := new(movedError); errors.As(err, &moved) {
			last, err = moved.last, nil
		}
	}
	return fmt.Errorf("cannot store file %q: %w", name, err)
}
