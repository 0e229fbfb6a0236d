package generate_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

func BenchmarkGenerate(b *testing.B) {
	for _, o := range []generate.Options{{Method: "minimal"}, {Method: "minimal", Symmetry: "rotate180"}, {Method: "scan"}, {Method: "scan", Level: 5}, {Method: "plain"}, {Method: "missing"}, {Method: "missing", Missing: 64}} {
		g, err := generate.New(o)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(o.Method, func(b *testing.B) {
			b.ReportAllocs()
			clues := 0
			for n := uint64(0); b.Loop(); n++ {
				p, err := g.Puzzle(b.Context(), n)
				if err != nil {
					b.Fatal(err)
				}
				clues += 81 - p.Grid.Empty()
			}
			b.ReportMetric(float64(clues)/float64(b.N), "givens/puzzle")
		})
	}
}

func TestMinimal(t *testing.T) {
	var s sudoku.Solver
	g, err := generate.New(generate.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(20) {
		p, err := g.Puzzle(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if solution, n := s.Solve(&p.Grid); n != 1 || solution != p.Solution || !p.Unique {
			t.Errorf("%s: got %d solutions", p.Grid.String(), n)
		}
		for cell := range 81 {
			without := p.Grid
			without[cell/9][cell%9] = 0
			if _, n := s.Solve(&without); p.Grid != without && n != 2 {
				t.Errorf("%s: cell %d can be spared", p.Grid.String(), cell)
			}
		}
	}
}
