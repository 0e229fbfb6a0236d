package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

func TestCoffee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		if err := run(t.Context(), &out, 100); err != nil {
			t.Fatal(err)
		}
		want := `00:00  heater: true
00:00  idle, 0 cups, lit: [power]
00:36  heater: false
00:36  idle, 0 cups, lit: [power brew]
00:36  pump: true
00:36  brewing, 0 cups, lit: [power brew]
01:01  pump: false
01:01  idle, 1 cups, lit: [power brew]
`
		if out.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
		}
	})
}

// A bench is a hot machine in a test, on a virtual clock.
type bench struct {
	*simulation
	t *testing.T
	c *controller
}

func newBench(t *testing.T) *bench {
	b := &bench{&simulation{out: t.Output(), now: scxmltest.Epoch, temperature: 95, water: 800}, t, nil}
	c, err := newController(t.Context(), b.now, b)
	if err != nil {
		t.Fatal(err)
	}
	b.c = c
	b.press("power")
	b.wait(0)
	return b
}

func (b *bench) press(button string) {
	b.t.Helper()
	if err := b.c.press(b.t.Context(), b.now, button); err != nil {
		b.t.Fatal(err)
	}
}

// wait lets time pass, with a poll at its end.
func (b *bench) wait(d time.Duration) {
	b.t.Helper()
	b.pass(d)
	if err := b.c.poll(b.t.Context(), b.now); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) is(state string, lit ...string) {
	b.t.Helper()
	if b.shown.State != state || !slices.Equal(b.shown.Lit, lit) {
		b.t.Errorf("%s, lit %v, want %s, %v", b.shown.State, b.shown.Lit, state, lit)
	}
}

// A brew that is interrupted continues where it was.
func TestTrayOut(t *testing.T) {
	b := newBench(t)
	b.press("brew")
	b.wait(4 * time.Second)
	b.noTray = true
	b.wait(time.Second)
	b.is("paused", "power", "brew")
	if b.pumps {
		t.Error("the pump is on without a tray")
	}
	b.noTray = false
	b.wait(time.Minute)
	if !b.c.session.In("pouring") || !b.pumps {
		t.Errorf("in %v, pump %v", b.c.session.Configuration(), b.pumps)
	}
}

func TestBrewNeedsWater(t *testing.T) {
	b := newBench(t)
	b.water = 10
	b.wait(time.Second)
	b.is("idle", "power")
	b.press("brew")
	b.is("idle", "power")
}

// Timers between two polls have their own times: a poll that comes late does not
// make a coffee longer than another.
func TestLatePoll(t *testing.T) {
	b := newBench(t)
	b.press("brew")
	b.wait(time.Hour)
	if b.shown.Cups != 1 {
		t.Errorf("%d cups, want 1", b.shown.Cups)
	}
	b.is("standby", "power", "brew")
}

func TestFaultStopsEverything(t *testing.T) {
	b := newBench(t)
	b.press("brew")
	b.temperature = 130
	b.wait(time.Second)
	b.is("fault", "power")
	if b.heats || b.pumps {
		t.Errorf("heater %v, pump %v in a fault", b.heats, b.pumps)
	}
	b.press("power")
	b.is("off", "power")
}

// The loop is alone with the session: others only send on its channel.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		sim := &simulation{out: t.Output(), now: time.Now(), temperature: 95, water: 800}
		c, err := newController(ctx, time.Now(), sim)
		if err != nil {
			t.Fatal(err)
		}
		pressed, ended := make(chan string), make(chan error)
		go func() { ended <- c.loop(ctx, pressed, 100*time.Millisecond) }()
		pressed <- "power"
		time.Sleep(time.Second)
		pressed <- "brew"
		time.Sleep(time.Minute)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) || sim.shown.Cups != 1 {
			t.Errorf("%d cups, %v, want 1", sim.shown.Cups, err)
		}
	})
}
