package suite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/searchprogram"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// A Criterion is what a suite covers.
type Criterion string

// The criteria. Pairs and Guards add to Transitions, and Transitions to States.
const (
	States      Criterion = "states"
	Transitions Criterion = "transitions"
	Pairs       Criterion = "pairs"  // of transitions that are taken one directly after the other
	Guards      Criterion = "guards" // both outcomes of each condition
)

// Criteria returns all criteria.
func Criteria() []Criterion { return []Criterion{States, Transitions, Pairs, Guards} }

// A Suite is a set of scenarios, the longest first. They have events, but neither a chart nor a trace,
// see [Fill].
type Suite struct {
	Scenarios []*scxmltest.Scenario

	Covered []string // what the scenarios do, in the order in which the search found it
	Missing []string // what the search never found of the chart itself; pairs are unknown before
	Bound   string   // which bound ended the search, see [explore.Report]; "" if all was visited
	Grows   []explore.Growth
}

// Cover searches a chart as [searchprogram.Explore] does in one of its modes, and returns scenarios that do all that the
// search has found of what the criteria ask for. Properties, Reach, First, Stop, Graph, Errors, NoDeadlocks and Unused of
// the options are not used.
func Cover(ctx context.Context, chart *scxml.Chart, opts explore.Options, mode string, criteria ...Criterion) (*Suite, error) {
	for _, c := range criteria {
		if !slices.Contains(Criteria(), c) {
			return nil, fmt.Errorf("suite: %q is not a criterion: want one of %q", c, Criteria())
		}
	}
	opts.Properties, opts.Reach, opts.Reduce = nil, nil, false
	opts.First, opts.Stop, opts.Graph, opts.Errors, opts.Unused, opts.NoDeadlocks = false, false, false, false, false, true
	report, err := searchprogram.Cover(ctx, chart, opts, mode, func(ctx context.Context, opts explore.Options) (*explore.Report, error) {
		return explore.Search(ctx, func() (explore.System, error) { return newObserved(chart, opts, criteria) }, opts)
	}, violation, kinds(criteria)...)
	if err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	found := make(map[string]bool)
	s := &Suite{Bound: report.Bound, Grows: report.Grows}
	var paths [][]explore.Input
	for _, v := range report.Violations {
		if v.Kind == covers {
			found[v.Property] = true
			s.Covered = append(s.Covered, v.Property)
			paths = append(paths, v.Path)
		}
	}
	for _, goal := range goals(chart, criteria) {
		if !found[goal] {
			s.Missing = append(s.Missing, goal)
		}
	}
	opts.Time = explore.Zero // the paths have their waits
	// After a search whose time is up, too.
	runs, err := few(context.WithoutCancel(ctx), paths, s.Covered, func() (*observed, error) { return newObserved(chart, opts, criteria) })
	for _, r := range runs {
		s.Scenarios = append(s.Scenarios, &scxmltest.Scenario{Snapshot: opts.From, Events: lines(r.path)})
	}
	return s, err
}

// A run is a path and what it does.
type run struct {
	path []explore.Input
	does map[string]bool
}

// few returns runs of some of the paths that together do all that the paths were found for: paths[i] does
// goals[i].
func few(ctx context.Context, paths [][]explore.Input, goals []string, system func() (*observed, error)) ([]*run, error) {
	order := make([]int, len(paths))
	for i := range order {
		order[i] = i
	}
	// A long path does much, and what its beginning does.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(paths[b]), len(paths[a])) })
	var runs []*run
	count := map[string]int{} // how many runs do it
	for _, i := range order {
		if count[goals[i]] > 0 {
			continue
		}
		o, err := system()
		if err != nil {
			return nil, err
		}
		does, err := o.run(ctx, paths[i])
		if err != nil {
			return nil, fmt.Errorf("suite: cannot repeat the way to %s: %w", goals[i], err)
		}
		if !does[goals[i]] {
			return nil, fmt.Errorf("suite: the way to %s does not lead there", goals[i])
		}
		runs = append(runs, &run{paths[i], does})
		for goal := range does {
			count[goal]++
		}
	}
	return slices.DeleteFunc(runs, func(r *run) bool {
		for goal := range r.does {
			if count[goal] == 1 {
				return false
			}
		}
		for goal := range r.does {
			count[goal]--
		}
		return true
	}), nil
}

// lines returns a path as the events of a scenario.
func lines(path []explore.Input) string {
	var b strings.Builder
	for _, in := range path {
		b.WriteString(in.String() + "\n")
	}
	return b.String()
}
