package bolt

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/share"
)

const (
	benchRecords = 10_000
	benchBody    = 1000
)

func benchKey(i int) string { return fmt.Sprintf("session-%08d", i) }

// Durable swaps of random records by concurrent callers, against transactions of bbolt's Batch that put
// a value of the same size and nothing else.
func BenchmarkCommit(b *testing.B) {
	for _, writers := range []int{1, 64, 256} {
		for _, log := range []int{0, 100} {
			b.Run(fmt.Sprintf("writers=%d/log=%d", writers, log), func(b *testing.B) {
				s := mustOpen(b, b.TempDir())
				defer s.Close()
				revisions := make([]uint64, benchRecords)
				body := make([]byte, benchBody)
				entry := make([]byte, 150)
				var changes []fleet.Change
				for i := range benchRecords {
					changes = append(changes, fleet.Change{Key: benchKey(i), New: &fleet.Record{Key: benchKey(i), Body: body}})
				}
				for i, err := range s.Commit(b.Context(), changes) {
					if revisions[i] = changes[i].New.Revision; err != nil {
						b.Fatal(err)
					}
				}
				concurrently(b, s.db, writers, func(key int) error {
					c := fleet.Change{Key: benchKey(key), Old: revisions[key], New: &fleet.Record{Key: benchKey(key), Body: body}}
					if log > 0 {
						c.Log, c.KeepLog = entry, log
					}
					err := s.Commit(b.Context(), []fleet.Change{c})[0]
					revisions[key] = c.New.Revision
					return err
				})
			})
		}
	}
}

// BenchmarkShare compares steps of sessions with transactions of bbolt that put as many values of the same
// size, and nothing else.
func BenchmarkShare(b *testing.B) {
	for _, callers := range []int{16, 64, 256} {
		b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
			s := mustOpen(b, b.TempDir())
			defer s.Close()
			db := mustOpen(b, b.TempDir()).db
			defer db.Close()
			share.Measure(b, s, callers, func(body, log []byte) error {
				return db.Update(func(tx *bbolt.Tx) (err error) {
					value := make([]byte, len(body)+len(log))
					for i := 0; i < callers && err == nil; i++ {
						err = tx.Bucket(bucketName).Put(recordKey(benchKey(i)), value)
					}
					return err
				})
			})
		})
	}
}

func BenchmarkBatch(b *testing.B) {
	for _, writers := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			db, err := bbolt.Open(filepath.Join(b.TempDir(), "db"), 0o600, &bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, NoStatistics: true, InitialMmapSize: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			// The best that Batch can do for this many callers: by itself it waits 10 ms for others.
			db.MaxBatchSize, db.MaxBatchDelay = writers, time.Millisecond
			body := make([]byte, benchBody+60)
			err = db.Update(func(tx *bbolt.Tx) error {
				bucket, err := tx.CreateBucket(bucketName)
				for i := 0; i < benchRecords && err == nil; i++ {
					err = bucket.Put([]byte(benchKey(i)), body)
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			concurrently(b, db, writers, func(key int) error {
				return db.Batch(func(tx *bbolt.Tx) error { return tx.Bucket(bucketName).Put([]byte(benchKey(key)), body) })
			})
		})
	}
}

// concurrently calls f b.N times from a number of goroutines, each with keys of its own. It reports how
// many calls shared a transaction.
func concurrently(b *testing.B, db *bbolt.DB, writers int, f func(key int) error) {
	b.ReportAllocs()
	transactions := func() (n int) {
		db.View(func(tx *bbolt.Tx) error { n = tx.ID(); return nil })
		return n
	}
	before := transactions()
	b.ResetTimer()
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(w)))
			for left.Add(-1) >= 0 {
				if err := f(rnd.IntN(benchRecords/writers)*writers + w); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/float64(transactions()-before), "ops/tx")
}

func BenchmarkSteps(b *testing.B) {
	s := mustOpen(b, b.TempDir())
	defer s.Close()
	share.Steps(b, s)
}
