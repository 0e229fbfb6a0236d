package postgres

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

var (
	serverKills   = flag.Int("server.kills", 5, "TestServerIsKilled: how often the server is killed")
	serverCommits = flag.Int("server.commits", 5000, "TestServerIsKilled: commits, at least")
	serverSeed    = flag.Uint64("server.seed", 1, "TestServerIsKilled: the seed of the moments and changes")
)

// A server that is killed at any moment, again and again, has each change that was acknowledged, and
// none twice; and a session that could not be created does not appear later.
func TestServerIsKilled(t *testing.T) {
	server := pgtest.Start(t)
	url := fresh(server)
	// Two processes, of which both change each record.
	var stores [2]*Store
	for i := range stores {
		stores[i] = mustOpen(t, url, Options{Watermark: filepath.Join(t.TempDir(), "mark")})
		defer stores[i].Close()
	}
	var commits, unknown, conflicts, created, missing atomic.Int64
	var over atomic.Bool
	var all sync.WaitGroup
	for w := range 32 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(*serverSeed, uint64(w)))
			key := fmt.Sprint("k", w)
			revision, n := uint64(0), 0
			for !over.Load() && !t.Failed() {
				s := stores[r.IntN(2)]
				c := fleet.Change{Key: key, Old: revision, New: &fleet.Record{
					Key: key, Accepted: uint64(n + 1), Body: []byte(strconv.Itoa(n + 1)), Pending: r.IntN(2) == 0}, Log: []byte(strconv.Itoa(n + 1)), KeepLog: 3}
				if n%50 == 49 { // delete, and create anew with n from the beginning
					c.New, c.Log = nil, nil
				}
				err := s.Commit(context.Background(), []fleet.Change{c})[0]
				switch rec, lerr := load(stores[r.IntN(2)], key); {
				case errors.Is(err, fleet.ErrConflict):
					t.Errorf("%s: nobody else has changed revision %d, but: %v", key, revision, err)
					return
				case lerr != nil && !errors.Is(lerr, fleet.ErrNotFound):
					t.Errorf("Load(%q) returns %v", key, lerr)
					return
				case err != nil:
					unknown.Add(1)
					at := uint64(0)
					if rec != nil {
						at = rec.Revision
					}
					if revision == 0 {
						// Whether it has happened must be certain now.
						if at == 0 {
							missing.Add(1)
						}
					} else if at == revision {
						// It may still happen, until somebody changes the record.
						continue
					}
					if c.New != nil {
						c.New.Revision = at
					}
				}
				commits.Add(1)
				rec, lerr := load(stores[r.IntN(2)], key)
				if c.New == nil {
					if lerr == nil {
						t.Errorf("%q is there after its deletion: %+v", key, rec)
						return
					}
					revision, n = 0, 0
					continue
				}
				if revision == 0 {
					created.Add(1)
					if c.New.Revision == 0 { // not created
						commits.Add(-1)
						created.Add(-1)
						if lerr == nil {
							t.Errorf("%q appears after Commit has returned", key)
							return
						}
						continue
					}
				}
				n++
				if lerr != nil || rec.Revision != c.New.Revision || string(rec.Body) != strconv.Itoa(n) {
					t.Errorf("%q: got %+v, %v; want %d at revision %d", key, rec, lerr, n, c.New.Revision)
					return
				}
				revision = rec.Revision
			}
		})
	}
	r := rand.New(rand.NewPCG(*serverSeed, 1000))
	for i := 0; i < *serverKills && !t.Failed(); i++ {
		next := int64(i * *serverCommits / *serverKills)
		for commits.Load() < next && !t.Failed() {
			<-time.After(time.Millisecond)
		}
		<-time.After(time.Duration(r.IntN(int(300 * time.Millisecond))))
		server.Kill()
		server.Restart()
	}
	for commits.Load() < int64(*serverCommits) && !t.Failed() {
		<-time.After(time.Millisecond)
	}
	over.Store(true)
	all.Wait()
	if unknown.Load() == 0 && *serverKills >= 20 {
		t.Error("no outcome was unknown: the kills came at no interesting moment")
	}
	t.Logf("%d kills: %d commits, %d of them creations, %d outcomes unknown, %d conflicts, %d creations failed", *serverKills, commits.Load(), created.Load(), unknown.Load(), conflicts.Load(), missing.Load())
}

func load(s *Store, key string) (*fleet.Record, error) {
	return s.Load(context.Background(), key)
}
