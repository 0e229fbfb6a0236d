package service_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

type help struct {
	Found     string
	Cells     []place
	Technique struct {
		Number human.Technique
		Name   string
	}
	ER                   float64
	Set, Exclude, Causes []candidate
	Digits               []int
	Houses               []struct {
		Kind   string
		Number int
	}
	Text []string
	Step string
}

func hint(t testing.TB, s *scxmltest.Session, puzzle, board sudoku.Grid, notes *[9][9]int) (h help) {
	t.Helper()
	ask(t, s, "sudoku-hint", object{"initState": puzzle, "currentState": board, "notes": notes}, &h)
	return h
}

func TestHintOfHiddenSingle(t *testing.T) {
	g := sudoku.Puzzles()[3].Grid
	h := hint(t, start(t), g, g, nil)
	if h.Found != "step" || h.Technique.Number != human.HiddenSingle || h.Technique.Name != "Hidden Single" || h.ER != 1.2 {
		t.Fatalf("got %+v", h)
	}
	if len(h.Set) != 1 || len(h.Exclude) != 0 || !slices.Equal(h.Digits, []int{h.Set[0].Digit}) || len(h.Houses) != 1 || h.Houses[0].Kind != "box" {
		t.Errorf("got %+v", h)
	}
	// The causes are the same digit elsewhere: none is in the box, and all are on the board.
	if len(h.Causes) == 0 {
		t.Error("no causes")
	}
	at := h.Set[0]
	for _, c := range h.Causes {
		if c.Digit != at.Digit || g[c.X][c.Y] != c.Digit || c.X/3 == at.X/3 && c.Y/3 == at.Y/3 {
			t.Errorf("%v is not a cause of %v", c, at)
		}
	}
	if len(h.Text) != 3 || h.Text[0] != "look for a Hidden Single: it places a digit. A digit that has only one place left in a row, column or box goes there" {
		t.Errorf("got %q", h.Text)
	}
	for stage, text := range h.Text {
		if s, err := human.DecodeStep(h.Step); err != nil || s.Hint(human.Stage(stage)) != text {
			t.Errorf("%q is encoded as %s, %v", text, h.Step, err)
		}
	}
}

func TestCausesOfSingles(t *testing.T) {
	solution := grid(t, "534678912672195348198342567859761423426853791713924856961537284287419635345286179")
	full := solution
	full[4][4] = 0
	h := hint(t, start(t), full, full, nil)
	if h.Technique.Number != human.FullHouse || !slices.Equal(h.Set, []candidate{{4, 4, 5}}) || len(h.Causes) != 8 {
		t.Errorf("full house: got %+v", h)
	}
	// The row has 1 to 4, and the column 5 to 8.
	naked := sudoku.Grid{{1, 2, 3, 4}, {}, {}, {8: 5}, {8: 6}, {}, {8: 7}, {8: 8}}
	h = hint(t, start(t), naked, naked, nil)
	if h.Technique.Number != human.NakedSingle || !slices.Equal(h.Set, []candidate{{0, 8, 9}}) || len(h.Causes) != 8 {
		t.Errorf("naked single: got %+v", h)
	}
}

// Hints solve every puzzle when the player enters the digits and notes what is impossible.
func TestHintsLeadToTheSolution(t *testing.T) {
	s := start(t)
	for _, p := range sudoku.Puzzles() {
		solution, err := human.Solution(&p.Grid)
		if err != nil {
			continue
		}
		board := p.Grid
		notes := candidates(&board)
		for board != solution {
			h := hint(t, s, p.Grid, board, &notes)
			if h.Found != "step" || len(h.Set)+len(h.Exclude) == 0 {
				t.Fatalf("%s: got %+v at %s", p.Name, h, board.String())
			}
			for _, c := range h.Set {
				board[c.X][c.Y] = c.Digit
			}
			for _, c := range h.Exclude {
				if solution[c.X][c.Y] == c.Digit {
					t.Fatalf("%s: %v excludes the solution", p.Name, h)
				}
				notes[c.X][c.Y] &^= 1 << c.Digit
			}
		}
		if h := hint(t, s, p.Grid, board, &notes); h.Found != "nothing" {
			t.Errorf("%s: got %+v for the solution", p.Name, h)
		}
	}
}

// candidates returns the digits that the houses of each cell lack.
func candidates(g *sudoku.Grid) (notes [9][9]int) {
	p, err := human.New(g)
	if err != nil {
		panic(err)
	}
	for c := range human.Cell(81) {
		notes[c/9][c%9] = int(p.Candidates(c))
	}
	return notes
}

// A step is only left out if all that it excludes is missing in notes: an empty cell of
// notes does not say anything, and wrong notes lead nowhere else.
func TestNotesOfHint(t *testing.T) {
	s := start(t)
	g := sudoku.Puzzles()[15].Grid
	var h help
	for {
		if h = hint(t, s, g, g, nil); len(h.Set) == 0 {
			break
		}
		for _, c := range h.Set {
			g[c.X][c.Y] = c.Digit
		}
	}
	notes := candidates(&g)
	if again := hint(t, s, g, g, &notes); !reflect.DeepEqual(again, h) {
		t.Errorf("with notes of all candidates: got %+v, want %+v", again, h)
	}
	for i, c := range h.Exclude {
		notes[c.X][c.Y] &^= 1 << c.Digit
		if again := hint(t, s, g, g, &notes); reflect.DeepEqual(again, h) != (i+1 < len(h.Exclude)) {
			t.Errorf("without %d of %v: got %+v", i+1, h.Exclude, again)
		}
	}
}

func TestWrongEntries(t *testing.T) {
	p := sudoku.Puzzles()[8].Grid
	solution, _ := human.Solution(&p)
	board := p
	var want []place
	for i, row := range p {
		for j := range row {
			if p[i][j] == 0 && (i+j)%4 == 0 {
				board[i][j] = solution[i][j]
				if i == 4 {
					board[i][j] = solution[i][j]%9 + 1
					want = append(want, place{i, j})
				}
			}
		}
	}
	if h := hint(t, start(t), p, board, nil); h.Found != "wrong" || !slices.Equal(h.Cells, want) || len(want) == 0 {
		t.Errorf("got %+v, want the cells %v", h, want)
	}
	// With several solutions the first entry counts, and the second contradicts it.
	if h := hint(t, start(t), sudoku.Grid{}, sudoku.Grid{{5, 0, 5}}, nil); h.Found != "wrong" || !slices.Equal(h.Cells, []place{{0, 2}}) {
		t.Errorf("got %+v", h)
	}
}

func TestHintWithoutSolution(t *testing.T) {
	if h := hint(t, start(t), sudoku.Grid{{5, 5}}, sudoku.Grid{{5, 5}}, nil); h.Found != "unsolvable" {
		t.Errorf("got %+v", h)
	}
	if h := hint(t, start(t), sudoku.Grid{{5, 10}}, sudoku.Grid{{5, 10}}, nil); h.Found != "unsolvable" {
		t.Errorf("got %+v", h)
	}
	if h := hint(t, start(t), sudoku.Grid{{5}}, sudoku.Grid{{5}}, nil); h.Found != "nothing" {
		t.Errorf("got %+v", h)
	}
}

// A puzzle with several solutions has no hint that assumes there is one.
func TestHintAssumesNothing(t *testing.T) {
	s := start(t)
	g := grid(t, "534678912672195348198342567859761423426853791713924856961537284287419635345286179")
	for i, row := range g {
		for j, d := range row {
			if d == 1 || d == 2 || d == 3 {
				g[i][j] = 0
			}
		}
	}
	if _, n := new(sudoku.Solver).Solve(&g); n != 2 {
		t.Fatalf("%d solutions", n)
	}
	board, notes := g, candidates(&g)
	for {
		h := hint(t, s, g, board, &notes)
		if h.Found == "nothing" {
			break
		}
		if h.Technique.Number.AssumesUnique() || h.Found != "step" {
			t.Fatalf("got %+v", h)
		}
		for _, c := range h.Set {
			board[c.X][c.Y] = c.Digit
		}
		for _, c := range h.Exclude {
			notes[c.X][c.Y] &^= 1 << c.Digit
		}
	}
	for _, solution := range g.Solutions(100) {
		for i, row := range solution {
			for j, d := range row {
				if board[i][j] != 0 && board[i][j] != d {
					t.Errorf("hints have set %d in row %d, column %d, which may be %d", board[i][j], i, j, d)
				}
			}
		}
	}
}

func BenchmarkHint(b *testing.B) {
	for _, n := range []int{4, 15, 23} {
		p := sudoku.Puzzles()[n]
		b.Run(p.Name, func(b *testing.B) {
			s := start(b)
			notes := candidates(&p.Grid)
			for b.Loop() {
				hint(b, s, p.Grid, p.Grid, &notes)
			}
		})
	}
}
