package serve

import (
	"io"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

// backup returns a function that writes a copy of the store, or nil if the store is not a folder: the
// server that has it makes backups of its own.
func backup(opened fleet.Store) func(io.Writer) error {
	if store, ok := opened.(*bolt.Store); ok {
		return store.Backup
	}
	return nil
}
