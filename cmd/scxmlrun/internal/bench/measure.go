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
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A Config says what to measure.
type Config struct {
	Chart    *scxml.Chart
	Load     func() error  // loads the chart again
	Sessions int           // that live at the same time
	Events   []scxml.Event // sent in turn
	Time     time.Duration // for the events
}

// Run measures, and shows its progress on a terminal. The caller adds the name of
// the chart and its size to the result.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	m := &measurement{ctx: ctx, chart: cfg.Chart, events: cfg.Events, line: cli.NewProgress(), time: cfg.Time}
	defer m.line.Clear()
	r := &Result{States: len(cfg.Chart.States()) - 1, Datamodel: cfg.Chart.Datamodel()}
	err := m.run(r, cfg.Sessions, cfg.Load)
	r.Notes = m.notes
	return r, err
}

// A measurement measures one chart.
type measurement struct {
	ctx    context.Context
	chart  *scxml.Chart
	events []scxml.Event
	time   time.Duration // for the events
	line   *cli.Progress
	notes  []string // what the user should know about the result

	sessions []*scxml.Session
	now      time.Time
	ended    int
}

// run measures everything. load loads the chart again.
func (m *measurement) run(r *Result, sessions int, load func() error) error {
	r.environment()
	if err := m.try(); err != nil {
		return err
	}
	// Loading and sessions take a part of the time each, up to this bound.
	part := min(m.time/4, time.Second)
	loads, _, err := m.repeat("load", part, load)
	if err != nil {
		return err
	}
	r.Load.NS, r.Load.Count = quantile(loads, 0.5), loads.count()
	starts, memory, err := m.repeat("session", part, func() error {
		_, err := m.start()
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

// start returns a new session in its first stable configuration.
func (m *measurement) start() (*scxml.Session, error) {
	s, err := scxml.New(m.chart)
	if err != nil {
		return nil, err
	}
	if err := s.Start(m.ctx); err != nil {
		return nil, err
	}
	return s, m.settle(s)
}

// process has a session process one event.
func (m *measurement) process(i int, ev *scxml.Event) error {
	s := m.sessions[i]
	if err := s.Send(*ev); err != nil {
		return err
	}
	if err := m.settle(s); err != nil || s.Status() == scxml.Running {
		return err
	}
	m.ended++
	s, err := m.start()
	m.sessions[i] = s
	return err
}

// settle does all the work that is due in a session.
func (m *measurement) settle(s *scxml.Session) error {
	for range drive.Patience {
		if more, err := s.Step(m.ctx, m.now); err != nil || !more {
			return err
		}
	}
	return errRestless
}

// live creates the sessions that events are sent to, and measures their memory.
func (m *measurement) live(r *Result, n int) error {
	before := heapInUse()
	m.sessions = make([]*scxml.Session, n)
	for i := range m.sessions {
		if m.line.Due() {
			m.line.Write(fmt.Sprintf("session %d of %d", i, n))
		}
		var err error
		if m.sessions[i], err = m.start(); err != nil {
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

// try sends the events to a traced session, to see whether they do anything.
func (m *measurement) try() error {
	const rounds = 100
	m.now = time.Now()
	var current string
	took := make(map[string]bool)
	failures := 0
	trace := &scxml.Trace{
		Event:      func(_ *scxml.Session, ev *scxml.Event) { current = ev.Name },
		Transition: func(*scxml.Session, scxml.Transition) { took[current] = true },
		Error: func(_ *scxml.Session, err *scxml.ExecutionError) {
			if failures++; failures == 1 {
				m.notes = append(m.notes, fmt.Sprintf("the chart raises %s: %v", err.Event, err))
			}
		},
	}
	var s *scxml.Session
	for began := time.Now(); time.Since(began) < min(m.time/4, 200*time.Millisecond); {
		if s == nil || s.Status() != scxml.Running {
			var err error
			if s, err = scxml.New(m.chart, scxml.WithTrace(trace)); err == nil {
				if err = s.Start(m.ctx); err == nil {
					err = m.settle(s)
				}
			}
			if err != nil {
				return err
			}
			if s.Status() != scxml.Running && len(m.events) > 0 {
				m.notes = append(m.notes, "the chart ends before it takes an event")
				m.events = nil
			}
		}
		if len(m.events) == 0 {
			break
		}
		for range rounds {
			for _, ev := range m.events {
				if s.Status() != scxml.Running {
					break
				}
				if err := s.Send(ev); err != nil {
					return err
				}
				if err := m.settle(s); err != nil {
					return err
				}
			}
		}
	}
	m.noteIdle(took)
	return nil
}

// noteIdle notes which events have no effect and, if there are no events, which ones the chart knows.
func (m *measurement) noteIdle(took map[string]bool) {
	known := descriptors(m.chart)
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

// descriptors returns the event descriptors of a chart, each once.
func descriptors(chart *scxml.Chart) []string {
	var all []string
	for _, t := range chart.Transitions() {
		all = append(all, t.Events()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var errRestless = errors.New("the chart does not come to rest after one event")
