package proof

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

//go:embed testdata/clerk.scxml
var clerkSource []byte

// clerks are two versions of the chart, which differ in nothing that counts.
var clerks = sync.OnceValues(func() (versions [2]*scxml.Chart, err error) {
	for i, name := range []string{"clerk", "secretary"} {
		text := strings.Replace(string(clerkSource), `name="clerk"`, `name="`+name+`"`, 1)
		if versions[i], err = scxml.Parse("clerk.scxml", []byte(text)); err != nil {
			return versions, err
		}
	}
	return versions, nil
})

// A world is what processes share: the store, the clock, and the people who use them.
type world struct {
	seed  uint64
	store fleet.Store
	plan  plan
	late  sync.WaitGroup // what the store does later

	// Of the goroutine that runs the world.
	revisions uint64 // of all sessions, when quiet looked
	took      time.Duration

	mu       sync.Mutex     // of what follows
	calls    map[string]int // how often a process has called what, for chance
	jobs     map[any]string // the idempotency keys of services, by their jobs
	jumps    []jump
	ledger   ledger
	hosts    []*host
	began    int // number of processes so far
	moved    int // sessions that have migrated
	innocent int // sessions that were suspended because processes had ended
	trace    strings.Builder
	taken    map[time.Time]bool // moments at which something begins
}

// A plan is what one seed makes of a run.
type plan struct {
	sessions, clients, orders, processes int
	faults                               faults
	kills                                time.Duration // the mean time between two; 0 is never
	jumps                                time.Duration // the same for jumps of the clock
	backwards                            bool          // the clock jumps backwards too
	poison                               bool
	guests                               int           // sessions that come and go
	mortals                              int           // sessions that end
	keep                                 time.Duration // how long they are kept then; 0 is for ever
	moves                                bool          // sessions migrate
	crowd                                bool          // many sessions tell one of them something
	cache                                int
	inbox                                int
	hosts                                bool          // the processes share the sessions
	hints                                bool          // the store tells of changes, mostly
	versions                             bool          // some processes know one version of the chart only
	apart                                time.Duration // between the clock and that of a process, at most
}

// newPlan makes the plan of a seed. Each fault is in some plans only, so that it can be found alone
// and in company.
func newPlan(r *rand.Rand) plan {
	p := plan{
		sessions:  1 + r.IntN(3),
		clients:   1 + r.IntN(4),
		orders:    5 + r.IntN(15),
		processes: 1,
		inbox:     []int{2, 10, 100}[r.IntN(3)],
		cache:     []int{-1, 1, 100}[r.IntN(3)],
	}
	some := func(odds int) bool { return r.IntN(odds) == 0 }
	rate := func(odds int, most float64) float64 {
		if !some(odds) {
			return 0
		}
		return r.Float64() * most
	}
	p.faults = faults{
		fail: rate(3, 0.1), lost: rate(2, 0.2), late: rate(4, 0.1), die: rate(2, 0.1),
		slow: rate(4, 0.05), pause: rate(6, 0.02), ordinal: []float64{0.01, 1, 20}[r.IntN(3)],
	}
	if some(2) {
		p.processes = 2 + r.IntN(2)
	}
	if some(3) {
		p.kills = time.Duration(1+r.IntN(20)) * time.Second
	}
	if some(3) {
		p.jumps = time.Duration(1+r.IntN(60)) * time.Second
		p.backwards = some(2)
	}
	p.poison = some(5)
	if some(4) {
		p.guests = 1 + r.IntN(30)
	}
	if some(16) {
		p.crowd, p.sessions, p.orders = true, 18+r.IntN(8), 10+r.IntN(20)
	}
	p.moves = some(4)
	if some(4) {
		p.mortals = 1 + r.IntN(8)
	}
	if p.hosts = some(2); p.hosts {
		p.processes = 2 + r.IntN(3)
		p.hints = some(2)
		p.versions = some(3)
		p.moves = p.moves && !p.versions // to a version that all know
		if some(3) {
			p.apart = time.Duration(r.Int64N(int64(time.Minute)))
		}
	}
	if p.mortals > 0 && some(2) {
		p.keep = time.Duration(1+r.IntN(10)) * time.Second
	}
	return p
}

// A jump sets the fleet's clock.
type jump struct {
	at     time.Time     // on the true clock
	offset time.Duration // from then on
}

// now is what the fleet's clock shows.
func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shown(time.Now())
}

func (w *world) shown(t time.Time) time.Time {
	shown := t
	for _, j := range w.jumps {
		if !j.at.After(t) {
			shown = t.Add(j.offset)
		}
	}
	return shown
}

// span returns the earliest and the latest time that a clock showed in a period. The caller holds mu.
func (w *world) span(from, to time.Time) (lo, hi time.Time) {
	lo, hi = w.shown(from), w.shown(from)
	include := func(t time.Time) {
		if shown := w.shown(t); shown.Before(lo) {
			lo = shown
		} else if shown.After(hi) {
			hi = shown
		}
	}
	include(to)
	for _, j := range w.jumps {
		if j.at.After(from) && !j.at.After(to) {
			include(j.at.Add(-1))
			include(j.at)
		}
	}
	return lo.Add(-w.plan.apart), hi.Add(w.plan.apart)
}

// alone returns d, or as little more as it takes for something to begin after it at a moment of its own:
// the order of what happens at one moment is up to Go's scheduler and does not follow from the seed.
func (w *world) alone(d time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	at := now.Add(max(d, 1))
	for w.taken[at] {
		at = at.Add(1)
	}
	w.taken[at] = true
	return at.Sub(now)
}

// notef writes a line of the run's trace.
func (w *world) notef(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(&w.trace, "%s ", stamp(time.Now()))
	fmt.Fprintf(&w.trace, format, args...)
	w.trace.WriteByte('\n')
}

// A host is a process with a fleet.
type host struct {
	line
	fleet *fleet.Fleet
	ahead time.Duration      // of the clock
	drain context.CancelFunc // ends Run
	done  chan struct{}      // Run has returned
}

// start starts a process. It tries again until there is one.
func (w *world) start(ctx context.Context, f faults) {
	for ctx.Err() == nil {
		if h := w.tryStart(ctx, f); h != nil {
			w.mu.Lock()
			w.hosts = append(w.hosts, h)
			w.mu.Unlock()
			return
		}
		w.sleep(ctx, time.Second)
	}
}

func (w *world) tryStart(ctx context.Context, f faults) *host {
	w.mu.Lock()
	w.began++
	h := &host{line: line{world: w, name: fmt.Sprintf("process %d", w.began), faults: f}, done: make(chan struct{})}
	r := w.chance("start", h.name)
	w.mu.Unlock()
	h.ctx, h.kill = context.WithCancel(ctx)
	running, drain := context.WithCancel(h.ctx)
	h.drain = drain
	last := f == (faults{ordinal: 1}) // after the time of the faults
	cfg := fleet.Config{
		Now:        func() time.Time { return w.now().Add(h.ahead) },
		Inbox:      w.plan.inbox,
		Cache:      w.plan.cache,
		Processors: map[string]fleet.Deliver{"x-post": h.deliver},
		Services:   map[string]scxml.Invoker{"x-work": scxml.InvokerFunc(h.work)},
		Retry: func(t scxml.Task) scxml.Retry {
			if t.Kind == scxml.TaskInvoke {
				return scxml.Retry{Attempts: -1, Longest: 5 * time.Second, Jitter: 0.5}
			}
			return scxml.Retry{}
		},
	}
	if w.plan.keep > 0 {
		cfg.KeepFinished = map[string]time.Duration{"clerk": w.plan.keep}
	}
	store := fleet.Store(&h.line)
	if w.plan.hosts {
		cfg.Host = fmt.Sprintf("host-%d", r.IntN(2*w.plan.processes)) // perhaps that of another process
		if w.plan.hints {
			store = hinted{&h.line}
		}
		if w.plan.apart > 0 && !last {
			h.ahead = time.Duration(r.Int64N(int64(2*w.plan.apart))) - w.plan.apart
		}
	}
	trace := &scxml.Trace{Timer: h.fired}
	limits := scxml.DefaultLimits()
	limits.Microsteps = 50
	charts, err := clerks()
	if err != nil {
		panic(err)
	}
	known := charts[:]
	if n := r.IntN(3); w.plan.versions && n < 2 && !last {
		known = charts[n : n+1]
	}
	var definitions []fleet.Definition
	for _, chart := range known {
		definitions = append(definitions, fleet.Define("clerk", chart, scxml.WithTrace(trace), scxml.WithLimits(limits)))
	}
	if h.fleet, err = fleet.New(store, cfg, definitions...); err != nil {
		w.notef("%s does not start: %v", h.name, err)
		h.kill()
		return nil
	}
	w.notef("%s starts as %q", h.name, cfg.Host)
	go func() {
		defer close(h.done)
		for running.Err() == nil {
			err := h.fleet.Run(running)
			w.notef("%s: Run returns %v", h.name, err)
			if running.Err() == nil {
				w.sleep(running, time.Second)
			}
		}
	}()
	return h
}

// living returns the hosts that live.
func (w *world) living() []*host {
	w.mu.Lock()
	defer w.mu.Unlock()
	var living []*host
	for _, h := range w.hosts {
		if h.ctx.Err() == nil {
			living = append(living, h)
		}
	}
	return living
}

// fired notes a timer that fires before its time.
func (h *host) fired(s *scxml.Session, m scxml.Message) {
	data, err := scxml.EventData[struct{ N int }](m.Event)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, latest := h.span(epoch, time.Now())
	for _, o := range h.ledger.orders {
		if o.n != data.N || m.Event.Name != "fire" && m.Event.Name != "ring" {
			continue
		}
		if lo, _ := h.span(o.began, time.Now()); latest.Before(lo.Add(o.delay)) {
			h.ledger.wrongf("early: the delayed event of %v fired when the clock had shown %s at most, want %s",
				o, stamp(latest), stamp(lo.Add(o.delay)))
		}
	}
}

// deliver carries out a message to the outside. It may fail, and may have happened nevertheless.
func (h *host) deliver(ctx context.Context, d fleet.Delivery) error {
	data, err := scxml.EventData[struct{ N int }](d.Message.Event)
	if err != nil {
		return err
	}
	h.mu.Lock()
	r := h.chance(h.name+"deliver", fmt.Sprint(data.N))
	h.mu.Unlock()
	if err := h.wait(ctx, r); err != nil {
		return err
	}
	fail := r.Float64() < 0.3
	if fail && r.IntN(2) == 0 {
		return errors.New("simulated: the line is busy")
	}
	h.notef("%s delivers parcel %d", h.name, data.N)
	h.mu.Lock()
	keys := h.ledger.delivered[data.N]
	if keys == nil {
		keys = make(map[string]int)
		h.ledger.delivered[data.N] = keys
	}
	keys[d.ID]++
	h.mu.Unlock()
	if fail {
		return errors.New("simulated: nobody says thanks")
	}
	return h.wait(ctx, r)
}

// work is a service that takes its time, and may fail.
func (h *host) work(ctx context.Context, inv *scxml.Invocation) (any, error) {
	n, _ := inv.Params.Get("n")
	h.mu.Lock()
	r := h.chance(h.name+"work", fmt.Sprint(n))
	_, id := fleet.TaskID(ctx)
	if known, ok := h.jobs[n]; ok && known != id {
		h.ledger.wrongf("job %v was done under the idempotency keys %s and %s", n, known, id)
	}
	h.jobs[n] = id
	h.mu.Unlock()
	h.notef("%s works on job %v", h.name, n)
	err := h.wait(ctx, r)
	if err == nil && r.Float64() < 0.3 {
		err = errors.New("simulated: the tools are missing")
	}
	return n, err
}

// await waits until cond holds, for a time that no run needs.
func await(t *testing.T, what string, step, most time.Duration, cond func() bool) bool {
	for waited := time.Duration(0); !cond(); waited += step {
		if waited > most {
			t.Errorf("stuck: %s has not happened within %v", what, most)
			return false
		}
		time.Sleep(step)
	}
	return true
}

func newWorld(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 0))
	w := &world{seed: seed, plan: newPlan(r), store: fleet.NewMemory(), calls: make(map[string]int), jobs: make(map[any]string), taken: make(map[time.Time]bool)}
	w.ledger = ledger{books: make(map[string][]entry), delivered: make(map[int]map[string]int), steady: !w.plan.backwards}
	return w
}
