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
)

// The same as in package fleet: some data, and a timer that is set anew by each event.
const order = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<datamodel><data id="items" expr="[{name: 'tea', price: 4}, {name: 'milk', price: 1}]"/><data id="n" expr="0"/></datamodel>
	<state id="open" initial="even">
	  <onentry><send event="timeout" id="t" delay="48h"/></onentry>
	  <state id="even"><transition event="next" target="odd"><assign location="n" expr="n + 1"/></transition></state>
	  <state id="odd"><transition event="next" target="even"><cancel sendid="t"/><send event="timeout" id="t" delay="48h"/></transition></state>
	  <transition event="timeout" target="closed"/>
	</state>
	<final id="closed"/>
</scxml>`

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
	chart, err := scxml.Parse("order.scxml", []byte(order))
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

// BenchmarkTransaction measures what the server can do: transactions that replace values of the same size
// by compare and swap, and append the same to a log, as many at once as there are callers, in one
// pipeline.
func BenchmarkTransaction(b *testing.B) {
	ctx := context.Background()
	server := pgtest.Start(b)
	defer server.Stop()
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `CREATE TABLE s (key bytea PRIMARY KEY, revision bigint NOT NULL, wake bigint, body bytea NOT NULL) WITH (fillfactor = 70);
		ALTER TABLE s ALTER body SET STORAGE EXTERNAL; CREATE INDEX ON s (wake, key) WHERE wake IS NOT NULL;
		CREATE TABLE l (key bytea, revision bigint, body bytea, PRIMARY KEY (key, revision))`); err != nil {
		b.Fatal(err)
	}
	body, entry := make([]byte, benchBody), make([]byte, benchLog)
	revisions := make([]int64, callers)
	for i := range callers {
		if _, err := conn.Exec(ctx, "INSERT INTO s VALUES ($1, 0, NULL, $2)", []byte(benchKey(i)), body); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for done := 0; done < b.N; done += callers {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var batch pgx.Batch
			for i := range callers {
				revisions[i]++
				key := []byte(benchKey(i))
				batch.Queue("UPDATE s SET revision = $3, wake = $5, body = $4 WHERE key = $1 AND revision = $2", key, revisions[i]-1, revisions[i], body, rand.Int64())
				batch.Queue("INSERT INTO l VALUES ($1, $2, $3)", key, revisions[i], entry)
				batch.Queue("DELETE FROM l WHERE key = $1 AND revision = $2", key, revisions[i]-100)
			}
			return tx.SendBatch(ctx, &batch).Close()
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}
