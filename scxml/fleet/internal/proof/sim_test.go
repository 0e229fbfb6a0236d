package proof

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

var (
	simSeeds = flag.Int("sim.seeds", 100, "TestSimulation: number of runs")
	simSeed  = flag.Uint64("sim.seed", 1, "TestSimulation: the first seed")
	simTrace = flag.Bool("sim.trace", false, "TestSimulation: print what happened")
)

// TestSimulation: nothing that was accepted is lost, doubled or reordered, and no timer is early,
// whatever happens to the processes, the store and the clock.
func TestSimulation(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // for repeatable runs
	seeds := *simSeeds
	if testing.Short() {
		seeds /= 4
	}
	var total tally
	for seed := *simSeed; seed < *simSeed+uint64(seeds) && !t.Failed(); seed++ {
		simulate(t, seed, &total)
	}
	t.Logf("%d runs: %v", seeds, &total)
}

// simulate runs a seed, and tells how to repeat it if it fails.
func simulate(t *testing.T, seed uint64, total *tally) {
	repeat := fmt.Sprintf("seed %d failed, repeat it: go test ./scxml/fleet/internal/proof -run '^TestSimulation$' -v -sim.seed=%[1]d -sim.seeds=1 -sim.trace", seed)
	hanging := time.AfterFunc(time.Minute, func() { panic("after a minute of real time: " + repeat) })
	defer hanging.Stop()
	defer func() {
		if p := recover(); p != nil { // a deadlock
			t.Fatalf("%v\n%s", p, repeat)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(seed)
		w.run(t)
		total.add(w)
		if *simTrace {
			t.Log("\n" + w.trace.String())
		}
		if t.Failed() {
			t.Fatalf("%s\nplan: %+v", repeat, w.plan)
		}
	})
}

var racing = false // the race detector is on

// TestSimulationRepeats: all that happens follows from the seed, but for the order of what happens at
// the same nanosecond.
func TestSimulationRepeats(t *testing.T) {
	if racing {
		t.Skip("the race detector runs goroutines in a random order")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for seed := *simSeed; seed < *simSeed+uint64(*simSeeds/10); seed++ {
		var traces [2][]string
		for i := range traces {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(seed)
				w.run(t)
				traces[i] = strings.Split(w.trace.String(), "\n")
				slices.Sort(traces[i])
			})
		}
		if i, x, y := firstDifference(traces[0], traces[1]); x != y {
			t.Fatalf("seed %d does not repeat: line %d is %q and then %q, after\n%s", seed, i+1, x, y,
				strings.Join(traces[0][max(0, i-5):i], "\n"))
		}
	}
}

func firstDifference(a, b []string) (i int, x, y string) {
	a, b = append(a, "the end"), append(b, "the end")
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return i, a[i], b[i]
}

// A tally counts what the runs did, to show that they did something.
type tally struct {
	accepted, refused, unknown, timers, messages, parcels, jobs, kids, mortals, gone, moved, processes, innocent int
	simulated                                                                                                    time.Duration
}

func (total *tally) add(w *world) {
	for _, o := range w.ledger.orders {
		switch {
		case o.accepted:
			total.accepted++
		case o.refused:
			total.refused++
		default:
			total.unknown++
		}
	}
	for _, book := range w.ledger.books {
		for _, e := range book {
			switch e.letter {
			case 'f', 'g':
				total.timers++
			case 'r', 'q':
				total.messages++
			case 'p':
				total.parcels++
			case 'd':
				total.jobs++
			case 'm':
				total.kids++
			}
		}
	}
	total.moved += w.moved
	total.innocent += w.innocent
	total.mortals += len(w.ledger.mortals)
	for _, m := range w.ledger.mortals {
		if m.gone {
			total.gone++
		}
	}
	total.processes += w.began
	total.simulated += w.took
}

func (total *tally) String() string {
	return fmt.Sprintf("%d events accepted, %d refused, %d unknown; %d timers, %d messages, %d parcels, %d jobs, %d sessions inside, %d that ended, %d of them deleted, %d migrated; %d processes, %d sessions suspended when these ended, %v",
		total.accepted, total.refused, total.unknown, total.timers, total.messages, total.parcels, total.jobs, total.kids, total.mortals, total.gone, total.moved, total.processes, total.innocent, total.simulated.Round(time.Hour))
}

// epoch is when the clock of a bubble begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// run lets clients use a fleet while everything fails, waits until nothing is under way, and compares.
func (w *world) run(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	troubled, calm := context.WithCancel(ctx) // the time of the faults

	for range w.plan.processes {
		w.start(ctx, w.plan.faults)
	}
	var trouble sync.WaitGroup
	trouble.Go(func() { w.restart(troubled) })
	if w.plan.jumps > 0 {
		trouble.Go(func() { w.jump(troubled) })
	}
	trouble.Go(func() { w.operate(troubled) })

	var clients sync.WaitGroup
	for i := range w.plan.clients {
		clients.Go(func() { (&client{world: w, id: i, rand: rand.New(rand.NewPCG(w.seed, 100+uint64(i)))}).run() })
	}
	if w.plan.guests > 0 {
		clients.Go(func() { (&client{world: w, id: w.plan.clients, rand: rand.New(rand.NewPCG(w.seed, 99))}).guests(ctx) })
	}
	if w.plan.mortals > 0 {
		clients.Go(func() { (&client{world: w, id: w.plan.clients + 1, rand: rand.New(rand.NewPCG(w.seed, 98))}).mortals() })
	}
	clients.Wait()
	w.sleep(ctx, time.Microsecond)
	calm()
	trouble.Wait()

	// From now on there is one process, and the store works.
	var old []*host
	for _, h := range w.hosts {
		h.kill()
		old = append(old, h)
	}
	for _, h := range old {
		<-h.done
	}
	w.late.Wait()
	w.mu.Lock()
	if _, latest := w.span(epoch, time.Now()); latest.After(w.shown(time.Now())) {
		w.jumps = append(w.jumps, jump{time.Now(), time.Until(latest)}) // nobody has to wait for it
	}
	w.mu.Unlock()
	w.start(ctx, faults{ordinal: 1})
	last := w.hosts[len(w.hosts)-1]
	if !await(t, "the end of all work", 10*time.Second, 2*time.Hour, func() bool { return w.quiet(ctx, t, last.fleet) }) {
		for i := range w.plan.sessions {
			state, err := last.fleet.Get(ctx, name(i))
			log, _ := last.fleet.Log(ctx, name(i), 0, 0)
			t.Logf("%s: %+v, failure %+v, %v; its log ends with %+v", name(i), state, state.Failure, err, log[max(0, len(log)-10):])
		}
	}
	for _, o := range w.ledger.orders {
		if !o.ended.IsZero() {
			o.lo, o.hi = w.span(o.began, o.ended)
		}
	}
	for _, fault := range w.ledger.check() {
		t.Error(fault)
	}
	if t.Failed() {
		for key, book := range w.ledger.books {
			t.Logf("the book of %s: %v", key, book)
		}
	}
	w.took = time.Since(epoch)
	stop()
	<-last.done
	if err := last.fleet.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// quiet tells whether nothing is left to do, and nothing has happened since it was called before. It
// reads the books, and repairs what is suspended.
func (w *world) quiet(ctx context.Context, t *testing.T, f *fleet.Fleet) bool {
	idle, before := true, w.revisions
	w.revisions = 0
	for i := range w.plan.sessions {
		key := name(i)
		state, err := f.Get(ctx, key)
		if err != nil {
			t.Errorf("Get(%q): %v", key, err)
			return true
		}
		if state.Status == "suspended" {
			if err := w.repair(ctx, f, state); err != nil {
				t.Errorf("cannot repair %q: %v", key, err)
			}
		}
		w.revisions += state.Revision
		idle = idle && state.Status != "suspended" && state.Inbox == 0 && len(state.Tasks) == 0 && state.NextDue.IsZero()
		var data struct{ Book string }
		if err := datamodel.Decode(state.Data, &data); err != nil {
			t.Errorf("data of %q: %v", key, err)
		}
		if w.ledger.books[key], err = readBook(data.Book); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, m := range w.ledger.mortals {
		idle = m.look(ctx, t, f) && idle
	}
	return idle && w.revisions == before
}

func name(i int) string { return string(rune('A'+i%26)) + strings.Repeat("2", i/26) }

func (p plan) names() (names []string) {
	for i := range p.sessions {
		names = append(names, name(i))
	}
	return names
}

// restart starts processes for those that die, and kills some.
func (w *world) restart(ctx context.Context) {
	r := rand.New(rand.NewPCG(w.seed, 1))
	pause := 500 * time.Millisecond
	if w.plan.kills > 0 {
		pause = min(pause, w.plan.kills)
	}
	for w.sleep(ctx, time.Duration(r.Int64N(int64(2*pause)))) {
		living := w.living()
		if w.plan.kills > 0 && len(living) > 0 && r.Float64() < float64(pause)/float64(w.plan.kills) {
			h := living[r.IntN(len(living))]
			if w.plan.hosts && r.IntN(2) == 0 {
				w.notef("%s ends", h.name)
				h.drain()
			} else {
				w.notef("%s is killed", h.name)
				h.kill()
			}
			<-h.done
			h.kill()
			w.sleep(ctx, time.Duration(r.Int64N(int64(time.Millisecond))))
			living = w.living()
		}
		for range w.plan.processes - len(living) {
			w.start(ctx, w.plan.faults)
		}
	}
}

// jump sets the clock a few times, by less than fleet.Config.GiveUp in all.
func (w *world) jump(ctx context.Context) {
	r := rand.New(rand.NewPCG(w.seed, 2))
	var offset time.Duration
	for range 10 {
		if !w.sleep(ctx, time.Duration(r.Int64N(int64(2*w.plan.jumps)))) {
			return
		}
		d := time.Duration(r.Int64N(int64(time.Hour)))
		if w.plan.backwards && r.IntN(2) == 0 {
			d = -d
		}
		offset += d
		w.notef("the clock jumps by %v", d)
		w.mu.Lock()
		w.jumps = append(w.jumps, jump{time.Now(), offset})
		w.mu.Unlock()
	}
}

// operate looks after suspended sessions.
func (w *world) operate(ctx context.Context) {
	r := rand.New(rand.NewPCG(w.seed, 3))
	for w.sleep(ctx, time.Duration(r.Int64N(int64(10*time.Second)))) {
		for _, h := range w.living() {
			if !w.sleep(ctx, time.Duration(r.Int64N(int64(time.Millisecond)))) {
				return
			}
			if w.plan.moves && r.IntN(2) == 0 {
				versions, _ := clerks()
				report, err := h.fleet.Migrate(h.ctx, fleet.Migration{Chart: "clerk", To: versions[r.IntN(2)].Hash()})
				w.notef("the operator migrates on %s: %+v, %v", h.name, report, err)
				w.mu.Lock()
				for _, unfit := range report.Unfit {
					w.ledger.wrongf("%s cannot migrate: %v", unfit.Key, unfit.Err)
				}
				w.moved += report.Migrated
				w.mu.Unlock()
			}
			if w.plan.keep > 0 && r.IntN(2) == 0 {
				d, err := h.fleet.DeleteAll(h.ctx, fleet.Selection{Chart: "clerk"}, "", 0)
				w.notef("the operator deletes what has ended on %s: %+v, %v", h.name, d, err)
			}
			key := name(r.IntN(w.plan.sessions))
			if w.plan.mortals > 0 && r.IntN(2) == 0 {
				key = mortalName(r.IntN(w.plan.mortals))
			}
			if state, err := h.fleet.Get(h.ctx, key); err == nil && state.Status == "suspended" {
				w.repair(h.ctx, h.fleet, state)
			}
		}
	}
}

// repair skips what can never be carried out, and repeats what may have suffered from other things.
func (w *world) repair(ctx context.Context, f *fleet.Fleet, state fleet.State) (err error) {
	var skipped string
	if strings.HasSuffix(state.Failure.What, " from before the start") {
		w.mu.Lock()
		w.innocent++
		// Ends are not by chance, or a step takes long, or a process that does not know of the others takes
		// the trial of one that lives for that of one that has ended.
		f := w.plan.faults
		if f.die+f.slow+f.pause == 0 && (w.plan.hosts || w.plan.processes == 1) {
			w.ledger.wrongf("%s was suspended though it never ended its process: %+v", state.Key, state.Failure)
		}
		w.mu.Unlock()
	}
	if state.Failure.What == "event poison" {
		skipped, err = f.Skip(ctx, state.Key)
	} else {
		err = f.Retry(ctx, state.Key)
	}
	w.notef("the operator finds %s in %+v and skips %q: %v", state.Key, state.Failure, skipped, err)
	return err
}

// sleep reports whether ctx still lasts.
func (w *world) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(w.alone(d))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// A client gives orders, and gives them again when it does not hear what became of them.
type client struct {
	*world
	id   int
	rand *rand.Rand
	feed uint64 // the last number of its numbered feed
}

// create makes sure that there are sessions.
func (c *client) create(keys ...string) {
	for _, key := range keys {
		c.try(1, func(ctx context.Context, f *fleet.Fleet) bool {
			err := f.Create(ctx, key, fleet.CreateOptions{Chart: "clerk"})
			c.notef("client %d creates %s: %v", c.id, key, err)
			return err == nil || errors.Is(err, fleet.ErrExists)
		})
	}
}

func (c *client) run() {
	c.create(c.plan.names()...)
	for i := range c.plan.orders {
		pause := 500 * time.Millisecond
		if c.plan.crowd {
			pause /= 25
		}
		c.sleep(context.Background(), time.Duration(c.rand.ExpFloat64()*float64(pause)))
		c.order(100*(c.id+1) + i)
	}
}

func (c *client) order(n int) {
	r := c.rand
	o := &order{n: n, key: name(r.IntN(c.plan.sessions)), letter: "nnnnaaaabbcssspjhx"[r.IntN(18)]}
	if o.letter == 'x' && !c.plan.poison {
		o.letter = 'n'
	}
	if c.plan.crowd {
		o.letter = 's'
	}
	data := map[string]any{"n": n}
	switch o.letter {
	case 'a', 'b':
		o.delay = time.Duration(r.ExpFloat64() * float64(5*time.Second)).Round(time.Millisecond)
		if r.IntN(10) == 0 {
			o.delay = 0
		}
		data["delay"] = fmt.Sprintf("%dms", o.delay.Milliseconds())
	case 's', 'h':
		o.to = name(r.IntN(c.plan.sessions + 1))
		if c.plan.crowd {
			o.to = name(0)
		}
		if o.to == name(c.plan.sessions) {
			o.to = "nobody"
		}
		data["to"] = o.to
	}
	ev := scxml.Event{Name: map[byte]string{'n': "note", 'a': "arm", 'b': "alarm", 'c': "calm", 's': "tell", 'p': "post", 'j': "job", 'h': "kid", 'x': "poison"}[o.letter], Data: data}
	o.began = time.Now()
	c.mu.Lock()
	c.ledger.orders = append(c.ledger.orders, o)
	c.mu.Unlock()

	opts := []fleet.SendOption{fleet.ID(fmt.Sprint("order ", n))}
	if c.id == 0 {
		c.feed++
		opts = []fleet.SendOption{fleet.From("feed", c.feed)}
	}
	wait := r.IntN(2) == 0 // for the event to be processed
	tries, unsure := 0, false
	c.try(0.9, func(ctx context.Context, f *fleet.Fleet) bool {
		tries++
		position, duplicate, err := uint64(0), false, error(nil)
		if wait {
			result, e := f.Do(ctx, o.key, ev, opts...)
			position, duplicate, err = result.Position, result.Duplicate, e
		} else {
			receipt, e := f.Send(ctx, o.key, ev, opts...)
			position, duplicate, err = receipt.Position, receipt.Duplicate, e
		}
		c.notef("client %d: %v: position %d, duplicate %v, %v", c.id, o, position, duplicate, err)
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case err == nil:
			o.accepted, o.refused, o.position, o.ended = true, false, position, time.Now()
			if duplicate && tries == 1 {
				c.ledger.wrongf("%v counts as a duplicate of nothing", o)
			}
		case errors.Is(err, fleet.ErrUnknown) || ctx.Err() != nil:
			o.refused, unsure = false, true
		default:
			o.refused = !unsure
		}
		return o.accepted
	})
	for o.accepted && r.IntN(5) == 0 { // the same again
		c.try(0, func(ctx context.Context, f *fleet.Fleet) bool {
			receipt, err := f.Send(ctx, o.key, ev, opts...)
			c.notef("client %d: %v again: %+v, %v", c.id, o, receipt, err)
			if err == nil && (!receipt.Duplicate || receipt.Position != o.position && c.id != 0) {
				c.mu.Lock()
				c.ledger.wrongf("%v was given again; the answer is %+v", o, receipt)
				c.mu.Unlock()
			}
			return err == nil
		})
	}
	if o.accepted && c.id != 0 && r.IntN(5) == 0 { // another event with the same id
		c.try(0, func(ctx context.Context, f *fleet.Fleet) bool {
			receipt, err := f.Send(ctx, o.key, scxml.Event{Name: ev.Name, Data: map[string]any{"n": -n}}, opts...)
			c.notef("client %d: %v with other data: %+v, %v", c.id, o, receipt, err)
			if err == nil {
				c.mu.Lock()
				c.ledger.wrongf("%v has the id of another event; the answer is %+v", o, receipt)
				c.mu.Unlock()
			}
			return true
		})
	}
}

// guests are sessions of one key, one after the other. Each sends messages before it is deleted.
func (c *client) guests(ctx context.Context) {
	const key = "guest"
	c.create(c.plan.names()...)
	for i := range c.plan.guests {
		c.create(key)
		var sent []*message
		for n := 1000 + 10*i; n < 1000+10*i+1+c.rand.IntN(4); n++ {
			m := &message{n: n, to: name(c.rand.IntN(c.plan.sessions))}
			sent = append(sent, m)
			c.mu.Lock()
			c.ledger.messages = append(c.ledger.messages, m)
			c.mu.Unlock()
			c.try(0, func(ctx context.Context, f *fleet.Fleet) bool {
				_, err := f.Do(ctx, key, scxml.Event{Name: "tell", Data: map[string]any{"n": n, "to": m.to}})
				c.notef("the guest tells %s %d: %v", m.to, n, err)
				m.sent = err == nil
				return m.sent
			})
		}
		c.sleep(ctx, time.Duration(c.rand.ExpFloat64()*float64(time.Second)))
		deleted := false // perhaps
		c.try(1, func(ctx context.Context, f *fleet.Fleet) bool {
			state, err := f.Get(ctx, key)
			if err == nil {
				for _, m := range sent {
					m.passedOn = len(state.Tasks) == 0 && !deleted
				}
				deleted = true
				err = f.Delete(ctx, key)
			}
			c.notef("the guest goes: %+v, %v", state.Tasks, err)
			return err == nil || errors.Is(err, fleet.ErrNotFound)
		})
	}
}

// try calls a process, and after a failure another one as long as the client has patience.
func (c *client) try(patience float64, call func(context.Context, *fleet.Fleet) bool) {
	for {
		c.sleep(context.Background(), time.Duration(c.rand.Int64N(int64(time.Millisecond))))
		living := c.living()
		if len(living) == 0 {
			c.sleep(context.Background(), 100*time.Millisecond)
			continue
		}
		h := living[c.rand.IntN(len(living))]
		most := time.Hour
		if c.rand.IntN(5) == 0 {
			most = time.Duration(c.rand.Int64N(int64(time.Second)))
		}
		ctx, cancel := context.WithTimeout(h.ctx, most)
		done := call(ctx, h.fleet)
		cancel()
		if done || c.rand.Float64() >= patience {
			return
		}
		c.sleep(context.Background(), time.Duration(c.rand.Int64N(int64(time.Second))))
	}
}
