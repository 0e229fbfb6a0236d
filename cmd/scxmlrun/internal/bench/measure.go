// Package bench measures how long it takes to load a chart, to create and start a
// session, and to process events.
package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A Config says what to measure.
type Config struct {
	Chart    Chart
	Sessions int           // that live at the same time
	Events   []scxml.Event // sent in turn
	Time     time.Duration // for the events
}

// Run measures, and shows its progress on a terminal. The caller adds the name of
// the chart and its size to the result.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	m := &measurement{ctx: ctx, chart: cfg.Chart, events: cfg.Events, line: cli.NewProgress(), time: cfg.Time}
	defer m.line.Clear()
	r := new(Result)
	r.States, r.Datamodel = cfg.Chart.about()
	err := m.run(r, cfg.Sessions)
	r.Notes = m.notes
	return r, err
}

// A measurement measures one chart.
type measurement struct {
	ctx    context.Context
	chart  Chart
	events []scxml.Event
	time   time.Duration // for the events
	line   *cli.Progress
	notes  []string // what the user should know about the result

	sessions []session
	now      time.Time
	ended    int
}

// run measures everything.
func (m *measurement) run(r *Result, sessions int) error {
	r.environment()
	if err := m.try(); err != nil {
		return err
	}
	// Loading and sessions take a part of the time each, up to this bound.
	part := min(m.time/4, time.Second)
	loads, _, err := m.repeat("load", part, func() error { return m.chart.load(m.ctx) })
	if err != nil {
		return err
	}
	r.Load.NS, r.Load.Count = quantile(loads, 0.5), loads.count()
	starts, memory, err := m.repeat("session", part, func() error {
		s, err := m.chart.start(m.ctx, m.now, nil)
		if err == nil {
			s.close()
		}
		return err
	})
	if err != nil {
		return err
	}
	r.Session.NS, r.Session.Count = quantile(starts, 0.5), starts.count()
	r.Session.Allocs, r.Session.Bytes = memory.each(starts.count())
	if err := m.live(r, sessions); err != nil || len(m.events) == 0 {
		return err
	}
	session, event := 0, 0 // counters, because a division takes as long as a lock
	took := time.Now()
	events, memory, err := m.repeat("events", m.time, func() error {
		err := m.process(session, &m.events[event])
		if session++; session == len(m.sessions) {
			session = 0
			if event++; event == len(m.events) {
				event = 0
			}
		}
		return err
	})
	seconds := time.Since(took).Seconds()
	if err != nil {
		return err
	}
	e := &Events{Count: events.count(), Seconds: seconds, Ended: m.ended}
	e.PerSecond, e.NS = float64(e.Count)/events.total().Seconds(), float64(events.total())/float64(e.Count)
	e.FastNS, e.SlowNS = quantile(events, 0.1), quantile(events, 0.9)
	e.Allocs, e.Bytes = memory.each(e.Count)
	r.Events = e
	return nil
}

// process has a session process one event.
func (m *measurement) process(i int, ev *scxml.Event) error {
	s := m.sessions[i]
	if err := s.process(m.ctx, m.now, ev); err != nil || s.running() {
		return err
	}
	m.ended++
	s.close()
	s, err := m.chart.start(m.ctx, m.now, nil)
	m.sessions[i] = s
	return err
}

// live creates the sessions that events are sent to, and measures their memory.
func (m *measurement) live(r *Result, n int) error {
	before := heapInUse()
	m.sessions = make([]session, n)
	for i := range m.sessions {
		if m.line.Due() {
			m.line.Write(fmt.Sprintf("session %d of %d", i, n))
		}
		var err error
		if m.sessions[i], err = m.chart.start(m.ctx, m.now, nil); err != nil {
			return err
		}
		for e := range m.events {
			if err := m.process(i, &m.events[e]); err != nil {
				return err
			}
		}
	}
	m.ended = 0
	r.Session.Alive = n
	r.Session.LiveBytes = max(0, float64(heapInUse())-float64(before)) / float64(n)
	return nil
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // objects with finalizers are freed by the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// try sends the events to an observed session, to see whether they do anything.
func (m *measurement) try() error {
	const rounds = 100
	m.now = time.Now()
	o := &observer{took: make(map[string]bool)}
	var s session
	for began := time.Now(); time.Since(began) < min(m.time/4, 200*time.Millisecond); {
		if s == nil || !s.running() {
			var err error
			if s, err = m.chart.start(m.ctx, m.now, o); err != nil {
				return err
			}
			if !s.running() && len(m.events) > 0 {
				m.notes = append(m.notes, "the chart ends before it takes an event")
				m.events = nil
			}
		}
		if len(m.events) == 0 {
			break
		}
		for range rounds {
			for i := range m.events {
				if !s.running() {
					break
				}
				if err := s.process(m.ctx, m.now, &m.events[i]); err != nil {
					return err
				}
			}
		}
	}
	if o.failed != nil {
		m.notes = append(m.notes, fmt.Sprintf("the chart raises %s: %v", o.failed.Event, o.failed))
	}
	m.noteIdle(o.took)
	return nil
}

// noteIdle notes which events have no effect and, if there are no events, which ones the chart knows.
func (m *measurement) noteIdle(took map[string]bool) {
	known := m.chart.descriptors()
	slices.Sort(known)
	known = slices.Compact(known)
	for _, ev := range m.events {
		if !took[ev.Name] {
			took[ev.Name] = true // once is enough
			m.notes = append(m.notes, fmt.Sprintf("event %q takes no transition%s", ev.Name, cli.DidYouMean(ev.Name, known)))
		}
	}
	if len(m.events) == 0 && len(known) > 0 {
		const most = 8
		more := ""
		if len(known) > most {
			known, more = known[:most], ", …"
		}
		m.notes = append(m.notes, "no events were measured; give some with --event: the chart has transitions for "+strings.Join(known, ", ")+more)
	}
}

// A batch is a number of operations that were measured together.
type batch struct {
	n    int
	took time.Duration
}

type batches []batch

func (bs batches) count() (n int) {
	for _, b := range bs {
		n += b.n
	}
	return n
}

func (bs batches) total() (d time.Duration) {
	for _, b := range bs {
		d += b.took
	}
	return d
}

// quantile returns the time per operation, in nanoseconds, that a share q of the batches did not exceed.
func quantile(bs batches, q float64) float64 {
	each := make([]float64, len(bs))
	for i, b := range bs {
		each[i] = float64(b.took) / float64(b.n)
	}
	slices.Sort(each)
	return each[int(q*float64(len(each)-1)+0.5)]
}

// memory is what was allocated.
type memory struct{ allocs, bytes uint64 }

func (m memory) each(n int) (allocs, bytes float64) {
	return float64(m.allocs) / float64(n), float64(m.bytes) / float64(n)
}

// repeat repeats op in batches for the given time, at least once. A batch takes
// about a millisecond, so that reading the clock is negligible.
func (m *measurement) repeat(what string, d time.Duration, op func() error) (batches, memory, error) {
	const aim = time.Millisecond
	all := make(batches, 0, int(d/aim)+16)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	for n := 1; ; {
		m.now = time.Now()
		for range n {
			if err := op(); err != nil {
				return nil, memory{}, err
			}
		}
		took := time.Since(m.now)
		all = append(all, batch{n, took})
		elapsed := time.Since(began)
		if m.ctx.Err() != nil {
			return nil, memory{}, context.Cause(m.ctx)
		}
		if elapsed >= d {
			break
		}
		if m.line.Due() {
			m.line.Write(fmt.Sprintf("%s: %.1f of %.1f s", what, elapsed.Seconds(), d.Seconds()))
		}
		switch {
		case took < aim/2:
			n *= 2
		case took > 2*aim && n > 1:
			n /= 2
		}
	}
	runtime.ReadMemStats(&after)
	return all, memory{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}, nil
}

var errRestless = errors.New("the chart does not come to rest after one event")
