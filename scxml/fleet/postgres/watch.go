package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Processes tell one another by NOTIFY which sessions have something to do. They do so after the
// transaction, not in it: a transaction that notifies makes all others of the server that do so wait
// until its commit is synced.

// A notification has the process and keys, all in hexadecimal.
const maxPayload = 7900 // the server refuses 8,000 bytes

func (s *Store) channel() string { return fmt.Sprintf("scxml_%016x", uint64(s.id)) }

func (s *Store) self() string { return fmt.Sprintf("%016x", uint64(s.owner)) }

// hint notes keys that other processes are to be told.
func (s *Store) hint(keys []string) {
	if len(keys) == 0 {
		return
	}
	s.mu.Lock()
	s.hinted = append(s.hinted, keys...)
	s.mu.Unlock()
	select {
	case s.hints <- struct{}{}:
	default:
	}
}

// tell sends the hints until the store is closed.
func (s *Store) tell() {
	for {
		select {
		case <-s.running.Done():
			return
		case <-s.hints:
		}
		s.mu.Lock()
		keys := s.hinted
		s.hinted = nil
		s.mu.Unlock()
		for len(keys) > 0 {
			payload := s.self()
			for len(keys) > 0 && len(payload)+1+2*len(keys[0]) <= maxPayload {
				payload += " " + hex.EncodeToString([]byte(keys[0]))
				keys = keys[1:]
			}
			ctx, cancel := context.WithTimeout(s.running, patience)
			_, err := s.pool.Exec(ctx, "SELECT pg_notify($1, $2)", s.channel(), payload)
			cancel()
			if err != nil {
				break // a hint may be missed
			}
		}
	}
}

// Watch implements [fleet.Watcher].
func (s *Store) Watch(ctx context.Context, changed func(key string)) error {
	if err := s.usable(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.running, cancel)()
	err := s.watch(ctx, changed)
	if closed := s.usable(); closed != nil {
		return closed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("cannot watch the store: %w", err)
}

func (s *Store) watch(ctx context.Context, changed func(key string)) error {
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := s.check(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+s.channel()); err != nil {
		return err
	}
	changed("") // what happened before
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		from, keys, _ := strings.Cut(n.Payload, " ")
		if from == s.self() {
			continue
		}
		for word := range strings.FieldsSeq(keys) {
			if key, err := hex.DecodeString(word); err == nil {
				changed(string(key))
			}
		}
	}
}
