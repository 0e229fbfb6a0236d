package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/generate"
)

// Config says how to measure. The zero value leaves qqwing out.
type Config struct {
	QQWing string // the program to compare with, see [FindQQWing]; "" is none
	Rounds int    // how often each is measured; 0 is 5
	// Least is how much processor time a round takes of each at least, 0 is 200 ms.
	// A list is repeated as often as that takes.
	Least time.Duration
	// Progress, unless it is nil, is called after each round.
	Progress func(name string, round, rounds int)
}

// A Rate is what has been measured for a list.
type Rate struct {
	Name    string
	Puzzles int           // the length of the list
	Time    time.Duration // for a puzzle, the median of all rounds
	QQWing  time.Duration // for a puzzle, the median of all rounds; 0 if it was not measured
}

// PerSecond returns how many puzzles are done in a second.
func (r Rate) PerSecond() float64 { return 1 / r.Time.Seconds() }

// Ratio tells how many times qqwing's rate ours is, 0 if that is not known.
func (r Rate) Ratio() float64 { return float64(r.QQWing) / float64(r.Time) }

// Solve measures how long the puzzles of a list take, on average. A list without
// puzzles is an error; others are the context's cause, and why qqwing could not
// be run.
func Solve(ctx context.Context, name string, grids []sudoku.Grid, c Config) (Rate, error) {
	if len(grids) == 0 {
		return Rate{}, fmt.Errorf("list %q has no puzzles", name)
	}
	var s sudoku.Solver
	return c.measure(ctx, Rate{Name: name, Puzzles: len(grids)},
		func(n int) (time.Duration, error) {
			start := spent()
			for i := range n {
				if i%1024 == 0 && ctx.Err() != nil {
					return 0, context.Cause(ctx)
				}
				s.Solve(&grids[i%len(grids)])
			}
			return spent() - start, nil
		},
		func(n int) (time.Duration, error) { return solveQQWing(ctx, c.QQWing, grids, n) })
}

// Generate measures how long making a minimal puzzle takes, without symmetry,
// which is what qqwing does. The error is the context's cause, or why qqwing
// could not be run.
func Generate(ctx context.Context, c Config) (Rate, error) {
	g, err := generate.New(generate.Options{})
	if err != nil {
		return Rate{}, err
	}
	number := uint64(0)
	return c.measure(ctx, Rate{Name: "generate", Puzzles: 1},
		func(n int) (time.Duration, error) {
			start := spent()
			for range n {
				if _, err := g.Puzzle(ctx, number); err != nil {
					return 0, err
				}
				number++
			}
			return spent() - start, nil
		},
		func(n int) (time.Duration, error) { return generateQQWing(ctx, c.QQWing, n) })
}

// A run does n puzzles and returns how long that took.
type run func(n int) (time.Duration, error)

// measure lets ours and qqwing take turns.
func (c Config) measure(ctx context.Context, r Rate, ours, qqwing run) (Rate, error) {
	if c.Rounds <= 0 {
		c.Rounds = 5
	}
	if c.Least <= 0 {
		c.Least = 200 * time.Millisecond
	}
	us := sample{run: ours, n: r.Puzzles}
	them := sample{run: qqwing, n: r.Puzzles}
	for round := range c.Rounds {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if err := us.take(c.Least); err != nil {
			return r, err
		}
		if c.QQWing != "" {
			if err := them.take(c.Least); err != nil {
				if ctx.Err() != nil {
					err = context.Cause(ctx)
				}
				return r, err
			}
		}
		if c.Progress != nil {
			c.Progress(r.Name, round+1, c.Rounds)
		}
	}
	r.Time, r.QQWing = us.median(), them.median()
	return r, nil
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
			s.times = append(s.times, took/time.Duration(s.n))
			return nil
		}
		more := 1.2 * float64(least) / float64(max(took, least/100))
		s.n *= max(2, int(more))
	}
}

func (s *sample) median() time.Duration {
	if len(s.times) == 0 {
		return 0
	}
	slices.Sort(s.times)
	return s.times[len(s.times)/2]
}
