package sudoku_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// sharedLists are lists of puzzles outside of the project: the number of puzzles,
// the number of their solutions (1, or 2 for more), and how many to compare with the
// reference, which cannot solve the hardest ones.
var sharedLists = []struct {
	name      string
	puzzles   int
	solutions int
	compared  int
}{
	{"kaggle", 400, 1, 400}, {"17clue", 500, 1, 10}, {"top1465", 500, 1, 10}, {"hardest11", 300, 1, 0}, {"hardest1106", 150, 1, 0}, {"multi", 100, 2, 50},
}

// readShared returns the puzzles of a shared list.
func readShared(t testing.TB, name string) []sudoku.Puzzle {
	t.Helper()
	file := "../../../shared/sudoku/" + name + ".txt"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("cannot open the list: %v", err)
	}
	puzzles, err := format.Puzzles(file, source)
	if err != nil {
		t.Fatal(err)
	}
	return puzzles
}

// A reference is the simplest solver: it tries the candidates of the empty cell
// that has the fewest.
type reference struct {
	grid   sudoku.Grid
	found  []sudoku.Grid
	limit  int
	budget int // number of grids that it may look at; it gives up at 0
}

// solutions returns at most limit solutions, sorted, or false if it gave up.
func (r *reference) solutions() ([]sudoku.Grid, bool) {
	if !r.grid.Valid() {
		return nil, true
	}
	r.search()
	slices.SortFunc(r.found, func(a, b sudoku.Grid) int { return strings.Compare(a.String(), b.String()) })
	return r.found, r.budget > 0
}

func (r *reference) search() {
	if r.budget--; r.budget <= 0 || len(r.found) == r.limit {
		return
	}
	var row, col int
	var candidates uint16
	fewest := 10
	for i := range 9 {
		for j := range 9 {
			if r.grid[i][j] != 0 {
				continue
			}
			set := uint16(0b1111111110)
			for k := range 9 {
				set &^= 1<<r.grid[i][k] | 1<<r.grid[k][j] | 1<<r.grid[i/3*3+k/3][j/3*3+k%3]
			}
			if n := bits.OnesCount16(set); n < fewest {
				row, col, candidates, fewest = i, j, set, n
			}
		}
	}
	if fewest == 10 {
		r.found = append(r.found, r.grid)
		return
	}
	for ; candidates != 0; candidates &= candidates - 1 {
		r.grid[row][col] = bits.TrailingZeros16(candidates)
		r.search()
	}
	r.grid[row][col] = 0
}

// checkAgainstReference compares all results of a solver with the reference. It
// returns false if the reference gave up.
func checkAgainstReference(t *testing.T, s *sudoku.Solver, g *sudoku.Grid, limit int) bool {
	t.Helper()
	r := reference{grid: *g, limit: limit, budget: 3000}
	want, ok := r.solutions()
	if !ok {
		return false
	}
	if n, err := s.Count(t.Context(), g, limit); n != len(want) || err != nil {
		t.Fatalf("%s: Count gives %d, %v; want %d", g.String(), n, err, len(want))
	}
	first, n := s.Solve(g)
	if n != min(2, len(want)) {
		t.Fatalf("%s: Solve gives %d, want %d", g.String(), n, min(2, len(want)))
	}
	if again, ok := s.First(g); ok != (n > 0) || again != first {
		t.Fatalf("%s: First gives %s, %v; want %s", g.String(), again.String(), ok, first.String())
	}
	var all []sudoku.Grid
	for solution := range s.All(g) {
		if all = append(all, solution); len(all) == limit {
			break
		}
	}
	if len(all) != len(want) {
		t.Fatalf("%s: All gives %d, want %d", g.String(), len(all), len(want))
	}
	if len(want) > 0 && all[0] != first {
		t.Fatalf("%s: Solve and All begin with different solutions", g.String())
	}
	slices.SortFunc(all, func(a, b sudoku.Grid) int { return strings.Compare(a.String(), b.String()) })
	if len(want) < limit && !slices.Equal(all, want) {
		t.Fatalf("%s: All and the reference give different solutions", g.String())
	}
	if len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Fatalf("%s: All gives a solution twice", g.String())
	}
	for _, solution := range all {
		checkSolution(t, g, &solution)
	}
	return true
}

// checkSolution fails unless a grid is a solution of a puzzle.
func checkSolution(t *testing.T, g, solution *sudoku.Grid) {
	t.Helper()
	if solution.Empty() != 0 || !solution.Valid() {
		t.Fatalf("%s: %s is not a solution", g.String(), solution.String())
	}
	for row := range 9 {
		for col := range 9 {
			if g[row][col] != 0 && g[row][col] != solution[row][col] {
				t.Fatalf("%s: %s has another given in row %d, column %d", g.String(), solution.String(), row+1, col+1)
			}
		}
	}
}

func TestSolverOnRandomPuzzles(t *testing.T) {
	var s sudoku.Solver
	random := rand.New(rand.NewPCG(1, 2))
	compared := map[int]int{}
	for range 1500 {
		g, _ := s.Random(&sudoku.Grid{}, random)
		for _, cell := range random.Perm(81)[:random.IntN(68)] {
			g[cell/9][cell%9] = 0
		}
		if random.IntN(3) == 0 { // probably wrong
			cell := random.IntN(81)
			g[cell/9][cell%9] = random.IntN(10)
		}
		if checkAgainstReference(t, &s, &g, 100) {
			_, n := s.Solve(&g)
			compared[n]++
		}
	}
	if min(compared[0], compared[1], compared[2]) < 150 {
		t.Errorf("compared (by number of solutions): %v", compared)
	}
}

func TestSolverOnSharedLists(t *testing.T) {
	for _, list := range sharedLists {
		t.Run(list.name, func(t *testing.T) {
			puzzles := readShared(t, list.name)
			if len(puzzles) != list.puzzles {
				t.Errorf("got %d puzzles, want %d", len(puzzles), list.puzzles)
			}
			var s sudoku.Solver
			compared := 0
			for _, p := range puzzles {
				first, n := s.Solve(&p.Grid)
				if n != list.solutions {
					t.Fatalf("%s: got %d solutions, want %d", p.Name, n, list.solutions)
				}
				checkSolution(t, &p.Grid, &first)
				if compared < list.compared && checkAgainstReference(t, &s, &p.Grid, 2000) {
					compared++
				}
			}
			if compared < list.compared {
				t.Errorf("the reference solved only %d puzzles", compared)
			}
		})
	}
}

func TestSolverRefusesWhatIsNoPuzzle(t *testing.T) {
	var s sudoku.Solver
	for name, g := range map[string]sudoku.Grid{
		"a number above 9":     {{10}},
		"a number below 0":     {{-1}},
		"far above 9":          {{0, 1 << 30}},
		"two in a row":         {8: {0: 3, 8: 3}},
		"two in a column":      {0: {4: 3}, 8: {4: 3}},
		"two in a box":         {3: {3: 3}, 5: {5: 3}},
		"the last cell":        {7: {7: 9}, 8: {8: 9}},
		"no digit for a cell":  {{0, 1, 2, 3, 4, 5, 6, 7, 8}, {9}},
		"no place for a digit": {{0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 1}, {2, 3, 4}},
	} {
		if solution, ok := s.First(&g); ok || solution != (sudoku.Grid{}) {
			t.Errorf("%s: First gives %s, %v", name, solution.String(), ok)
		}
		if _, n := s.Solve(&g); n != 0 {
			t.Errorf("%s: Solve gives %d", name, n)
		}
		if n, err := s.Count(t.Context(), &g, 10); n != 0 || err != nil {
			t.Errorf("%s: Count gives %d, %v", name, n, err)
		}
		for range s.All(&g) {
			t.Errorf("%s: All gives a solution", name)
		}
		for range g.Solutions(1) {
			t.Errorf("%s: Solutions gives one", name)
		}
		if scanned := g.Scan(); scanned.Empty() == 0 {
			t.Errorf("%s: Scan fills it in", name)
		}
	}
}

// The empty grid has too many solutions to count. The puzzle after it has none,
// which takes more than a thousand boards to find out.
func TestCountCanBeCancelled(t *testing.T) {
	const impossible = "63.1...5.......3....2...1.........7.37.6..5....4..3.6.....9....71.3....5.....8..."
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	var s sudoku.Solver
	for _, puzzle := range []string{empty, impossible} {
		g := grid(t, puzzle)
		if n, err := s.Count(ctx, &g, 1<<30); n > 1024 || err != cause {
			t.Errorf("%s: got %d, %v", puzzle, n, err)
		}
	}
	g := grid(t, solved)
	if n, err := s.Count(t.Context(), &g, 0); n != 0 || err != nil {
		t.Errorf("limit 0: got %d, %v", n, err)
	}
	if n, err := s.Count(t.Context(), &sudoku.Grid{}, 100_000); n != 100_000 || err != nil {
		t.Errorf("empty grid: got %d, %v", n, err)
	}
}

func TestSolverDoesNotAllocate(t *testing.T) {
	puzzles := sudoku.Puzzles()
	var nothing sudoku.Grid
	var s sudoku.Solver
	for name, solve := range map[string]func(g *sudoku.Grid){
		"First": func(g *sudoku.Grid) { s.First(g) },
		"Solve": func(g *sudoku.Grid) { s.Solve(g) },
		"Count": func(g *sudoku.Grid) { s.Count(t.Context(), g, 1000) },
		"Scan":  func(g *sudoku.Grid) { g.Scan() },
		"Valid": func(g *sudoku.Grid) { g.Valid() },
	} {
		if n := testing.AllocsPerRun(10, func() {
			for i := range puzzles {
				solve(&puzzles[i].Grid)
			}
			solve(&nothing)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestRandom(t *testing.T) {
	var s sudoku.Solver
	puzzle := grid(t, "1234.....4567.....789............................................................")
	seen := map[sudoku.Grid]bool{}
	for seed := range uint64(100) {
		first, ok := s.Random(&puzzle, rand.New(rand.NewPCG(seed, 0)))
		if !ok {
			t.Fatal("no solution")
		}
		checkSolution(t, &puzzle, &first)
		if again, _ := s.Random(&puzzle, rand.New(rand.NewPCG(seed, 0))); again != first {
			t.Errorf("seed %d: got %s, and then %s", seed, first.String(), again.String())
		}
		seen[first] = true
	}
	if len(seen) < 95 {
		t.Errorf("got %d grids only from 100 seeds", len(seen))
	}
	// Here the first guesses exclude all solutions, which takes more than a million
	// boards to find out.
	if lost, ok := s.Random(&sudoku.Grid{}, rand.New(rand.NewPCG(1, 2767))); !ok || lost.Empty() != 0 {
		t.Errorf("got %s, %v", lost.String(), ok)
	}
	// Random does not find a solution if there is none.
	impossible := grid(t, "12345678........."+"9"+empty[18:])
	if lucky, ok := s.Random(&impossible, rand.New(rand.NewPCG(1, 1))); ok {
		t.Errorf("got %s", lucky.String())
	}
	// Random does not affect later calls of First.
	a, _ := s.First(&puzzle)
	if b, _ := s.First(&puzzle); a != b {
		t.Errorf("First gives %s, and then %s", a.String(), b.String())
	}
}

func TestBoards(t *testing.T) {
	for _, p := range sudoku.Puzzles() {
		var s sudoku.Solver
		want, _ := s.First(&p.Grid)
		var solutions []sudoku.Grid
		for known, isSolution := range s.Boards(&p.Grid) {
			if isSolution {
				checkSolution(t, &p.Grid, &known)
				solutions = append(solutions, known)
			}
		}
		if len(solutions) != 1 || solutions[0] != want {
			t.Errorf("%s: got %d solutions", p.Name, len(solutions))
		}
		for range s.Boards(&p.Grid) {
			break
		}
	}
}

func TestScan(t *testing.T) {
	for _, test := range []struct{ name, puzzle, want string }{
		{"a row's last cell", ".23456789" + empty[9:], "123456789" + empty[9:]},
		{"one leads to the other", "..3456789" + empty[9:27] + "1" + empty[28:], "213456789" + empty[9:27] + "1" + empty[28:]},
		{"a later one to an earlier one", "..3456789" + empty[9:27] + ".1" + empty[29:], "123456789" + empty[9:27] + ".1" + empty[29:]},
		{"two candidates for each cell", "1234567.." + empty[9:], "1234567.." + empty[9:]},
		{"a hidden single is none to see", "1........" + "...1....." + "........." + ".......1." + empty[36:], "1........" + "...1....." + "........." + ".......1." + empty[36:]},
		{"a cell without candidate", ".23456789" + "1........" + empty[18:], ".23456789" + "1........" + empty[18:]},
		{"no puzzle", solved, solved},
	} {
		g := grid(t, test.puzzle)
		if got := g.Scan(); got.String() != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got.String(), test.want)
		}
	}
}

// For any numbers at all, the solver and the reference agree.
func FuzzSolver(f *testing.F) {
	f.Add([]byte(solved))
	f.Add([]byte(empty))
	f.Add([]byte("2.6....1...1...2.6")) // with guesses in arbitrary cells the search did not end
	for _, p := range sudoku.Puzzles() {
		f.Add([]byte(p.Grid.String()))
	}
	var s sudoku.Solver
	f.Fuzz(func(t *testing.T, cells []byte) {
		var g sudoku.Grid
		for i, b := range cells[:min(81, len(cells))] {
			switch {
			case b == '.':
			case '0' <= b && b <= '9':
				g[i/9][i%9] = int(b - '0')
			default:
				g[i/9][i%9] = int(int8(b))
			}
		}
		checkAgainstReference(t, &s, &g, 20)
	})
}

func BenchmarkSolve(b *testing.B) {
	bench := func(b *testing.B, puzzles []sudoku.Puzzle) {
		var s sudoku.Solver
		b.ReportAllocs()
		for b.Loop() {
			for i := range puzzles {
				s.Solve(&puzzles[i].Grid)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(puzzles)), "ns/puzzle")
	}
	b.Run("own", func(b *testing.B) { bench(b, sudoku.Puzzles()) })
	for _, list := range sharedLists {
		b.Run(list.name, func(b *testing.B) { bench(b, readShared(b, list.name)) })
	}
}

func grid(t testing.TB, cells string) (g sudoku.Grid) {
	t.Helper()
	if len(cells) != 81 {
		t.Fatalf("%q: got %d characters", cells, len(cells))
	}
	for i, char := range cells {
		if char != '.' {
			g[i/9][i%9] = int(char - '0')
		}
	}
	return g
}

func ExampleSolver() {
	puzzle := sudoku.Puzzles()[17].Grid
	var s sudoku.Solver
	solution, n := s.Solve(&puzzle)
	fmt.Println(puzzle.String())
	fmt.Println(solution.String(), n)

	puzzle[0][2] = 0
	n, err := s.Count(context.Background(), &puzzle, 1000)
	fmt.Println(n, err)
	// Output:
	// ..37....1...1....4......26...841..3......2........7.2.2.....6..8...6...764..8.5..
	// 463729851982156374571348269728415936196832745354697128219574683835261497647983512 1
	// 950 <nil>
}
