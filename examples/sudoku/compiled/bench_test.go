package compiled

import (
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// BenchmarkTap is a tap of a host that knows only the six events, as BenchmarkTap of package charts, in both
// forms of the chart.
func BenchmarkTap(b *testing.B) {
	puzzle := make([]any, 9)
	for i := range puzzle {
		puzzle[i] = make([]any, 9)
		for j := range 9 {
			digit := 0
			if i == 0 {
				digit = j + 1
			}
			puzzle[i].([]any)[j] = digit
		}
	}
	cell := func(i int) (x, y int) { return 1 + i%72/9, i % 9 }
	b.Run("interpreted", func(b *testing.B) {
		chart, err := scxml.Load(charts.FS, "sudoku.scxml")
		if err != nil {
			b.Fatal(err)
		}
		clock := scxml.WithClock(func() time.Time { return time.Time{} })
		session, err := scxml.New(chart, clock, scxml.WithMissing(), scxml.WithData("initState", puzzle))
		if err != nil {
			b.Fatal(err)
		}
		updates := 0
		session.OnSend("updateGUI", func(scxml.Event) { updates++ })
		send := func(name string, data any) {
			if err := session.Send(scxml.Event{Name: name, Data: data}); err != nil {
				b.Fatal(err)
			}
			if err := session.Advance(b.Context(), time.Time{}); err != nil {
				b.Fatal(err)
			}
		}
		if err := session.Start(b.Context()); err != nil {
			b.Fatal(err)
		}
		var taps []map[string]any
		for i := range 72 {
			x, y := cell(i)
			taps = append(taps, map[string]any{"x": x, "y": y})
		}
		tapping(b, &updates, func() { send("start", nil) }, func() { send("stop", nil) }, func(i int) { send("tap", taps[i%72]) })
	})
	b.Run("compiled", func(b *testing.B) {
		updates := 0
		m := New(Hooks{UpdateGUI: func(UpdateGUI) { updates++ }})
		if err := m.Start(time.Time{}); err != nil {
			b.Fatal(err)
		}
		if _, err := m.Setup(map[string]any{"initState": puzzle}); err != nil {
			b.Fatal(err)
		}
		tapping(b, &updates, func() { m.SendStart() }, func() { m.SendStop() }, func(i int) {
			x, y := cell(i)
			m.Tap(Tap{X: float64(x), Y: float64(y)})
		})
	})
}

// tapping taps, and begins anew before there are many moves.
func tapping(b *testing.B, updates *int, start, stop func(), tap func(i int)) {
	start()
	b.ReportAllocs()
	before, i := *updates, 0
	for b.Loop() {
		tap(i)
		if i++; i%720 == 0 {
			stop()
			start()
		}
	}
	if *updates-before < i {
		b.Fatalf("%d updates of %d taps", *updates-before, i)
	}
}
