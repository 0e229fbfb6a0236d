package rate

import (
	"cmp"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

func grid(t testing.TB, line string) (g sudoku.Grid) {
	t.Helper()
	if len(line) != 81 {
		t.Fatalf("%q is not a grid", line)
	}
	for i, c := range line {
		if c != '.' {
			g[i/9][i%9] = int(c - '0')
		}
	}
	return g
}

// shared returns the lines of a list that is not part of the project.
func shared(t testing.TB, name string) (lines []string) {
	t.Helper()
	source, err := os.ReadFile("../../../../shared/sudoku/" + name)
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no shared list %s", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		if line = strings.TrimSpace(line); len(line) >= 81 && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestRate knows puzzles and their ratings by SukakuExplainer.
func TestRate(t *testing.T) {
	for line, want := range map[string]Rating{
		"21...7..4..5..6....8.294.5.5.....4.....829.7..384.1..967.....214.1.789....9.3.6..": {12, 12, 12},
		"................12..3..4.........3.5.16.......7..5...8....1......4.....9.5.28....": {15, 12, 12},
		"6.7.......4.96..3...24.5...8......434..6.........8...93..85.....793.........76...": {17, 12, 12},
		"...1.38....9.2.....1....2.6.......6.....9.74....7.23.9.94.6..3.1..8...2....37....": {20, 12, 12},
		"................12..3..4........35...1........6..7.4.....12.......8....9..9...76.": {23, 12, 12},
		"........1.......2...3.45......1.6.7..2.......4.5.........85.3...1......2.6.......": {25, 12, 12},
		"7..4......5....3........1..368..........2..5....7........5...7213...8...6........": {26, 15, 15},
		"...2.5......1..7...3......45.17............83....6....1.....25.....4.8...6.......": {28, 12, 12},
		"1...48....5....9....6...3.....57.2..8.3.........9............4167..........2.....": {30, 12, 12},
		"26.7...........4.15........839.........5...6....1......7.....2.....43.......9.8..": {34, 12, 12},
		"........92...6.5...5.72..4.87....6.11.....9.8.......5..4..........612.....3.5....": {36, 26, 26},
		"3..71.2..4......1......8....4.8....98...7.....69..2....9.....8.1.39.4....24..3...": {40, 12, 12},
		".....5.4.8.7........5.....1.3.69...2....23.....4.....9..2...9.3.1..7...4.9.4...5.": {41, 12, 12},
		"...4...25.....1.8..2..9..7.7.....3..6.3.......8..37.5..9.2.....4..1..8......78.9.": {42, 12, 12},
		"7.8....23.4.....8..............63......7...92...9..46.3...4.9.....3.65.7..789....": {43, 12, 12},
		"....7..8...6...5...2...3.61.1...7..2..8..534.2..9.......2......58...6.3.4...1....": {44, 12, 12},
		"........3.3....25..7....64.5..8.6..7..6..2.35..81...2..8.5.37.2..46..............": {45, 12, 12},
		".23..6.....67....3.8....5......9.......8...4....2379.55..9..3.2.....2..8.7.....5.": {50, 12, 12},
		"..............1..2..3.4..5.......4.....3...6..1.5.7........27.84.......16........": {54, 12, 12},
		".867....1.2...6.......1...5.6.3.1.........5.7..78.2....4.........82...6..1..6.4..": {55, 12, 12},
		"..............1.23..4.5...6.....3.......4.5...7..........7.2..14.5...8..6........": {56, 12, 12},
		".....89.168.7.1.3...9.63.5.....7..1.91...62........6..2......8...735.........2..6": {57, 12, 12},
		".3...9...8.5..1....4..8.......2..6.8....7..4.7..4..3.5..1...8...7..5421...6....53": {61, 12, 12},
		"....5.......2..9.....46..2.4.6.7.18...89.14..9.5......1..72...6......8....46...71": {63, 12, 12},
		".94......7..9...1......83.91......42.3...........9.6...4.....278.71......6.83.1..": {64, 12, 12},
		"7..9.2..53.....9.7.4.7...8....2.........1..3...46..21..1.......2.7...6...3...1..8": {66, 12, 12},
		"............2.7...827.1.46......89.......3.....96...3..84.....9.3...18..1.69..7..": {67, 12, 12},
		".742...8....1...9.9.28.....48.9.6....9.5.....7........2....91..1..4.857..4....96.": {70, 12, 12},
		"9..76...2.6..1....4.....7.8.1.5.4.8.....7....6.4.....7......296..5...1..2........": {71, 12, 12},
		"4..9.6...6....189.23..74..1.78.4....3..2..67.........3...7....2......38..2.......": {72, 12, 12},
		".1.....9......4....6..8.2....3.92.5..2.8...1.6...1.4........5......39...2...5186.": {73, 12, 12},
		"......25..7....8...28....19..12.89..3...9........1...6.624.7......32.7.......1...": {74, 12, 12},
		"........185....67...64..5..6....2..3..467..1...8...........6.....3.1..49..1.34...": {78, 12, 12},
		".63...9....78.6...84...1........52.35..1.........74.9..2....8.6.8..5..3.4.......2": {83, 12, 12},
		"6..1...8..53.............4....8...6..9....7....24.........7.3.9....2.5..1........": {84, 20, 20},
		".3..4.98..6..3.7..9.......25...9....6..4.3.1....8.......1.....7...9.......7.5.2.3": {85, 12, 12},
	} {
		g := grid(t, line)
		var r Rater
		got, err := r.Rate(&g)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", line, got, err, want)
		}
		path, err := r.Path(&g)
		hardest := human.Rating(0)
		for _, step := range path {
			hardest = max(hardest, step.Rating)
		}
		if err != nil || hardest != want.ER || path[0].Rating != want.ED {
			t.Errorf("%s: the path has %v and begins with %v, %v, want %v", line, hardest, path[0].Rating, err, want)
		}
	}
}

func TestRateUpToGivesUpAboveTheRating(t *testing.T) {
	var r Rater
	for line, er := range map[string]human.Rating{
		"................12..3..4........35.6.7....4..8...2.........53...1.......72..1....": 17,
		"....92...5...8.6....63..1....12.7....2..4....9..538..........8........977.8.....3": 55,
	} {
		g := grid(t, line)
		full, err := r.Rate(&g)
		if err != nil || full.ER != er {
			t.Errorf("%s: got %v, %v, want %v", line, full, err, er)
		}
		for most := human.Rating(10); most < 120; most++ {
			rating, ok, err := r.RateUpTo(&g, most)
			if err != nil || ok != (er <= most) || ok && rating != full {
				t.Errorf("%s up to %v: got %v, %v, %v", line, most, rating, ok, err)
			}
		}
	}
}

func TestImproperPuzzlesAreNotRated(t *testing.T) {
	var r Rater
	empty := sudoku.Grid{}
	if _, err := r.Rate(&empty); !errors.Is(err, human.ErrNotUnique) {
		t.Errorf("the empty grid: got %v, want %v", err, human.ErrNotUnique)
	}
	broken := sudoku.Grid{{1, 1}}
	if _, err := r.Score(&broken); !errors.Is(err, human.ErrNoSolution) {
		t.Errorf("a grid with 1 twice in a row: got %v, want %v", err, human.ErrNoSolution)
	}
}

// TestRatingFits compares with the shared ratings: the rank correlation, and how many
// are exact up to 5.0. Of the hard ones each 16th is rated, unless a longer test is
// wanted by RATE_ALL.
func TestRatingFits(t *testing.T) {
	var want, got []float64
	var r Rater
	easy, exact, hard := 0, 0, 0
	for _, line := range shared(t, "se-ratings.csv") {
		fields := strings.Split(line, ",")
		er, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if er > 5 {
			if hard++; hard%16 != 0 && os.Getenv("RATE_ALL") == "" {
				continue
			}
		}
		g := grid(t, fields[0])
		rating, err := r.Rate(&g)
		if err != nil {
			t.Fatalf("%s: %v", fields[0], err)
		}
		want, got = append(want, er), append(got, float64(rating.ER)/10)
		if er <= 5 {
			easy++
			if rating.ER.String() == fields[1] && rating.EP.String() == fields[2] && rating.ED.String() == fields[3] {
				exact++
			}
		}
	}
	rho := spearman(want, got)
	t.Logf("%d puzzles: Spearman's rank correlation %.4f; %d of %d up to 5.0 are exact", len(want), rho, exact, easy)
	if rho < 0.95 {
		t.Errorf("the rank correlation is %.4f: want 0.95", rho)
	}
	if exact*10 < easy*9 {
		t.Errorf("%d of %d ratings up to 5.0 are exact: want 90 %%", exact, easy)
	}
}

// spearman returns the rank correlation of two lists.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	var sx, sy, xx, yy, xy float64
	n := float64(len(x))
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	cov, vx, vy := xy-sx*sy/n, xx-sx*sx/n, yy-sy*sy/n
	if vx == 0 || vy == 0 {
		return 0
	}
	return cov / math.Sqrt(vx*vy)
}

// ranks returns the rank of each value; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for ; i < j; i++ {
			ranks[order[i]] = float64(i+j) / 2
		}
	}
	return ranks
}

// TestScore looks at the classes: each has its techniques.
func TestScore(t *testing.T) {
	var r Rater
	for line, want := range map[string]human.Class{
		".........2.41....6.9.......8.........6..3...8..1.983.7..7.4..9...69.1.821..27..64": human.Easy,
		"................12..3..4........35.6.7....4..8...2.........53...1.......72..1....": human.Medium,
		"..............1..2.34.....5.......6....37.8..9......1.....3...91.8..9...2........": human.Hard,
		"....92...5...8.6....63..1....12.7....2..4....9..538..........8........977.8.....3": human.Unfair,
		"98.7..6..7..65.8....5....4.3.78..9...2..3.........7..31......96.7....1....61....8": human.Extreme,
	} {
		g := grid(t, line)
		got, err := r.Score(&g)
		if err != nil || got.Class != want || got.Points == 0 {
			t.Errorf("%s: got %v, %v, want class %v", line, got, err, want)
		}
	}
}

func BenchmarkRate(b *testing.B) {
	benchmark(b, func(r *Rater, g *sudoku.Grid) error { _, err := r.Rate(g); return err })
}
func BenchmarkScore(b *testing.B) {
	benchmark(b, func(r *Rater, g *sudoku.Grid) error { _, err := r.Score(g); return err })
}

func benchmark(b *testing.B, rate func(*Rater, *sudoku.Grid) error) {
	for _, name := range []string{"kaggle", "17clue", "top1465", "hardest11"} {
		b.Run(name, func(b *testing.B) {
			var all []sudoku.Grid
			for _, line := range shared(b, name+".txt") {
				all = append(all, grid(b, line[:81]))
			}
			var r Rater
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := rate(&r, &all[i%len(all)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
		})
	}
}

// A position is rated from where it is: the same as its puzzle at the start, and less
// after the last of the hardest steps.
func TestPositionsAreRatedFromWhereTheyAre(t *testing.T) {
	g := grid(t, "3..71.2..4......1......8....4.8....98...7.....69..2....9.....8.1.39.4....24..3...")
	var r Rater
	want, err := r.Rate(&g)
	if err != nil {
		t.Fatal(err)
	}
	p, err := human.New(&g)
	if err != nil {
		t.Fatal(err)
	}
	before := *p
	if got, _, err := r.RateFrom(p, math.MaxInt); err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	path, err := r.PathFrom(p)
	if err != nil {
		t.Fatal(err)
	}
	if score, err := r.ScoreFrom(p); err != nil || score.Points == 0 {
		t.Errorf("got %v, %v, want a score", score, err)
	}
	if *p != before {
		t.Error("rating has changed the position")
	}
	last := 0
	for i := range path {
		if path[i].Rating == want.ER {
			last = i
		}
	}
	for _, step := range path[:last+1] {
		if err := p.Apply(&step); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, err := r.RateFrom(p, math.MaxInt); err != nil || got.ER >= want.ER {
		t.Errorf("after the hardest steps: got %v, %v, want less than %v", got, err, want)
	}
}
