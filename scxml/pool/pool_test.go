package pool_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/pool"
)

func parse(inside string) *scxml.Chart {
	return scxml.MustParse("test.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+inside+`</scxml>`))
}

// An alarm clock can be set, also while it is set, and be told to end. It tells when it rings.
var alarm = parse(`<state id="s">
	<transition event="set"><cancel sendid="ring"/><send event="ring" id="ring" delayexpr="_event.data + 'ms'"/></transition>
	<transition event="ring"><log/></transition>
	<transition event="end" target="end"/>
	</state><final id="end"/>`)

// A life is what a literal model says of an alarm clock.
type life struct {
	session *scxml.Session
	due     time.Time
	rings   []time.Time
	ended   bool
	ends    int // that the pool tells of
}

// rest lets time pass.
func (l *life) rest(now time.Time) {
	if !l.ended && !l.due.IsZero() && !l.due.After(now) {
		l.rings = append(l.rings, l.due)
		l.due = time.Time{}
	}
}

// TestAgainstModel: whatever happens to the sessions of a pool, each delayed event is processed once, and
// at its time; no session is driven twice at once; each end is told once. The pool is ended in between, and
// its sessions continue in another one.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { compare(t, seed) }) })
	}
}

func compare(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	var mu sync.Mutex
	rings, ends := map[string][]time.Time{}, map[string]int{}
	var driven sync.Map // sessions, by their ids
	trace := scxml.WithTrace(&scxml.Trace{
		Event: func(s *scxml.Session, ev *scxml.Event) {
			if _, twice := driven.LoadOrStore(s.ID(), true); twice {
				t.Errorf("%s is driven twice at once", s.ID())
			}
			runtime.Gosched()
			if ev.Name == "ring" {
				mu.Lock()
				defer mu.Unlock()
				rings[s.ID()] = append(rings[s.ID()], s.Now())
			}
		},
		Step: func(s *scxml.Session, _ error) { driven.Delete(s.ID()) },
	})
	var p *pool.Pool
	end := func() {}
	begin := func() {
		p = pool.New(pool.Config{Workers: 1 + rnd.IntN(3), Ended: func(s *scxml.Session, err error) {
			if s.FinalState() != "" && err != nil || s.FinalState() == "" && !errors.Is(err, scxml.ErrStopped) {
				t.Errorf("%s has ended with %v", s.ID(), err)
			}
			mu.Lock()
			defer mu.Unlock()
			ends[s.ID()]++
		}})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		end = func() { cancel(); running.Wait() }
	}
	begin()
	model := map[string]*life{}
	restore := func(l *life, saved []byte) {
		var err error
		if l.session, err = p.Restore(t.Context(), alarm, saved, trace); err != nil {
			t.Fatal(err)
		}
	}
	for range 150 {
		ids := slices.Sorted(maps.Keys(model))
		what := rnd.IntN(20)
		if len(ids) == 0 {
			what = 0
		}
		var l *life
		if what > 2 {
			l = model[ids[rnd.IntN(len(ids))]]
		}
		send := func(ev scxml.Event) {
			if err := l.session.Send(ev); l.ended != errors.Is(err, scxml.ErrEnded) {
				t.Errorf("Send: %v", err)
			}
		}
		switch what {
		case 0, 1, 2:
			id := fmt.Sprint("s", len(model))
			s, err := p.Add(t.Context(), alarm, scxml.WithSessionID(id), trace)
			if err != nil {
				t.Fatal(err)
			}
			model[id] = &life{session: s}
		case 3, 4:
			if what == 3 {
				l.session.Stop()
			} else {
				send(scxml.Event{Name: "end"})
			}
			if !l.ended {
				l.ended, l.ends = true, l.ends+1
			}
		case 5: // one session
			var saved []byte
			var err error
			callErr := l.session.Call(t.Context(), func(s *scxml.Session) { saved, err = s.Suspend() })
			if l.ended {
				if !errors.Is(callErr, scxml.ErrEnded) {
					t.Error(callErr)
				}
				break
			}
			if err := errors.Join(callErr, err); err != nil {
				t.Fatal(err)
			}
			l.ends++
			restore(l, saved)
		case 6: // all
			end()
			saved := map[string][]byte{}
			for _, s := range p.Sessions() {
				var err error
				if saved[s.ID()], err = s.Suspend(); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
			begin()
			for id, l := range model {
				if (saved[id] == nil) != l.ended {
					t.Fatalf("%s: ended %v, saved %v", id, l.ended, saved[id] != nil)
				}
				l.rest(time.Now())
				if !l.ended {
					restore(l, saved[id])
				}
			}
		default:
			ms := 1 + rnd.IntN(400)
			send(scxml.Event{Name: "set", Data: ms})
			l.due = time.Now().Add(time.Duration(ms) * time.Millisecond)
		}
		synctest.Wait()
		if rnd.IntN(2) == 0 {
			time.Sleep(time.Duration(rnd.IntN(200)) * time.Millisecond)
			synctest.Wait()
			for _, l := range model {
				l.rest(time.Now())
			}
		}
	}
	end()
	for id, l := range model {
		if !slices.EqualFunc(rings[id], l.rings, time.Time.Equal) {
			t.Errorf("%s rang at %v, want %v", id, rings[id], l.rings)
		}
		if ends[id] != l.ends {
			t.Errorf("%s: %d ends were told of, want %d", id, ends[id], l.ends)
		}
	}
	total := 0
	for _, r := range rings {
		total += len(r)
	}
	if total == 0 {
		t.Error("nothing has rung")
	}
}

// start runs a pool while f runs.
func start(t *testing.T, cfg pool.Config, f func(t *testing.T, p *pool.Pool)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := pool.New(cfg)
		var running sync.WaitGroup
		running.Go(func() { p.Run(ctx) })
		f(t, p)
		synctest.Wait()
		cancel()
		running.Wait()
	})
}

func add(t *testing.T, p *pool.Pool, chart *scxml.Chart, opts ...scxml.Option) *scxml.Session {
	t.Helper()
	s, err := p.Add(t.Context(), chart, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// in calls f on the owner of a session.
func in(t *testing.T, s *scxml.Session, f func(*scxml.Session)) {
	t.Helper()
	if err := s.Call(t.Context(), f); err != nil {
		t.Error(err)
	}
}

// TestEventHappensNow: the delay of what an event starts counts from the event, not from what the session
// did before it.
func TestEventHappensNow(t *testing.T) {
	start(t, pool.Config{}, func(t *testing.T, p *pool.Pool) {
		s := add(t, p, parse(`<state id="a"><transition event="go" target="b"/></state>
			<state id="b"><onentry><send event="late" delay="5s"/></onentry><transition event="late" target="c"/></state><state id="c"/>`))
		time.Sleep(10 * time.Second)
		s.Send(scxml.Event{Name: "go"})
		for _, want := range []string{"b", "c"} {
			synctest.Wait()
			in(t, s, func(s *scxml.Session) {
				if !s.In(want) {
					t.Errorf("in %v, want %s", s.Configuration(), want)
				}
			})
			time.Sleep(6 * time.Second)
		}
	})
}

// TestOrder: what is due is processed in the order of its times, at these times, when the worker is late.
func TestOrder(t *testing.T) {
	start(t, pool.Config{Workers: 1}, func(t *testing.T, p *pool.Pool) {
		began := time.Now()
		var got []time.Duration
		chart := parse(`<datamodel><data id="delay"/></datamodel><state id="a"><onentry><send event="ring" delayexpr="delay"/></onentry><transition event="ring"><log/></transition></state>`)
		trace := scxml.WithTrace(&scxml.Trace{Event: func(s *scxml.Session, _ *scxml.Event) { got = append(got, s.Now().Sub(began)) }})
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(100) {
			add(t, p, chart, scxml.WithData("delay", fmt.Sprint(i+1, "ms")), trace)
		}
		slow := add(t, p, alarm)
		in(t, slow, func(*scxml.Session) { time.Sleep(time.Second) })
		time.Sleep(time.Second)
		synctest.Wait()
		if len(got) != 100 || !slices.IsSorted(got) || got[99] != 100*time.Millisecond {
			t.Errorf("got %v", got)
		}
	})
}

// TestGivesWay: a session that is never at rest does not keep others from their turn, nor the pool from its
// end.
func TestGivesWay(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := pool.New(pool.Config{Workers: 1})
	var running sync.WaitGroup
	running.Go(func() { p.Run(ctx) })
	restless := add(t, p, parse(`<state id="a"><onentry><send event="again"/></onentry><transition event="again" target="a"/></state>`))
	quick := add(t, p, alarm)
	for range 10 {
		in(t, quick, func(*scxml.Session) {})
	}
	cancel()
	running.Wait()
	if _, err := restless.Suspend(); err != nil {
		t.Error(err)
	}
}

// TestFailures: a session that fails leaves the pool, and so does one that another goroutine drives. The
// others continue.
func TestFailures(t *testing.T) {
	var ended []error
	start(t, pool.Config{Workers: 1, Ended: func(_ *scxml.Session, err error) { ended = append(ended, err) }}, func(t *testing.T, p *pool.Pool) {
		chart := parse(`<state id="a"><transition event="go" target="b"/></state><state id="b"><transition target="b"/></state>`)
		add(t, p, chart).Send(scxml.Event{Name: "go"})
		good := add(t, p, alarm)
		synctest.Wait()
		in(t, good, func(*scxml.Session) {})
		var limit *scxml.LimitError
		if len(ended) != 1 || !errors.As(ended[0], &limit) {
			t.Errorf("got %v, want a LimitError", ended)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go good.Run(ctx)
		synctest.Wait()
		good.Send(scxml.Event{Name: "set", Data: 1})
		synctest.Wait()
		cancel()
	})
}

// TestEndsAtStart: a session that ends as it starts is told of as any other.
func TestEndsAtStart(t *testing.T) {
	var ended []string
	start(t, pool.Config{Workers: 1, Ended: func(s *scxml.Session, err error) { ended = append(ended, fmt.Sprint(s.FinalState(), err)) }},
		func(t *testing.T, p *pool.Pool) {
			add(t, p, parse(`<final id="end"/>`))
			if _, err := p.Add(t.Context(), alarm, scxml.WithData("x", 1)); err == nil {
				t.Error("data that the chart does not have: no error")
			}
			synctest.Wait()
			if got := fmt.Sprint(ended); got != "[end<nil>]" || len(p.Sessions()) != 0 {
				t.Errorf("got %s and %d sessions", got, len(p.Sessions()))
			}
		})
}

// TestRunTwice: a pool runs once at a time, and again after that.
func TestRunTwice(t *testing.T) {
	p := pool.New(pool.Config{})
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { p.Run(ctx) })
		s := add(t, p, alarm)
		in(t, s, func(*scxml.Session) {}) // so Run is at work
		if err := p.Run(t.Context()); err == nil {
			t.Error("it runs twice")
		}
		cancel()
		running.Wait()
	}
	if got := len(p.Sessions()); got != 2 {
		t.Errorf("%d sessions, want 2", got)
	}
}

// TestManyGoroutines: nothing is lost of what many goroutines add and send.
func TestManyGoroutines(t *testing.T) {
	var ended atomic.Int32
	start(t, pool.Config{Workers: 3, Ended: func(*scxml.Session, error) { ended.Add(1) }}, func(t *testing.T, p *pool.Pool) {
		var senders sync.WaitGroup
		chart := parse(`<datamodel><data id="n" expr="0"/></datamodel>
			<state id="s"><transition event="end" target="end"/><transition event="count"><assign location="n" expr="n + 1"/></transition></state><final id="end"/>`)
		for range 4 {
			senders.Go(func() {
				var sessions []*scxml.Session
				for range 20 {
					sessions = append(sessions, add(t, p, chart))
				}
				for i := range 1000 {
					if err := sessions[i%20].Send(scxml.Event{Name: "count"}); err != nil {
						t.Error(err)
					}
				}
				for _, s := range sessions[:10] {
					s.Send(scxml.Event{Name: "end"})
				}
			})
		}
		senders.Wait()
		synctest.Wait()
		left := p.Sessions()
		for _, s := range left {
			in(t, s, func(s *scxml.Session) {
				if data, err := scxml.Data[struct{ N int }](s); data.N != 50 {
					t.Errorf("%d events, %v, want 50", data.N, err)
				}
			})
		}
		if ended.Load() != 40 || len(left) != 40 {
			t.Errorf("%d sessions have ended, and %d are left", ended.Load(), len(left))
		}
	})
}
