package killtest

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// Options of a run.
type Options struct {
	Where    []string // the store, as each host finds it
	Sessions int
	Seed     uint64
}

var rate = flag.Int("kill.rate", 0, "TestKill: events a second, at most; 0 is as many as the fleet takes")

// A Run is hosts with clients.
type Run struct {
	Hosts []*Host
	t     testing.TB
	o     Options
	began time.Time

	clients sync.WaitGroup
	born    sync.WaitGroup // sessions that are not created yet
	sent    []int          // by each client, after the end of all

	mu                           sync.Mutex
	changed                      *sync.Cond // something of what follows, or of a host
	accepted, duplicates, unsure int
	over                         bool // the clients stop
	latest                       time.Duration
	fault                        string    // what the test does at present
	convicted                    []string  // lines of the log that say that a session was suspended
	last                         time.Time // when an event was accepted
	free                         time.Time // when -kill.rate allows the next event
	stalls                       map[string]stall
}

// A stall is the longest time that something took during a fault.
type stall struct {
	all time.Duration // in which no event was accepted, of any client
	one time.Duration // that one event took from the first try to its answer
}

// Start starts hosts and clients. They end with the test.
func Start(t testing.TB, o Options) *Run {
	t.Helper()
	r := &Run{t: t, o: o, began: time.Now(), sent: make([]int, o.Sessions), stalls: make(map[string]stall)}
	r.changed = sync.NewCond(&r.mu)
	for i, where := range o.Where {
		h := &Host{run: r, where: where, ways: rand.New(rand.NewPCG(o.Seed, 200+uint64(i)))}
		if len(o.Where) > 1 {
			h.name = fmt.Sprint("host-", i)
		}
		r.Hosts = append(r.Hosts, h)
		h.Start()
	}
	t.Cleanup(func() {
		r.end()
		for _, h := range r.Hosts {
			if h.process != nil {
				h.Kill()
			}
		}
		r.clients.Wait()
	})
	r.last = time.Now()
	r.born.Add(o.Sessions)
	for i := range o.Sessions {
		r.clients.Go(func() { r.sent[i] = r.drive(i) })
	}
	return r
}

// wrongf notes a failure, which ends the run.
func (r *Run) wrongf(format string, args ...any) {
	r.t.Errorf(format, args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed.Broadcast()
}

// set sets the process of a host.
func (r *Run) set(h *Host, p *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.process = p
	r.changed.Broadcast()
}

func (r *Run) late(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest = max(r.latest, d)
}

func (r *Run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.changed.Broadcast()
}

// Await waits until so many events have been accepted. It reports whether the run continues.
func (r *Run) Await(events int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.accepted < events && !r.t.Failed() {
		r.changed.Wait()
	}
	return !r.t.Failed()
}

// During carries out a fault, and accounts to it for what stalls until the next one. It logs one that
// takes long.
func (r *Run) During(fault string, do func()) {
	r.mu.Lock()
	r.fault = fault
	began, accepted := time.Now(), r.accepted
	r.mu.Unlock()
	do()
	if took := time.Since(began); took > 10*time.Second {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.t.Logf("after %v: %s, for %v, while %d events were accepted",
			began.Sub(r.began).Round(time.Second), fault, took.Round(time.Millisecond), r.accepted-accepted)
	}
}

// ask repeats a request until a host answers it.
func (r *Run) ask(random *rand.Rand, req request) (a reply, tries int) {
	var silent *process // the last one that has not answered
	for {
		r.mu.Lock()
		var living []*process
		for len(living) == 0 && !r.t.Failed() {
			for _, h := range r.Hosts {
				if h.process != nil && h.process != silent {
					living = append(living, h.process)
				}
			}
			if len(living) == 0 && len(r.Hosts) > 1 && silent != nil {
				silent = nil
			} else if len(living) == 0 {
				r.changed.Wait()
			}
		}
		r.mu.Unlock()
		if r.t.Failed() {
			return reply{}, tries
		}
		p := living[random.IntN(len(living))]
		tries++
		a, ok := p.call(req, len(r.Hosts) == 1)
		switch {
		case !ok:
			silent = p
		case a.Again:
			<-time.After(10 * time.Millisecond)
		default:
			return a, tries
		}
	}
}

func counterName(i int) string { return fmt.Sprint("counter-", i) }

// drive is the client of one session. It gives the next event when it knows of the one before, so
// that the session must see 1, 2, 3, ….
func (r *Run) drive(i int) (sent int) {
	random := rand.New(rand.NewPCG(r.o.Seed, 100+uint64(i)))
	key := counterName(i)
	a, _ := r.ask(random, request{Key: key, Chart: "counter", Data: map[string]any{"neighbour": counterName((i + 1) % r.o.Sessions)}})
	if a.Error != "" && !r.t.Failed() {
		r.wrongf("cannot create %s: %s", key, a.Error)
	}
	r.born.Done()
	r.born.Wait() // for the neighbour
	position := uint64(0)
	for {
		<-time.After(time.Until(r.turn()))
		r.mu.Lock()
		over := r.over
		r.mu.Unlock()
		if over || r.t.Failed() {
			return sent
		}
		n := sent + 1
		req := request{Key: key, Event: "add", ID: fmt.Sprint(key, " ", n), Wait: random.IntN(2) == 0, Data: map[string]any{"n": n}}
		switch random.IntN(16) {
		case 0, 1:
			const delay = 700 * time.Millisecond
			req.Event, req.Data["delay"], req.Data["due"] = "add.timer", delay.String(), time.Now().Add(delay).UnixMilli()
		case 2, 3, 4, 5:
			req.Event = "add.message"
		case 6:
			req.Event = "add.service"
		}
		if i%2 == 0 {
			req.ID, req.From = "", uint64(n)
		}
		began := time.Now()
		a, tries := r.ask(random, req)
		if r.t.Failed() {
			return sent
		}
		if a.Error != "" {
			r.wrongf("%s: event %d: %s", key, n, a.Error)
			return sent
		}
		if a.Duplicate && tries == 1 {
			r.wrongf("%s: event %d counts as a duplicate of nothing", key, n)
		}
		if a.Position <= position && (a.Position > 0 || !a.Duplicate) { // an old number of a feed has none
			r.wrongf("%s: event %d has position %d after %d", key, n, a.Position, position)
		}
		sent, position = n, max(position, a.Position)
		r.note(began, a.Duplicate, tries > 1)
	}
}

// turn returns when a client may give its next event.
func (r *Run) turn() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if *rate == 0 {
		return now
	}
	if r.free.Before(now) {
		r.free = now
	}
	turn := r.free
	r.free = turn.Add(time.Second / time.Duration(*rate))
	return turn
}

// note accounts for an event that was accepted.
func (r *Run) note(began time.Time, duplicate, unsure bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	s := r.stalls[r.fault]
	r.stalls[r.fault] = stall{max(s.all, now.Sub(r.last)), max(s.one, now.Sub(began))}
	r.last = now
	r.accepted++
	if duplicate {
		r.duplicates++
	}
	if unsure {
		r.unsure++
	}
	r.changed.Broadcast()
}

// Finish ends the clients, waits until nothing is under way, and compares. It ends the hosts in order,
// and returns what has happened in words.
func (r *Run) Finish() string {
	took := time.Since(r.began)
	r.end()
	r.clients.Wait()
	if r.t.Failed() {
		return ""
	}
	random := rand.New(rand.NewPCG(r.o.Seed, 1))
	var total books
	n := r.o.Sessions
	for i := range n {
		var b books
		for deadline := time.Now().Add(2 * time.Minute); ; <-time.After(50 * time.Millisecond) {
			a, _ := r.ask(random, request{Key: counterName(i), Event: "?"})
			if a.Books == nil {
				r.t.Fatalf("cannot read %s: %s", counterName(i), a.Error)
			}
			left, _ := r.ask(random, request{Key: counterName((i + n - 1) % n), Event: "?"})
			b = *a.Books
			if b.UnderWay == 0 && left.Books != nil && left.Books.UnderWay == 0 {
				if b.Heard != left.Books.Told {
					r.t.Errorf("%s heard %d messages, want %d", counterName(i), b.Heard, left.Books.Told)
				}
				break
			}
			if time.Now().After(deadline) {
				r.t.Fatalf("stuck: %s has work left after two minutes: %+v", counterName(i), b)
			}
		}
		if b.Added != r.sent[i] || b.Fired != b.Armed || b.Served != b.Asked || b.Wrong != "" {
			r.t.Errorf("%s: %d events were accepted; its books: %+v", counterName(i), r.sent[i], b)
		}
		total.Added, total.Fired, total.Heard, total.Served = total.Added+b.Added, total.Fired+b.Fired, total.Heard+b.Heard, total.Served+b.Served
	}
	for _, h := range r.Hosts {
		h.Drain()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := fmt.Sprintf("%v: %d events accepted, %d of them asked for again and %d already there, %d timers, late by %v at most, %d messages, %d services",
		took.Round(time.Second), total.Added, r.unsure, r.duplicates, total.Fired, r.latest, total.Heard, total.Served)
	for _, fault := range slices.Sorted(maps.Keys(r.stalls)) {
		s := r.stalls[fault]
		text += fmt.Sprintf("\n%s: no event was accepted for %v at most; one event took %v at most",
			fault, s.all.Round(time.Millisecond), s.one.Round(time.Millisecond))
	}
	return text
}
