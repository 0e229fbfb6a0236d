package bench

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

// Config says how to measure. The zero value leaves qqwing out.
type Config struct {
	QQWing string // the program to compare with, see [FindQQWing]; "" is none
	// Time is how long to measure each of what is in a Rate, 0 is 2 seconds. It
	// takes longer if going through the list a few times does.
	Time time.Duration
}

// rounds is how often ours and qqwing's runs take turns.
const rounds = 5

// A Rate is how many puzzles are done in a second.
type Rate struct {
	OneCore  float64
	AllCores float64
	QQWing   float64 // 0 if it was not measured
}

// Ratio tells how many times qqwing's rate ours is on one core, 0 if that is not
// known.
func (r Rate) Ratio() float64 {
	if r.QQWing == 0 {
		return 0
	}
	return r.OneCore / r.QQWing
}

// Solve measures how fast the puzzles of a list are solved. A list without
// puzzles is an error; others are the context's cause, and why qqwing could not
// be run.
func Solve(ctx context.Context, grids []sudoku.Grid, c Config) (Rate, error) {
	if len(grids) == 0 {
		return Rate{}, errors.New("no puzzles to measure with")
	}
	ours := func() run {
		var s sudoku.Solver
		return func(n int) (time.Duration, error) {
			start := spent()
			for i := range n {
				if i%1024 == 0 && ctx.Err() != nil {
					return 0, context.Cause(ctx)
				}
				s.Solve(&grids[i%len(grids)])
			}
			return spent() - start, nil
		}
	}
	var theirs run
	if c.QQWing != "" {
		theirs = func(n int) (time.Duration, error) { return solveQQWing(ctx, c.QQWing, grids, n) }
	}
	return measure(ctx, c.Time, len(grids), ours, theirs)
}

// Generate measures how fast puzzles are made. They are compared with qqwing's
// only if they are minimal and without symmetry, because that is what qqwing
// makes. An error is that of [generate.New], the context's cause, or why qqwing
// could not be run.
func Generate(ctx context.Context, o generate.Options, c Config) (Rate, error) {
	if _, err := generate.New(o); err != nil {
		return Rate{}, err
	}
	ours := func() run {
		g, _ := generate.New(o)
		number := uint64(0)
		return func(n int) (time.Duration, error) {
			start := spent()
			for range n {
				if _, err := g.Puzzle(ctx, number); err != nil {
					return 0, err
				}
				number++
			}
			return spent() - start, nil
		}
	}
	var theirs run
	if c.QQWing != "" && (o.Method == "" || o.Method == "minimal") && (o.Symmetry == "" || o.Symmetry == "none") {
		theirs = func(n int) (time.Duration, error) { return generateQQWing(ctx, c.QQWing, n) }
	}
	return measure(ctx, c.Time, 1, ours, theirs)
}

// A run does n puzzles and returns how much processor time that took.
type run func(n int) (time.Duration, error)

// measure lets ours and qqwing, if theirs is not nil, take turns. Each run does
// the whole list once or more. Ours makes a run for each goroutine.
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
			return Rate{}, causeOr(ctx, err)
		}
	}
	all, err := allCores(rounds*us.n, ours)
	return Rate{OneCore: us.perSecond(), AllCores: all, QQWing: them.perSecond()}, err
}

// causeOr returns the context's cause if there is one, and else the error.
func causeOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// A sample is a number of runs of the same thing.
type sample struct {
	run   run
	n     int // puzzles a run; one list before the first run
	times []time.Duration
}

// take makes a run. The first time it finds out how often the list has to be
// repeated until it takes long enough.
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

// perSecond is the rate of the median run, 0 if there was none.
func (s *sample) perSecond() float64 {
	if len(s.times) == 0 {
		return 0
	}
	slices.Sort(s.times)
	return float64(s.n) / s.times[len(s.times)/2].Seconds()
}

// allCores lets each core do n puzzles, and returns the rate of all together by
// the clock.
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
