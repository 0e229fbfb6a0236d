package scxml_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestTimersKeepTheirOrder: after some delayed events were dropped, the others come by due time,
// and events with equal times in the order in which they were sent.
func TestTimersKeepTheirOrder(t *testing.T) {
	const sends = `<foreach array="delays" item="d" index="i">
			<if cond="i % 3 == 0"><send id="x" eventexpr="'t.' + i" delayexpr="d + 's'"/>
			<else/><send eventexpr="'t.' + i" delayexpr="d + 's'"/></if>
		</foreach>`
	delays, script := make([]int, 60), "["
	for i := range delays {
		delays[i] = 5 + i*17%13
		script += fmt.Sprint(delays[i], ",")
	}
	data := `<datamodel><data id="d"/><data id="i"/><data id="delays" expr="` + strings.TrimSuffix(script, ",") + `]"/></datamodel>`
	chart := parse(t, data+`<state>
			<state id="a">
				<invoke><content><scxml version="1.0">`+data+`<state><onentry>`+sends+`</onentry></state></scxml></content></invoke>
				<onentry>`+sends+`</onentry>
				<transition event="leave" target="b"/>
			</state>
			<state id="b"/>
			<transition event="cancel"><cancel sendid="x"/></transition>
		</state>`)
	restored := func(policy scxml.TimerPolicy) func(*testing.T, *scxml.Session) *scxml.Session {
		return func(t *testing.T, s *scxml.Session) *scxml.Session {
			data, err := s.Suspend()
			if err != nil {
				t.Fatal(err)
			}
			return restore(t, s.Chart(), data, scxml.WithTimers(policy), scxml.WithClock(func() time.Time { return s.Now().Add(time.Hour) }))
		}
	}
	event := func(name string) func(*testing.T, *scxml.Session) *scxml.Session {
		return func(t *testing.T, s *scxml.Session) *scxml.Session {
			if err := s.Send(scxml.Event{Name: name}); err != nil {
				t.Fatal(err)
			}
			advance(t, s, s.Now())
			return s
		}
	}
	does := map[string]func(*testing.T, *scxml.Session) *scxml.Session{
		"leave": event("leave"), "cancel": event("cancel"),
		"keep due": restored(scxml.KeepDue), "keep remaining": restored(scxml.KeepRemaining), "start anew": restored(scxml.StartAnew),
		"wait": func(t *testing.T, s *scxml.Session) *scxml.Session {
			advance(t, s, s.Now().Add(8*time.Second))
			return s
		},
	}
	for _, what := range []string{
		"leave", "cancel", "leave, cancel", "wait, leave, cancel", "cancel, wait, leave",
		"leave, keep due", "leave, keep due, cancel", "wait, leave, keep remaining, cancel", "wait, cancel, start anew, leave",
	} {
		t.Run(what, func(t *testing.T) {
			s := newSession(t, chart, scxml.WithClock(func() time.Time { return time.Unix(0, 0) }))
			var got, want []string
			for i := range delays {
				want = append(want, fmt.Sprint("t.", i))
			}
			delay := func(name string) (n int) {
				fmt.Sscanf(name, "t.%d", &n)
				return delays[n]
			}
			slices.SortStableFunc(want, func(a, b string) int { return delay(a) - delay(b) })
			if err := s.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			advance(t, s, s.Now())
			note := func(ev scxml.Event) { got = append(got, ev.Name) }
			s.OnEvent("t", note)
			for _, step := range strings.Split(what, ", ") {
				if step == "cancel" {
					seen := len(got)
					want = slices.Concat(want[:seen], slices.DeleteFunc(slices.Clone(want[seen:]), func(name string) bool {
						var n int
						fmt.Sscanf(name, "t.%d", &n)
						return n%3 == 0
					}))
				}
				if next := does[step](t, s); next != s {
					s = next
					s.OnEvent("t", note)
				}
			}
			advance(t, s, s.Now().Add(time.Hour))
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// Reschedule sees the delayed events in the order in which they were sent. Those that it makes due at
// the same time come in that order, and the others at their times; each can still be cancelled.
func TestReschedule(t *testing.T) {
	s, clock := start(t, `<state id="a"><onentry>
			<send event="t.1" delay="4s"/><send event="t.2" delay="3s"/><send event="t.3" delay="2s" id="x"/><send event="t.4" delay="1s"/><send event="t.5" delay="5s" id="x"/>
		</onentry><transition event="cancel"><cancel sendid="x"/></transition></state>`)
	var seen, got []string
	s.OnEvent("t", func(ev scxml.Event) { got = append(got, ev.Name) })
	began, last := s.Now(), uint64(0)
	scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
		if d.Seq <= last {
			t.Errorf("%s has the number %d after %d", d.Message.Event.Name, d.Seq, last)
		}
		last = d.Seq
		seen = append(seen, fmt.Sprint(d.Message.Event.Name, d.Due.Sub(began)))
		return began.Add(map[string]time.Duration{"t.1": 1, "t.2": 0, "t.3": 1, "t.4": 1, "t.5": 2}[d.Message.Event.Name] * time.Minute)
	})
	if want := []string{"t.14s", "t.23s", "t.32s", "t.41s", "t.55s"}; !slices.Equal(seen, want) {
		t.Errorf("seen %v, want %v", seen, want)
	}
	for _, wait := range []time.Duration{0, time.Minute - 1, 1} {
		if err := clock.Advance(t.Context(), s, wait); err != nil {
			t.Fatal(err)
		}
		got = append(got, "|")
	}
	send(t, s, clock, "cancel", nil)
	if want := []string{"t.2", "|", "|", "t.1", "t.3", "t.4", "|"}; !slices.Equal(got, want) || len(scxml.ForTools(s).Delayed()) != 0 {
		t.Errorf("got %v, want %v; %v is left", got, want, scxml.ForTools(s).Delayed())
	}
}

// Reschedule drops the delayed events for which it is given the zero time, and no others.
func TestRescheduleDrops(t *testing.T) {
	s, clock := start(t, `<state id="a"><onentry>
			<send event="t.1" delay="1s"/><send event="t.2" delay="2s" id="x"/><send event="t.3" delay="3s" id="x"/>
		</onentry></state>`)
	var got []string
	s.OnEvent("t", func(ev scxml.Event) { got = append(got, ev.Name) })
	scxml.ForServer(s).Reschedule(func(d scxml.Delayed) time.Time {
		if d.Message.Event.Name == "t.2" {
			return time.Time{}
		}
		return d.Due
	})
	if err := clock.Advance(t.Context(), s, 2*time.Second); err != nil {
		t.Fatal(err)
	}
	if want := []string{"t.1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := s.Cancel("x"); n != 1 {
		t.Errorf("%d events were left to cancel, want 1", n)
	}
}

// A session that has ended has nothing left to cancel.
func TestCancelAfterTheEnd(t *testing.T) {
	s, clock := start(t, `<state id="a"><onentry><send event="e" id="x" delay="1s"/></onentry><transition event="go" target="b"/></state><final id="b"/>`)
	send(t, s, clock, "go", nil)
	if n := s.Cancel("x"); n != 0 {
		t.Errorf("%d events were cancelled", n)
	}
}

// A delayed event knows the Event I/O Processor it is for across a save.
func TestDelayedSendOfProcessorAcrossSave(t *testing.T) {
	var got []string
	processor := scxml.WithIOProcessor("urn:own", echo{func(m scxml.Message) { got = append(got, m.Type+" "+m.Target+" "+m.Event.Name) }})
	s, clock := start(t, `<state id="a"><onentry><send event="late" type="urn:own" target="there" delay="1s"/></onentry></state>`, processor)
	s = restore(t, s.Chart(), snapshot(t, s, processor), processor, scxml.WithClock(clock.Now))
	if err := clock.Advance(t.Context(), s, time.Second); err != nil {
		t.Fatal(err)
	}
	if want := []string{"urn:own there late"}; !slices.Equal(got, want) {
		t.Errorf("the processor got %q, want %q", got, want)
	}
}
