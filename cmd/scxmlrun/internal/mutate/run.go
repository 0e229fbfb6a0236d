package mutate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// A Test tells whether a chart does what it should.
type Test struct {
	Name string
	// Passes runs the test on a chart. It is called on many goroutines. An error ends the run.
	Passes func(ctx context.Context, chart *scxml.Chart) (bool, error)
}

// Options say how to run the mutants of a chart.
type Options struct {
	// Parse compiles the document of a mutant, with the options of the chart. Mutants that it refuses
	// with a [*scxml.DocumentError] are left out. nil is [scxml.Parse] without options.
	Parse func(name string, source []byte) (*scxml.Chart, error)

	// Explore has the options of the searches that compare the mutants which no test finds with the
	// chart, see [explore.Compare]. MaxStates is at most 10,000 unless it is set. MaxMemory is what all
	// searches and tests together may take.
	Explore explore.Options
	// Compare is called for these searches; nil is [explore.Compare].
	Compare func(ctx context.Context, old, new *scxml.Chart, opts explore.Options) (*explore.Report, error)

	Max      int            // try only this many mutants, evenly spread; 0: all
	Workers  int            // how many goroutines work; 0: one for each core
	Progress func(Progress) // is called after each mutant, on one goroutine at a time; may be nil
}

// Progress is how far a run has come.
type Progress struct{ Done, Missed, Total int }

// An Outcome is what became of a mutant.
type Outcome string

const (
	Killed     Outcome = "killed"     // a test fails
	Missed     Outcome = "missed"     // no test fails, although the mutant behaves differently
	Equivalent Outcome = "equivalent" // no sequence of events tells the mutant from the chart
	Unknown    Outcome = "unknown"    // no test fails, and the search for a difference proved nothing
)

// A Result is what became of a mutant.
type Result struct {
	*Mutant
	Outcome Outcome
	Test    string // of Killed: the first test that fails

	// Difference is, for Missed, a shortest way to a difference between the chart, which is called old,
	// and the mutant, which is called new. A test with these inputs finds the mutant.
	Difference *explore.Violation
	Bound      string // of Unknown: the bound that the search reached, the reason why it holds only as far as searched, or why the chart cannot be explored
}

// A Report is what a run has found.
type Report struct {
	Results []Result // in the order of the mutants; those that were not tried are missing
	Total   int      // how many mutants were to be tried
}

// Count returns how many mutants had an outcome.
func (r *Report) Count(o Outcome) (n int) {
	for i := range r.Results {
		if r.Results[i].Outcome == o {
			n++
		}
	}
	return n
}

// Rate returns which part of the mutants the tests have killed, from 0 to 1. Equivalent ones do not
// count.
func (r *Report) Rate() float64 {
	others := len(r.Results) - r.Count(Equivalent)
	if others == 0 {
		return 1
	}
	return float64(r.Count(Killed)) / float64(others)
}

// Run tries the mutants of a chart. The tests must pass on the chart itself. A context that is done ends
// the run with the report so far.
func Run(ctx context.Context, chart *scxml.Chart, tests []Test, opts Options) (*Report, error) {
	r := &run{chart: chart, tests: tests, opts: opts}
	if r.opts.Parse == nil {
		r.opts.Parse = func(name string, source []byte) (*scxml.Chart, error) { return scxml.Parse(name, source) }
	}
	if r.opts.Compare == nil {
		r.opts.Compare = func(ctx context.Context, old, new *scxml.Chart, opts explore.Options) (*explore.Report, error) {
			return explore.Compare(ctx, old, new, opts)
		}
	}
	if r.opts.Explore.MaxStates == 0 {
		r.opts.Explore.MaxStates = 10_000
	}
	if r.opts.Workers <= 0 {
		r.opts.Workers = runtime.GOMAXPROCS(0)
	}
	r.opts.Explore.Workers = 1
	if most := r.opts.Explore.MaxMemory; most > 0 {
		r.opts.Explore.MaxMemory = max(1, most/int64(r.opts.Workers))
	}
	mutants := spread(Mutants(chart), opts.Max)
	for _, test := range tests {
		passed, full, err := r.passes(ctx, test, chart)
		switch {
		case ctx.Err() != nil:
			return &Report{Total: len(mutants)}, nil
		case full:
			return nil, fmt.Errorf("mutate: test %q takes more memory than there is for it", test.Name)
		case err != nil:
			return nil, fmt.Errorf("mutate: test %q: %w", test.Name, err)
		case !passed:
			return nil, fmt.Errorf("mutate: test %q fails on %s itself: want tests that pass", test.Name, chart.File())
		}
	}
	return r.run(ctx, mutants)
}

// spread returns n of the mutants.
func spread(all []*Mutant, n int) []*Mutant {
	if n <= 0 || n >= len(all) {
		return all
	}
	some := make([]*Mutant, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// A run tries mutants.
type run struct {
	chart *scxml.Chart
	tests []Test
	opts  Options
}

func (r *run) run(ctx context.Context, mutants []*Mutant) (*Report, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	results := make([]Result, len(mutants)) // without an outcome: not tried, or refused
	var (
		next     atomic.Int64
		all      sync.WaitGroup
		mu       sync.Mutex
		err      error
		progress = Progress{Total: len(mutants)}
	)
	for range min(r.opts.Workers, len(mutants)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(mutants) || ctx.Err() != nil {
					return
				}
				result, failure := r.try(ctx, mutants[i])
				if ctx.Err() != nil {
					return // what it has found may be the end of the context
				}
				mu.Lock()
				if failure != nil && err == nil {
					err = fmt.Errorf("mutate: %s: %s: %w", mutants[i].Pos, mutants[i].Operator, failure)
					fail(err)
				}
				results[i] = result
				progress.Done++
				if result.Outcome == Missed || result.Outcome == Unknown {
					progress.Missed++
				}
				if r.opts.Progress != nil {
					r.opts.Progress(progress)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	report := &Report{Total: len(mutants)}
	for i := range results {
		switch results[i].Outcome {
		case "":
		case refused:
			report.Total--
		default:
			report.Results = append(report.Results, results[i])
		}
	}
	return report, err
}

// passes runs a test, and reports whether the memory was full before it ended.
func (r *run) passes(ctx context.Context, test Test, chart *scxml.Chart) (passed, full bool, err error) {
	within, end := explore.WithinMemory(ctx, r.opts.Explore.MaxMemory)
	defer end()
	passed, err = test.Passes(within, chart)
	return passed, within.Err() != nil && ctx.Err() == nil, err
}

// refused is the outcome of a mutant that is not a legal document.
const refused Outcome = "refused"

// try tries one mutant.
func (r *run) try(ctx context.Context, m *Mutant) (Result, error) {
	result := Result{Mutant: m}
	mutant, err := r.opts.Parse(r.chart.File(), []byte(m.Source()))
	if errors.As(err, new(*scxml.DocumentError)) {
		result.Outcome = refused
		return result, nil
	}
	if err != nil {
		return result, err
	}
	for _, test := range r.tests {
		passed, full, err := r.passes(ctx, test, mutant)
		if full {
			result.Outcome, result.Bound = Unknown, "memory"
			return result, nil
		}
		if err != nil {
			return result, fmt.Errorf("test %q: %w", test.Name, err)
		}
		if !passed {
			result.Outcome, result.Test = Killed, test.Name
			return result, nil
		}
	}
	report, err := r.opts.Compare(ctx, r.chart, mutant, r.opts.Explore)
	switch {
	case err != nil:
		result.Outcome, result.Bound = Unknown, strings.TrimPrefix(err.Error(), "explore: ")
	case report.Verdict == explore.Violated:
		result.Outcome, result.Difference = Missed, &report.Violations[0]
	case report.Verdict == explore.Inconclusive:
		result.Outcome, result.Bound = Unknown, report.Bound
	case report.Verdict == explore.Searched:
		result.Outcome, result.Bound = Unknown, report.LeftOut[0].Name
	default:
		result.Outcome = Equivalent
	}
	return result, nil
}
