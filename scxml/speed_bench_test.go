package scxml_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// The benchmarks measure what users wait for: events, new sessions, documents to load. TestSpeed,
// in speed_test.go, makes a table of them.

// now is the time of all benchmarks; they measure no clock.
var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var atNow = scxml.WithClock(func() time.Time { return now })

// A driver is a host with its own event loop.
type driver struct {
	*scxml.Session
	tb  testing.TB
	ctx context.Context
}

// driven starts a session.
func driven(tb testing.TB, chart *scxml.Chart, opts ...scxml.Option) driver {
	tb.Helper()
	s := newSession(tb, chart, append(opts, atNow)...)
	if err := s.Start(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return driver{s, tb, tb.Context()}
}

// process sends an event and has it processed.
func (d driver) process(ev scxml.Event) (more bool) {
	err := d.Send(ev)
	if err == nil {
		more, err = d.Step(d.ctx, now)
	}
	if err != nil {
		d.tb.Fatal(err)
	}
	return more
}

// eventOp returns a function that processes the next of the chart's events.
func (c speedChart) eventOp(tb testing.TB) func() {
	d, next := driven(tb, compiled(tb, c.name, render(c.name, c.root))), 0
	return func() {
		err := d.Send(scxml.Event{Name: c.events[next]})
		if err == nil {
			_, err = d.Step(d.ctx, now)
		}
		if err != nil {
			tb.Fatal(err)
		}
		if next++; next == len(c.events) {
			next = 0
		}
	}
}

// wayOp returns a function that gives a session the next of the chart's events, or asks it about it.
func (c speedChart) wayOp(tb testing.TB, way string) func() {
	if way == "Step" {
		return c.eventOp(tb)
	}
	d, next, effect := driven(tb, compiled(tb, c.name, render(c.name, c.root))), 0, new(scxml.Effect)
	return func() {
		ev, err := scxml.Event{Name: c.events[next]}, error(nil)
		switch way {
		case "Do":
			*effect, err = d.Do(d.ctx, now, ev)
		case "DoInto":
			err = d.DoInto(d.ctx, now, ev, effect)
		case "idle":
			_, err = d.Do(d.ctx, now, scxml.Event{})
		case "Try":
			_, err = d.Try(d.ctx, ev)
		case "Enabled":
			d.Enabled()
		}
		if err != nil {
			tb.Fatal(err)
		}
		if next++; next == len(c.events) {
			next = 0
		}
	}
}

// loopOp does the same with the hand-written loop.
func (c speedChart) loopOp() func() {
	l, next := newLoopTables(c.root).start(), 0
	var events []int32
	for _, e := range c.events {
		events = append(events, l.number(e))
	}
	return func() {
		l.step(events[next])
		if next++; next == len(events) {
			next = 0
		}
	}
}

// guardsOp returns a function that processes an event with data.
func guardsOp(tb testing.TB) func() {
	d := driven(tb, compiled(tb, "guards", []byte(guardsDocument)))
	n := int64(0)
	return func() {
		n = (n + 1) % 100
		d.process(scxml.Event{Name: "tick", Data: datamodel.NewObject("n", n)})
	}
}

// sudokuOp returns a function that taps the cells of the Sudoku one after the other, except those
// of the first row, and receives the board that the chart sends. After a thousand taps it starts a
// new game.
func sudokuOp(tb testing.TB) func() {
	chart, err := scxml.Load(os.DirFS("testdata/speed"), "sudoku.scxml")
	if err != nil {
		tb.Fatal(err)
	}
	puzzle := [9][9]int{{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	d := driven(tb, chart, scxml.WithData("initState", puzzle))
	heard, taps := 0, 0
	d.OnSend("updateGUI", func(ev scxml.Event) {
		if _, ok := ev.Data.(*datamodel.Object).Get("currentState"); ok {
			heard++
		}
	})
	play := func(ev scxml.Event) {
		before := heard
		// The chart also sends the board to itself, hence a second step.
		for more := d.process(ev); more; {
			if more, err = d.Step(d.ctx, now); err != nil {
				tb.Fatal(err)
			}
		}
		if heard == before {
			tb.Fatalf("no board after %s", ev.Name)
		}
	}
	return func() {
		if taps%1000 == 0 {
			if taps > 0 {
				play(scxml.Event{Name: "stop"})
			}
			play(scxml.Event{Name: "start"})
		}
		cell := int64(taps % 72)
		taps++
		play(scxml.Event{Name: "tap", Data: datamodel.NewObject("x", 1+cell/9, "y", cell%9)})
	}
}

// sessionOp returns a function that creates and starts a session.
func sessionOp(tb testing.TB, chart *scxml.Chart) func() {
	ctx := tb.Context()
	return func() {
		s, err := scxml.New(chart)
		if err == nil {
			err = s.Start(ctx)
		}
		if err != nil {
			tb.Fatal(err)
		}
		latest = s
	}
}

// latest keeps results from being optimised away.
var latest any

// loadOp returns a function that loads a document.
func loadOp(tb testing.TB, source []byte) func() {
	return func() { latest = compiled(tb, "load", source) }
}

// loadDocument is one of n states, as they are when an editor writes them.
func loadDocument(n int) []byte { return render("Load", ringChart(n, 2)) }

func BenchmarkEvent(b *testing.B) {
	for _, c := range speedCharts() {
		b.Run(c.name, func(b *testing.B) { run(b, c.eventOp(b)) })
	}
	b.Run("guards", func(b *testing.B) { run(b, guardsOp(b)) })
	b.Run("sudoku", func(b *testing.B) { run(b, sudokuOp(b)) })
}

// BenchmarkLoop is the hand-written loop on the charts of BenchmarkEvent.
func BenchmarkLoop(b *testing.B) {
	for _, c := range speedCharts() {
		b.Run(c.name, func(b *testing.B) { run(b, c.loopOp()) })
	}
	b.Run("guards", func(b *testing.B) { run(b, guardsByHand(b)) })
	b.Run("sudoku", func(b *testing.B) { run(b, sudokuByHand(b)) })
	b.Run("session", func(b *testing.B) {
		tables := newLoopTables(pingChart())
		run(b, func() { latest = tables.start() })
	})
}

func BenchmarkSession(b *testing.B) {
	b.Run("ping", func(b *testing.B) { run(b, sessionOp(b, compiled(b, "ping", render("ping", pingChart())))) })
	b.Run("guards", func(b *testing.B) { run(b, sessionOp(b, compiled(b, "guards", []byte(guardsDocument)))) })
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		source := loadDocument(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			run(b, loadOp(b, source))
		})
	}
}

func run(b *testing.B, op func()) {
	op()
	b.ReportAllocs()
	for b.Loop() {
		op()
	}
}
