package servertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
)

// A ledger has records whose body lists all writes that have happened to them, and compares them with
// what the writers were told.
type ledger struct {
	t       *testing.T
	stores  []*jetstream.Store
	cancel  context.CancelFunc
	ctx     context.Context
	workers sync.WaitGroup
	acked   atomic.Int64
	unclear atomic.Int64

	mu   sync.Mutex
	told map[string]map[string]bool // key, write: true if it was acknowledged, false if that is unclear
	last map[string]uint64          // key: the highest revision that was acknowledged

	lastAck time.Time
	stall   time.Duration // the longest without an acknowledgement
}

func newLedger(t *testing.T, stores ...*jetstream.Store) *ledger {
	l := &ledger{t: t, stores: stores, told: map[string]map[string]bool{}, last: map[string]uint64{}}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	for w := range 4 * len(stores) {
		l.workers.Go(func() { l.work(stores[w%len(stores)], w) })
	}
	return l
}

// work appends to records, deletes some and creates them anew, until the ledger is stopped.
func (l *ledger) work(s *jetstream.Store, w int) {
	rnd := rand.New(rand.NewPCG(24, uint64(w)))
	for i := 0; l.ctx.Err() == nil; i++ {
		key := fmt.Sprint("k", rnd.IntN(12))
		l.mu.Lock()
		last := l.last[key]
		l.mu.Unlock()
		rec, err := s.Load(context.Background(), key)
		switch {
		case errors.Is(err, fleet.ErrNotFound):
			rec = &fleet.Record{Key: key}
			if last > 0 {
				l.t.Errorf("%s is not found, but revision %d was acknowledged", key, last)
			}
		case err != nil:
			continue // the cluster does not answer now
		case rec.Revision < last:
			l.t.Errorf("%s is loaded at revision %d after %d was acknowledged", key, rec.Revision, last)
		}
		write := fmt.Sprintf("%d.%d ", w, i)
		changed := *rec
		changed.Body = append(bytes.Clone(rec.Body), write...)
		l.mu.Lock()
		if l.told[key] == nil {
			l.told[key] = map[string]bool{}
		}
		l.told[key][write] = false
		l.mu.Unlock()
		err = s.Commit(context.Background(), []fleet.Change{{Key: key, Old: rec.Revision, New: &changed, Log: []byte(write), KeepLog: 50}})[0]
		l.mu.Lock()
		switch {
		case err == nil:
			l.told[key][write] = true
			l.last[key] = max(l.last[key], changed.Revision)
			l.acked.Add(1)
			if now := time.Now(); l.lastAck.IsZero() {
				l.lastAck = now
			} else {
				l.stall, l.lastAck = max(l.stall, now.Sub(l.lastAck)), now
			}
		case errors.Is(err, fleet.ErrConflict):
			delete(l.told[key], write)
		default:
			l.unclear.Add(1)
		}
		l.mu.Unlock()
	}
}

// progress waits for more acknowledged writes.
func (l *ledger) progress(n int64) {
	l.t.Helper()
	deadline := time.After(2 * time.Minute)
	for want := l.acked.Load() + n; l.acked.Load() < want; {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			l.t.Fatalf("%d writes were acknowledged, want %d: the cluster does not recover", l.acked.Load(), want)
		}
	}
}

// stop ends the writers, and checks what the store has.
func (l *ledger) stop() {
	l.cancel()
	l.workers.Wait()
	for key, told := range l.told {
		rec, err := l.stores[0].Load(context.Background(), key)
		if err != nil {
			l.t.Errorf("cannot load %s: %v", key, err)
			continue
		}
		seen := map[string]bool{}
		var writes []string
		for write := range strings.SplitAfterSeq(string(rec.Body), " ") {
			if write == "" {
				continue
			}
			if _, ok := told[write]; !ok || seen[write] {
				l.t.Errorf("%s has %q, which was refused or is there twice", key, write)
			}
			seen[write] = true
			writes = append(writes, write)
		}
		for write, acked := range told {
			if acked && !seen[write] {
				l.t.Errorf("%s has lost %q, which was acknowledged", key, write)
			}
		}
		entries, err := l.stores[0].Log(context.Background(), key, 0, 0)
		if err != nil || len(entries) != min(50, len(writes)) {
			l.t.Errorf("the log of %s has %d entries, %v; want %d", key, len(entries), err, min(50, len(writes)))
			continue
		}
		for i, e := range entries {
			if want := writes[len(writes)-len(entries)+i]; string(e.Body) != want {
				l.t.Errorf("entry %d of the log of %s is %q, want %q", i, key, e.Body, want)
			}
		}
	}
	l.t.Logf("%d writes were acknowledged, the end of %d is unclear; none was acknowledged for at most %v", l.acked.Load(), l.unclear.Load(), l.stall)
}

// No acknowledged write is lost and none happens twice, and none that was acknowledged is not read,
// whatever happens to a node: it is killed, stands still, is cut off, or loses its disk.
func TestFaults(t *testing.T) {
	for name, fault := range map[string]func(*ledger, *Cluster, *Node) error{
		"kill": func(l *ledger, _ *Cluster, n *Node) error {
			n.Kill()
			l.progress(300)
			return n.Start()
		},
		"pause": func(l *ledger, _ *Cluster, n *Node) error {
			n.Pause()
			l.progress(300)
			n.Resume()
			return nil
		},
		"cut": func(l *ledger, _ *Cluster, n *Node) error {
			n.Cut()
			l.progress(300)
			n.Heal()
			return nil
		},
		"wipe": func(l *ledger, _ *Cluster, n *Node) error {
			n.Kill()
			l.progress(300)
			if err := n.Wipe(); err != nil {
				return err
			}
			return n.Start()
		},
		"all": func(l *ledger, c *Cluster, _ *Node) error {
			for _, n := range c.Nodes {
				n.Kill()
			}
			for _, n := range c.Nodes {
				if err := n.Start(); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "kill" && name != "cut" {
				t.Skip("-short: nodes are killed and cut off")
			}
			c := Start(t, Options{Nodes: 3})
			url := c.URL("faults", "shards=2")
			l := newLedger(t, mustOpen(t, url), mustOpen(t, url))
			for _, n := range c.Nodes {
				l.progress(300)
				if err := fault(l, c, n); err != nil {
					t.Fatal(err)
				}
				if err := c.Wait(time.Minute); err != nil {
					t.Fatal(err)
				}
			}
			l.progress(300)
			l.stop()
			for _, s := range l.stores {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
