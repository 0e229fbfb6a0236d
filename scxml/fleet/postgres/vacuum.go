package postgres

import (
	"context"
	"time"
)

// What a record was before remains in the table until a vacuum. The server's own (autovacuum) looks once
// a minute, and forgets what it knows when the server crashes: by then sessions of 20 KB that take 3,000
// steps a second have left gigabytes. So a store vacuums after it has written much. The rest, such as
// the age of transactions, remains the server's.

// vacuumAfter is how many bytes a store writes between two vacuums.
const vacuumAfter = 256 << 20

// wrote counts bytes that a transaction has written. The caller is the writer.
func (s *Store) wrote(bytes int) {
	if s.written += bytes; s.written < s.vacuumAfter {
		return
	}
	s.written = 0
	select {
	case s.full <- struct{}{}:
	default: // the last one continues
	}
}

// vacuum vacuums when it is time, until the store is closed. A user who does not own the tables cannot,
// and only gets a warning from the server; if another process does the same, that is enough.
func (s *Store) vacuum() {
	for {
		select {
		case <-s.running.Done():
			return
		case <-s.full:
		}
		ctx, cancel := context.WithTimeout(s.running, 10*time.Minute)
		_, _ = s.pool.Exec(ctx, "VACUUM (SKIP_LOCKED) sessions, log") // it is tried again
		cancel()
	}
}
