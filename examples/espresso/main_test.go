package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func Example() {
	if err := run(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	//   0 s  heater on
	//   0 s  the button cup does nothing now
	//  37 s  heater off
	//  40 s  grinder on
	//  44 s  grinder off
	//  44 s  pump on
	//  69 s  pump off
	//  98 s  heater on
	// 101 s  heater off
	// 115 s  grinder on
	// 117 s  grinder off
	// 117 s  alarm: the grinder is stuck
	// 117 s  the machine is at [fault] after 1 coffee, and has 960 ml of water
}

// The compiled chart and its interpreted twin do the same.
func TestTwin(t *testing.T) {
	chart, err := scxml.Load(os.DirFS("."), "espresso.scxml")
	if err != nil {
		t.Fatal(err)
	}
	visited := map[State]bool{}
	for seed := range uint64(20) {
		p := newPair(t, chart)
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 400 {
			p.step(rng)
			for _, s := range p.compiled.Configuration() {
				visited[s] = true
			}
		}
	}
	for s := State(1); s <= Cleaning; s++ {
		if !visited[s] && s != Step { // a history is never active
			t.Errorf("the test never came to %v", s)
		}
	}
}

// A stack trace names the line of the chart.
func TestStackTrace(t *testing.T) {
	var trace []byte
	m := New(Hooks{Alarm: func(Alarm) { trace = debug.Stack() }})
	m.Start(time.Time{})
	m.Power()
	m.Jam()
	chart, err := os.ReadFile("espresso.scxml")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := bytes.Cut(chart, []byte(`<send event="alarm">`))
	if line := fmt.Sprintf("espresso.scxml:%d ", bytes.Count(before, []byte("\n"))+1); !bytes.Contains(trace, []byte(line)) {
		t.Errorf("want %sin\n%s", line, trace)
	}
}

// A pair is a machine in two forms.
type pair struct {
	*testing.T
	now         time.Time
	compiled    *Machine
	interpreted *scxml.Session
	got, want   []string // what they have sent
	events      []string // so far
}

func newPair(t *testing.T, chart *scxml.Chart) *pair {
	p := &pair{T: t, now: time.Date(2000, 1, 1, 7, 0, 0, 0, time.UTC)}
	sent := func(what string, value any) { p.got = append(p.got, fmt.Sprint(what, " ", value)) }
	p.compiled = New(Hooks{
		Heater:  func(h Heater) { sent("heater", h.On) },
		Grinder: func(g Grinder) { sent("grinder", g.On) },
		Pump:    func(p Pump) { sent("pump", p.On) },
		Alarm:   func(a Alarm) { sent("alarm", a.Reason) },
		Unused:  func() { sent("unused", "") },
		Ground:  func() { sent("ground", "") },
		Poured:  func() { sent("poured", "") },
	})
	s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return p.now }))
	if err != nil {
		t.Fatal(err)
	}
	s.OnSend("*", func(ev scxml.Event) {
		data, err := scxml.EventData[struct {
			On     *bool
			Reason string
		}](ev)
		value := any(data.Reason)
		if data.On != nil {
			value = *data.On
		}
		if err != nil {
			t.Error(err)
		}
		p.want = append(p.want, fmt.Sprint(ev.Name, " ", value))
	})
	p.interpreted = s
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.compiled.Start(p.now); err != nil {
		t.Fatal(err)
	}
	p.compare()
	return p
}

// step lets time pass, gives both the same event, and compares them.
func (p *pair) step(rng *rand.Rand) {
	p.now = p.now.Add(time.Duration(rng.IntN(15)) * time.Second)
	if rng.IntN(50) == 0 {
		p.now = p.now.Add(time.Hour)
	}
	m := p.compiled
	temperature := []float64{60, 60, 60, 89, 95, 95, 95, 95, 100, 100, 100, 121}[rng.IntN(12)]
	events := []struct {
		ev     scxml.Event
		handle func() bool
	}{
		{scxml.Event{Name: "jam"}, m.Jam},
		{scxml.Event{Name: "cancel"}, m.Cancel},
		{scxml.Event{Name: "power"}, m.Power},
		{scxml.Event{Name: "cleaned"}, m.Cleaned},
		{scxml.Event{Name: "filled"}, m.Filled},
		{scxml.Event{Name: "cup"}, m.Cup},
		{scxml.Event{Name: "sense", Data: map[string]any{"temperature": temperature}}, func() bool { return m.Sense(Sense{temperature}) }},
	}
	// Those at the end are more likely.
	chosen := events[max(rng.IntN(20), rng.IntN(20))*len(events)/20]
	m.Advance(p.now)
	handled := chosen.handle()
	effect, err := p.interpreted.Do(p.Context(), p.now, chosen.ev)
	if err != nil {
		p.Fatal(err)
	}
	p.events = append(p.events, chosen.ev.Name)
	p.compare()
	if handled != effect.Handled {
		p.Fatalf("after %v: the last was handled: %t, interpreted %t", p.events, handled, effect.Handled)
	}
}

func (p *pair) compare() {
	p.Helper()
	var active []string
	for _, s := range p.compiled.Configuration() {
		active = append(active, s.String())
	}
	data, err := scxml.Data[Data](p.interpreted)
	if err != nil {
		p.Fatal(err)
	}
	due, waits := p.compiled.NextDue()
	wantDue, wantWaits := p.interpreted.NextDue()
	got := fmt.Sprint(active, p.compiled.Data(), due, waits, p.got)
	want := fmt.Sprint(p.interpreted.Configuration(), data, wantDue, wantWaits, p.want)
	if got != want {
		p.Fatalf("after %v:\ncompiled    %s\ninterpreted %s", p.events, got, want)
	}
	p.got, p.want = nil, nil
}

// What a hook gives to the machine waits until the step is over, and so does Stop.
func TestHookCallsTheMachine(t *testing.T) {
	var m *Machine
	inside, calls := 0.0, 0
	m = New(Hooks{Heater: func(h Heater) {
		if calls++; calls > 1 {
			m.Stop()
			if !m.Running() {
				t.Error("it stops within the step")
			}
			return
		}
		if effect, err := m.Do("filled", nil); effect.Handled || err != nil {
			t.Errorf("an event is handled within the step: %t, %v", effect.Handled, err)
		}
		inside = m.Data().Water
	}})
	if err := m.Start(time.Time{}); err != nil {
		t.Fatal(err)
	}
	effect, err := m.Do("power", nil) // the heater is on
	if err != nil || !effect.Handled || len(effect.Sent) != 1 {
		t.Errorf("the effect of power is %+v, %v", effect, err)
	}
	if inside != 0 || m.Data().Water != 1000 {
		t.Errorf("within the step there are %v ml, and after it %v", inside, m.Data().Water)
	}
	m.Power() // and off
	if calls != 2 || m.Running() {
		t.Errorf("after %d calls it runs: %t", calls, m.Running())
	}
}
