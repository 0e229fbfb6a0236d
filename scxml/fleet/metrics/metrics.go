package metrics

import (
	"bufio"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
)

// ContentType is that of what [Metrics.Write] writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Metrics counts what a fleet does. Its methods may be called from any goroutine.
type Metrics struct {
	census        *census.Census
	started       time.Time
	charts, types label
	counted
}

// counted are the families that count; the others are gauges, which are made anew for each Write.
type counted struct {
	events, accepting           family
	steps, step, lateness, wait family
	commits, commit             family
	attempts, attempt, retries  family
	loads, snapshot, deleted    family
}

// New returns metrics without anything counted. Sessions come from a census.
func New(c *census.Census) *Metrics {
	m := &Metrics{census: c, started: time.Now()}
	count := func(f *family, name, help string, labels ...string) {
		f.name, f.help, f.labels = "scxml_"+name, help, labels
	}
	histogram := func(f *family, bounds []float64, name, help string, labels ...string) {
		count(f, name, help, labels...)
		f.bounds = bounds
	}
	count(&m.events, "events_total", "Events offered to sessions.", "source", "result")
	histogram(&m.accepting, seconds, "accept_seconds", "Time from the call to the acknowledgement of an event.")
	count(&m.steps, "steps_total", "Steps of sessions.", "chart", "kind", "result")
	histogram(&m.step, seconds, "step_seconds", "Time of a step in the session, without the store.", "chart")
	histogram(&m.lateness, waits, "timer_lateness_seconds", "Time from when a delayed event was due to its step.")
	histogram(&m.wait, waits, "inbox_wait_seconds", "Time from the acceptance of an event to its step.")
	count(&m.commits, "commits_total", "Changes given to the store.", "result")
	histogram(&m.commit, seconds, "commit_seconds", "Time of the store for a change.")
	count(&m.attempts, "attempts_total", "Deliveries of messages and runs of services.", "kind", "type", "result")
	histogram(&m.attempt, seconds, "attempt_seconds", "Time of a delivery or of the run of a service.", "kind")
	count(&m.retries, "retries_total", "Attempts after the first one for a message or service.", "kind")
	count(&m.loads, "loads_total", "Sessions read from the store because they were not in memory.", "result")
	count(&m.deleted, "sessions_deleted_total", "Sessions that were deleted.")
	histogram(&m.snapshot, sizes, "snapshot_bytes", "Size of a session after a change.", "chart")
	return m
}

// The bounds of the histograms.
var (
	seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	waits   = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 300, 3600}
	sizes   = []float64{256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20}
)

func (c *counted) families() []*family {
	return []*family{
		&c.events, &c.accepting, &c.steps, &c.step, &c.lateness, &c.wait, &c.commits, &c.commit,
		&c.attempts, &c.attempt, &c.retries, &c.loads, &c.snapshot, &c.deleted,
	}
}

// Observer is for the [fleet.Config] of the fleet.
func (m *Metrics) Observer() fleet.Observer {
	return fleet.Observer{
		Begin: func(ctx context.Context, w fleet.Work) (context.Context, func(fleet.Ending)) {
			began := time.Now()
			return ctx, func(e fleet.Ending) { m.ended(w, e, time.Since(began).Seconds()) }
		},
		Changed: func(_ string, now *fleet.Glance) {
			if now == nil {
				m.deleted.add(1)
				return
			}
			m.snapshot.add(float64(now.Size), m.charts.of(now.Chart))
		},
	}
}

func (m *Metrics) ended(w fleet.Work, e fleet.Ending, took float64) {
	switch w.Kind {
	case "accept":
		m.events.add(1, w.Step.Kind, acceptance(e))
		if w.Step.Kind == "event" { // a message is accepted with others
			m.accepting.add(took)
		}
	case "load":
		m.loads.add(1, result(e.Err))
	case "step":
		chart := m.charts.of(w.Chart)
		m.steps.add(1, chart, w.Step.Kind, result(e.Err))
		m.step.add(took, chart)
		switch w.Step.Kind {
		case "timer":
			m.lateness.add(w.After.Seconds())
		case "event", "message":
			m.wait.add(w.After.Seconds())
		}
	case "commit":
		m.commits.add(1, result(e.Err))
		m.commit.add(took)
	case "deliver", "service":
		m.attempts.add(1, w.Kind, m.types.of(w.Type), result(e.Err))
		m.attempt.add(took, w.Kind)
		if w.Again {
			m.retries.add(1, w.Kind)
		}
	}
}

func result(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, fleet.ErrConflict):
		return "conflict"
	}
	return "failed"
}

// refusals are why events are not accepted.
var refusals = []struct {
	err    error
	reason string
}{
	{fleet.ErrUnknown, "unavailable"}, // first: it wraps what the store said
	{fleet.ErrNotFound, "not-found"},
	{fleet.ErrEnded, "ended"},
	{fleet.ErrSuspended, "suspended"},
	{fleet.ErrInboxFull, "inbox-full"},
	{fleet.ErrReused, "reused-id"},
	{fleet.ErrManyIDs, "many-ids"},
	{fleet.ErrTooLarge, "too-large"},
	{scxml.ErrNotAccepted, "not-accepted"},
	{fleet.ErrAgain, "unavailable"},
	{context.DeadlineExceeded, "unavailable"},
	{context.Canceled, "unavailable"},
	{fleet.ErrCorrupt, "unavailable"},
	{fleet.ErrClosed, "unavailable"},
}

func acceptance(e fleet.Ending) string {
	switch {
	case e.Err == nil && e.Duplicate:
		return "duplicate"
	case e.Err == nil:
		return "accepted"
	case errors.As(e.Err, new(*fleet.ChartError)):
		return "unknown-version"
	case errors.As(e.Err, new(*fleet.StepError)):
		return "failed-step"
	}
	for _, r := range refusals {
		if errors.Is(e.Err, r.err) {
			return r.reason
		}
	}
	return "malformed"
}

// Names returns the names of all families of metrics, sorted. Each call makes them anew.
func Names() []string {
	m := New(census.New())
	var all []string
	for _, f := range append(m.families(), m.gauges(nil)...) {
		all = append(all, f.name)
	}
	slices.Sort(all)
	return all
}

// gauges returns what is true now.
func (m *Metrics) gauges(f *fleet.Fleet) []*family {
	now := time.Now()
	var all []*family
	gauge := func(name, help string, labels ...string) *family {
		g := &family{name: name, help: help, labels: labels, gauge: true}
		all = append(all, g)
		return g
	}
	sessions := gauge("scxml_sessions", "Sessions, by chart and status.", "chart", "status")
	known := gauge("scxml_sessions_known", "1 if all sessions of the store were counted, else 0.")
	stuck := gauge("scxml_sessions_stuck", "Sessions that need someone, by reason.", "reason")
	inbox := gauge("scxml_inbox_events", "Events that wait in inboxes.", "chart")
	longest := gauge("scxml_inbox_longest_events", "Events in the longest inbox.", "chart")
	oldest := gauge("scxml_inbox_oldest_seconds", "Time that the oldest event has waited.", "chart")
	outbox := gauge("scxml_outbox_tasks", "Messages and services that are not done.", "chart")
	failing := gauge("scxml_outbox_failing_tasks", "Those that have failed and are tried again.", "chart")
	cached := gauge("scxml_cached_sessions", "Sessions in memory.")
	goroutines := gauge("go_goroutines", "Goroutines that exist.")
	heap := gauge("go_memstats_heap_alloc_bytes", "Bytes of allocated heap objects.")
	start := gauge("process_start_time_seconds", "Start of the process, as Unix time.")

	for _, c := range m.census.Counts() {
		sessions.add(float64(c.Sessions), m.charts.of(c.Chart), c.Status)
	}
	complete := 0.
	if m.census.Complete() {
		complete = 1
	}
	known.add(complete)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	troubles, _ := m.census.Troubles(ctx, f, now)
	for _, kind := range census.Kinds {
		stuck.add(float64(troubles[kind]), kind)
	}
	work := m.census.Work()
	if f != nil {
		for _, c := range f.Charts() { // so that a chart with nothing to do has 0, not nothing
			if _, ok := work[c.Name]; !ok {
				work[c.Name] = census.Work{}
			}
		}
		cached.add(float64(f.Cached()))
	}
	ages := map[string]float64{}
	for name, w := range work {
		chart := m.charts.of(name)
		inbox.add(float64(w.Inbox), chart)
		longest.add(float64(w.Longest), chart)
		outbox.add(float64(w.Outbox), chart)
		failing.add(float64(w.Failing), chart)
		age := 0.
		if !w.Oldest.IsZero() {
			age = max(0, now.Sub(w.Oldest).Seconds())
		}
		ages[chart] = max(ages[chart], age)
	}
	for chart, age := range ages {
		oldest.add(age, chart)
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	goroutines.add(float64(runtime.NumGoroutine()))
	heap.add(float64(mem.HeapAlloc))
	start.add(float64(m.started.UnixMilli()) / 1000)
	return all
}

// Write writes all metrics.
func (m *Metrics) Write(w io.Writer, f *fleet.Fleet) error {
	b := bufio.NewWriter(w)
	for _, one := range append(m.gauges(f), m.families()...) {
		one.write(b)
	}
	return b.Flush()
}
