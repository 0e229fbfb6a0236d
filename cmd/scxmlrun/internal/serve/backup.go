package serve

import (
	"errors"
	"io"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// backup returns a function that writes a copy of the store, or nil if the store is not a folder: the
// server that has it makes backups of its own. The copy is made in a file of the folder
// first: while bbolt copies, the database grows, and a client may be slow.
func backup(opened fleet.Store, folder string) func(io.Writer) error {
	store, ok := opened.(*bolt.Store)
	if !ok {
		return nil
	}
	return func(w io.Writer) error {
		file, err := os.CreateTemp(folder, "backup-*.tmp")
		if err != nil {
			return err
		}
		defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // a copy
		if err := store.Backup(file); err != nil {
			return err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err = io.Copy(struct{ io.Writer }{w}, file) // in pieces, each with its deadline
		return err
	}
}
