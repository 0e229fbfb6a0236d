// Package bolt keeps the sessions of a fleet in a folder, in a database of [go.etcd.io/bbolt]. It is the
// store for one machine: it needs no server, and a process that is killed, or a machine that loses its
// power, loses nothing that was acknowledged.
//
//	store, err := bolt.Open("data")
//	…
//	defer store.Close()
//	f, err := fleet.New(store, fleet.Config{}, …)
//
// One process at a time has a store open; another is refused. Two files belong to it: the database, and
// a watermark.
//
// # Speed
//
// A change is durable when Commit returns: the database is synced. Changes that come while another is
// being written share the next transaction and its sync, so that many callers get far more done than
// one. Changes that are all refused, because of their revisions, write nothing.
//
// The newest entries of a session's log are stored with its record, older ones in packs, so that a log
// costs a commit little. Stores that have one item for each entry, which earlier versions have written,
// are read, and are in the present format after the first commit.
//
// Open reads the whole database, and keeps key, revision and wake time of each session in memory, about
// 120 bytes for each.
//
// # Damage
//
// bbolt has no checksums on the pages with its data. So each record, log entry and file is stored with a
// CRC-32C, and the sum of all of them with the store. Open verifies these and the structure of all
// pages before bbolt sees them. What is damaged is refused with [fleet.ErrCorrupt] and the page or the
// session by name. The same happens to a record that is damaged while the store is open, when it is
// read; only a damaged link between pages can then end the process, which does not start again until the
// store is restored.
//
// A database that is sound but too old, because a backup was put in its place, because the disk has
// forgotten writes, or because bbolt has taken the transaction before the last one when the page with
// the last is damaged, is found by the watermark: Open returns [fleet.ErrLost] and counts the events
// that were acknowledged and are missing. To continue without them, delete the watermark.
//
// A commit that fails because the disk is full or broken leaves the store as it was, and usable: when
// there is room again, commits succeed again. If it is the last sync that fails, the commit may have
// happened or not; then nothing is read before a later sync has succeeded, since what is read counts as
// stored.
//
// # Backups
//
// [Store.Backup] copies the database while it is in use; [Backup] and [Check] are for a store that is
// closed, as are the commands "scxmlrun store backup" and "scxmlrun store check". To restore a backup,
// put it into an empty folder as sessions.db.
//
// # Size
//
// What is deleted leaves free pages in the database, which are used again: its file never becomes
// smaller. A backup has none of them, and [Compact] replaces the database of a store that is closed by
// a copy without them.
package bolt
