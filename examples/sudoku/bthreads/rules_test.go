package bthreads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestThreadsByName(t *testing.T) {
	want := map[string]int{
		"MakeGivenMoves": 1, "DefaultMove": 81, "OncePerRow": 81, "OncePerColumn": 81, "OncePerBox": 81, "DetectWin": 1,
		"EliminateTwoInABox": 243, "PlaceANumberInARow": 81, "PlaceANumberInAColumn": 81, "PlaceANumberInABox": 81,
		"EliminateEight": 81, "PruneWhenNoSolution": 1,
	}
	total := 0
	for _, k := range kinds {
		threads, err := k.threads()
		if err != nil {
			t.Fatal(err)
		}
		if total += len(threads); len(threads) != want[k.chart] {
			t.Errorf("%d b-threads %s, want %d", len(threads), k.chart, want[k.chart])
		}
		delete(want, k.chart)
	}
	if len(want) > 0 || total != 894 {
		t.Errorf("%d b-threads, and none of %v", total, want)
	}
	for k, want := range map[kind]string{
		{"A", "row column boxrow boxcol"}: "A r2c6", {"A", "number row boxrow"}: "A 3 r2", {"A", "number column boxcol"}: "A 3 c6",
		{"A", "number boxrow boxcol"}: "A 3 b2", {"A", "number column boxrow boxcol"}: "A 3 b2 c6", {"A", ""}: "A",
	} {
		if got := k.name(Move{3, 1, 5}); got != want {
			t.Errorf("%v is called %q, want %q", k, got, want)
		}
	}
}

// The charts need no script engine but for <foreach>, and have no mistakes.
func TestChartsHaveNoWarnings(t *testing.T) {
	for _, k := range kinds {
		chart, err := scxml.Load(charts, k.chart+".scxml")
		if err != nil {
			t.Fatal(err)
		}
		if warnings := chart.Warnings(); len(warnings) > 0 {
			t.Errorf("%s: %v", k.chart, warnings)
		}
	}
}

// TestRequestsFollowFromTheBoard compares what the b-threads request and block before each move of some puzzles,
// right and wrong ones, with what the board says.
func TestRequestsFollowFromTheBoard(t *testing.T) {
	for _, n := range []int{5, 13, 16} {
		board := sudoku.Puzzles()[n].Grid
		var made []Move
		steps := 0
		for step, err := range Steps(t.Context(), &sudoku.Puzzles()[n].Grid) {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range made[min(step.Depth, len(made)):] {
				board[m.Row][m.Column] = 0
			}
			made = made[:min(step.Depth, len(made))]
			if steps++; steps > 150 || step.Event == "Win" {
				break
			}
			got, want := requests(step.player.Requests()), expected(&board)
			if !slices.Equal(got, want) {
				t.Fatalf("%s\ngot  %s\nwant %s", board.String(), missing(got, want), missing(want, got))
			}
			if step.Event == "Move" {
				made = append(made, step.Move)
				board[step.Move.Row][step.Move.Column] = step.Move.Number
			}
		}
	}
}

// missing returns what a has and b does not.
func missing(a, b []string) (only []string) {
	for _, text := range a {
		if !slices.Contains(b, text) {
			only = append(only, text)
		}
	}
	return only
}

// requests returns a line for each request of each b-thread, sorted.
func requests(all []behavioral.Request) (lines []string) {
	for _, r := range all {
		what := r.Event.Name
		if m, ok := moveOf(r.Event.Name, r.Event.Data); ok {
			what = m.String()
			if r.Blocked != nil {
				what = "blocked " + what
			}
		}
		for _, name := range r.By {
			lines = append(lines, fmt.Sprint(name, " ", r.Priority, ": ", what))
		}
	}
	slices.Sort(lines)
	return lines
}

// expected is what the b-threads should request, by a plain look at the board.
func expected(g *sudoku.Grid) (lines []string) {
	free := func(m Move) bool {
		if g[m.Row][m.Column] != 0 {
			return false
		}
		for r := range 9 {
			for c := range 9 {
				if g[r][c] == m.Number && sudoku.SameUnit(r, c, m.Row, m.Column) {
					return false
				}
			}
		}
		return true
	}
	add := func(k string, data string, of Move, priority int, what string) {
		lines = append(lines, fmt.Sprint(kind{k, data}.name(of), " ", priority, ": ", what))
	}
	move := func(m Move) string {
		if free(m) {
			return m.String()
		}
		return "blocked " + m.String()
	}
	// units has the moves that a strategy chooses from, by the name of the b-thread.
	units := make(map[string][]Move)
	closed := make(map[string]bool) // it has its number
	for _, k := range kinds[6:10] {
		for _, m := range allMoves() {
			name := k.name(m)
			units[name] = append(units[name], m)
			closed[name] = closed[name] || g[m.Row][m.Column] == m.Number || strings.HasPrefix(name, "EliminateEight") && g[m.Row][m.Column] != 0
		}
	}
	for name, moves := range units {
		if closed[name] {
			continue
		}
		var left []Move
		for _, m := range moves {
			if free(m) {
				left = append(left, m)
			}
		}
		switch len(left) {
		case 0:
			lines = append(lines, name+" 2: NoSolution")
		case 1:
			lines = append(lines, name+" 1: "+left[0].String())
		}
	}
	for _, m := range allMoves() {
		if g[m.Row][m.Column] == 0 {
			add("DefaultMove", "row column", m, 0, move(m))
		}
		if m.Row%3 == 0 { // EliminateTwoInABox of a number in a column of a box
			elsewhere, done := 0, false
			for r := range 9 {
				for c := m.Column / 3 * 3; c < m.Column/3*3+3; c++ {
					switch {
					case g[r][c] != m.Number:
					case c == m.Column || r/3 == m.Row/3:
						done = true
					default:
						elsewhere++
					}
				}
			}
			if elsewhere == 2 && !done {
				for i := range 3 {
					add("EliminateTwoInABox", "number column boxrow boxcol", m, 1, move(Move{m.Number, m.Row + i, m.Column}))
				}
			}
		}
	}
	lines = append(lines, "PruneWhenNoSolution -1: NoSolution")
	slices.Sort(lines)
	return lines
}
