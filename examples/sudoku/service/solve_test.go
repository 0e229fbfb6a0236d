package service_test

import (
	"slices"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

type solved struct {
	Solutions int
	Solution  *sudoku.Grid
	Wrong     []place
	Changes   []struct {
		Set, Exclude []candidate
		Technique    struct {
			Number human.Technique
			Name   string
		}
		Step string
	}
	Complete bool
}

func solve(t testing.TB, s *scxmltest.Session, params object) (r solved) {
	t.Helper()
	ask(t, s, "sudoku-solve", params, &r)
	return r
}

// Without a method there is the solution only, and the number of solutions.
func TestSolutions(t *testing.T) {
	p := sudoku.Puzzles()[5].Grid
	solution, _ := human.Solution(&p)
	for _, test := range []struct {
		puzzle    sudoku.Grid
		solutions int
	}{{p, 1}, {sudoku.Grid{}, 2}, {sudoku.Grid{{5, 5}}, 0}} {
		r := solve(t, start(t), object{"initState": test.puzzle})
		if r.Solutions != test.solutions || (r.Solution == nil) != (test.solutions == 0) || r.Changes == nil || len(r.Changes) > 0 || r.Wrong == nil {
			t.Errorf("got %+v, want %d solutions", r, test.solutions)
		}
		if test.solutions == 1 && *r.Solution != solution {
			t.Errorf("got %v, want %v", r.Solution, solution)
		}
	}
}

// The solution keeps the entries, as long as they lead to one.
func TestSolutionKeepsEntries(t *testing.T) {
	board := sudoku.Grid{{7, 0, 3, 0, 0, 0, 0, 0, 7}, {9}, {}, {1}}
	r := solve(t, start(t), object{"initState": sudoku.Grid{{0, 0, 0, 0, 5}}, "currentState": board})
	if r.Solutions != 2 || !slices.Equal(r.Wrong, []place{{0, 8}}) || r.Solution == nil {
		t.Fatalf("got %+v", r)
	}
	if g := r.Solution; g[0][0] != 7 || g[0][2] != 3 || g[1][0] != 9 || g[3][0] != 1 || g[0][4] != 5 || g.Empty() > 0 || !g.Valid() {
		t.Errorf("got %s", g.String())
	}
}

// The changes of every method lead from the board to the solution, or stop on the way.
func TestMethods(t *testing.T) {
	s := start(t)
	for _, m := range service.Methods() {
		for _, n := range []int{4, 8, 13, 20} {
			p := sudoku.Puzzles()[n].Grid
			solution, _ := human.Solution(&p)
			board := p
			for i := range 9 { // right and wrong entries in the middle row
				if p[4][i] == 0 {
					board[4][i] = (solution[4][i]+i%2-1)%9 + 1
				}
			}
			r := solve(t, s, object{"initState": p, "currentState": board, "method": m.Name})
			if len(r.Wrong) == 0 || len(r.Changes) == 0 {
				t.Fatalf("%s, %d: got %+v", m.Name, n, r)
			}
			for i, c := range r.Changes {
				if len(c.Set)+len(c.Exclude) == 0 || (m.Name == "human" && i > 0) != (c.Technique.Name != "" && c.Step != "") {
					t.Errorf("%s, %d: change %d is %+v", m.Name, n, i, c)
				}
				for _, set := range c.Set {
					if p[set.X][set.Y] != 0 || set.Digit == 0 == (board[set.X][set.Y] == 0) {
						t.Errorf("%s, %d: change %d is %+v at %s", m.Name, n, i, c, board.String())
					}
					board[set.X][set.Y] = set.Digit
				}
				for _, x := range c.Exclude {
					if solution[x.X][x.Y] == x.Digit {
						t.Errorf("%s, %d: %+v excludes the solution", m.Name, n, c)
					}
				}
			}
			if !r.Complete && m.Name != "scan" || r.Complete != (board == solution) || *r.Solution != solution {
				t.Errorf("%s, %d: complete %v after %d changes at %s", m.Name, n, r.Complete, len(r.Changes), board.String())
			}
		}
	}
}

// Backtracking may take millions of changes.
func TestMostChanges(t *testing.T) {
	p := sudoku.Puzzles()[17].Grid
	if r := solve(t, start(t), object{"initState": p, "method": "csp"}); r.Complete || len(r.Changes) != 2000 || r.Solutions != 1 {
		t.Errorf("complete %v, %d changes, %d solutions", r.Complete, len(r.Changes), r.Solutions)
	}
	if r := solve(t, start(t), object{"initState": p, "method": "csp", "most": 7}); r.Complete || len(r.Changes) != 7 {
		t.Errorf("complete %v, %d changes", r.Complete, len(r.Changes))
	}
	for _, empty := range []int{3, 2} { // the last change that is allowed may be the one that solves
		all, _ := human.Solution(&p)
		for i := range empty {
			all[0][i] = 0
		}
		if r := solve(t, start(t), object{"initState": all, "method": "human", "most": 2}); r.Complete != (empty == 2) {
			t.Errorf("%d empty cells: complete %v, %d changes", empty, r.Complete, len(r.Changes))
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	p := sudoku.Puzzles()[20].Grid
	for _, method := range []string{"", "human", "csp"} {
		b.Run("method="+method, func(b *testing.B) {
			s := start(b)
			for b.Loop() {
				solve(b, s, object{"initState": p, "method": method})
			}
		})
	}
}
