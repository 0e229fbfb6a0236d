package servertest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/share"
)

// Durable swaps of random records by concurrent callers, steps of a fleet over them, and the batched
// publish of the server: atomic batches of 100 messages of the size of the records, each with the
// sequence that is expected of its subject, 8 at the same time.
const (
	benchRecords = 2000
	benchBody    = 1000
	benchShards  = 4
)

// measure calls f b.N times from a number of goroutines, each with its own numbers below total. It
// reports the processor time of this process and of the nodes for each call.
func measure(b *testing.B, c *Cluster, callers, total int, f func(i int) (int, error)) {
	self := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	client, servers := self(), c.processorTime()
	b.ReportAllocs()
	b.ResetTimer()
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	for w := range callers {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(w)))
			for left.Load() > 0 {
				n, err := f(rnd.IntN(total/callers)*callers + w)
				if err != nil {
					b.Error(err)
					return
				}
				left.Add(-int64(n))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64((self()-client).Microseconds())/float64(b.N), "client-µs/op")
	b.ReportMetric(float64((c.processorTime()-servers).Microseconds())/float64(b.N), "servers-µs/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "op/s")
}

// processorTime returns what the nodes have used so far, where the system has /proc.
func (c *Cluster) processorTime() (sum time.Duration) {
	for _, n := range c.Nodes {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n.cmd.Process.Pid))
		_, rest, _ := strings.Cut(string(data), ") ")
		if f := strings.Fields(rest); len(f) > 12 {
			for _, ticks := range f[11:13] {
				n, _ := strconv.Atoi(ticks)
				sum += time.Duration(n) * 10 * time.Millisecond
			}
		}
	}
	return sum
}

func eachNodes(b *testing.B, f func(b *testing.B, c *Cluster)) {
	for _, nodes := range []int{1, 3} {
		b.Run(fmt.Sprint("nodes=", nodes), func(b *testing.B) { f(b, Start(b, Options{Nodes: nodes})) })
	}
}

func BenchmarkCommit(b *testing.B) {
	eachNodes(b, func(b *testing.B, c *Cluster) {
		b.Setenv("NATS_SYSTEM", System)
		s := mustOpen(b, c.URL("bench", fmt.Sprint("shards=", benchShards)))
		defer s.Close()
		revisions := make([]uint64, benchRecords)
		body, entry := make([]byte, benchBody), make([]byte, 150)
		for _, callers := range []int{1, 64, 256, 1000} {
			for _, log := range []int{0, 100} {
				b.Run(fmt.Sprintf("callers=%d/log=%d", callers, log), func(b *testing.B) {
					measure(b, c, callers, benchRecords, func(i int) (int, error) {
						key := fmt.Sprintf("session-%08d", i)
						change := fleet.Change{Key: key, Old: revisions[i], New: &fleet.Record{Key: key, Body: body}}
						if log > 0 {
							change.Log, change.KeepLog = entry, log
						}
						err := s.Commit(b.Context(), []fleet.Change{change})[0]
						revisions[i] = change.New.Revision
						return 1, err
					})
				})
			}
		}
	})
}

func BenchmarkDo(b *testing.B) {
	chart, err := scxml.Parse("order", []byte(share.Order))
	if err != nil {
		b.Fatal(err)
	}
	eachNodes(b, func(b *testing.B, c *Cluster) {
		s := mustOpen(b, c.URL("bench", fmt.Sprint("shards=", benchShards)))
		defer s.Close()
		f, err := fleet.New(s, fleet.Config{}, fleet.Define("order", chart))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for i := range benchRecords {
			if err := f.Create(context.Background(), fmt.Sprint("k", i), fleet.CreateOptions{Chart: "order"}); err != nil {
				b.Fatal(err)
			}
		}
		for _, callers := range []int{1, 64, 256, 1000} {
			b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
				measure(b, c, callers, benchRecords, func(i int) (int, error) {
					_, err := f.Do(b.Context(), fmt.Sprint("k", i), scxml.Event{Name: "next"})
					return 1, err
				})
			})
		}
	})
}

// publishBatch publishes n messages in an atomic batch, the first of which replaces the one with the sequence
// first, unless that is 0, and returns the sequence of the last one.
func publishBatch(nc *nats.Conn, n int, first uint64, subject func(k int) string, body []byte) (uint64, error) {
	id := nuid.Next()
	message := func(k int) *nats.Msg {
		expect := first + uint64(k)
		if first == 0 {
			expect = 0
		}
		return &nats.Msg{Subject: subject(k), Data: body, Header: nats.Header{
			"Nats-Batch-Id": {id}, "Nats-Batch-Sequence": {strconv.Itoa(k + 1)}, "Nats-Expected-Last-Subject-Sequence": {strconv.FormatUint(expect, 10)},
		}}
	}
	for k := range n - 1 {
		if err := nc.PublishMsg(message(k)); err != nil {
			return 0, err
		}
	}
	m := message(n - 1)
	m.Header["Nats-Batch-Commit"] = []string{"1"}
	reply, err := nc.RequestMsg(m, 10*time.Second)
	if err != nil {
		return 0, err
	}
	var ack struct{ Seq uint64 }
	if err := json.Unmarshal(reply.Data, &ack); err != nil || ack.Seq == 0 {
		return 0, fmt.Errorf("%s", reply.Data)
	}
	return ack.Seq, nil
}

// BenchmarkShare compares steps of sessions with atomic batches of messages of the same size, as many as
// there are callers.
func BenchmarkShare(b *testing.B) {
	eachNodes(b, func(b *testing.B, c *Cluster) {
		for _, callers := range []int{16, 64, 256} {
			b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
				s := mustOpen(b, c.URL(fmt.Sprint("bench", callers), fmt.Sprint("shards=", benchShards)))
				defer s.Close()
				admin, name := c.JetStream(b), fmt.Sprint("share", callers)
				config := js.StreamConfig{Name: name, Subjects: []string{name + ".>"}, Replicas: len(c.Nodes), MaxMsgsPerSubject: 1, AllowAtomicPublish: true}
				if _, err := admin.CreateStream(b.Context(), config); err != nil {
					b.Fatal(err)
				}
				first, subject := uint64(0), func(k int) string { return fmt.Sprint(name, ".", k) }
				share.Measure(b, s, callers, func(body, log []byte) error {
					seq, err := publishBatch(admin.Conn(), callers, first, subject, append(body, log...))
					first = seq - uint64(callers-1)
					return err
				})
			})
		}
	})
}

func BenchmarkBatch(b *testing.B) {
	const batch, callers = 100, 8
	eachNodes(b, func(b *testing.B, c *Cluster) {
		admin := c.JetStream(b)
		for i := range benchShards {
			config := js.StreamConfig{
				Name: fmt.Sprint("raw", i), Subjects: []string{fmt.Sprintf("raw.%d.>", i)}, Replicas: len(c.Nodes), MaxMsgsPerSubject: 1, AllowAtomicPublish: true,
			}
			if _, err := admin.CreateStream(b.Context(), config); err != nil {
				b.Fatal(err)
			}
		}
		nc := admin.Conn()
		last := map[string]uint64{}
		var mu sync.Mutex
		publish := func(b *testing.B, body []byte) {
			measure(b, c, callers, callers*benchShards, func(i int) (int, error) {
				subject := func(k int) string { return fmt.Sprintf("raw.%d.%d.%d", i/callers%benchShards, i, k) }
				mu.Lock()
				first := last[subject(0)]
				mu.Unlock()
				seq, err := publishBatch(nc, batch, first, subject, body)
				if err != nil {
					return 0, err
				}
				mu.Lock()
				last[subject(0)] = seq - (batch - 1)
				mu.Unlock()
				return batch, nil
			})
		}
		// A record with a log of 100 entries has some 1 KB of them on average.
		for _, log := range []int{0, 1000} {
			b.Run(fmt.Sprint("log=", log), func(b *testing.B) { publish(b, make([]byte, benchBody+60+log)) })
		}
	})
}

func BenchmarkSteps(b *testing.B) {
	eachNodes(b, func(b *testing.B, c *Cluster) {
		s := mustOpen(b, c.URL(fmt.Sprint("steps", b.N), fmt.Sprint("shards=", benchShards)))
		defer s.Close()
		share.Steps(b, s)
	})
}
