package postgres

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/fleettest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

var schemas atomic.Int64

// fresh returns the URL of a store that is not there yet.
func fresh(s *pgtest.Server) string {
	return fmt.Sprintf("%s&schema=s%d", s.URL(), schemas.Add(1))
}

// servers are those that tests share.
var servers []*pgtest.Server

var shared = sync.OnceValues(func() (*pgtest.Server, error) {
	s, err := pgtest.New()
	if err == nil {
		servers = append(servers, s)
	}
	return s, err
})

// shareServer is [pgtest.Start] for tests that do nothing to a server and need no more than a schema.
func shareServer(t *testing.T) *pgtest.Server {
	t.Helper()
	s, err := shared()
	if errors.Is(err, pgtest.ErrNotInstalled) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustOpen(t testing.TB, url string, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	server := pgtest.Start(t, "fsync=off") // for many small stores; other tests sync
	url := fresh(server)
	if err := flag.Set("rapid.checks", "30"); err != nil { // each program opens connections
		t.Fatal(err)
	}
	open := func(t testing.TB) fleet.Store { return mustOpen(t, url, Options{Unsafe: true}) }
	fleettest.Test(t, fleettest.Kit{
		Open: func(t testing.TB) fleet.Store {
			s := open(t)
			if _, err := s.(*Store).pool.Exec(context.Background(), "TRUNCATE sessions, log, files; UPDATE store SET sessions = 0; UPDATE hosts SET sessions = 0"); err != nil { // of the store before
				t.Fatal(err)
			}
			return s
		},
		Reopen: func(t testing.TB, s fleet.Store) fleet.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t)
		},
		Second: func(t testing.TB, _ fleet.Store) fleet.Store { return open(t) },
	})
}

var _ fleet.Watcher = (*Store)(nil)

// Hosts that start at the same time make one store.
func TestStoreIsMadeOnce(t *testing.T) {
	server := shareServer(t)
	for range 5 {
		url := fresh(server)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				s, err := Open(t.Context(), url, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// Messages do not have a password.
func TestPasswordsStayOut(t *testing.T) {
	url := "postgres://me:hush@127.0.0.1:1/db?connect_timeout=1"
	_, err := Open(t.Context(), url, Options{})
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("Open returns %v", err)
	}
	if name := Name(url); name != `database "db" on 127.0.0.1:1, schema "scxml"` {
		t.Errorf("the store has the name %s", name)
	}
	for _, url := range []string{"postgres://me:hush@host:port/db", "postgres://me:hush@host/db?sslmode=hush"} {
		if _, err := Open(t.Context(), url, Options{}); err == nil || strings.Contains(err.Error(), "hush@") {
			t.Errorf("Open returns %v", err)
		}
	}
}
