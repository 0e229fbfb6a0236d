package main

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// Every sensor that falls silent is missed once, and at its time.
func TestMeasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sessions = 500
		f, err := measure(t.Context(), sessions, 3)
		if err != nil {
			t.Fatal(err)
		}
		if f.alarms != sessions || f.late != 0 || f.memory <= 0 {
			t.Errorf("got %+v, want %d alarms that are not late", f, sessions)
		}
	})
}

// start runs a pool while f runs.
func start(t *testing.T, failed func(*member, error), f func(t *testing.T, add func(chart string) *member)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPool(2)
		var running sync.WaitGroup
		running.Go(func() { p.run(ctx, failed) })
		f(t, func(source string) *member {
			chart, err := scxml.Parse("test.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+source+`</scxml>`))
			if err != nil {
				t.Fatal(err)
			}
			m, err := p.add(ctx, chart)
			if err != nil {
				t.Fatal(err)
			}
			return m
		})
		cancel()
		running.Wait()
	})
}

// Delayed events are delivered in order, those of one session that are sent later too.
func TestPoolKeepsTime(t *testing.T) {
	start(t, nil, func(t *testing.T, add func(string) *member) {
		m := add(`<state id="a"><onentry><send event="b" delay="2s"/></onentry><transition event="b" target="b"/></state>
			<state id="b"><onentry><send event="c" delay="1s"/></onentry><transition event="c" target="c"/></state>
			<final id="c"/>`)
		time.Sleep(500 * time.Millisecond)
		for _, want := range []string{"a", "b"} {
			if err := m.Call(t.Context(), func(s *scxml.Session) {
				if !s.In(want) {
					t.Errorf("in %v, want %s", s.Configuration(), want)
				}
			}); err != nil {
				t.Error(err)
			}
			time.Sleep(2 * time.Second)
		}
		if err := m.Send(scxml.Event{Name: "b"}); !errors.Is(err, scxml.ErrEnded) {
			t.Errorf("got %v, want %v", err, scxml.ErrEnded)
		}
	})
}

// The sessions of a pool that has ended continue elsewhere.
func TestPoolEndsGracefully(t *testing.T) {
	var m *member
	start(t, nil, func(t *testing.T, add func(string) *member) {
		m = add(`<state id="a"><transition event="e" target="b"/></state><state id="b"/>`)
		m.Send(scxml.Event{Name: "e"})
		synctest.Wait()
	})
	saved, err := m.Suspend()
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.Restore(m.Chart(), saved)
	if err != nil || s.Status() != scxml.Running || !s.In("b") {
		t.Errorf("got %v, %v", s, err)
	}
	if err := m.Send(scxml.Event{Name: "e"}); !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("got %v, want %v", err, scxml.ErrEnded)
	}
}

// Many goroutines may send; nothing is lost.
func TestPoolTakesEventsFromAnywhere(t *testing.T) {
	start(t, nil, func(t *testing.T, add func(string) *member) {
		var members []*member
		for range 10 {
			members = append(members, add(`<datamodel><data id="n" expr="0"/></datamodel>
				<state id="s"><transition event="count"><assign location="n" expr="n + 1"/></transition></state>`))
		}
		var senders sync.WaitGroup
		for range 4 {
			senders.Go(func() {
				for i := range 1000 {
					if err := members[i%len(members)].Send(scxml.Event{Name: "count"}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		senders.Wait()
		synctest.Wait()
		for _, m := range members {
			err := m.Call(t.Context(), func(s *scxml.Session) {
				if data, err := scxml.Data[struct{ N int }](s); data.N != 400 {
					t.Errorf("%d events, %v, want 400", data.N, err)
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// A session that fails leaves the pool, and the others continue.
func TestPoolTellsWhatFails(t *testing.T) {
	var failures []error
	start(t, func(_ *member, err error) { failures = append(failures, err) }, func(t *testing.T, add func(string) *member) {
		bad := add(`<state id="a"><transition event="go" target="b"/></state><state id="b"><transition target="b"/></state>`)
		good := add(`<state id="a"><transition event="go" target="b"/></state><state id="b"/>`)
		bad.Send(scxml.Event{Name: "go"})
		good.Send(scxml.Event{Name: "go"})
		synctest.Wait()
		err := good.Call(t.Context(), func(s *scxml.Session) {
			if !s.In("b") {
				t.Errorf("in %v, want b", s.Configuration())
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	var limit *scxml.LimitError
	if len(failures) != 1 || !errors.As(failures[0], &limit) {
		t.Errorf("got %v, want a LimitError", failures)
	}
}

// A pool ends with its context, also when something is due.
func TestPoolEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		chart, err := scxml.Parse("test.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
			<state id="a"><onentry><send event="b" delay="1s"/></onentry></state></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		p := newPool(1)
		for range 3 {
			if _, err := p.add(ctx, chart, scxml.WithTrace(&scxml.Trace{Timer: func(*scxml.Session, scxml.Message) { cancel() }})); err != nil {
				t.Fatal(err)
			}
		}
		p.run(ctx, func(_ *member, err error) { t.Error(err) })
	})
}
