package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, 100); err != nil {
		log.Fatal(err)
	}
}

// run makes a coffee in a simulated machine. The clock of the machine runs faster than the real one
// by the given factor.
func run(ctx context.Context, out io.Writer, factor int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	now := time.Date(2026, 1, 5, 7, 0, 0, 0, time.UTC)
	sim := &simulation{out: out, now: now, temperature: 20, water: 800}
	c, err := newController(ctx, now, sim)
	if err != nil {
		return err
	}
	polls := time.NewTicker(100 * time.Millisecond / time.Duration(factor))
	defer polls.Stop()
	if err := c.press(ctx, now, "power"); err != nil {
		return err
	}
	for sim.shown.Cups == 0 {
		if sim.now.Sub(now) > 5*time.Minute {
			return errors.New("there is no coffee after five minutes")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-polls.C:
		}
		sim.pass(100 * time.Millisecond)
		if err := c.poll(ctx, sim.now); err != nil {
			return err
		}
		if sim.shown.Cups == 0 && sim.shown.State == "idle" && slices.Contains(sim.shown.Lit, "brew") {
			if err := c.press(ctx, sim.now, "brew"); err != nil {
				return err
			}
		}
	}
	return nil
}

// A simulation is a machine that warms up by 2 °C a second and pumps 2 ml in the same time. It
// writes what it does.
type simulation struct {
	out         io.Writer
	now         time.Time
	temperature float64
	water       float64
	noTray      bool

	heats, pumps bool
	shown        display
}

func (s *simulation) pass(d time.Duration) {
	s.now = s.now.Add(d)
	if s.heats {
		s.temperature += 2 * d.Seconds()
	}
	if s.pumps {
		s.water -= 2 * d.Seconds()
	}
}

func (s *simulation) sense() readings { return readings{s.temperature, int(s.water), !s.noTray} }
func (s *simulation) heater(on bool)  { s.heats = on; s.tell("heater", on) }
func (s *simulation) pump(on bool)    { s.pumps = on; s.tell("pump", on) }

func (s *simulation) tell(what string, on bool) {
	fmt.Fprintf(s.out, "%s  %s: %v\n", s.now.Format("04:05"), what, on)
}

func (s *simulation) show(d display) {
	if s.shown.State != d.State || !slices.Equal(s.shown.Lit, d.Lit) {
		fmt.Fprintf(s.out, "%s  %s, %d cups, lit: %v\n", s.now.Format("04:05"), d.State, d.Cups, d.Lit)
	}
	s.shown = d
}
