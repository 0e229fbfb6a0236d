// Package share measures which share of what a store can do reaches the sessions of a fleet.
package share

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// Order is a session of usual size: some data, a timer that is set anew by each event next.
const Order = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
	<datamodel><data id="items" expr="[{name: 'tea', price: 4}, {name: 'milk', price: 1}]"/><data id="n" expr="0"/></datamodel>
	<state id="open" initial="even">
	  <onentry><send event="timeout" id="t" delay="48h"/></onentry>
	  <state id="even"><transition event="next" target="odd"><assign location="n" expr="n + 1"/></transition></state>
	  <state id="odd"><transition event="next" target="even"><cancel sendid="t"/><send event="timeout" id="t" delay="48h"/></transition></state>
	  <transition event="timeout" target="closed"/>
	</state>
	<final id="closed"/></scxml>`

// A sizing store notes the largest record and log entry.
type sizing struct {
	fleet.Store
	body, log atomic.Int64
}

func (s *sizing) Commit(ctx context.Context, changes []fleet.Change) []error {
	for _, c := range changes {
		s.body.Store(max(s.body.Load(), int64(len(c.New.Body))))
		s.log.Store(max(s.log.Load(), int64(len(c.Log))))
	}
	return s.Store.Commit(ctx, changes)
}

const slice = 500 * time.Millisecond

// Measure lets callers give events to sessions of their own, in turns with two others that write a record and
// a log entry of the same size for each of them in one commit: the store, and direct, which gives bytes to
// the store's own database. It reports all three.
func Measure(b *testing.B, store fleet.Store, callers int, direct func(body, log []byte) error) {
	chart, err := scxml.Parse("order.scxml", []byte(Order))
	if err != nil {
		b.Fatal(err)
	}
	sizes := &sizing{Store: store}
	f, err := fleet.New(sizes, fleet.Config{}, fleet.Define("order", chart))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	each := func(do func(key string) error) {
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				if err := do(fmt.Sprintf("session-%08d", i)); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	var steps atomic.Int64
	step := func(key string) error {
		steps.Add(1)
		_, err := f.Do(b.Context(), key, scxml.Event{Name: "next"})
		return err
	}
	each(func(key string) error { return f.Create(b.Context(), key, fleet.CreateOptions{}) })
	each(step) // tells the sizes
	body, log := make([]byte, sizes.body.Load()), make([]byte, sizes.log.Load())
	commit := commits(b, store, callers, body, log)
	for range 110 { // until the logs are full
		each(step)
		if err := errors.Join(commit(), direct(body, log)); err != nil {
			b.Fatal(err)
		}
	}
	steps.Store(0)
	var commits, writes rate
	var stepping time.Duration
	b.ResetTimer()
	for b.Loop() {
		start := time.Now()
		each(func(key string) (err error) {
			for err == nil && time.Since(start) < slice {
				err = step(key)
			}
			return err
		})
		stepping += time.Since(start)
		commits.measure(b, callers, commit)
		writes.measure(b, callers, func() error { return direct(body, log) })
	}
	perStep := float64(steps.Load()) / stepping.Seconds()
	b.ReportMetric(perStep, "steps/s")
	b.ReportMetric(commits.perSecond(), "commits/s")
	b.ReportMetric(writes.perSecond(), "writes/s")
	b.ReportMetric(100*perStep/commits.perSecond(), "%-of-commits")
	b.ReportMetric(100*perStep/writes.perSecond(), "%-of-writes")
	b.ReportMetric(float64(len(body)+len(log)), "B/write")
}

// A rate counts what was done, and in which time.
type rate struct {
	done int
	took time.Duration
}

func (r *rate) perSecond() float64 { return float64(r.done) / r.took.Seconds() }

// measure calls f, which does n things, for a slice of time.
func (r *rate) measure(b *testing.B, n int, f func() error) {
	start := time.Now()
	for ; time.Since(start) < slice; r.done += n {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	r.took += time.Since(start)
}

// commits returns a function that commits n changes at once to a store.
func commits(b *testing.B, store fleet.Store, n int, body, log []byte) func() error {
	changes := make([]fleet.Change, n)
	for i := range changes {
		key := fmt.Sprintf("beside-%08d", i)
		changes[i] = fleet.Change{Key: key, New: &fleet.Record{Key: key, Chart: "order", Status: "running"}, KeepLog: 100}
	}
	return func() error {
		for i := range changes {
			c := &changes[i]
			next := *c.New
			next.Wake, next.Body, c.Log = time.Now().Add(48*time.Hour), body, log
			c.Old, c.New = c.New.Revision, &next
		}
		return errors.Join(store.Commit(b.Context(), changes)...)
	}
}
