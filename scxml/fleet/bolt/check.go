package bolt

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// A Report says what a store has.
type Report struct {
	Sessions   int    `json:"sessions"`
	Pending    int    `json:"pending"`    // sessions that have something to do
	Accepted   uint64 `json:"accepted"`   // events, by all sessions that there ever were
	LogEntries int    `json:"logEntries"` // of all sessions
	Files      int    `json:"files"`
	Revision   uint64 `json:"revision"` // the number of changes so far
	Size       int64  `json:"size"`     // of the database, in bytes
	Free       int64  `json:"free"`     // bytes of the database that can be used again
}

// Check reads a whole store and changes nothing. The path is the folder of a store, which no process may
// have open, or a backup. The errors are those of Open, and [fs.ErrNotExist].
func Check(path string) (Report, error) {
	db, c, err := readStore(path)
	if err != nil {
		return Report{}, fmt.Errorf("cannot check store %q: %w", path, err)
	}
	return c.report(), db.Close()
}

// Backup checks a store like Check, and writes a copy of its database without free pages to w. In an empty
// folder, under the name DatabaseName, what it writes is a store. The copy is made in the folder of the
// database, which needs room for it.
func Backup(path string, w io.Writer) (Report, error) {
	db, c, err := readStore(path)
	if err == nil {
		defer db.Close()
		err = writeCopy(db, w)
	}
	if err != nil {
		return Report{}, fmt.Errorf("cannot back up store %q: %w", path, err)
	}
	return c.report(), nil
}

// Backup writes a copy of the database as it is now, like the function Backup, but without reading it
// first, and while the store is in use. Later commits are not in it. They do not wait for it, unless the
// database grows beyond its map into memory, which has room for 1 GB, or for the size of the database and
// up to 1 GB more.
func (s *Store) Backup(w io.Writer) error {
	if err := writeCopy(s.db, w); err != nil {
		return fmt.Errorf("cannot back up store %q: %w", filepath.Dir(s.path), err)
	}
	return nil
}

// readStore verifies a store or a backup and returns its database, which is open for reading.
func readStore(path string) (*bbolt.DB, *contents, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	var mark *state
	markPath := filepath.Join(path, watermarkName)
	if info.IsDir() {
		path = filepath.Join(path, DatabaseName)
		if mark, err = readWatermark(markPath); err != nil {
			return nil, nil, err
		}
	}
	db, c, err := read(path)
	if err != nil {
		return nil, nil, err
	}
	if err := mark.compare(markPath, c.state); err != nil {
		if db != nil {
			db.Close()
		}
		return nil, nil, err
	}
	if db == nil {
		return nil, nil, fmt.Errorf("it has no %s: %w", DatabaseName, fs.ErrNotExist)
	}
	return db, c, nil
}

func (c *contents) report() Report {
	return Report{
		Sessions: c.index.Len(), Pending: c.pending, Accepted: c.state.accepted, LogEntries: c.logs, Files: len(c.files), Revision: c.state.revision,
		Size: int64(c.pages+c.free+2) * int64(c.pageSize), Free: int64(c.free) * int64(c.pageSize),
	}
}
