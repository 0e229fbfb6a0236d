package bench

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

// Config says how to measure. The zero value does not measure qqwing.
type Config struct {
	QQWing string // path of qqwing, see [FindQQWing]; "" is none
	// Time is how long to measure each number of a Rate; 0 is 2 seconds. Long
	// lists, which are run a few times, take longer.
	Time time.Duration
}

// rounds is the number of our runs and of qqwing's.
const rounds = 5

// A Rate is a number of puzzles per second.
type Rate struct {
	OneCore  float64
	AllCores float64
	QQWing   float64 // 0 if it was not measured
}

// Ratio returns our rate on one core divided by qqwing's, or 0 if qqwing was not
// measured.
func (r Rate) Ratio() float64 {
	if r.QQWing == 0 {
		return 0
	}
	return r.OneCore / r.QQWing
}

// Solve measures solving a list of puzzles. It returns an error if the list is
// empty, if ctx is cancelled, which gives its cause, or if qqwing fails.
func Solve(ctx context.Context, grids []sudoku.Grid, c Config) (Rate, error) {
	if len(grids) == 0 {
		return Rate{}, errors.New("cannot measure without puzzles")
	}
	ours := func() run {
		var s sudoku.Solver
		return func(n int) (time.Duration, error) {
			start := time.Now()
			for i := range n {
				if i%1024 == 0 && ctx.Err() != nil {
					return 0, context.Cause(ctx)
				}
				s.Solve(&grids[i%len(grids)])
			}
			return time.Since(start), nil
		}
	}
	var theirs run
	if c.QQWing != "" {
		theirs = func(n int) (time.Duration, error) { return solveQQWing(ctx, c.QQWing, grids, n) }
	}
	return measure(ctx, c.Time, len(grids), ours, theirs)
}

// Generate measures making puzzles. It compares with qqwing only for minimal puzzles
// without symmetry, because qqwing makes these, and for levels, with what qqwing calls
// expert. It returns an error if [generate.New] does, if ctx is cancelled, which gives its
// cause, or if qqwing fails.
func Generate(ctx context.Context, o generate.Options, c Config) (Rate, error) {
	if _, err := generate.New(o); err != nil {
		return Rate{}, err
	}
	ours := func() run {
		g, _ := generate.New(o)
		number := uint64(0)
		return func(n int) (time.Duration, error) {
			start := time.Now()
			for range n {
				if _, err := g.Puzzle(ctx, number); err != nil {
					return 0, err
				}
				number++
			}
			return time.Since(start), nil
		}
	}
	var theirs run
	plain := o.Needs == 0 && (o.Symmetry == "" || o.Symmetry == "none")
	if c.QQWing != "" && plain && (o.Method == "" || o.Method == "minimal" || o.Level != 0) {
		theirs = func(n int) (time.Duration, error) {
			args := []string{"--generate", strconv.Itoa(n), "--one-line"}
			if o.Level != 0 {
				args = append(args, "--difficulty", "expert")
			}
			return runQQWing(ctx, c.QQWing, nil, n, args...)
		}
	}
	return measure(ctx, c.Time, 1, ours, theirs)
}

// A run processes n puzzles and returns how long that took.
type run func(n int) (time.Duration, error)

// measure alternates between our runs and theirs, unless theirs is nil. Each run
// processes the whole list at least once. ours returns a run for one goroutine.
func measure(ctx context.Context, least time.Duration, list int, ours func() run, theirs run) (Rate, error) {
	if least <= 0 {
		least = 2 * time.Second
	}
	us := sample{run: ours(), n: list}
	them := sample{run: theirs, n: list}
	for range rounds {
		if err := us.take(least / rounds); err != nil {
			return Rate{}, err
		}
		if theirs == nil {
			continue
		}
		if err := them.take(least / rounds); err != nil {
			return Rate{}, cmp.Or(context.Cause(ctx), err)
		}
	}
	all, err := allCores(rounds*us.n, ours)
	return Rate{OneCore: us.perSecond(), AllCores: all, QQWing: them.perSecond()}, err
}

// A sample is a series of equal runs.
type sample struct {
	run   run
	n     int // puzzles per run; the length of the list before the first one
	times []time.Duration
}

// take makes a run. The first call finds out how often to repeat the list so that a
// run takes long enough.
func (s *sample) take(least time.Duration) error {
	const most = 1 << 24
	for {
		took, err := s.run(s.n)
		if err != nil {
			return err
		}
		if len(s.times) > 0 || took >= least || s.n >= most {
			s.times = append(s.times, took)
			return nil
		}
		more := 1.2 * float64(least) / float64(max(took, least/100))
		s.n *= max(2, int(more))
	}
}

// perSecond returns the rate of the median run, or 0 without runs.
func (s *sample) perSecond() float64 {
	if len(s.times) == 0 {
		return 0
	}
	slices.Sort(s.times)
	return float64(s.n) / s.times[len(s.times)/2].Seconds()
}

// allCores processes n puzzles on each core and returns the total rate.
func allCores(n int, ours func() run) (float64, error) {
	errs := make([]error, runtime.GOMAXPROCS(0))
	start := time.Now()
	var cores sync.WaitGroup
	for i := range errs {
		run := ours()
		cores.Go(func() { _, errs[i] = run(n) })
	}
	cores.Wait()
	return float64(n*len(errs)) / time.Since(start).Seconds(), cmp.Or(errs...)
}
