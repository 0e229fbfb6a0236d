package human

import (
	"errors"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

func TestResumeKnowsGivensFromEntries(t *testing.T) {
	puzzle := puzzles(t, 2)[0]
	board := puzzle.Grid
	var entry Cell = -1
	for c := range Cell(81) {
		if board[c/9][c%9] == 0 {
			board[c/9][c%9], entry = puzzle.Solution[c/9][c%9], c
			break
		}
	}
	p, err := Resume(&puzzle.Grid, &board)
	if err != nil {
		t.Fatal(err)
	}
	if p.Given(entry) || p.Digit(entry) == 0 {
		t.Errorf("%v has %d, given: %v; want an entry", entry, p.Digit(entry), p.Given(entry))
	}
	for c := range Cell(81) {
		if puzzle.Grid[c/9][c%9] != 0 && !p.Given(c) {
			t.Errorf("%v is not a given", c)
		}
	}
	if g := p.Grid(); g != board {
		t.Errorf("the position has the board %v, want %v", &g, &board)
	}
	board[entry/9][entry%9] = 0
	for c := range peers[entry].All() { // a digit that the entry sees
		if d := puzzle.Grid[c/9][c%9]; d != 0 {
			board[entry/9][entry%9] = d
		}
	}
	if _, err := Resume(&puzzle.Grid, &board); err == nil || !strings.Contains(err.Error(), entry.String()) {
		t.Errorf("an entry that contradicts a given: got error %v, want one that names %v", err, entry)
	}
}

func TestWrongTellsTheEntriesThatAreNotInTheSolution(t *testing.T) {
	puzzle := puzzles(t, 2)[1]
	board := puzzle.Solution
	if p, err := Resume(&puzzle.Grid, &board); err != nil {
		t.Error(err)
	} else if wrong, err := p.Wrong(); err != nil || !wrong.Empty() {
		t.Errorf("the solution: got %v, %v", wrong, err)
	}
	p := position(t, &puzzle.Grid)
	c := p.empty.first()
	other := (p.cells[c] &^ (1 << puzzle.Solution[c/9][c%9])).first()
	entered := *p
	entered.Place(c, other)
	if wrong, err := entered.Wrong(); err != nil || !wrong.Has(c) {
		t.Errorf("one wrong entry: got %v, %v, want %v", wrong, err, c)
	}
	if wrong, err := p.Wrong(); err != nil || !wrong.Empty() {
		t.Errorf("the position at the start: got %v, %v", wrong, err)
	}
	p.Eliminate(c, puzzle.Solution[c/9][c%9])
	if wrong, err := p.Wrong(); err != nil || wrong != Cells(c) {
		t.Errorf("a candidate of the solution is gone: got %v, %v, want %v", wrong, err, c)
	}
	if _, err := position(t, &sudoku.Grid{}).Wrong(); !errors.Is(err, ErrNotUnique) {
		t.Errorf("the empty puzzle: got %v, want %v", err, ErrNotUnique)
	}
}

func TestApplyRefusesAStepThatDoesNotFit(t *testing.T) {
	puzzle := puzzles(t, 2)[0]
	p := position(t, &puzzle.Grid)
	step, ok := new(Finder).Next(p, Order()...)
	if !ok {
		t.Fatal("there is no step")
	}
	if err := p.Apply(&step); err != nil {
		t.Fatal(err)
	}
	before := *p
	if err := p.Apply(&step); err == nil || *p != before {
		t.Errorf("the step was done twice: %v", err)
	}
}

func TestBackdoorsLetSinglesDoTheRest(t *testing.T) {
	puzzle := puzzles(t, 2)[0]
	var f Finder
	p := position(t, &puzzle.Grid)
	singles := []Technique{FullHouse, HiddenSingle, NakedSingle}
	if _, solved := f.Solve(p, singles...); solved {
		t.Fatal("singles solve the puzzle without a backdoor")
	}
	found, err := f.Backdoors(p, 2, singles...)
	if err != nil || len(found) == 0 {
		t.Fatalf("got %v, %v", found, err)
	}
	size := len(found[0])
	for _, set := range found {
		q := *p
		for _, c := range set {
			if puzzle.Solution[c.Cell/9][c.Cell%9] != c.Digit || !q.Place(c.Cell, c.Digit) {
				t.Errorf("%v is not in the solution", c)
			}
		}
		if _, solved := f.Solve(&q, singles...); !solved || len(set) != size {
			t.Errorf("%v is not a backdoor of %d digits", set, size)
		}
	}
	if found, err := f.Backdoors(p, 0, Order()...); err != nil || len(found) != 1 || len(found[0]) != 0 {
		t.Errorf("with all techniques no digit is needed: got %v, %v", found, err)
	}
}

func TestEveryProperPuzzleIsSolved(t *testing.T) {
	var f Finder
	n := 40
	if testing.Short() {
		n = 4
	}
	for _, puzzle := range puzzles(t, n) {
		p := position(t, &puzzle.Grid)
		path, solved := f.Solve(p, Order()...)
		if !solved {
			t.Errorf("%v is not solved", &puzzle.Grid)
		}
		again, _ := new(Finder).Solve(p, Order()...)
		for i := range min(len(path), len(again)) {
			if path[i].String() != again[i].String() {
				t.Fatalf("%v: step %d is %v, and another time %v", &puzzle.Grid, i, &path[i], &again[i])
			}
		}
	}
}

func TestPuzzlesWithSeveralSolutionsComeToAnEnd(t *testing.T) {
	var f Finder
	for _, grid := range []sudoku.Grid{{}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {{0, 0, 0, 0, 0, 0, 1, 2, 3}, {4}, {5}, {6}}} {
		if path, solved := f.Solve(position(t, &grid), Order()...); solved {
			t.Errorf("%v is solved in %d steps", &grid, len(path))
		}
	}
}

func TestNewRefusesGridsThatContradictThemselves(t *testing.T) {
	if _, err := New(&sudoku.Grid{{1, 1}}); err == nil {
		t.Error("two 1 in a row are accepted")
	}
	if _, err := New(&sudoku.Grid{{10}}); err == nil {
		t.Error("a 10 is accepted")
	}
}

func TestBadLibraryLinesAreRefused(t *testing.T) {
	for _, line := range []string{"", "x", ":0300:1:123:::", ":::" + strings.Repeat(".", 80) + "+:::", ":::11" + strings.Repeat(".", 79) + ":::",
		":::" + strings.Repeat(".", 81) + ":1x1:::", ":::" + strings.Repeat(".", 82) + "::::", ":::" + strings.Repeat(".", 80) + "+.:::"} {
		if _, err := ParseLibraryLine(line); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}

func TestSetsReadAsPlayersWriteThem(t *testing.T) {
	for want, cells := range map[string]Set{
		"r4c7":               Cells(At(4, 7)),
		"r1c25":              Cells(At(1, 2), At(1, 5)),
		"r19c5":              Cells(At(1, 5), At(9, 5)),
		"r14c25":             Cells(At(1, 2), At(1, 5), At(4, 2), At(4, 5)),
		"r1c2, r4c25":        Cells(At(1, 2), At(4, 2), At(4, 5)),
		"r13c1, r2c2, r9c89": Cells(At(1, 1), At(3, 1), At(2, 2), At(9, 8), At(9, 9)),
	} {
		if got := cells.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Half of the tests with sets lie in the second of the two words.
func TestSetOperations(t *testing.T) {
	for c := range Cell(81) {
		s := Cells(c)
		if !s.Has(c) || s.Len() != 1 || s.first() != c || s.Empty() {
			t.Errorf("the set of %v is %v", c, s)
		}
		if peers[c].Len() != 20 || peers[c].Has(c) {
			t.Errorf("%v sees %v", c, peers[c])
		}
		if got := s.seen(); got != peers[c] {
			t.Errorf("%v is seen by %v", c, got)
		}
		s.remove(c)
		if !s.Empty() {
			t.Errorf("%v stays in its set", c)
		}
	}
	if n := everyCell.Len(); n != 81 {
		t.Errorf("there are %d cells", n)
	}
	for h := range House(27) {
		if houses[h].Len() != 9 {
			t.Errorf("%v has %d cells", h, houses[h].Len())
		}
		for i, c := range cellsOf[h] {
			if !houses[h].Has(c) || i > 0 && c <= cellsOf[h][i-1] {
				t.Errorf("%v lists %v in place %d", h, c, i)
			}
		}
	}
}
