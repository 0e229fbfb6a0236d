package bench_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/bench"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

// TestMain also runs instead of qqwing, which need not be installed.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCH_TEST_QQWING") {
	case "":
		os.Exit(m.Run())
	case "works":
		if err := fakeQQWing(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "fails":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Hour) // this process is killed
	case "silent":
	}
}

// fakeQQWing does what package bench needs of qqwing.
func fakeQQWing(args []string) error {
	switch {
	case slices.Equal(args, []string{"--solve", "--one-line"}):
		var s sudoku.Solver
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			puzzles, err := format.Puzzles("stdin", lines.Bytes())
			if err != nil {
				return err
			}
			for range 20 { // slower than our solver
				s.Solve(&puzzles[0].Grid)
			}
			solution, _ := s.First(&puzzles[0].Grid)
			fmt.Println(solution.String())
		}
		return lines.Err()
	case len(args) >= 3 && args[0] == "--generate" && args[2] == "--one-line" && (len(args) == 3 || slices.Equal(args[3:], []string{"--difficulty", "expert"})):
		n, err := strconv.Atoi(args[1])
		var s sudoku.Solver
		for range n {
			for range 1000 {
				s.First(&sudoku.Grid{})
			}
			fmt.Println(strings.Repeat(".", 81))
		}
		return err
	}
	return fmt.Errorf("unexpected arguments: %q", args)
}

// standIn returns the path of the replacement for qqwing.
func standIn(t *testing.T, does string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_TEST_QQWING", does)
	return path
}

func grids() []sudoku.Grid {
	var all []sudoku.Grid
	for _, p := range sudoku.Puzzles() {
		all = append(all, p.Grid)
	}
	return all
}

// short measures only for a moment.
func short(qqwing string) bench.Config {
	return bench.Config{QQWing: qqwing, Time: 10 * time.Millisecond}
}

func TestSolve(t *testing.T) {
	r, err := bench.Solve(t.Context(), grids(), short(""))
	if err != nil || r.OneCore < 1 || r.AllCores < 1 || r.QQWing != 0 || r.Ratio() != 0 {
		t.Errorf("alone: got %+v, %v", r, err)
	}
	r, err = bench.Solve(t.Context(), grids(), short(standIn(t, "works")))
	if err != nil || r.OneCore < 1 || r.QQWing < 1 || r.Ratio() != r.OneCore/r.QQWing {
		t.Errorf("with qqwing: got %+v, %v", r, err)
	}
	if r, err := bench.Solve(t.Context(), nil, bench.Config{}); err == nil || err.Error() != "cannot measure without puzzles" {
		t.Errorf("no puzzles: got %+v, %v", r, err)
	}
}

func TestGenerate(t *testing.T) {
	c := short(standIn(t, "works"))
	for _, test := range []struct {
		options  generate.Options
		compared bool
	}{
		{generate.Options{}, true},
		{generate.Options{Method: "minimal", Symmetry: "none"}, true},
		{generate.Options{Symmetry: "rotate180"}, false},
		{generate.Options{Method: "plain"}, false},
		{generate.Options{Level: 2}, true},
		{generate.Options{Level: 2, Symmetry: "mirror"}, false},
	} {
		r, err := bench.Generate(t.Context(), test.options, c)
		if err != nil || r.OneCore < 1 || r.AllCores < 1 || (r.QQWing > 0) != test.compared {
			t.Errorf("%+v: got %+v, %v", test.options, r, err)
		}
	}
	if _, err := bench.Generate(t.Context(), generate.Options{Level: 9}, c); err == nil {
		t.Error("got no error for a wrong option")
	}
}

func TestProgramsThatAreNotQQWing(t *testing.T) {
	for does, want := range map[string]string{
		"fails":  "qqwing: exit status 3: out of luck",
		"silent": "qqwing: expected 24 lines, found 0",
	} {
		_, err := bench.Solve(t.Context(), grids(), short(standIn(t, does)))
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := bench.Generate(t.Context(), generate.Options{}, short("/nowhere/qqwing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := bench.Solve(ctx, grids(), short("")); err != cause {
		t.Errorf("Solve: got %v", err)
	}
	if _, err := bench.Generate(ctx, generate.Options{}, short("")); err != cause {
		t.Errorf("Generate: got %v", err)
	}
	// While qqwing runs.
	qqwing := standIn(t, "hangs")
	ctx, cancel = context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	if _, err := bench.Solve(ctx, grids(), short(qqwing)); err != cause {
		t.Errorf("Solve with a program that hangs: got %v", err)
	}
}

// BenchmarkQQWing is for -benchtime 1x, since each run measures several rounds.
func BenchmarkQQWing(b *testing.B) {
	c := bench.Config{QQWing: bench.FindQQWing()}
	if c.QQWing == "" {
		b.Log("qqwing is not installed: ours alone")
	}
	report := func(b *testing.B, measure func() (bench.Rate, error)) {
		for range b.N {
			r, err := measure()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(1e9/r.OneCore, "ns/puzzle")
			if c.QQWing != "" {
				b.ReportMetric(1e9/r.QQWing, "ns/qqwing")
				b.ReportMetric(r.Ratio(), "ratio")
			}
		}
	}
	b.Run("own", func(b *testing.B) {
		report(b, func() (bench.Rate, error) { return bench.Solve(b.Context(), grids(), c) })
	})
	for _, list := range []string{"kaggle", "17clue", "top1465", "hardest11", "hardest1106"} {
		b.Run(list, func(b *testing.B) {
			source, err := os.ReadFile("../../../../../shared/sudoku/" + list + ".txt")
			if err != nil {
				b.Skipf("cannot open the list: %v", err)
			}
			puzzles, err := format.Puzzles(list, source)
			if err != nil {
				b.Fatal(err)
			}
			var grids []sudoku.Grid
			for _, p := range puzzles {
				grids = append(grids, p.Grid)
			}
			report(b, func() (bench.Rate, error) { return bench.Solve(b.Context(), grids, c) })
		})
	}
	b.Run("generate", func(b *testing.B) {
		report(b, func() (bench.Rate, error) { return bench.Generate(b.Context(), generate.Options{}, c) })
	})
	for _, level := range rate.Levels() {
		b.Run("level-"+level.String(), func(b *testing.B) {
			report(b, func() (bench.Rate, error) { return bench.Generate(b.Context(), generate.Options{Level: level}, c) })
		})
	}
}
