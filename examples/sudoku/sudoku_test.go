package sudoku_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

func TestPuzzlesHaveExactlyOneSolution(t *testing.T) {
	puzzles := sudoku.Puzzles()
	if len(puzzles) < 20 {
		t.Errorf("got %d puzzles, want at least 20", len(puzzles))
	}
	seen := map[sudoku.Grid]string{}
	for _, p := range puzzles {
		if n := len(p.Grid.Solutions(2)); n != 1 {
			t.Errorf("%s: got %d solutions or more, want exactly 1", p.Name, n)
		}
		if other, ok := seen[p.Grid]; ok {
			t.Errorf("%s is the same as %s", p.Name, other)
		}
		seen[p.Grid] = p.Name
	}
	if n := puzzles[0].Grid.Empty(); n < 1 || n > 3 {
		t.Errorf("%s: got %d empty cells, want 1 to 3", puzzles[0].Name, n)
	}
	if !slices.IsSortedFunc(puzzles, func(a, b sudoku.Puzzle) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the puzzles are not in the order of their names")
	}
}

func TestPuzzleFilesAreTables(t *testing.T) {
	files, err := filepath.Glob("puzzles/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files (%v)", len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(string(source), "\n"); rows != 9 || strings.Count(string(source), ",") != 72 {
			t.Errorf("%s: want 9 lines of 9 comma-separated numbers", file)
		}
	}
}

const (
	solved = "123456789456789123789123456234567891567891234891234567345678912678912345912345678"
	empty  = "................................................................................."
)

func TestSolutions(t *testing.T) {
	for _, test := range []struct {
		name, grid string
		want       int
	}{
		{"a complete grid is its own solution", solved, 1},
		{"an empty grid has many", empty, 2},
		{"one cell is missing", "." + solved[1:], 1},
		{"an exchange of two digits is open", strings.NewReplacer("1", ".", "2", ".").Replace(solved), 2},
		{"two equal givens in a row", "11" + empty[2:], 0},
		{"two equal givens in a column", "1........1" + empty[10:], 0},
		{"two equal givens in a box", "1.........1" + empty[11:], 0},
		{"a cell without a candidate", "12345678........." + "9" + empty[18:], 0},
	} {
		puzzles, err := format.Puzzles("test", []byte(test.grid))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		g := puzzles[0].Grid
		solutions := g.Solutions(2)
		if len(solutions) != test.want {
			t.Errorf("%s: got %d solutions, want %d", test.name, len(solutions), test.want)
		}
		for _, s := range solutions {
			if s.Empty() != 0 || s.Conflicts() != [9][9]bool{} {
				t.Errorf("%s: %s is not a solution", test.name, s.String())
			}
			for row := range 9 {
				for col := range 9 {
					if g[row][col] != 0 && g[row][col] != s[row][col] {
						t.Errorf("%s: the solution changes the given in row %d, column %d", test.name, row, col)
					}
				}
			}
		}
	}
}

// TestConflictsOfRandomGrids: a grid has conflicts if it is not valid.
func TestConflictsOfRandomGrids(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	valid := 0
	for range 2000 {
		var g sudoku.Grid
		for range random.IntN(20) {
			g[random.IntN(9)][random.IntN(9)] = 1 + random.IntN(9)
		}
		if none := g.Conflicts() == [9][9]bool{}; none != g.Valid() {
			t.Fatalf("%v: conflicts are %v", g, g.Conflicts())
		} else if none {
			valid++
		}
	}
	if valid < 500 || valid > 1500 {
		t.Errorf("%d of 2000 grids are valid", valid)
	}
}

func TestConflicts(t *testing.T) {
	var g sudoku.Grid
	g[0][0], g[0][8] = 5, 5 // a row
	g[4][4], g[8][4] = 7, 7 // a column
	g[6][0], g[7][1] = 9, 9 // a box
	g[3][3], g[4][8] = 1, 1 // nothing in common
	marks := g.Conflicts()
	want := map[[2]int]bool{{0, 0}: true, {0, 8}: true, {4, 4}: true, {8, 4}: true, {6, 0}: true, {7, 1}: true}
	for row := range 9 {
		for col := range 9 {
			if got := marks[row][col]; got != want[[2]int{row, col}] {
				t.Errorf("row %d, column %d: got conflict %v", row, col, got)
			}
		}
	}
}
