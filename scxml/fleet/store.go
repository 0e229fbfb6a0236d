package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors of stores. Compare with [errors.Is].
var (
	// ErrNotFound says that there is no record or no file of this name.
	ErrNotFound = errors.New("not found")
	// ErrConflict says that a record has another revision than the change expects. Nothing changed.
	ErrConflict = errors.New("another revision is stored")
	// ErrCorrupt says that what is stored was damaged after it was written.
	ErrCorrupt = errors.New("stored data is damaged")
	// ErrLost says that a store has forgotten events that it had acknowledged.
	ErrLost = errors.New("acknowledged events are lost")
	// ErrUnavailable says that a store could not be opened for a reason that may go away by itself: no server
	// answers, or another process uses it.
	ErrUnavailable = errors.New("not available now")
	// ErrClosed says that a store was used after Close.
	ErrClosed = errors.New("store is closed")
)

// A Store keeps the records of a fleet. Each record is found by its key and replaced as a whole, by
// compare and swap on its revision; no operation touches two records at once. All methods may be
// called from any goroutine, and all operations on a key are linearizable.
//
// A list that takes after and n holds at most n items, in ascending order of their bytes, that come
// after the given one; "" is before the first, and n of 0 or less is without bound. Package fleettest
// tests whether a store keeps to what is said here.
type Store interface {
	// Load returns the record of a key. The caller owns it. The error is ErrNotFound, or ErrCorrupt.
	Load(ctx context.Context, key string) (*Record, error)

	// Commit carries out changes, each atomically and independently of the others, and returns an
	// error for each. The keys of one call differ. A change whose error is nil is durable, and its
	// New.Revision is set. After ErrConflict nothing has changed. After any other error the outcome is
	// unknown: the change has happened, or not, or will happen as long as the record keeps its revision.
	// One that creates a record happens before Commit returns, or never.
	// The store does not retain the slices that changes refer to. A fleet makes many calls at the same
	// time, each with one change: a store that is slow to sync does so once for all that wait.
	Commit(ctx context.Context, changes []Change) []error

	// Due returns the keys of at most n records whose Wake is not zero and not after now, ordered by
	// Wake and then by key. Next is the Wake of the record that would follow, due or not, and zero if
	// there is none.
	Due(ctx context.Context, now time.Time, n int) (keys []string, next time.Time, err error)

	// Pending lists the keys of records that have Pending set.
	Pending(ctx context.Context, after string, n int) ([]string, error)

	// List lists records by their keys. Their Body is nil.
	List(ctx context.Context, after string, n int) ([]*Record, error)

	// Log returns at most n entries of a session's log that come after a revision, the oldest first. The
	// error is ErrNotFound if there is no record of this key.
	Log(ctx context.Context, key string, after uint64, n int) ([]LogEntry, error)

	// PutFile stores a file durably, or removes it if data is nil. Files are few and small: the charts
	// of the sessions, and settings.
	PutFile(ctx context.Context, name string, data []byte) error

	// File returns a file, or ErrNotFound.
	File(ctx context.Context, name string) ([]byte, error)

	// Files returns the names of all files that begin with prefix, in ascending order.
	Files(ctx context.Context, prefix string) ([]string, error)

	// Close frees what the store holds. Calls after it fail with ErrClosed.
	Close() error
}

// A Watcher is a [Store] that several processes can use at once, and that tells each of them what the
// others have changed. [Fleet.Run] asks a store that is not one every second.
type Watcher interface {
	Store

	// Watch calls changed with the key of each record that another process deletes, or stores with
	// Pending set or with a Wake that is sooner than before, until ctx is done or it fails. The calls are
	// hints: one may be missing, late or repeated, and there may be more of them. The key "" says that hints may be
	// missing, as after a lost connection. The function returns at once, does not call the store, and may be
	// called from any goroutine.
	Watch(ctx context.Context, changed func(key string)) error
}

// A Counter is a [Store] that knows how many records it has, without reading them.
type Counter interface {
	Store
	// Len returns the number of records. What other processes have done may be missing for a second.
	Len(ctx context.Context) (int, error)
}

// A Record is what a store keeps of one session.
type Record struct {
	// Key names the session: 1 to 512 bytes, none of them zero.
	Key string
	// Revision is the number that the store gave to this version of the record: above all earlier
	// revisions of the key, also of those before the record was deleted and created anew.
	Revision uint64
	// Chart, Hash and Status describe the session in lists. Each has at most 1,024 bytes.
	Chart, Hash, Status string
	// Wake is when the session wants to continue by itself; zero is never. Years 1678 to 2262.
	Wake time.Time
	// Pending says that the session has something to do, whatever the time is.
	Pending bool
	// Accepted counts the events that the session has accepted. It never falls. A store that notes
	// the sum of all sessions in a second place can tell later that it lost some.
	Accepted uint64
	// Body is the session. Stores do not look into it.
	Body []byte
}

// A Change replaces, creates or deletes the record of a key.
type Change struct {
	Key string
	// Old is the revision to be replaced or deleted. 0 creates the record, which must not exist.
	Old uint64
	// New is the new record; nil deletes the record and its log. Commit sets its Revision.
	New *Record
	// Log is written to the session's log together with New; nil writes nothing.
	Log []byte
	// KeepLog is the number of entries that remain in the log when Log is written: the newest ones. 0
	// keeps all.
	KeepLog int
}

// Check returns the error with which a store refuses the change when the record has a revision (0 if there
// is none) and has accepted this many events. It is for implementations of [Store].
func (c Change) Check(revision, accepted uint64) error {
	switch {
	case c.Key == "" || len(c.Key) > 512 || strings.IndexByte(c.Key, 0) >= 0:
		return fmt.Errorf("%q is not a key: want 1 to 512 bytes, none of them zero", c.Key[:min(len(c.Key), 520)])
	case c.New != nil && c.New.Key != c.Key:
		return fmt.Errorf("cannot store the record of %q as that of %q", c.New.Key, c.Key)
	case c.New == nil && c.Old == 0:
		return fmt.Errorf("cannot delete %q: the change does not say which revision", c.Key)
	case c.Old != revision:
		return ErrConflict
	case c.New == nil:
		return nil
	case c.New.Accepted < accepted:
		return fmt.Errorf("cannot store %q: it has accepted %d events, not %d", c.Key, accepted, c.New.Accepted)
	case max(len(c.New.Chart), len(c.New.Hash), len(c.New.Status)) > 1024:
		return fmt.Errorf("cannot store %q: chart, hash and status have at most 1024 bytes each", c.Key)
	}
	return nil
}

// A LogEntry is an entry of a session's log.
type LogEntry struct {
	Revision uint64 // of the record that was written together with it
	Body     []byte
}
