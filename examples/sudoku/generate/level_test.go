package generate_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

var levelPuzzles = flag.Int("levels.puzzles", 40, "how many puzzles of each level TestLevels makes, and of each number of rounds TestRounds")

// TestLevels makes puzzles of each level and rates them anew. With -v it and TestRounds
// print what LEVELS.md says.
func TestLevels(t *testing.T) {
	var r rate.Rater
	for _, level := range rate.Levels() {
		least, most := level.Band()
		s := newStatistics()
		g := generator(t, generate.Options{Level: level, Seed: 1})
		for i := range uint64(*levelPuzzles) {
			start := processorTime()
			p, err := g.Puzzle(t.Context(), i)
			took := processorTime() - start
			if err != nil {
				t.Fatal(err)
			}
			rating, err := r.Rate(&p.Grid)
			if err != nil || rating != p.Rating || rating.ER < least || rating.ER > most || rating.Level() != level {
				t.Errorf("level %v: %s is said to be rated %v and is rated %v, %v", level, p.Grid.String(), p.Rating, rating, err)
			}
			if givens := 81 - p.Grid.Empty(); level == rate.Beginner && givens != 36 {
				t.Errorf("level %v: %s has %d givens, want 36", level, p.Grid.String(), givens)
			}
			if testing.Verbose() {
				s.add(t, &r, &p, took)
			}
		}
		if testing.Verbose() {
			fmt.Printf("level %d, %v: %s", level, level, s.report())
		}
	}
}

// TestRounds rates puzzles of scan and reinsert: they are of the first two levels, because
// naked singles solve them.
func TestRounds(t *testing.T) {
	var r rate.Rater
	for rounds := 1; rounds <= 5; rounds++ {
		s := newStatistics()
		g := generator(t, generate.Options{Method: "scan", Rounds: rounds, Seed: 1})
		for i := range uint64(*levelPuzzles) {
			start := processorTime()
			p, err := g.Puzzle(t.Context(), i)
			took := processorTime() - start
			if err != nil {
				t.Fatal(err)
			}
			if p.Rating, err = r.Rate(&p.Grid); err != nil || p.Rating.ER > human.NakedSingle.Rating() {
				t.Errorf("%d rounds: %s is rated %v, %v", rounds, p.Grid.String(), p.Rating, err)
			}
			s.add(t, &r, &p, took)
		}
		if testing.Verbose() {
			fmt.Printf("%d rounds: %s", rounds, s.report())
		}
	}
}

// statistics are what is known of the puzzles of a level.
type statistics struct {
	er      map[human.Rating]int
	hardest map[string]int // techniques of SukakuExplainer
	class   map[human.Class]int
	givens  map[int]int
	times   []time.Duration
}

func newStatistics() *statistics {
	return &statistics{er: map[human.Rating]int{}, hardest: map[string]int{}, class: map[human.Class]int{}, givens: map[int]int{}}
}

func (s *statistics) add(t *testing.T, r *rate.Rater, p *generate.Puzzle, took time.Duration) {
	s.er[p.Rating.ER]++
	s.givens[81-p.Grid.Empty()]++
	s.times = append(s.times, took)
	score, err := r.Score(&p.Grid)
	if err != nil {
		t.Fatal(err)
	}
	s.class[score.Class]++
	path, err := r.Path(&p.Grid)
	if err != nil {
		t.Fatal(err)
	}
	hardest := slices.MaxFunc(path, func(a, b human.Step) int { return cmp.Compare(a.Rating, b.Rating) })
	s.hardest[hardest.Technique.String()]++
}

func (s *statistics) report() string {
	slices.Sort(s.times)
	n := len(s.times)
	var sum time.Duration
	for _, d := range s.times {
		sum += d
	}
	mean, p99 := (sum / time.Duration(n)).Round(10*time.Microsecond), s.times[n*99/100].Round(10*time.Microsecond)
	return fmt.Sprintf("%d puzzles, mean %v, 99th percentile %v of processor time\n  ER       %s\n  hardest  %s\n  HoDoKu   %s\n  givens   %s\n",
		n, mean, p99, shares(s.er), shares(s.hardest), shares(s.class), shares(s.givens))
}

// shares writes how often things occur, in percent, as in "1.0 2.9, 1.2 97.1".
func shares[T cmp.Ordered](counts map[T]int) string {
	all := 0
	for _, n := range counts {
		all += n
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%v %.2f", k, 100*float64(counts[k])/float64(all)))
	}
	return strings.Join(parts, ", ")
}

// TestLevelsHaveTheirSymmetry makes puzzles of each level with each symmetry and method.
func TestLevelsHaveTheirSymmetry(t *testing.T) {
	var r rate.Rater
	for _, symmetry := range generate.Symmetries() {
		if symmetry.Name == "random" {
			continue
		}
		for _, level := range rate.Levels() {
			for _, method := range []string{"level", "minimal"} {
				o := generate.Options{Method: method, Level: level, Symmetry: symmetry.Name, Seed: 5}
				for _, p := range puzzles(t, o, 2) {
					if rating, err := r.Rate(&p.Grid); err != nil || rating.Level() != level || rating != p.Rating {
						t.Errorf("%+v: %s is rated %v, %v, and said to be %v", o, p.Grid.String(), rating, err, p.Rating)
					}
					if method == "minimal" {
						checkMinimal(t, &p, symmetry.Name)
					} else if !hasSymmetry(&p.Grid, symmetry.Name) || !p.Unique {
						t.Errorf("%+v: %s does not have the symmetry or one solution", o, p.Grid.String())
					}
				}
			}
		}
	}
}

// TestNeeds checks puzzles that need a technique: those before it do not solve them, and
// with it they do.
func TestNeeds(t *testing.T) {
	var f human.Finder
	for technique, level := range map[human.Technique]rate.Level{
		human.NakedSingle: 0, human.Pointing: 0, human.HiddenPair: 0, human.XWing: rate.Medium, human.Skyscraper: 0,
		human.XYWing: rate.Hard, human.UniqueRectangle1: 0, human.XYChain: 0,
	} {
		o := generate.Options{Needs: technique, Level: level, Symmetry: "rotate180"}
		for _, p := range puzzles(t, o, 2) {
			position, err := human.New(&p.Grid)
			if err != nil {
				t.Fatal(err)
			}
			if _, solved := f.Solve(position, human.Order()[:technique]...); solved {
				t.Errorf("%+v: %s falls to what comes before", o, p.Grid.String())
			}
			if _, solved := f.Solve(position, human.Order()[:technique+1]...); !solved {
				t.Errorf("%+v: %s needs something else", o, p.Grid.String())
			}
			rating, err := new(rate.Rater).Rate(&p.Grid)
			if err != nil || rating != p.Rating || level != 0 && rating.Level() != level {
				t.Errorf("%+v: %s is rated %v, %v, and said to be %v", o, p.Grid.String(), rating, err, p.Rating)
			}
			if !hasSymmetry(&p.Grid, "rotate180") {
				t.Errorf("%+v: %s does not have the symmetry", o, p.Grid.String())
			}
		}
	}
}

func TestSearchEnds(t *testing.T) {
	tried := 0
	o := generate.Options{Level: rate.Easy, Needs: human.XYChain, Tries: 30, Tried: func() { tried++ }}
	p, err := generator(t, o).Puzzle(t.Context(), 0)
	want := "cannot find a puzzle of level 2 (easy) that needs XY-Chain: none of 30 filled grids led to one; make puzzles without a level to see theirs"
	if err == nil || err.Error() != want || tried != 30 {
		t.Errorf("got %s, %v after %d grids, want %s", p.Grid.String(), err, tried, want)
	}
}

func TestSearchIsCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	tried := 0
	o := generate.Options{Level: rate.Easy, Needs: human.XYChain, Tried: func() {
		if tried++; tried == 10 {
			cancel(cause)
		}
	}}
	if p, err := generator(t, o).Puzzle(ctx, 0); err != cause || tried != 10 {
		t.Errorf("got %s, %v after %d grids", p.Grid.String(), err, tried)
	}
}
