package compare_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

func solver(t testing.TB, name string) compare.Solver {
	t.Helper()
	for _, s := range compare.Solvers() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("%q is not a solver", name)
	return compare.Solver{}
}

// watch replays at most limit steps of a solver, and checks that they follow
// from each other. It returns the grid at the end, and whether it is Solved.
func watch(t *testing.T, s compare.Solver, g sudoku.Grid, limit int) (grid sudoku.Grid, solved bool) {
	t.Helper()
	given, depth, n := g.Empty(), 0, 0
	var filled []compare.Cell
	for step := range s.Steps(&g) {
		if solved {
			t.Errorf("%s: continues after Solved: %+v", s.Name, step)
		}
		cell := step.Variable
		switch step.Kind {
		case csp.Assign:
			if g[cell.Row][cell.Col] != 0 {
				t.Fatalf("%s: step %d fills in a cell that is not empty: %+v", s.Name, n, step)
			}
			g[cell.Row][cell.Col] = step.Value
			filled = append(filled, cell)
		case csp.Backtrack:
			if last := len(filled) - 1; filled[last] != cell || g[cell.Row][cell.Col] != step.Value {
				t.Fatalf("%s: step %d takes back what was not the last: %+v", s.Name, n, step)
			}
			g[cell.Row][cell.Col] = 0
			filled = filled[:len(filled)-1]
		case csp.Prune:
			if g[cell.Row][cell.Col] != 0 {
				t.Fatalf("%s: step %d prunes what is filled in: %+v", s.Name, n, step)
			}
		case csp.Solved:
			solved = true
		}
		if depth = len(filled); step.Depth != depth || given-depth != g.Empty() {
			t.Fatalf("%s: step %d: got depth %d, want %d", s.Name, n, step.Depth, depth)
		}
		if n++; n == limit {
			break
		}
	}
	if n < limit && !solved && depth != 0 && s.Name != "scan" {
		t.Errorf("%s: ends with %d cells filled in", s.Name, depth)
	}
	return g, solved
}

func TestSolversAgree(t *testing.T) {
	const limit = 20_000
	var fast sudoku.Solver
	for _, s := range compare.Solvers() {
		t.Run(s.Name, func(t *testing.T) {
			solvedAll := 0
			for _, p := range sudoku.Puzzles() {
				want, _ := fast.First(&p.Grid)
				grid, solved := watch(t, s, p.Grid, limit)
				if solved && grid != want {
					t.Errorf("%s: got %s, want %s", p.Name, grid.String(), want.String())
				}
				if s.Name == "scan" && solved != (p.Grid.Scan() == want) {
					t.Errorf("%s: solved: %v, and Grid.Scan says otherwise", p.Name, solved)
				}
				if solved {
					solvedAll++
				}
				r, err := s.Solve(t.Context(), &p.Grid, limit)
				if err != nil || r.Solved != solved || r.Solution != grid || r.Time <= 0 || r.GaveUp && r.Assigned+r.Pruned+r.Backtracks != limit {
					t.Errorf("%s: got %+v, %v", p.Name, r, err)
				}
				if !r.Solved && !r.GaveUp && s.Name != "scan" {
					t.Errorf("%s: neither solved nor given up", p.Name)
				}
			}
			if want := 8; solvedAll < want {
				t.Errorf("solved %d puzzles, want at least %d", solvedAll, want)
			}
		})
	}
}

func TestPuzzlesWithoutSolution(t *testing.T) {
	for name, g := range map[string]sudoku.Grid{
		"a cell without candidate": {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {9}},
		"after a guess or two":     {{1, 2, 3, 4, 5, 6, 0, 0, 0}, 3: {6: 7, 7: 8}, 6: {6: 8, 7: 7}},
	} {
		for _, s := range compare.Solvers() {
			_, solved := watch(t, s, g, 50_000)
			if solved {
				t.Errorf("%s: %s finds a solution", name, s.Name)
			}
		}
	}
	for name, g := range map[string]sudoku.Grid{
		"two equal givens": {{1, 1}},
		"no digit":         {{10}},
		"below 0":          {{-1}},
	} {
		for _, s := range compare.Solvers() {
			for step := range s.Steps(&g) {
				t.Errorf("%s: %s makes a step: %+v", name, s.Name, step)
			}
		}
	}
}

func TestStepsEndWithTheLoop(t *testing.T) {
	for _, s := range compare.Solvers() {
		g := sudoku.Puzzles()[22].Grid
		for stop := 1; stop < 300; stop += 7 {
			watch(t, s, g, stop) // panics if the search continues
		}
	}
}

func TestSolveCanBeCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	long := sudoku.Puzzles()[17].Grid // more than a million steps row by row
	if r, err := solver(t, "csp").Solve(ctx, &long, 0); err != cause || r.Solved {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := compare.Run(ctx, []sudoku.Grid{long}, 0, nil); err != cause {
		t.Errorf("Run: got %v", err)
	}
}

func TestTable(t *testing.T) {
	var grids []sudoku.Grid
	for _, p := range sudoku.Puzzles()[:12] {
		grids = append(grids, p.Grid)
	}
	done := 0
	table, err := compare.Run(t.Context(), grids, 100_000, func(n int) {
		if done++; n != done {
			t.Errorf("progress: got %d, want %d", n, done)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]int{}
	text := table.String()
	for i, row := range table {
		if row.Solver.Name != compare.Solvers()[i].Name || row.Puzzles != 12 || row.Time <= 0 {
			t.Errorf("got %+v", row)
		}
		if row.Solver.Name != "scan" && row.Solved+row.GaveUp != 12 {
			t.Errorf("%s: solved %d, gave up %d", row.Solver.Name, row.Solved, row.GaveUp)
		}
		nodes[row.Solver.Name] = row.Assigned
		if !strings.Contains(text, "\n"+row.Solver.Name+" ") {
			t.Errorf("%s is not in the table:\n%s", row.Solver.Name, text)
		}
	}
	if done != len(table)*12 || strings.Count(text, "\n") != len(table)+1 {
		t.Errorf("progress to %d, and\n%s", done, text)
	}
	// What each method is for.
	for _, fewer := range [][2]string{{"csp+ac3", "csp"}, {"csp+ac3+fc", "csp+ac3"}, {"csp+ac3+fc+mrv", "csp+ac3+fc"}, {"bitboard", "csp+ac3+fc+mrv"}} {
		if nodes[fewer[0]] >= nodes[fewer[1]] {
			t.Errorf("%s does not take fewer nodes than %s:\n%s", fewer[0], fewer[1], text)
		}
	}
	if got := compare.Table(nil).String(); strings.Count(got, "\n") != 1 {
		t.Errorf("a table without rows: %q", got)
	}
}

func TestSolversAreExplained(t *testing.T) {
	var names []string
	for _, s := range compare.Solvers() {
		if !strings.HasSuffix(s.Explanation, ".") {
			t.Errorf("%s: %q", s.Name, s.Explanation)
		}
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(compare.Solvers()) {
		t.Errorf("two solvers have the same name: %v", names)
	}
}

func BenchmarkSolvers(b *testing.B) {
	g := sudoku.Puzzles()[8].Grid
	for _, s := range compare.Solvers() {
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			nodes := 0
			for b.Loop() {
				r, err := s.Solve(b.Context(), &g, 0)
				if err != nil {
					b.Fatal(err)
				}
				nodes = r.Assigned
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}

func ExampleSolver_Steps() {
	puzzle := sudoku.Puzzles()[1].Grid
	fmt.Println(puzzle.String())
	scan := compare.Solvers()[0]
	for step := range scan.Steps(&puzzle) {
		fmt.Println(step.Kind, step.Variable, step.Value)
		if step.Depth == 4 {
			break
		}
	}
	// Output:
	// 789.1.652.34.681971652974833928.67154187359266571.934882697453197135.86.543.8.279
	// assign {0 3} 4
	// assign {0 5} 3
	// assign {1 0} 2
	// assign {1 3} 5
}
