package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/share"
)

const callers = 256

func benchKey(i int) string { return fmt.Sprintf("session-%08d", i) }

// concurrently calls f b.N times from goroutines, each with keys of its own.
func concurrently(b *testing.B, f func(key int) error) {
	b.ReportAllocs()
	b.ResetTimer()
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	for w := range callers {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(w); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkDo measures durable steps of sessions.
func BenchmarkDo(b *testing.B) {
	server := pgtest.Start(b)
	defer server.Stop() // so that the processor time of the server is that of a child
	s := mustOpen(b, fresh(server), Options{})
	defer s.Close()
	chart, err := scxml.Parse("order.scxml", []byte(share.Order))
	if err != nil {
		b.Fatal(err)
	}
	f, err := fleet.New(s, fleet.Config{}, fleet.Define("order", chart))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for i := range callers {
		if err := f.Create(b.Context(), fmt.Sprint("k", i), fleet.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	commits := s.mark.Commits
	concurrently(b, func(key int) error {
		_, err := f.Do(context.Background(), fmt.Sprint("k", key), scxml.Event{Name: "next"})
		return err
	})
	b.ReportMetric(float64(b.N)/float64(s.mark.Commits-commits), "ops/tx")
}

// sizes of the records and log entries of BenchmarkDo
const (
	benchBody = 1200
	benchLog  = 170
)

// BenchmarkCommit measures the swaps that BenchmarkDo makes, without sessions.
func BenchmarkCommit(b *testing.B) {
	server := pgtest.Start(b)
	defer server.Stop() // so that the processor time of the server is that of a child
	s := mustOpen(b, fresh(server), Options{})
	defer s.Close()
	body, entry := make([]byte, benchBody), make([]byte, benchLog)
	revisions := make([]uint64, callers)
	swap := func(key int) error {
		rec := &fleet.Record{Key: benchKey(key), Body: body}
		err := commit(s, fleet.Change{Key: rec.Key, Old: revisions[key], New: rec, Log: entry, KeepLog: 100})
		revisions[key] = rec.Revision
		return err
	}
	for i := range callers {
		if err := swap(i); err != nil {
			b.Fatal(err)
		}
	}
	commits := s.mark.Commits
	concurrently(b, swap)
	b.ReportMetric(float64(b.N)/float64(s.mark.Commits-commits), "ops/tx")
}

// BenchmarkShare compares steps of sessions with transactions that replace values of the same size by
// compare and swap, and append the same to a log, as many at once as there are callers, in one pipeline.
func BenchmarkShare(b *testing.B) {
	for _, callers := range []int{16, 64, 256} {
		b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
			server := pgtest.Start(b)
			defer server.Stop()
			s := mustOpen(b, fresh(server), Options{})
			defer s.Close()
			share.Measure(b, s, callers, transactions(b, server, callers))
		})
	}
}

// transactions returns a function that writes a record and an entry of a log for each of n keys.
func transactions(b *testing.B, server *pgtest.Server, n int) func(body, entry []byte) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close(ctx) })
	if _, err := conn.Exec(ctx, `CREATE TABLE s (key bytea PRIMARY KEY, revision bigint NOT NULL, wake bigint, body bytea NOT NULL) WITH (fillfactor = 70);
		ALTER TABLE s ALTER body SET STORAGE EXTERNAL; CREATE INDEX ON s (wake, key) WHERE wake IS NOT NULL;
		CREATE TABLE l (key bytea, revision bigint, body bytea, PRIMARY KEY (key, revision))`); err != nil {
		b.Fatal(err)
	}
	revisions := make([]int64, n)
	for i := range n {
		if _, err := conn.Exec(ctx, "INSERT INTO s VALUES ($1, 0, NULL, '')", []byte(benchKey(i))); err != nil {
			b.Fatal(err)
		}
	}
	return func(body, entry []byte) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var batch pgx.Batch
			for i := range n {
				revisions[i]++
				key := []byte(benchKey(i))
				batch.Queue("UPDATE s SET revision = $3, wake = $5, body = $4 WHERE key = $1 AND revision = $2", key, revisions[i]-1, revisions[i], body, rand.Int64())
				batch.Queue("INSERT INTO l VALUES ($1, $2, $3)", key, revisions[i], entry)
				batch.Queue("DELETE FROM l WHERE key = $1 AND revision = $2", key, revisions[i]-100)
			}
			return tx.SendBatch(ctx, &batch).Close()
		})
	}
}

func BenchmarkSteps(b *testing.B) {
	server := pgtest.Start(b)
	defer server.Stop()
	s := mustOpen(b, fresh(server), Options{})
	defer s.Close()
	share.Steps(b, s)
}
