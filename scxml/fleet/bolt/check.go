package bolt

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// A Report says what a store has.
type Report struct {
	Sessions   int
	Pending    int // sessions that have something to do
	Files      int
	LogEntries int
	Revision   uint64
	Accepted   uint64 // events, by all sessions that there ever were
	Size       int64  // in bytes, of what is in use or can be used again
	Free       int64  // in bytes, of what can be used again
}

// Check reads a whole store, which no process may have open, and changes nothing. The errors are those of
// Open, and [fs.ErrNotExist].
func Check(dir string) (Report, error) {
	c, err := check(dir)
	if err != nil {
		return Report{}, fmt.Errorf("cannot check store %q: %w", dir, err)
	}
	return Report{
		Sessions: c.index.Len(), Pending: c.pending, Files: len(c.files), LogEntries: c.logs, Revision: c.state.revision, Accepted: c.state.accepted,
		Size: int64(c.pages+c.free+2) * int64(c.pageSize), Free: int64(c.free) * int64(c.pageSize),
	}, nil
}

func check(dir string) (*contents, error) {
	mark, marked, err := readWatermark(filepath.Join(dir, WatermarkName))
	if err != nil {
		return nil, err
	}
	c, err := read(filepath.Join(dir, DatabaseName))
	switch {
	case err != nil:
		return nil, err
	case c == nil && marked && mark.revision > 0:
		return nil, &lostError{filepath.Join(dir, WatermarkName), mark, state{}}
	case c == nil:
		return nil, fs.ErrNotExist
	case marked:
		return c, compare(filepath.Join(dir, WatermarkName), mark, c.state)
	}
	return c, nil
}

// Backup writes the database as it is now, while the store is in use. In an empty folder, under
// DatabaseName, what it wrote is a store.
func (s *Store) Backup(w io.Writer) (err error) {
	defer protect(&err)()
	err = s.db.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot back up store: %w", err)
	}
	return nil
}
