package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// The compiled chart and its interpreted twin do the same.
func TestTwin(t *testing.T) {
	chart, err := scxml.Load(os.DirFS("."), "character.scxml")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	visited := map[State]bool{}
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := New(Hooks{})
		s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return now }))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := m.Start(now); err != nil {
			t.Fatal(err)
		}
		var events []string
		for range 500 {
			points := float64(rng.IntN(50))
			all := []struct {
				ev     scxml.Event
				handle func() bool
			}{
				{scxml.Event{Name: "see"}, m.See},
				{scxml.Event{Name: "lose"}, m.Lose},
				{scxml.Event{Name: "hit", Data: map[string]any{"points": points}}, func() bool { return m.Hit(Hit{Points: points}) }},
				{scxml.Event{Name: "heal"}, m.Heal},
				{scxml.Event{Name: "frame"}, m.Frame},
			}
			chosen := all[min(rng.IntN(40), len(all)-1)]
			events = append(events, chosen.ev.Name)
			handled := chosen.handle()
			effect, err := s.Do(t.Context(), now, chosen.ev)
			if err != nil {
				t.Fatal(err)
			}
			data, err := scxml.Data[Data](s)
			if err != nil {
				t.Fatal(err)
			}
			var active []string
			for _, state := range m.Configuration() {
				visited[state] = true
				active = append(active, state.String())
			}
			got, want := fmt.Sprint(handled, active, m.Data()), fmt.Sprint(effect.Handled, s.Configuration(), data)
			if got != want {
				t.Fatalf("after %v:\ncompiled    %s\ninterpreted %s", events, got, want)
			}
		}
	}
	for s := Alive; s <= Dead; s++ {
		if !visited[s] {
			t.Errorf("the test never came to %v", s)
		}
	}
}

func TestFrameAllocatesNothing(t *testing.T) {
	c, err := newCrowd(1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, c.frame); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
}

func BenchmarkFrame(b *testing.B) {
	c, err := newCrowd(5000, 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.frame()
	}
	b.ReportMetric(float64(unsafe.Sizeof(Machine{})), "B/character")
}
