package charts_test

import (
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// BenchmarkTap is a tap of a host that knows only the six events.
func BenchmarkTap(b *testing.B) {
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		b.Fatal(err)
	}
	clock := scxml.WithClock(func() time.Time { return time.Time{} })
	game, err := scxml.New(chart, clock, scxml.WithMissing(), scxml.WithData("initState", grid{{1, 2, 3, 4, 5, 6, 7, 8, 9}}))
	if err != nil {
		b.Fatal(err)
	}
	game.OnSend("updateGUI", func(scxml.Event) {})
	send := func(name string, data any) {
		if err := game.Send(scxml.Event{Name: name, Data: data}); err != nil {
			b.Fatal(err)
		}
		if err := game.Advance(b.Context(), time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
	if err := game.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	send("start", nil)
	var taps []m
	for i := range 72 {
		taps = append(taps, m{"x": 1 + i/9, "y": i % 9})
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		send("tap", taps[i%72])
		if i++; i%720 == 0 {
			send("stop", nil)
			send("start", nil)
		}
	}
}
