package game_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A viewer makes the view when the game says so.
type viewer struct {
	*game.Game
	view  game.View
	views int
}

func (v *viewer) Tell(r *record.Record) {
	if v.Game.Tell(r) {
		v.view = v.Game.View()
		v.views++
	}
}

func (v *viewer) Failed() error { return nil }

// BenchmarkKey is from a key to the view that it leads to: an input, the chart, and the view.
func BenchmarkKey(b *testing.B) { benchmarkKeys(b, nil) }

// BenchmarkCompiledKey is BenchmarkKey with the compiled chart.
func BenchmarkCompiledKey(b *testing.B) { benchmarkKeys(b, compiled.NewDriver) }

func benchmarkKeys(b *testing.B, use func(drive.Config) (game.Driver, error)) {
	const everything = game.ShowValid | game.ShowSolvable | game.ShowStatistics | game.ShowLeft | game.ShowPeers | game.ShowEqual
	for _, test := range []struct {
		name string
		show game.Show
		key  func(i int) game.Input
	}{
		{"move", everything, func(int) game.Input { return game.Move{Rows: 1} }},
		{"digit", 0, func(i int) game.Input { return game.Put(i%9 + 1) }},
		{"digit, all shown", everything, func(i int) game.Input { return game.Put(i%9 + 1) }},
		{"note", everything, func(i int) game.Input { return game.Mark{Of: game.Notes, Digit: i%9 + 1} }},
		{"undo", everything, func(i int) game.Input { return [...]game.Input{game.Put(i%9 + 1), game.Undo{}}[i%2] }},
	} {
		b.Run(test.name, func(b *testing.B) {
			chart, err := scxml.Load(charts.FS, "sudoku.scxml")
			if err != nil {
				b.Fatal(err)
			}
			g, err := game.New(chart, sudoku.Puzzles()[10:11])
			if err != nil {
				b.Fatal(err)
			}
			if use != nil {
				g.Use(use)
			}
			front := &viewer{Game: g}
			d, err := g.Driver(drive.Config{Front: front})
			if err != nil {
				b.Fatal(err)
			}
			inputs := make(chan drive.Input)
			do := func(in game.Input) {
				inputs <- func(s drive.Session) error { return g.Do(s, in) }
			}
			go func() {
				defer close(inputs)
				cells, _ := missing(sudoku.Puzzles()[10])
				do(game.SetClock(true))
				do(game.Switch(test.show ^ (game.ShowValid | game.ShowPeers | game.ShowEqual)))
				do(game.Toggle{})
				do(game.Candidates{All: true})
				do(game.Select{Row: cells[0][0], Col: cells[0][1]})
				i := 0
				for b.Loop() {
					do(test.key(i))
					if i++; i%200 == 0 { // a game does not have more moves
						do(game.Restart{})
					}
				}
				do(game.SetClock(false)) // otherwise the session would not end
			}()
			b.ReportAllocs()
			if _, err := d.Run(b.Context(), inputs); err != nil {
				b.Fatal(err)
			}
			if front.views < b.N || front.view.State != game.Playing {
				b.Errorf("%d views of %d keys, %v", front.views, b.N, front.view.Message)
			}
		})
	}
}
