package bthreads_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/bthreads"
)

// parse reads a puzzle from a line.
func parse(line string) (g sudoku.Grid) {
	for i := range 81 {
		if c := line[i]; c >= '1' && c <= '9' {
			g[i/9][i%9] = int(c - '0')
		}
	}
	return g
}

// shared returns the puzzles of a list that is not part of the project.
func shared(t testing.TB, name string) (puzzles []sudoku.Grid) {
	t.Helper()
	source, err := os.ReadFile("../../../../shared/sudoku/" + name + ".txt")
	if err != nil {
		t.Skipf("no shared list %s", name)
	}
	for line := range strings.Lines(string(source)) {
		if !strings.HasPrefix(line, "#") {
			puzzles = append(puzzles, parse(line))
		}
	}
	return puzzles
}

// outcome is how an iteration over the steps has ended.
type outcome struct {
	board          sudoku.Grid
	won            bool
	moves, choices int
}

// solve follows the steps, and checks each move against the rules.
func solve(t *testing.T, g sudoku.Grid) (o outcome) {
	t.Helper()
	o.board = g
	var made []bthreads.Move
	for step, err := range bthreads.Steps(t.Context(), &g) {
		if err != nil {
			t.Fatal(err)
		}
		if o.won {
			t.Errorf("%v after the end", step)
		}
		for _, m := range made[min(step.Depth, len(made)):] {
			o.board[m.Row][m.Column] = 0
		}
		made = made[:min(step.Depth, len(made))]
		switch step.Event {
		case "Move":
			m := step.Move
			if o.board[m.Row][m.Column] != 0 {
				t.Fatalf("%s: %v overwrites", g.String(), m)
			}
			if len(made) != step.Depth || step.Choices[0] != m {
				t.Fatalf("%v: depth %d after %d moves, choices %v", m, step.Depth, len(made), step.Choices)
			}
			o.board[m.Row][m.Column] = m.Number
			made = append(made, m)
			o.moves++
			if len(step.Choices) > 1 {
				o.choices++
			}
		case "Win":
			o.won = true
		}
		if !o.board.Valid() {
			t.Fatalf("%s: %v breaks a rule", g.String(), step.Move)
		}
	}
	return o
}

func TestEasyPuzzlesAreSolvedByStrategiesAlone(t *testing.T) {
	var solver sudoku.Solver
	puzzles := shared(t, "kaggle")
	for i := 0; i < len(puzzles); i += 20 {
		want, _ := solver.First(&puzzles[i])
		o := solve(t, puzzles[i])
		if !o.won || o.board != want || o.choices > 0 || o.moves != puzzles[i].Empty() {
			t.Errorf("puzzle %d: %d moves, %d choices, %s", i, o.moves, o.choices, o.board.String())
		}
	}
}

func TestPuzzlesOfTheGame(t *testing.T) {
	var solver sudoku.Solver
	for i, p := range sudoku.Puzzles() {
		want, _ := solver.First(&p.Grid)
		o := solve(t, p.Grid)
		if !o.won || o.board != want || (o.choices > 0) != (i >= 12) {
			t.Errorf("%s: %d moves, %d choices, %s", p.Name, o.moves, o.choices, o.board.String())
		}
	}
}

var all = flag.Bool("bthreads.all", false, "solve the whole lists of hard puzzles")

// TestHardPuzzles solves puzzles with 17 givens, those of the list that take most moves among them, and
// some that need more than singles.
func TestHardPuzzles(t *testing.T) {
	var solver sudoku.Solver
	for name, sample := range map[string][]int{"17clue": {82, 148, 303, 490}, "top1465": {2}, "hardest1106": {1}} {
		puzzles := shared(t, name)
		random := rand.New(rand.NewPCG(1, 2))
		for n := 3 * len(sample); !testing.Short() && len(sample) < n; {
			sample = append(sample, random.IntN(len(puzzles)))
		}
		if *all {
			sample = sample[:0]
			for i := range puzzles {
				sample = append(sample, i)
			}
		}
		var most outcome
		var longest, sum time.Duration
		for _, i := range sample {
			want, _ := solver.First(&puzzles[i])
			began := time.Now()
			o := solve(t, puzzles[i])
			if !o.won || o.board != want {
				t.Errorf("%s, puzzle %d: %s", name, i, o.board.String())
			}
			if o.moves > most.moves {
				most = o
			}
			longest, sum = max(longest, time.Since(began)), sum+time.Since(began)
		}
		t.Logf("%s: %d puzzles, at most %d moves; %v on average and %v at most", name, len(sample), most.moves, sum/time.Duration(len(sample)), longest)
	}
}

func TestNoSolution(t *testing.T) {
	for name, g := range map[string]sudoku.Grid{
		"a cell without candidate":   {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {9}},
		"a number without place":     {{0, 0, 0, 1, 2, 3}, 3: {1: 4}, 4: {2: 4}, 1: {0, 0, 0, 5, 4}},
		"after a guess or two":       {{1, 2, 3, 4, 5, 6, 0, 0, 0}, 3: {6: 7, 7: 8}, 6: {6: 8, 7: 7}},
		"contradictory givens":       {{1, 1}},
		"contradictory at the end":   {8: {7: 3, 8: 3}},
		"contradictory and complete": {{1, 2, 3, 4, 5, 6, 7, 8, 8}},
	} {
		var solver sudoku.Solver
		if _, ok := solver.First(&g); ok {
			t.Errorf("%s: it has a solution", name)
		}
		if o := solve(t, g); o.won {
			t.Errorf("%s: won with %s", name, o.board.String())
		}
		r, err := bthreads.Check(t.Context(), &g, bthreads.Limits{States: 100_000})
		if err != nil || r.Solutions != 0 || r.Bound != "" || r.Pruned == 0 && r.States > 1 || r.Solution != g {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// Check finds each solution once, also those that differ in four cells only.
func TestCheckCountsSolutions(t *testing.T) {
	solved, _ := new(sudoku.Solver).First(&sudoku.Grid{})
	random := rand.New(rand.NewPCG(3, 4))
	most := 0
	for range 15 {
		g := solved
		for g.Empty() < 50 {
			g[random.IntN(9)][random.IntN(9)] = 0
		}
		want, err := new(sudoku.Solver).Count(t.Context(), &g, 1000)
		if err != nil {
			t.Fatal(err)
		}
		r, err := bthreads.Check(t.Context(), &g, bthreads.Limits{})
		if err != nil || r.Solutions != want || r.Bound != "" || !r.Solution.Valid() || r.Solution.Empty() > 0 {
			t.Errorf("%s: %+v, %v, want %d solutions", g.String(), r, err, want)
		}
		most = max(most, want)
	}
	if most < 2 {
		t.Error("all puzzles have one solution")
	}
}

func TestCheckIsBounded(t *testing.T) {
	r, err := bthreads.Check(t.Context(), new(sudoku.Grid), bthreads.Limits{States: 100})
	if err != nil || r.Bound != "states" || r.States != 100 || r.Solutions != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestStepsCanBeCancelled(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	moves := 0
	var last error
	for _, err := range bthreads.Steps(ctx, new(sudoku.Grid)) {
		if last = err; err == nil {
			if moves++; moves == 5 {
				cancel(enough)
			}
		}
	}
	if moves != 5 || last != enough {
		t.Errorf("%d moves, %v", moves, last)
	}
}

// A puzzle does not depend on what was played before, even if the loop ended early.
func TestPlayersAreReused(t *testing.T) {
	g := sudoku.Puzzles()[16].Grid
	first := solve(t, g)
	for stop := 1; stop < 60; stop += 7 {
		n := 0
		for range bthreads.Steps(t.Context(), &sudoku.Puzzles()[20].Grid) {
			if n++; n == stop {
				break
			}
		}
		if again := solve(t, g); again != first {
			t.Errorf("%+v, and at first %+v", again, first)
		}
	}
}

func ExampleSteps() {
	puzzle := sudoku.Puzzles()[1].Grid
	for step, err := range bthreads.Steps(context.Background(), &puzzle) {
		if err != nil {
			fmt.Println(err)
			return
		}
		asked, blocked := step.Explain()
		fmt.Println(step.Move, asked)
		for _, b := range blocked[:3] {
			fmt.Println("  not", b.Move, b.By)
		}
		break
	}
	// Output:
	// r1c4=4 [EliminateEight r1c4 PlaceANumberInARow 4 r1 PlaceANumberInAColumn 4 c4 PlaceANumberInABox 4 b2 DefaultMove r1c4]
	//   not r1c4=1 [OncePerRow 1 r1 OncePerColumn 1 c4 OncePerBox 1 b2]
	//   not r1c4=2 [OncePerRow 2 r1 OncePerColumn 2 c4 OncePerBox 2 b2]
	//   not r1c4=3 [OncePerColumn 3 c4]
}

func ExampleCheck() {
	puzzle := sudoku.Puzzles()[16].Grid
	report, err := bthreads.Check(context.Background(), &puzzle, bthreads.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d solution: %d states, %d of them pruned\n", report.Solutions, report.States, report.Pruned)
	// Output:
	// 1 solution: 787 states, 54 of them pruned
}

func BenchmarkSteps(b *testing.B) {
	for _, level := range []int{5, 16} {
		p := sudoku.Puzzles()[level]
		b.Run(p.Name, func(b *testing.B) {
			for b.Loop() {
				for _, err := range bthreads.Steps(b.Context(), &p.Grid) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
