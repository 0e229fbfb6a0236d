package rest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// durable is a session of usual size: some data, and a timer that is set anew by each event.
const durable = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<datamodel><data id="items" expr="[{name: 'tea', price: 4}, {name: 'milk', price: 1}]"/><data id="n" expr="0"/></datamodel>
<state id="open" initial="even">
  <onentry><send event="timeout" id="t" delay="48h"/></onentry>
  <state id="even"><transition event="next" target="odd"><assign location="n" expr="n + 1"/></transition></state>
  <state id="odd"><transition event="next" target="even"><cancel sendid="t"/><send event="timeout" id="t" delay="48h"/></transition></state>
  <transition event="timeout" target="closed"/>
</state>
<final id="closed"/>
</scxml>`

// A benchServer is what scxmlrun serve is: a store in a folder, a fleet that works, tokens and a log.
func benchServer(b *testing.B, sessions int) net.Addr {
	store, err := bolt.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	chart, err := scxml.Parse("durable.scxml", []byte(durable))
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	f, err := fleet.New(store, fleet.Config{Logger: log}, fleet.Define("durable", chart))
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := rest.New(rest.Config{Fleet: f, Tokens: []rest.Token{rest.NewToken("all", allSecret, rest.All)}, Logger: log})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { f.Run(ctx) })
	running.Go(func() { server.Serve(ctx, l, time.Second) })
	b.Cleanup(func() {
		cancel()
		running.Wait()
		f.Close()
		store.Close()
	})
	var created sync.WaitGroup
	for i := range sessions {
		created.Go(func() {
			if err := f.Create(context.Background(), benchKey(i), fleet.CreateOptions{}); err != nil {
				b.Error(err)
			}
		})
	}
	created.Wait()
	return l.Addr()
}

func benchKey(i int) string { return fmt.Sprint("k", i) }

// A client has a connection to a server. That of net/http would take longer than what is measured.
type client struct {
	conn net.Conn
	in   *textproto.Reader
	host string
}

func dial(b *testing.B, to net.Addr) *client {
	conn, err := net.Dial("tcp", to.String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return &client{conn, textproto.NewReader(bufio.NewReader(conn)), to.String()}
}

// post sends an event to a session and returns the status of the answer.
func (c *client) post(key, query string) (status int, err error) {
	const event = `{"name":"next"}`
	_, err = fmt.Fprintf(c.conn, "POST /v1/sessions/%s/events%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		key, query, c.host, allSecret, len(event), event)
	if err != nil {
		return 0, err
	}
	line, err := c.in.ReadLine()
	if err != nil {
		return 0, err
	}
	header, err := c.in.ReadMIMEHeader()
	if err != nil {
		return 0, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err == nil {
		_, err = c.in.R.Discard(size)
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.Fields(line)[1])
}

// BenchmarkEvents measures events over HTTP by clients that send the next one when the last was
// acknowledged: accepted durably, or with wait processed durably.
func BenchmarkEvents(b *testing.B) {
	for _, clients := range []int{1, 16, 128} {
		for _, query := range []string{"", "?wait=true"} {
			b.Run(fmt.Sprintf("clients=%d%s", clients, query), func(b *testing.B) {
				addr := benchServer(b, clients)
				var n atomic.Int64
				took := make([][]time.Duration, clients)
				b.ReportAllocs()
				b.ResetTimer()
				var all sync.WaitGroup
				for i := range clients {
					c, key := dial(b, addr), benchKey(i)
					all.Go(func() {
						for n.Add(1) <= int64(b.N) {
							start := time.Now()
							if status, err := c.post(key, query); err != nil || status/100 != 2 {
								b.Errorf("status %d, %v", status, err)
								return
							}
							took[i] = append(took[i], time.Since(start))
						}
					})
				}
				all.Wait()
				report(b, took)
			})
		}
	}
}

// BenchmarkAcknowledge measures the time from an event's arrival to its acknowledgement when 2,500 events
// arrive each second on 200 connections, whatever became of those before.
func BenchmarkAcknowledge(b *testing.B) {
	const sessions, rate, conns = 1000, 2500, 200
	addr := benchServer(b, sessions)
	arrived := make(chan int, b.N)
	took := [][]time.Duration{make([]time.Duration, b.N)}
	start := time.Now().Add(100 * time.Millisecond)
	due := func(i int) time.Time { return start.Add(time.Duration(i) * time.Second / rate) }
	b.ReportAllocs()
	b.ResetTimer()
	var all sync.WaitGroup
	for range conns {
		c := dial(b, addr)
		all.Go(func() {
			for i := range arrived {
				if status, err := c.post(benchKey(i%sessions), "?wait=true"); err != nil || status != 200 {
					b.Errorf("status %d, %v", status, err)
				}
				took[0][i] = time.Since(due(i))
			}
		})
	}
	for i := range b.N {
		time.Sleep(time.Until(due(i)))
		arrived <- i
	}
	close(arrived)
	all.Wait()
	report(b, took)
}

func report(b *testing.B, took [][]time.Duration) {
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(ms(all[len(all)/2]), "p50-ms")
	b.ReportMetric(ms(all[len(all)*99/100]), "p99-ms")
}
