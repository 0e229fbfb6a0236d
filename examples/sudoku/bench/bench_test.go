package bench_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/bench"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

func BenchmarkQQWing(b *testing.B) {
	c := bench.Config{QQWing: bench.FindQQWing(), Rounds: 7}
	for _, list := range []string{"kaggle", "17clue", "top1465", "hardest11", "hardest1106"} {
		source, err := os.ReadFile("../../../../shared/sudoku/" + list + ".txt")
		if err != nil {
			continue
		}
		puzzles, err := format.Puzzles(list, source)
		if err != nil {
			b.Fatal(err)
		}
		grids := make([]sudoku.Grid, len(puzzles))
		for i, p := range puzzles {
			grids[i] = p.Grid
		}
		b.Run(list, func(b *testing.B) {
			for range b.N {
				r, err := bench.Solve(b.Context(), list, grids, c)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.Ratio(), "ratio")
				b.ReportMetric(float64(r.Time), "ns/puzzle")
				b.ReportMetric(float64(r.QQWing), "ns/qqwing")
			}
		})
	}
	b.Run("generate", func(b *testing.B) {
		for range b.N {
			r, err := bench.Generate(b.Context(), c)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(r.Ratio(), "ratio")
			b.ReportMetric(float64(r.Time), "ns/puzzle")
			b.ReportMetric(float64(r.QQWing), "ns/qqwing")
		}
	})
}
