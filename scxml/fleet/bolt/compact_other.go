//go:build !unix

package bolt

import (
	"io/fs"
	"os"

	"go.etcd.io/bbolt"
)

func own(string, fs.FileInfo) error { return nil } // the folder says who may do what

// rename replaces an open database. Windows does so only once nobody has it open.
func rename(db *bbolt.DB, from, to string) error {
	if err := db.Close(); err != nil {
		return err
	}
	return os.Rename(from, to)
}
