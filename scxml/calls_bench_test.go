package scxml_test

import (
	"context"
	"encoding/xml"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// BenchmarkCalls compares the ways in which a chart calls Go, which the guide Embedding lists: each is an
// event, and what its transition calls. "nothing" is the event alone.
func BenchmarkCalls(b *testing.B) {
	var called atomic.Int64
	call := func() { called.Add(1) }
	for _, way := range []struct {
		name, chart string
		opt         scxml.Option
		register    func(*scxml.Session)
	}{
		{"nothing", `<transition event="go"/>`, nil, nil},
		{"OnState", `<transition event="go" target="s"/>`, nil,
			func(s *scxml.Session) {
				s.OnState("s", func(active bool) {
					if active {
						call()
					}
				})
			}},
		{"OnSend", `<transition event="go"><send event="tell"/></transition>`, nil,
			func(s *scxml.Session) { s.OnSend("tell", func(scxml.Event) { call() }) }},
		{"WithAction", `<transition event="go"><x:ring xmlns:x="urn:x"/></transition>`,
			scxml.WithAction(xml.Name{Space: "urn:x", Local: "ring"}, func(*scxml.ActionCall) error { call(); return nil }), nil},
		{"WithFunc", `<transition event="go" cond="ring(1)"/>`, scxml.WithFunc("ring", func(int) bool { call(); return true }), nil},
		{"WithIOProcessor", `<transition event="go"><send type="x-ring" event="tell"/></transition>`, scxml.WithIOProcessor("x-ring", ringer(call)), nil},
		{"WithInvoker", `<invoke type="x-ring"/><transition event="go" target="s"/><transition event="done.invoke.*"/>`,
			scxml.WithInvoker("x-ring", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { call(); return nil, nil })), nil},
	} {
		b.Run(way.name, func(b *testing.B) {
			opts := []scxml.Option{scxml.WithClock(func() time.Time { return time.Unix(0, 0) })}
			if way.opt != nil {
				opts = append(opts, way.opt)
			}
			s := newSession(b, parse(b, `<state id="s">`+way.chart+`</state>`), opts...)
			if way.register != nil {
				way.register(s)
			}
			ctx := b.Context()
			if err := s.Start(ctx); err != nil {
				b.Fatal(err)
			}
			do := func() {
				if err := s.Send(scxml.Event{Name: "go"}); err != nil {
					b.Fatal(err)
				}
				if err := s.Advance(ctx, s.Now()); err != nil { // waits for services
					b.Fatal(err)
				}
			}
			do()
			called.Store(0)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				do()
				n++
			}
			if way.name != "nothing" && int(called.Load()) < n {
				b.Errorf("%d calls in %d rounds", called.Load(), n)
			}
		})
	}
}

// A ringer is an I/O processor that delivers at once.
type ringer func()

func (ringer) Open(*scxml.Session) string { return "" }
func (ringer) Close(*scxml.Session)       {}
func (r ringer) Send(_ *scxml.Session, _ scxml.Message, done func(error)) error {
	r()
	done(nil)
	return nil
}

// BenchmarkFirstSession is the first New of a chart of 200 states with as many conditions and scripts, which
// looks for what the host has not given, and the same without that.
func BenchmarkFirstSession(b *testing.B) {
	inside := ""
	for range 200 {
		inside += `<state><onentry><script>var n = Math.max(1, 2); String(n)</script></onentry><transition event="e" cond="n === 1 &amp;&amp; isNaN(2)"/></state>`
	}
	for _, way := range []struct {
		name string
		opts []scxml.Option
	}{{"checked", nil}, {"WithMissing", []scxml.Option{scxml.WithMissing()}}} {
		b.Run(way.name, func(b *testing.B) {
			var took, load time.Duration
			for b.Loop() {
				began := time.Now()
				chart := parse(b, inside)
				load += time.Since(began)
				began = time.Now()
				if _, err := scxml.New(chart, way.opts...); err != nil {
					b.Fatal(err)
				}
				took += time.Since(began)
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/New")
			b.ReportMetric(float64(load.Nanoseconds())/float64(b.N), "ns/Parse")
		})
	}
}
