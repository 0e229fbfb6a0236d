package human

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A puzzle is a proper puzzle with its solution.
type puzzle struct{ Grid, Solution sudoku.Grid }

// puzzles returns n puzzles, half of them without a given to spare, and half with at least
// 28. Package generate needs this package, so it cannot make them here.
func puzzles(t testing.TB, n int) (all []puzzle) {
	t.Helper()
	random := rand.New(rand.NewPCG(20, 0))
	var s sudoku.Solver
	for i := range n {
		p := puzzle{}
		p.Solution, _ = s.Random(&p.Grid, random)
		p.Grid = p.Solution
		for _, c := range random.Perm(81) {
			without := p.Grid
			without[c/9][c%9] = 0
			if _, solutions := s.Solve(&without); solutions == 1 && (i%2 == 0 || without.Empty() <= 53) {
				p.Grid = without
			}
		}
		all = append(all, p)
	}
	return all
}

func position(t testing.TB, g *sudoku.Grid) *Position {
	t.Helper()
	p, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// check tells what is wrong with a step for a puzzle with a solution.
func check(t *testing.T, p *Position, s *Step, solution *sudoku.Grid) {
	t.Helper()
	for _, c := range s.Place {
		if solution[c.Cell/9][c.Cell%9] != c.Digit {
			t.Errorf("%v\n%v\nplaces %v, which is not in the solution", p.LibraryLine(), s, c)
		}
	}
	for _, c := range s.Eliminate {
		if solution[c.Cell/9][c.Cell%9] == c.Digit {
			t.Errorf("%v\n%v\neliminates %v, which is in the solution", p.LibraryLine(), s, c)
		}
		if !p.Has(c.Cell, c.Digit) {
			t.Errorf("%v\n%v\neliminates %v, which is not a candidate", p.LibraryLine(), s, c)
		}
	}
	if len(s.Place)+len(s.Eliminate) == 0 {
		t.Errorf("%v\n%v has no effect", p.LibraryLine(), s)
	}
	if reason := s.Reason(); reason == "" || strings.Contains(reason, "%!") {
		t.Errorf("%v: the reason is %q", s.Technique, reason)
	}
	if s.Rating < s.Technique.Rating() {
		t.Errorf("%v: the rating %v is below that of the technique, %v", s.Technique, s.Rating, s.Technique.Rating())
	}
}

// TestEveryStepIsTrue looks at all steps of all techniques on the way to the solution.
func TestEveryStepIsTrue(t *testing.T) {
	var every []Technique
	for technique := range techniques {
		every = append(every, technique)
	}
	seen := map[Technique]int{}
	var finder Finder
	n := 12
	if testing.Short() {
		n = 2
	}
	for _, puzzle := range puzzles(t, n) {
		p := position(t, &puzzle.Grid)
		for i := 0; !p.Solved(); i++ {
			order := every
			if i%8 != 0 {
				order = nil
			}
			for _, s := range finder.Find(p, 0, order...) {
				seen[s.Technique]++
				check(t, p, &s, &puzzle.Solution)
			}
			if t.Failed() {
				return
			}
			next, ok := finder.Next(p, Order()...)
			if !ok {
				break
			}
			if err := p.Apply(&next); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("steps: %v", seen)
}
