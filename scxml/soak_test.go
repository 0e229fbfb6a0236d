package scxml_test

import (
	"context"
	"errors"
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var (
	soakEvents   = flag.Int("soak.events", 10_000, "TestSoak: number of events")
	soakSessions = flag.Int("soak.sessions", 100, "TestSoak: number of sessions")
)

// soakChart uses all that a session can leave behind: data, scripts, timers that are due and
// cancelled ones, invoked sessions, services, logs and errors.
const soakChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="last"/></datamodel>
  <script>function next(x) { return {x: x, list: [1, 2, 3].map(function (i) { return i * x })} }</script>
  <state id="a">
    <transition event="e" target="b"><assign location="n" expr="n + 1"/><assign location="last" expr="next(n)"/></transition>
  </state>
  <state id="b">
    <onentry><send event="never" id="never" delay="1h"/><send event="soon" delay="1s"/></onentry>
    <onexit><cancel sendid="never"/></onexit>
    <invoke><content><scxml version="1.0"><final><donedata><content>done</content></donedata></final></scxml></content></invoke>
    <transition event="done.invoke"><log expr="_event.data"/><raise event="inside"/></transition>
    <transition event="soon" target="c"/>
  </state>
  <parallel id="c">
    <state><invoke type="echo"><param name="n" expr="n"/></invoke></state>
    <state><onentry><assign location="missing.x" expr="1"/></onentry></state>
    <transition event="done.invoke" target="h"/>
  </parallel>
  <state id="d"><history id="h"><transition target="d1"/></history><state id="d1"><transition event="e" target="a"/></state></state>
  <transition event="name"/>
</scxml>`

// TestSoak sends events to sessions, one after the other and again and again. The memory after three
// quarters of the events, when a session has seen all of its chart, is that at the end.
func TestSoak(t *testing.T) {
	chart, err := scxml.Parse("soak.scxml", []byte(soakChart))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	echo := scxml.InvokerFunc(func(_ context.Context, inv *scxml.Invocation) (any, error) {
		if n, _ := inv.Params.Get("n"); n == 7.0 {
			return nil, errors.New("not seven")
		}
		return inv.Params, nil
	})
	sessions := make([]*scxml.Session, *soakSessions)
	for i := range sessions {
		s, err := scxml.New(chart, scxml.WithInvoker("echo", echo), scxml.WithClock(func() time.Time { return now }))
		if err == nil {
			err = s.Start(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		sessions[i] = s
	}
	inUse := func() int64 {
		runtime.GC()
		runtime.GC() // and what finalizers have released
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	early, moves := int64(0), 0
	for sent := 0; sent < *soakEvents; {
		if early == 0 && sent >= *soakEvents*3/4 {
			early = inUse()
			t.Logf("%d events to %d sessions: %d bytes a session", sent, len(sessions), early/int64(len(sessions)))
		}
		now = now.Add(2 * time.Second)
		for _, s := range sessions {
			before := s.In("a")
			if err := s.Send(scxml.Event{Name: "e", Data: sent}); err != nil {
				t.Fatal(err)
			}
			sent++
			if err := s.Advance(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			if s.In("a") != before {
				moves++
			}
		}
	}
	end := inUse()
	t.Logf("%d events, %d of which moved a session: %d bytes a session", *soakEvents, moves, end/int64(len(sessions)))
	if moves < *soakEvents/2 {
		t.Errorf("only %d events moved a session", moves)
	}
	if grown := end - early; grown > early/50+1<<20 {
		t.Errorf("the sessions hold %d bytes more than after three quarters of the events, when they held %d", grown, early)
	}
	if n := runtime.NumGoroutine(); n > 100 {
		t.Errorf("%d goroutines are left", n)
	}
	runtime.KeepAlive(sessions)
}
