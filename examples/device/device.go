package main

import (
	"context"
	"embed"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

//go:embed device.scxml
var files embed.FS

var chart = scxml.MustLoad(files, "device.scxml")

// Readings are what the sensors say.
type readings struct {
	Temperature float64 `json:"temperature"` // °C
	Water       int     `json:"water"`       // ml
	Tray        bool    `json:"tray"`
}

// Hardware is the machine without its brain.
type hardware interface {
	sense() readings
	heater(on bool)
	pump(on bool)
	show(display)
}

// A display is what the machine shows.
type display struct {
	State       string
	Temperature float64
	Cups        int
	Lit         []string // buttons
}

var buttons = []string{"power", "brew"}

// A controller is the brain of a machine. It belongs to one goroutine.
type controller struct {
	session *scxml.Session
	hw      hardware
}

// newController starts a controller at the given time.
func newController(ctx context.Context, now time.Time, hw hardware, opts ...scxml.Option) (*controller, error) {
	s, err := scxml.New(chart, append(opts, scxml.WithClock(func() time.Time { return now }))...)
	if err != nil {
		return nil, err
	}
	s.OnState("heating", hw.heater)
	s.OnState("brewing", hw.pump)
	return &controller{s, hw}, s.Start(ctx)
}

// poll reads the sensors. Call it often: timers are late by one poll at most.
func (c *controller) poll(ctx context.Context, now time.Time) error {
	return c.do(ctx, now, scxml.Event{Name: "sense", Data: c.hw.sense()})
}

// press presses a button.
func (c *controller) press(ctx context.Context, now time.Time, button string) error {
	return c.do(ctx, now, scxml.Event{Name: "press." + button})
}

func (c *controller) do(ctx context.Context, now time.Time, ev scxml.Event) error {
	if _, err := c.session.Do(ctx, now, ev); err != nil {
		return err
	}
	d, err := scxml.Data[display](c.session)
	if err != nil {
		return err
	}
	for _, state := range []string{"off", "standby", "fault", "idle", "brewing", "paused"} {
		if c.session.In(state) {
			d.State = state
		}
	}
	for _, button := range buttons {
		trial, err := c.session.Try(ctx, scxml.Event{Name: "press." + button})
		if err != nil {
			return err
		}
		if trial.Handled {
			d.Lit = append(d.Lit, button)
		}
	}
	c.hw.show(d)
	return nil
}

// loop runs the controller until ctx is done and returns the cause. Its goroutine owns the session.
func (c *controller) loop(ctx context.Context, pressed <-chan string, every time.Duration) error {
	polls := time.NewTicker(every)
	defer polls.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case button := <-pressed:
			err = c.press(ctx, time.Now(), button)
		case <-polls.C:
			err = c.poll(ctx, time.Now())
		}
		if err != nil {
			return err
		}
	}
}
