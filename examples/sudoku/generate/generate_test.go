package generate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

func generator(t testing.TB, o generate.Options) *generate.Generator {
	t.Helper()
	g, err := generate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// puzzles returns the first n puzzles after checking what is true of all puzzles.
func puzzles(t *testing.T, o generate.Options, n uint64) []generate.Puzzle {
	t.Helper()
	g := generator(t, o)
	var s sudoku.Solver
	seen := map[sudoku.Grid]bool{}
	all := make([]generate.Puzzle, n)
	for i := range n {
		p, err := g.Puzzle(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		if p.Solution.Empty() != 0 || !p.Solution.Valid() {
			t.Errorf("puzzle %d: %s is not a solution", i, p.Solution.String())
		}
		for row := range 9 {
			for col, digit := range p.Grid[row] {
				if digit != 0 && digit != p.Solution[row][col] {
					t.Errorf("puzzle %d: row %d, column %d of %s is not that of the solution %s", i, row+1, col+1, p.Grid.String(), p.Solution.String())
				}
			}
		}
		if _, solutions := s.Solve(&p.Grid); p.Unique != (solutions == 1) {
			t.Errorf("puzzle %d: got %d solutions, and unique is %v", i, solutions, p.Unique)
		}
		if seen[p.Solution] {
			t.Errorf("puzzle %d is the same as an earlier one", i)
		}
		seen[p.Solution] = true
		all[i] = p
	}
	return all
}

// images has for each symmetry the image of a cell.
var images = map[string]func(row, col int) (int, int){
	"none":         func(row, col int) (int, int) { return row, col },
	"rotate180":    func(row, col int) (int, int) { return 8 - row, 8 - col },
	"rotate90":     func(row, col int) (int, int) { return 8 - col, row },
	"mirror":       func(row, col int) (int, int) { return row, 8 - col },
	"flip":         func(row, col int) (int, int) { return 8 - row, col },
	"diagonal":     func(row, col int) (int, int) { return col, row },
	"antidiagonal": func(row, col int) (int, int) { return 8 - col, 8 - row },
}

// hasSymmetry reports whether the pattern of givens has a symmetry.
func hasSymmetry(g *sudoku.Grid, name string) bool {
	for row := range 9 {
		for col := range 9 {
			r, c := images[name](row, col)
			if (g[row][col] == 0) != (g[r][c] == 0) {
				return false
			}
		}
	}
	return true
}

func TestMinimal(t *testing.T) {
	for _, symmetry := range generate.Symmetries() {
		if symmetry.Name == "random" {
			continue
		}
		t.Run(symmetry.Name, func(t *testing.T) {
			for _, p := range puzzles(t, generate.Options{Symmetry: symmetry.Name, Seed: 3}, 30) {
				checkMinimal(t, &p, symmetry.Name)
			}
		})
	}
}

// checkMinimal checks that a puzzle has one solution and a symmetry, and needs each group
// of its givens.
func checkMinimal(t *testing.T, p *generate.Puzzle, symmetry string) {
	t.Helper()
	if !p.Unique {
		t.Errorf("%s has more than one solution", p.Grid.String())
	}
	if !hasSymmetry(&p.Grid, symmetry) {
		t.Errorf("%s does not have the symmetry %s", p.Grid.String(), symmetry)
	}
	var s sudoku.Solver
	for cell := range 81 {
		without := p.Grid
		row, col := cell/9, cell%9
		for range 4 {
			without[row][col] = 0
			row, col = images[symmetry](row, col)
		}
		if _, n := s.Solve(&without); without != p.Grid && n != 2 {
			t.Errorf("%s does not need row %d, column %d", p.Grid.String(), cell/9+1, cell%9+1)
		}
	}
}

func TestMinimalWithRandomSymmetry(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range puzzles(t, generate.Options{Symmetry: "random"}, 50) {
		found := false
		for name := range images {
			if name != "none" && hasSymmetry(&p.Grid, name) {
				seen[name], found = true, true
			}
		}
		if !found {
			t.Errorf("%s does not have a symmetry", p.Grid.String())
		}
	}
	if len(seen) != len(images)-1 {
		t.Errorf("got only these symmetries: %v", seen)
	}
}

func TestScanSolvesScanPuzzles(t *testing.T) {
	for rounds := 1; rounds <= 5; rounds++ {
		for i, p := range puzzles(t, generate.Options{Method: "scan", Rounds: rounds}, 30) {
			if scanned := p.Grid.Scan(); scanned != p.Solution || !p.Unique {
				t.Errorf("%d rounds, puzzle %d: scanning %s ends with %s", rounds, i, p.Grid.String(), scanned.String())
			}
		}
	}
}

// One round puts nearly all cells back in one of twenty puzzles.
func TestScanThrowsAwayPuzzlesWithManyGivens(t *testing.T) {
	for i, p := range puzzles(t, generate.Options{Method: "scan"}, 200) {
		if n := 81 - p.Grid.Empty(); n > 50 {
			t.Errorf("puzzle %d has %d givens: want at most 50", i, n)
		}
	}
}

func TestPlainReveals28(t *testing.T) {
	several := 0
	for i, p := range puzzles(t, generate.Options{Method: "plain"}, 50) {
		if n := 81 - p.Grid.Empty(); n != 28 {
			t.Errorf("puzzle %d: got %d givens", i, n)
		}
		if !p.Unique {
			several++
		}
	}
	if several == 0 {
		t.Error("no puzzle has several solutions, which is very unlikely")
	}
}

func TestMissing(t *testing.T) {
	for _, test := range []struct {
		missing, want int
		unique        bool
	}{{0, 40, true}, {1, 1, true}, {53, 53, true}, {65, 65, false}, {81, 81, false}} {
		for i, p := range puzzles(t, generate.Options{Method: "missing", Missing: test.missing}, 30) {
			if n := p.Grid.Empty(); n != test.want || p.Unique != test.unique {
				t.Errorf("missing %d, puzzle %d: got %d empty cells, unique: %v", test.missing, i, n, p.Unique)
			}
		}
	}
}

// A seed and a number give the same puzzle on every machine.
func TestPuzzlesOfASeed(t *testing.T) {
	for _, test := range []struct {
		options generate.Options
		want    string
	}{
		{generate.Options{Seed: 1}, "......4..8.......9....95.7.6.37.4.....835.....9.6...1.7.6..3.815............4.32."},
		{generate.Options{Seed: 2}, ".....1....93.84....2...5.8......7.4....8..179.4.12.3....5.7..36....3.7..2........"},
		{generate.Options{Seed: 1, Symmetry: "rotate180"}, "..983......7.6.2...6...5.78........5.78...64.4........74.9...8...2.7.9......463.."},
		{generate.Options{Seed: 1, Symmetry: "random"}, ".1..3..5.8.7.....9...2.5.7...37.48..1.......2..56.27...4.9.3...5.....9.4.8..4..2."},
		{generate.Options{Seed: 1, Method: "scan", Rounds: 3}, "..8..17......8..92..2.548..5...7.9.121..9.6..9...63....3..47...4.9...27....6..1.."},
		{generate.Options{Seed: 1, Method: "plain"}, "...84.3..43.....5....63..4...1.5.4..6......8.82.....91...1...2.....846.99..52..3."},
		{generate.Options{Seed: 1, Method: "missing"}, "..9...4..8..4...39364.9517.6.37.4...1783596...9..8.7.374..2...15.217...498.5..3.."},
	} {
		g := generator(t, test.options)
		p, err := g.Puzzle(t.Context(), 7)
		if err != nil {
			t.Fatal(err)
		}
		if p.Grid.String() != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.options, p.Grid.String(), test.want)
		}
		other, err := g.Puzzle(t.Context(), 8)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := g.Puzzle(t.Context(), 7); err != nil || again != p || other == p {
			t.Errorf("%+v: got %s, and then %s, %v", test.options, p.Grid.String(), again.Grid.String(), err)
		}
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, method := range generate.Methods() {
		g := generator(t, generate.Options{Method: method.Name})
		if p, err := g.Puzzle(ctx, 0); err != cause || p != (generate.Puzzle{}) {
			t.Errorf("%s: got %s, %v", method.Name, p.Grid.String(), err)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for want, o := range map[string]generate.Options{
		`"Scan" is not a method: want minimal, level, scan, plain or missing`:                                   {Method: "Scan"},
		`"x" is not a symmetry: want none, rotate180, rotate90, mirror, flip, diagonal, antidiagonal or random`: {Symmetry: "x"},
		`6 is not a level: want 1 to 5`:                                      {Level: 6},
		`-1 is not a level: want 1 to 5`:                                     {Level: -1},
		`the method "scan" does not rate its puzzles: want level or minimal`: {Method: "scan", Level: 2},
		`cannot make a puzzle that needs Trial: only ratings use it`:         {Needs: human.Trial},
		`6 is not a number of rounds: want 1 to 5`:                           {Method: "scan", Rounds: 6},
		`-1 is not a number of tries: want at least 1`:                       {Level: 2, Tries: -1},
		`cannot leave out 82 cells: want 1 to 81`:                            {Missing: 82},
		`cannot leave out -1 cells: want 1 to 81`:                            {Missing: -1},
	} {
		if g, err := generate.New(o); g != nil || err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestChoicesAreExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range append(generate.Methods(), generate.Symmetries()...) {
		if c.Name == "" || seen[c.Name] || !strings.HasSuffix(c.Explanation, ".") || seen[c.Explanation] {
			t.Errorf("%+v", c)
		}
		seen[c.Name], seen[c.Explanation] = true, true
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, bench := range []struct {
		name    string
		options generate.Options
	}{
		{"minimal", generate.Options{}},
		{"minimal-rotate180", generate.Options{Symmetry: "rotate180"}},
		{"level-1", generate.Options{Level: 1}},
		{"level-2", generate.Options{Level: 2}},
		{"level-3", generate.Options{Level: 3}},
		{"level-4", generate.Options{Level: 4}},
		{"level-5", generate.Options{Level: 5}},
		{"level-3-rotate90", generate.Options{Level: 3, Symmetry: "rotate90"}},
		{"needs-x-wing", generate.Options{Needs: human.XWing}},
		{"needs-xy-chain", generate.Options{Needs: human.XYChain}},
		{"scan-1", generate.Options{Method: "scan", Rounds: 1}},
		{"scan-5", generate.Options{Method: "scan", Rounds: 5}},
		{"plain", generate.Options{Method: "plain"}},
		{"missing-40", generate.Options{Method: "missing"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			g := generator(b, bench.options)
			givens := 0
			b.ReportAllocs()
			for n := uint64(0); b.Loop(); n++ {
				p, err := g.Puzzle(b.Context(), n)
				if err != nil {
					b.Fatal(err)
				}
				givens += 81 - p.Grid.Empty()
			}
			b.ReportMetric(float64(givens)/float64(b.N), "givens/puzzle")
		})
	}
}

func Example() {
	g, err := generate.New(generate.Options{Symmetry: "rotate180", Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.Puzzle(context.Background(), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Grid.String())
	fmt.Println(p.Solution.String())
	// Output:
	// ..7.31........6.39.....2..441......5.73...86.5......422..4.....78.6........89.2..
	// 647931528825746139391582674412368795973254861568179342256413987789625413134897256
}

func Example_level() {
	g, err := generate.New(generate.Options{Level: rate.Medium, Symmetry: "rotate180", Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.Puzzle(context.Background(), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Grid.String())
	fmt.Println(p.Rating.ER, p.Rating.Level())
	// Output:
	// .....5.1.....7.63..2...9587..61....4....8....8....62..1485...2..39.6.....5.7.....
	// 2.6 medium
}

// For this puzzle a search that started with an empty grid did not end.
func TestFillDoesNotGetLost(t *testing.T) {
	g, err := generate.New(generate.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Puzzle(t.Context(), 21821)
	if err != nil || len(p.Grid.Solutions(2)) != 1 {
		t.Errorf("got %v, %v", p, err)
	}
}
