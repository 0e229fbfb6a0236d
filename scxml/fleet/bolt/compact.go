package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A database does not become smaller when something is deleted: bbolt keeps the pages for later. A copy
// has none of them.

const (
	newSuffix  = ".new"         // of a database that is not whole yet
	backupName = "backup-*.tmp" // pattern of copies that are on their way
)

// Compact checks the store in a folder like Check, which no process may have open, and replaces its
// database by a copy without free pages. It reports the bytes of both. Whatever ends it, the folder has the
// old database or the new one, whole. It needs room for both.
func Compact(dir string) (before, after int64, err error) {
	path := filepath.Join(dir, DatabaseName)
	if before, after, err = replace(dir, path); err != nil {
		return 0, 0, fmt.Errorf("cannot compact store %q: %w", dir, err)
	}
	return before, after, nil
}

func replace(dir, path string) (before, after int64, err error) {
	old, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	reader, c, err := readStore(dir)
	if err != nil {
		return 0, 0, err
	}
	reader.Close()
	db, err := openDB(path, false) // which keeps out all others
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	if now, err := stored(db); err != nil {
		return 0, 0, err
	} else if now != c.state {
		return 0, 0, errors.New("another process has used it in between")
	}
	temp := path + newSuffix
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, err
	}
	if err = copyDB(db, temp); err == nil {
		err = own(temp, old)
	}
	var copied *contents
	if err == nil {
		if reader, copied, err = read(temp); err == nil {
			reader.Close()
		}
	}
	if err == nil && copied.state != c.state {
		err = fmt.Errorf("the copy differs: %w", fleet.ErrCorrupt)
	}
	if err != nil {
		_ = os.Remove(temp)
		return 0, 0, err
	}
	if err = rename(db, temp, path); err == nil {
		err = syncDir(dir)
	}
	return c.report().Size, copied.report().Size, err
}

// copyDB writes what a database has to a new one, and syncs it. bbolt.Compact does not do for a database in
// use: it writes the end of the copy after its transaction, when others may have changed the pages.
func copyDB(src *bbolt.DB, path string) (err error) {
	defer protect(&err)()
	dst, err := openDB(path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	dst.NoSync, dst.AllocSize = true, 0
	err = view(src, func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketName).Cursor()
		for k, v := c.First(); k != nil; {
			err := dst.Update(func(tx *bbolt.Tx) error {
				b, err := tx.CreateBucketIfNotExists(bucketName)
				if err != nil {
					return err
				}
				b.FillPercent = 1
				for size := 0; k != nil && size < copyAtOnce; k, v = c.Next() {
					if err := b.Put(k, v); err != nil {
						return err
					}
					size += len(k) + len(v)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = dst.Sync()
	}
	return err
}

const copyAtOnce = 8 << 20 // bytes, which take memory

// writeCopy writes a copy of a database to w. It is made in the folder of the database first: while bbolt
// copies, the database grows, and w may be slow.
func writeCopy(db *bbolt.DB, w io.Writer) error {
	file, err := os.CreateTemp(filepath.Dir(db.Path()), backupName)
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }()
	if err := copyDB(db, file.Name()); err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{w}, file) // in pieces, so that w may have a deadline for each
	return err
}

// clean removes what processes have left that ended while they made a copy.
func clean(path string) {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), backupName)) // the pattern is right
	for _, name := range append(left, path+newSuffix) {
		_ = os.Remove(name) // it does no harm
	}
}
