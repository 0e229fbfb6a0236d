package bolt

import (
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// An entry of a log that had an item of its own would double the work of a commit. So a record has the
// newest entries of its session's log with it, until these are large enough to become an item, a pack.
// The oldest pack goes as soon as the log has enough entries without it. What it had too many until then
// is not shown.

// packSize is the size from which on the entries in a record become a pack.
const packSize = 600

// A tail is what a record has of the log of its session.
type tail struct {
	shown   int    // number of entries that the log has for those who read it, in packs too
	entries []byte // the newest ones, the oldest first: revision 8, size, body
	count   int    // of entries
}

// add appends an entry to a log that has packed entries before the tail, and is to show so many.
func (l *tail) add(revision uint64, body []byte, packed, keep int) {
	b := slices.Grow(l.entries, 8+binary.MaxVarintLen64+len(body))
	b = binary.BigEndian.AppendUint64(b, revision)
	b = binary.AppendUvarint(b, uint64(len(body)))
	l.entries = append(b, body...)
	l.count++
	if l.shown++; keep > 0 {
		l.shown = min(l.shown, keep)
	}
	for packed == 0 && l.count > l.shown {
		_, _, l.entries, _ = cutEntry(l.entries)
		l.count--
	}
}

// cutEntry returns the first entry and what follows it.
func cutEntry(b []byte) (revision uint64, body, remaining []byte, ok bool) {
	if len(b) < 8 {
		return 0, nil, nil, false
	}
	size, n := binary.Uvarint(b[8:])
	if n <= 0 || size > uint64(len(b)-8-n) {
		return 0, nil, nil, false
	}
	body = b[8+n:]
	return binary.BigEndian.Uint64(b), body[:size], body[size:], true
}

// eachEntry calls f for the entries in the data of an item, and returns their number.
func eachEntry(k, data []byte, f func(revision uint64, body []byte)) (n int, err error) {
	if _, revision, pack, _ := splitLogKey(k); !pack && !isRecordKey(k) {
		f(revision, data)
		return 1, nil
	}
	for ; len(data) > 0; n++ {
		revision, body, remaining, ok := cutEntry(data)
		if !ok {
			return n, short(k)
		}
		f(revision, body)
		data = remaining
	}
	return n, nil
}

// logOf calls f for all entries of the log of a session that are stored, and returns their number. l is
// the tail of its record.
func logOf(b *bbolt.Bucket, key string, l *tail, f func(revision uint64, body []byte)) (count int, err error) {
	prefix := logPrefix(key)
	c := b.Cursor()
	for k, v := c.Seek(prefix); hasPrefix(k, prefix); k, v = c.Next() {
		data, _, err := unseal(k, v)
		if err != nil {
			return 0, err
		}
		n, err := eachEntry(k, data, f)
		if err != nil {
			return 0, err
		}
		count += n
	}
	n, err := eachEntry(recordKey(key), l.entries, f)
	return count + n, err
}

// tail returns the tail of a record that is to be replaced or deleted. An error is for this change alone.
func (t *txn) tail(k []byte, old index.Entry) (*tail, error) {
	if old.Revision == 0 {
		return &tail{}, nil
	}
	rec, l, _, err := readRecord(k, t.Get(k))
	if err == nil && rec.Revision != old.Revision {
		err = fmt.Errorf("%s: %w: %w", describe(k), errMissing, fleet.ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	if l.shown < 0 { // of format 1
		l.shown = old.Logs
	}
	l.count, err = eachEntry(k, l.entries, func(uint64, []byte) {})
	return &l, err
}

// pack writes the entries of a tail, of which the last has a revision, as an item.
func (t *txn) pack(key string, revision uint64, l *tail) error {
	k := packKey(key, revision)
	v := append(make([]byte, 4, 4+len(l.entries)), l.entries...)
	t.state.sum += part(seal(k, v))
	l.entries, l.count = nil, 0
	return t.Put(k, v)
}

// trim deletes the first items of a session's log, which have a number of entries, as long as enough
// entries are left. It returns their number.
func (t *txn) trim(key string, packed, keep int) (left int, err error) {
	prefix := logPrefix(key)
	for packed > keep {
		// The cursor is not used after a deletion, when it may skip an item.
		c := t.Cursor()
		k, v := c.Seek(prefix)
		if !hasPrefix(k, prefix) {
			return 0, fmt.Errorf("log of %q: an entry is missing: %w", key, fleet.ErrCorrupt)
		}
		data, sum, err := unseal(k, v)
		if err != nil {
			return 0, err
		}
		n, err := eachEntry(k, data, func(uint64, []byte) {})
		if err != nil || packed-n < keep {
			return packed, err
		}
		if err := c.Delete(); err != nil {
			return 0, err
		}
		t.state.sum -= part(sum)
		packed -= n
	}
	return packed, nil
}
