package scxml_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestCallAtTheEnd(t *testing.T) {
	// The session ends in the macrostep that the calls wait for.
	for name, stop := range map[string]func(s *scxml.Session, cancel func()){
		"final":     func(s *scxml.Session, _ func()) { s.Send(scxml.Event{Name: "end"}) },
		"cancelled": func(_ *scxml.Session, cancel func()) { cancel() },
		"stopped":   func(s *scxml.Session, _ func()) { s.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, parse(t, `<state id="s"><transition event="end" target="f"/></state><final id="f"/>`))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var calls sync.WaitGroup
			again := func() {
				for {
					if err := s.Call(context.Background(), func(*scxml.Session) {}); err != nil {
						if !errors.Is(err, scxml.ErrEnded) {
							t.Errorf("Call: %v", err)
						}
						return
					}
				}
			}
			for range 4 {
				calls.Go(again)
			}
			time.AfterFunc(time.Millisecond, func() { stop(s, cancel) })
			s.Run(ctx)
			calls.Wait()
		})
	}
}

func TestCallIsWithdrawn(t *testing.T) {
	s, clock := start(t, lamp)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := s.Call(ctx, func(*scxml.Session) { t.Error("a call that was given up runs") })
	send(t, s, clock, "toggle", nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Call while nobody drives: %v", err)
	}
}

// TestCallInCallback: the owner would wait for itself, or for the owner of another
// session that waits for it.
func TestCallInCallback(t *testing.T) {
	s, clock := start(t, lamp)
	other, _ := start(t, lamp)
	var own, others, inside error
	s.OnEvent("*", func(scxml.Event) {
		own = s.Call(context.Background(), func(*scxml.Session) { t.Error("a refused call runs") })
		others = other.Call(context.Background(), func(*scxml.Session) { t.Error("a refused call runs") })
	})
	called := make(chan error)
	go func() {
		called <- s.Call(t.Context(), func(s *scxml.Session) {
			inside = s.Call(context.Background(), func(*scxml.Session) { t.Error("a refused call runs") })
		})
	}()
	<-s.Wake()
	send(t, s, clock, "toggle", nil)
	if err := <-called; err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{"its own session": own, "another session": others, "the session that it was called for": inside} {
		if !errors.Is(err, scxml.ErrDriven) {
			t.Errorf("Call for %s: %v, want ErrDriven", what, err)
		}
	}
}

// TestCallInTrace: Advance, Do, Run and methods that only read report, too.
func TestCallInTrace(t *testing.T) {
	var s *scxml.Session
	var refused []string
	call := func(what string) {
		if s == nil {
			return // before the start
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.Call(ctx, func(*scxml.Session) { t.Error("a refused call runs") }); errors.Is(err, scxml.ErrDriven) {
			refused = append(refused, what)
		} else {
			t.Errorf("Call in %s: %v, want ErrDriven", what, err)
		}
	}
	trace := &scxml.Trace{
		Clock:  func(*scxml.Session, time.Time) { call("Clock") },
		Arrive: func(*scxml.Session, *scxml.Event) { call("Arrive") },
		Step:   func(*scxml.Session, error) { call("Step") },
	}
	var err error
	if s, err = scxml.New(parse(t, lamp), scxml.WithTrace(trace)); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	if err := s.Advance(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), later.Add(time.Minute), scxml.Event{Name: "toggle"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(scxml.Event{Name: "toggle"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Snapshot(); err != nil { // reports what has arrived
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if want := "Clock Step Clock Clock Arrive Step Arrive Step"; strings.Join(refused, " ") != want {
		t.Errorf("Call was refused in %q, want %q", refused, want)
	}
}

func TestPanicInCall(t *testing.T) {
	s := newSession(t, parse(t, `<state id="s"/>`))
	started, release := make(chan bool), make(chan bool)
	go func() {
		defer func() { recover(); close(release) }()
		s.Run(t.Context())
	}()
	first := make(chan error)
	go func() {
		first <- s.Call(t.Context(), func(*scxml.Session) { close(started); <-release2(t); panic("first") })
	}()
	<-started
	second := make(chan error)
	go func() { second <- s.Call(t.Context(), func(*scxml.Session) {}) }()
	<-first
	<-release
	if err := s.Run(canceledSoon(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v", err)
	}
	if err := <-second; err != nil && !errors.Is(err, scxml.ErrEnded) {
		t.Errorf("the second call: %v", err)
	}
}

// release2 returns a channel that is closed after a little while.
func release2(t *testing.T) <-chan bool {
	c := make(chan bool)
	time.AfterFunc(10*time.Millisecond, func() { close(c) })
	return c
}

func canceledSoon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}
