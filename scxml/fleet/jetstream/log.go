package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
)

// The newest entries of a session's log are in its record, so that a swap of the record writes both.
// When they have become many, the next swap first moves them to a message of their own, a chunk, and its
// record then refers to that. A chunk of whose record nothing comes is not referred to. Two writers that
// have the same record write the same chunk, so either will do.

// chunkSize is how many bytes the entries in a record have before they are moved.
const chunkSize = 2048

// A history is a session's log as its record has it. It does not change.
type history struct {
	count  int     // of entries: the newest of the chunks, and the tail
	chunks []chunk // the oldest first
	tail   []fleet.LogEntry
}

// A chunk is a message with entries. Slots are subjects: one whose chunk is not needed any more is
// written anew.
type chunk struct {
	slot, count int
	seq         uint64
}

// needless reports whether the first chunk has no entry that remains.
func (h history) needless() bool {
	n := len(h.tail)
	for _, c := range h.chunks {
		n += c.count
	}
	return len(h.chunks) > 0 && n-h.chunks[0].count >= h.count
}

func (h history) size() int {
	n := 0
	for _, e := range h.tail {
		n += len(e.Body) + 8
	}
	return n
}

// add returns the history with one more entry, whose revision is not known yet.
func (h history) add(body []byte, keep int) history {
	h.tail = append(slices.Clip(h.tail), fleet.LogEntry{Body: bytes.Clone(body)})
	if h.count++; keep > 0 && h.count > keep {
		h.count = keep
	}
	h.tail = h.tail[max(0, len(h.tail)-h.count):]
	return h
}

// written sets the revision of the entry that add has added.
func (h history) written(revision uint64) history {
	if n := len(h.tail); n > 0 && h.tail[n-1].Revision == 0 {
		h.tail = slices.Clone(h.tail)
		h.tail[n-1].Revision = revision
	}
	return h
}

// code describes a history, as it is before the body in the data of a record.
func (h *history) code(c *codec.Coder) {
	codec.Uint(c, &h.count)
	codec.List(c, &h.chunks, func(k *chunk) {
		codec.Uint(c, &k.slot)
		codec.Uint(c, &k.count)
		codec.Uint(c, &k.seq)
	})
	codeEntries(c, &h.tail)
}

func codeEntries(c *codec.Coder, entries *[]fleet.LogEntry) {
	codec.List(c, entries, func(e *fleet.LogEntry) {
		codec.Uint(c, &e.Revision)
		c.Copy(&e.Body)
	})
}

// readHistory reads the history of a record, and returns what follows it in the data, which is the body.
func readHistory(m message) (h history, body []byte, err error) {
	body, ok := codec.Read(m.data, h.code)
	if !ok {
		return history{}, nil, fmt.Errorf("record of %q: it is too short: %w", m.key, fleet.ErrCorrupt)
	}
	return h.written(m.seq), body, nil
}

func (sh *shard) chunkSubject(key string, slot int) string {
	return fmt.Sprintf("%s.l.%s.%d", sh.prefix, escape(key), slot)
}

// move writes the tail of the history of a record with a revision to a chunk.
func (s *Store) move(ctx context.Context, sh *shard, key string, revision uint64, h history) (history, error) {
	c := chunk{slot: len(h.chunks), count: len(h.tail)}
	m := message{kind: chunkKind, id: s.nextID(), chunk: revision, data: codec.Append(nil, func(c *codec.Coder) { codeEntries(c, &h.tail) })}
	chunks := slices.Clone(h.chunks)
	if h.needless() {
		c.slot, m.old = chunks[0].slot, chunks[0].seq
		chunks = chunks[1:]
	}
	subject := sh.chunkSubject(key, c.slot)
	for {
		seq, err := s.swap(ctx, sh, subject, m, false)
		var moved *movedError
		switch {
		case errors.As(err, &moved) && moved.last.kind == chunkKind && moved.last.chunk == revision:
			seq = moved.last.seq // another writer of the same change was faster
		case errors.As(err, &moved):
			// What is there was left by a change that did not happen, unless the record has changed.
			last, err := s.last(ctx, sh, key)
			if err != nil {
				return h, err
			}
			if last.seq != revision {
				return h, fleet.ErrConflict
			}
			m.old = moved.last.seq
			continue
		case err != nil:
			return h, err
		}
		c.seq = seq
		return history{count: h.count, chunks: append(chunks, c)}, nil
	}
}

// errMissing says that a chunk is not there, because the record has changed, or else is lost.
var errMissing = errors.New("a part of the log is missing")

// entries reads the entries of a history that come after a revision, at most n.
func (s *Store) entries(ctx context.Context, sh *shard, key string, h history, after uint64, n int) ([]fleet.LogEntry, error) {
	all := h.tail
	for i := len(h.chunks) - 1; i >= 0 && len(all) < h.count && (len(all) == 0 || all[0].Revision > after); i-- {
		c := h.chunks[i]
		m, err := s.get(ctx, sh, get{Seq: c.seq}, sh.chunkSubject(key, c.slot), key)
		if err != nil {
			return nil, err
		}
		if m.kind != chunkKind {
			return nil, errMissing
		}
		var entries []fleet.LogEntry
		if _, ok := codec.Read(m.data, func(c *codec.Coder) { codeEntries(c, &entries) }); !ok {
			return nil, fmt.Errorf("log of %q: it is too short: %w", key, fleet.ErrCorrupt)
		}
		all = append(entries, all...)
	}
	all = all[max(0, len(all)-h.count):]
	for len(all) > 0 && all[0].Revision <= after {
		all = all[1:]
	}
	if n > 0 && len(all) > n {
		all = all[:n]
	}
	return all, nil
}
