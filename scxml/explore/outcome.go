package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// An Outcome is what another search of the states of a chart has found, see [ReportOf].
type Outcome struct {
	States, Transitions, Depth, Deadlocks, Pruned int

	Missed     float64
	Bound      string // as in a [Report]
	Incomplete bool   // not all states were visited, with a Bound or without

	// Violations have their kinds, properties and paths; those of Reached have paths. ReportOf adds the rest.
	Violations []Violation
	Reached    []Reached

	Last []Input // the path to the state that was found last
}

// ErrLooks is the error of [ReportOf] for a chart that looks at something that the search had to tell of.
var ErrLooks = errors.New("explore: the chart looks at something of which the search tried only some")

// ReportOf returns the report of another search, which has visited the states as [Run] does, of a chart that looks at
// nothing that would be left out. It takes each path that was found by a session, and fails if one does not lead to what
// the outcome says. The error is [ErrLooks] if the session has noticed such a look. Violations of kinds that a search does not
// find by itself are only given their times.
func ReportOf(ctx context.Context, chart *scxml.Chart, opts Options, o Outcome) (*Report, error) {
	return reportOf(ctx, func() (System, error) { return NewSession(chart, opts) }, opts, o)
}

// ComparisonOf is [ReportOf] for another search that has compared two charts as [Compare] does.
func ComparisonOf(ctx context.Context, old, new *scxml.Chart, opts Options, o Outcome, aspects ...Aspect) (*Report, error) {
	newPair, opts, err := comparison(old, new, opts, aspects)
	if err != nil {
		return nil, err
	}
	return reportOf(ctx, func() (System, error) { return newPair() }, opts, o)
}

func reportOf(ctx context.Context, newSystem func() (System, error), opts Options, o Outcome) (*Report, error) {
	r := &Report{Bound: o.Bound, Missed: o.Missed, States: o.States, Transitions: o.Transitions, Depth: o.Depth, Deadlocks: o.Deadlocks, Pruned: o.Pruned}
	for _, v := range o.Violations {
		if !slices.Contains([]Kind{Deadlock, Broken, Limit, Error, Difference}, v.Kind) {
			r.Violations = append(r.Violations, v)
			continue
		}
		if err := replay(ctx, newSystem, v.Path, func(s System, last error) error { return v.complete(ctx, s, opts, last) }); err != nil {
			return nil, fmt.Errorf("explore: what another search has found is not so: %w", err)
		}
		r.Violations = append(r.Violations, v)
	}
	for _, reached := range o.Reached {
		if err := replay(ctx, newSystem, reached.Path, func(s System, last error) error {
			if last == nil && !s.In(reached.State) {
				last = fmt.Errorf("%q is not active", reached.State)
			}
			return last
		}); err != nil {
			return nil, fmt.Errorf("explore: what another search has found is not so: %w", err)
		}
		r.Reached = append(r.Reached, reached)
	}
	if o.States > 0 {
		soon, end := context.WithTimeout(ctx, replayTime)
		defer end()
		err := replay(soon, newSystem, o.Last[:min(len(o.Last), maxReplay)], func(_ System, err error) error { return err })
		if err != nil && soon.Err() == nil {
			return nil, fmt.Errorf("explore: what another search has found is not so: %w", err)
		}
	}
	if o.Bound != "" && len(o.Last) >= leastValues {
		if err := replay(ctx, newSystem, nil, func(s System, err error) error {
			r.Grows = growthOn(s, o.Last)
			return err
		}); err != nil {
			return nil, err
		}
	}
	system, err := newSystem()
	if err != nil {
		return nil, err
	}
	s := &search{opts: opts, report: r, workers: []*worker{{system: system}}}
	if err := s.schedule(); err != nil {
		return nil, err
	}
	if r.Bound == "" && s.delays {
		r.Bound = "delays"
	}
	s.leftOut()
	if r.Bound == "" && !o.Incomplete && len(r.LeftOut) == 0 {
		for _, name := range s.missing() {
			s.add(Violation{Kind: Missing, Property: name}, nil)
		}
	}
	s.verdict()
	return r, nil
}

// A path that is taken only to see that a session can has bounds.
const (
	maxReplay  = 10_000
	replayTime = 2 * time.Second
)

// replay takes a path, all of which but its last input must succeed, and calls f with the error of that.
func replay(ctx context.Context, newSystem func() (System, error), path []Input, f func(s System, last error) error) error {
	s, err := newSystem()
	if err != nil {
		return err
	}
	err = s.Start(ctx)
	for _, in := range path {
		if err != nil {
			return err
		}
		err = s.Apply(ctx, in)
	}
	if err = f(s, err); err == nil {
		watched := s.(watchedSystem)
		if reasons, _ := watched.LeftOut(); reasons != nil || watched.KeepsIDs() {
			err = ErrLooks
		}
	}
	return err
}

// complete adds what a violation lacks, in the state to which its path has led.
func (v *Violation) complete(ctx context.Context, s System, opts Options, last error) error {
	if v.Kind == Limit {
		var limit *scxml.LimitError
		if !errors.As(last, &limit) {
			return fmt.Errorf("no limit is exceeded: %v", last)
		}
		v.Message = limit.Error()
		return nil
	}
	if v.Kind == Error {
		all := violations(s)
		i := slices.IndexFunc(all, v.isLike)
		if i < 0 {
			return fmt.Errorf("no %q is raised", v.Property)
		}
		v.Message = all[i].Message
		return nil
	}
	if last != nil {
		return last
	}
	if v.Kind == Difference {
		all := violations(s)
		if all == nil {
			return errors.New("the charts do not differ")
		}
		v.Property, v.Message = all[0].Property, all[0].Message
		return nil
	}
	v.Configuration = s.Configuration()
	switch v.Kind {
	case Deadlock:
		return v.isDeadlock(ctx, s)
	case Broken:
		i := slices.IndexFunc(opts.Properties, func(p Property) bool { return p.Name == v.Property })
		holds, err := opts.Properties[i].Holds(ctx, s)
		if err == nil && holds {
			err = fmt.Errorf("the property %q holds", v.Property)
		}
		return err
	}
	return nil
}

// isDeadlock returns an error if an input changes the present state.
func (v *Violation) isDeadlock(ctx context.Context, s System) error {
	state, err := s.AppendState(nil)
	if err != nil {
		return err
	}
	key, err := s.AppendKey(nil)
	if err != nil {
		return err
	}
	for _, in := range s.AppendInputs(nil) {
		err := s.LoadState(state)
		if err == nil {
			err = s.Apply(ctx, in)
		}
		if err != nil {
			return err
		}
		if after, err := s.AppendKey(nil); err != nil || !slices.Equal(after, key) {
			return fmt.Errorf("%v changes the state: %v", in, err)
		}
	}
	return nil
}
