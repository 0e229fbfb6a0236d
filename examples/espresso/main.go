// Espresso is an espresso machine whose chart, espresso.scxml, is compiled to Go: espresso_gen.go. The program has
// neither the chart nor the engine in it.
//
//	go run ./examples/espresso
//
// makes a coffee in a simulated machine, in no time. The same kind of machine with an interpreted chart, and
// with sensors that are polled, is in examples/device. The guide "compiled" says more about compiled charts.
//
// # How it works
//
// The events of the chart are methods of [Machine]: a button is [Machine.Cup], and a measurement is [Machine.Sense],
// with its data. What the chart sends calls the functions in [Hooks]: so the heater follows the chart, whatever
// leads out of heating. The program gives the machine the time: it asks [Machine.NextDue] when the next timer is
// due, and lets the time pass with [Machine.Advance].
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go espresso.scxml -o espresso_gen.go

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer) error {
	began := time.Date(2000, 1, 1, 7, 0, 0, 0, time.UTC)
	now := began
	say := func(what string, args ...any) {
		fmt.Fprintf(out, "%3.0f s  %s\n", now.Sub(began).Seconds(), fmt.Sprintf(what, args...))
	}
	boiler := struct {
		heats       bool
		temperature float64
	}{temperature: 20}

	m := New(Hooks{
		Heater:  func(h Heater) { boiler.heats = h.On; say("heater %s", onOff(h.On)) },
		Grinder: func(g Grinder) { say("grinder %s", onOff(g.On)) },
		Pump:    func(p Pump) { say("pump %s", onOff(p.On)) },
		Alarm:   func(a Alarm) { say("alarm: %s", a.Reason) },
	})
	if err := m.Start(now); err != nil {
		return err
	}

	// wait lets time pass: the boiler is measured each second, and timers are due at their own times.
	wait := func(seconds int) {
		for range seconds {
			next := now.Add(time.Second)
			for due, ok := m.NextDue(); ok && !due.After(next); due, ok = m.NextDue() {
				now = due
				m.Advance(now)
			}
			now = next
			m.Advance(now)
			if boiler.heats {
				boiler.temperature += 2
			} else {
				boiler.temperature -= 0.1
			}
			m.Sense(Sense{Temperature: boiler.temperature})
		}
	}
	press := func(button string, handled bool) {
		if !handled {
			say("the button %s does nothing now", button)
		}
	}

	press("power", m.Power())
	press("cup", m.Cup()) // it is cold
	m.Filled()
	wait(40)
	press("cup", m.Cup())
	wait(75)
	press("cup", m.Cup())
	wait(2)
	m.Jam()
	say("the machine is at %v after %v coffee, and has %v ml of water", m.Configuration(), m.Data().Cups, m.Data().Water)
	return nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
