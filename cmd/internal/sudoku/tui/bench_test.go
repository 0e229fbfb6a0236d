package tui

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// A stopwatchScreen tells when it was shown.
type stopwatchScreen struct {
	*screen
	shown chan time.Time
}

func (s stopwatchScreen) Show() {
	s.screen.Show()
	s.shown <- time.Now()
}

// BenchmarkKey measures the time from a key to the end of the repaint, on a screen of 80 x 24
// through the chart: digits, notes, undo, redo and moving, in turns. Every feedback means all
// switches, with hundreds of moves to undo.
func BenchmarkKey(b *testing.B) {
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		b.Fatal(err)
	}
	for _, test := range []struct {
		name string
		show []string
	}{{"default", nil}, {"every feedback", []string{"valid", "solvable", "statistics", "left", "peers", "equal"}}} {
		b.Run(test.name, func(b *testing.B) {
			sim := tcell.NewSimulationScreen("UTF-8")
			if err := sim.Init(); err != nil {
				b.Fatal(err)
			}
			defer sim.Fini()
			sim.SetSize(80, 24)
			s := stopwatchScreen{&screen{SimulationScreen: sim, colors: 256}, make(chan time.Time, 100)}
			g, err := game.New(chart, sudoku.Puzzles()[20:])
			if err != nil {
				b.Fatal(err)
			}
			settings := shelf.Defaults()
			settings.Show = test.show
			p, err := New(g, Config{Driver: drive.Config{Options: service.Options()}, Settings: &settings})
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(b.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := p.play(ctx, &terminal.Terminal{Screen: s})
				ended <- err
			}()
			<-s.shown
			press := func(key tcell.Key, r rune, mod tcell.ModMask) time.Duration {
				for len(s.shown) > 0 {
					<-s.shown
				}
				began := time.Now()
				sim.InjectKey(key, r, mod)
				return (<-s.shown).Sub(began)
			}
			keys := []struct {
				key tcell.Key
				r   rune
				mod tcell.ModMask
			}{
				{tcell.KeyTab, 0, 0}, {tcell.KeyRune, '1', 0}, {tcell.KeyTab, 0, 0}, {tcell.KeyRune, '4', tcell.ModAlt}, {tcell.KeyRune, '7', tcell.ModAlt},
				{tcell.KeyRune, 'u', 0}, {tcell.KeyCtrlY, 0, 0}, {tcell.KeyDelete, 0, 0}, {tcell.KeyDown, 0, 0}, {tcell.KeyRune, '9', 0},
			}
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				k := keys[i%len(keys)]
				times = append(times, press(k.key, k.r, k.mod))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2])/1e6, "ms-p50")
			b.ReportMetric(float64(times[len(times)*99/100])/1e6, "ms-p99")
			cancel(errors.New("enough"))
			<-ended
		})
	}
}
