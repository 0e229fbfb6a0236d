package photo

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
)

// certain returns beliefs that are sure of a grid.
func certain(g *sudoku.Grid) *[81]beliefs {
	var all [81]beliefs
	for c := range all {
		for d := range all[c] {
			all[c][d] = floor
		}
		all[c][g[c/9][c%9]] = 0
	}
	return &all
}

// looksLike makes a cell look like a digit, and a little like another one.
func looksLike(all *[81]beliefs, row, column, digit, but int, log float64) {
	b := &all[9*row+column]
	for d := range b {
		b[d] = floor
	}
	b[digit], b[but] = -0.1, log
}

// onlyDoubt reports whether the given cells are in doubt, and no others.
func onlyDoubt(r *Reading, cells ...[2]int) bool {
	var want [9][9]bool
	for _, c := range cells {
		want[c[0]][c[1]] = true
	}
	return r.Doubt == want
}

func TestAProperPuzzleIsNotChanged(t *testing.T) {
	puzzle := sudoku.Puzzles()[10].Grid
	if r := decide(t.Context(), certain(&puzzle)); r.Grid != puzzle || r.Solutions != 1 || !onlyDoubt(r) {
		t.Errorf("read %s, %d solutions, doubt %v", &r.Grid, r.Solutions, r.Doubt)
	}
}

// given returns a given and another digit, which contradicts the solution.
func given(puzzle *sudoku.Grid, skip int) (row, column, wrong int) {
	for c := range 81 {
		if d := puzzle[c/9][c%9]; d != 0 {
			if skip--; skip < 0 {
				return c / 9, c % 9, d%9 + 1
			}
		}
	}
	panic("too few givens")
}

func TestWrongDigitsAreRepairedAndInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[20].Grid
	all := certain(&puzzle)
	row1, column1, wrong1 := given(&puzzle, 3)
	row2, column2, _ := given(&puzzle, 11)
	looksLike(all, row1, column1, wrong1, puzzle[row1][column1], -4)
	looksLike(all, row2, column2, 0, puzzle[row2][column2], -3)
	r := decide(t.Context(), all)
	if r.Grid != puzzle || r.Solutions != 1 {
		t.Fatalf("read %s, want %s", &r.Grid, &puzzle)
	}
	if !onlyDoubt(r, [2]int{row1, column1}, [2]int{row2, column2}) {
		t.Errorf("in doubt: %v", r.Doubt)
	}
	if r.Alone(row1, column1) != wrong1 || r.Alone(row2, column2) != 0 {
		t.Error("Alone does not say what the cells look like")
	}
}

// A puzzle that may also lack a given, and is proper then too, does not decide which.
func TestAnotherProperPuzzleIsInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[0].Grid // has more givens than it needs
	all := certain(&puzzle)
	row, column, _ := given(&puzzle, 5)
	looksLike(all, row, column, puzzle[row][column], 0, -1.5)
	if r := decide(t.Context(), all); r.Grid != puzzle || !onlyDoubt(r, [2]int{row, column}) {
		t.Errorf("read %s, doubt %v", &r.Grid, r.Doubt)
	}
}

func TestWhatCannotBeRepairedIsReadAsItIs(t *testing.T) {
	var empty, twice sudoku.Grid
	twice[0][0], twice[0][5] = 7, 7
	if r := decide(t.Context(), certain(&twice)); r.Grid != twice || r.Solutions != 0 || !onlyDoubt(r, [2]int{0, 0}, [2]int{0, 5}) {
		t.Errorf("read %s, %d solutions, doubt %v", &r.Grid, r.Solutions, r.Doubt)
	}
	if r := decide(t.Context(), certain(&empty)); r.Grid != empty || r.Solutions != 2 {
		t.Errorf("read %s, %d solutions", &r.Grid, r.Solutions)
	}
}

//go:embed MODELCARD.md
var modelCard string

// A puzzle with several solutions is not made proper by digits that nobody printed.
func TestASecondSolutionIsNoReasonToInventDigits(t *testing.T) {
	puzzle := sudoku.Puzzles()[20].Grid
	row, column, _ := given(&puzzle, 4)
	without := puzzle
	without[row][column] = 0
	if len(without.Solutions(2)) < 2 {
		t.Fatal("the puzzle does not need that given")
	}
	for log, want := range map[float64]*sudoku.Grid{-9: &without, -3: &puzzle} {
		all := certain(&puzzle)
		looksLike(all, row, column, 0, puzzle[row][column], log)
		if r := decide(t.Context(), all); r.Grid != *want {
			t.Errorf("a digit with the log probability %v: read %s, want %s", log, &r.Grid, want)
		}
	}
}

// An empty cell is likelier than it looks, and its probability is one.
func TestProbabilitiesAddUpToOne(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	all := certain(&puzzle)
	for c := range all {
		if puzzle[c/9][c%9] == 0 {
			all[c][0], all[c][5] = math.Log(0.5), math.Log(0.5)
		}
	}
	r := decide(t.Context(), all)
	for c := range 81 {
		sum := 0.0
		for _, p := range r.Probability[c/9][c%9] {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("r%dc%d: %v", c/9+1, c%9+1, r.Probability[c/9][c%9])
		}
	}
}

// write makes the cells look handwritten in which a grid has digits.
func write(all *[81]beliefs, g *sudoku.Grid) {
	for c := range all {
		if d := g[c/9][c%9]; d != 0 {
			all[c][0], all[c][d+digit.Handwritten] = floor, 0
		}
	}
}

func TestHandwrittenDigitsAreEntries(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	entries := puzzle.Solutions(1)[0]
	for c := range 81 {
		if puzzle[c/9][c%9] != 0 || c%3 == 0 {
			entries[c/9][c%9] = 0
		}
	}
	entries[8][8] = 0
	all := certain(&puzzle)
	write(all, &entries)
	if r := decide(t.Context(), all); r.Grid != puzzle || r.Entries != entries || !onlyDoubt(r) {
		t.Errorf("read %s and %s, doubt %v", &r.Grid, &r.Entries, r.Doubt)
	}
}

// A few digits that look handwritten, or all, are printed in an unusual font.
func TestAnUnusualFontIsNotHandwriting(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	givens := 81 - puzzle.Empty()
	for _, unusual := range []int{3, givens} {
		var odd sudoku.Grid
		all, count := certain(&puzzle), 0
		for c := range 81 {
			if d := puzzle[c/9][c%9]; d != 0 && count < unusual {
				odd[c/9][c%9] = d
				all[c][d] = floor
				count++
			}
		}
		write(all, &odd)
		if r := decide(t.Context(), all); r.Grid != puzzle || r.Entries != (sudoku.Grid{}) {
			t.Errorf("%d of %d unusual: read %s and %s", unusual, givens, &r.Grid, &r.Entries)
		}
	}
}

// The hash is that in MODELCARD.md: anyone who trains again sees whether the weights are the same.
func TestWeightsAreThoseOfTheModelCard(t *testing.T) {
	if len(weights) != 4*digit.Size || len(weights) > 300<<10 {
		t.Errorf("%d bytes", len(weights))
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(weights)); !strings.Contains(modelCard, sum) {
		t.Errorf("MODELCARD.md does not have the hash %s", sum)
	}
}
