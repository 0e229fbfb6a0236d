package csp

import (
	"context"
	"fmt"
	"iter"
	"maps"
)

// A Problem is a set of variables of type V with values of type D, and constraints
// between them. The zero value is empty. Once complete, it is safe for concurrent
// searches.
type Problem[V comparable, D any] struct {
	variables []variable[V, D] // in the order given
	index     map[V]int
	err       error // the first error of Variable or Constrain
}

type variable[V comparable, D any] struct {
	name   V
	domain []D
	arcs   []arc[D]
}

// An arc is a constraint seen from one of its variables.
type arc[D any] struct {
	other   int
	allowed func(own, other D) bool
}

// Variable adds a variable and its possible values in the order in which to try
// them. A problem with a variable without values does not have a solution.
func (p *Problem[V, D]) Variable(name V, domain ...D) {
	if p.index == nil {
		p.index = map[V]int{}
	}
	if _, ok := p.index[name]; ok {
		p.fail(fmt.Errorf("cannot add variable %v twice", name))
		return
	}
	p.index[name] = len(p.variables)
	p.variables = append(p.variables, variable[V, D]{name: name, domain: domain})
}

// Constrain adds a constraint: allowed reports whether a and b can have these
// values together. It must return the same for the same values.
func (p *Problem[V, D]) Constrain(a, b V, allowed func(a, b D) bool) {
	i, ok1 := p.index[a]
	j, ok2 := p.index[b]
	switch {
	case !ok1:
		p.fail(fmt.Errorf("cannot constrain %v and %v: add variable %v first", a, b, a))
	case !ok2:
		p.fail(fmt.Errorf("cannot constrain %v and %v: add variable %v first", a, b, b))
	case i == j:
		p.fail(fmt.Errorf("cannot constrain %v and itself: leave values out of its domain instead", a))
	default:
		p.variables[i].arcs = append(p.variables[i].arcs, arc[D]{j, allowed})
		p.variables[j].arcs = append(p.variables[j].arcs, arc[D]{i, func(b, a D) bool { return allowed(a, b) }})
	}
}

func (p *Problem[V, D]) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Different is the constraint that the values differ.
func Different[D comparable](a, b D) bool { return a != b }

// Options enable parts of the search. The zero value is plain backtracking with
// variables and values in the order given.
type Options struct {
	// AC3 makes all arcs consistent before the search: it prunes each value that
	// does not go with any value of some other variable.
	AC3 bool
	// ForwardChecking prunes the values of other variables that an assignment
	// excludes, and backtracks as soon as a variable does not have any left.
	ForwardChecking bool
	// MRV assigns the variable with the fewest values left, and the first of
	// several.
	MRV bool
	// LCV tries the value that excludes the fewest values of unassigned
	// variables, and the first of several.
	LCV bool
}

// A Kind is the kind of a step.
type Kind int

const (
	Assign    Kind = iota // a variable gets a value
	Prune                 // a value of a variable is excluded
	Backtrack             // an assignment is undone, together with later prunings
	Solved                // all variables have values; the step's variable and value are zero
)

func (k Kind) String() string {
	if k < Assign || k > Solved {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return [...]string{"assign", "prune", "backtrack", "solved"}[k]
}

// A Step is one step of a search.
type Step[V, D any] struct {
	Kind     Kind
	Variable V
	Value    D
	Depth    int // number of variables assigned after the step
}

// Steps returns an iterator over the steps of the search. After a step Solved, the
// search continues with the next solution, until everything has been tried. The
// search ends when the loop over it ends. The error says what is wrong with the
// problem.
func (p *Problem[V, D]) Steps(o Options) (iter.Seq[Step[V, D]], error) {
	if p.err != nil {
		return nil, p.err
	}
	return func(yield func(Step[V, D]) bool) { newSearch(p, o, yield).run() }, nil
}

// Solutions returns an iterator over all solutions. Each is a new map.
func (p *Problem[V, D]) Solutions(o Options) (iter.Seq[map[V]D], error) {
	steps, err := p.Steps(o)
	if err != nil {
		return nil, err
	}
	return func(yield func(map[V]D) bool) {
		for step, assigned := range following(steps) {
			if step.Kind == Solved && !yield(maps.Clone(assigned)) {
				return
			}
		}
	}, nil
}

// following returns the steps, each with the assignment after it.
func following[V comparable, D any](steps iter.Seq[Step[V, D]]) iter.Seq2[Step[V, D], map[V]D] {
	return func(yield func(Step[V, D], map[V]D) bool) {
		assigned := map[V]D{}
		for step := range steps {
			switch step.Kind {
			case Assign:
				assigned[step.Variable] = step.Value
			case Backtrack:
				delete(assigned, step.Variable)
			}
			if !yield(step, assigned) {
				return
			}
		}
	}
}

// Solve returns the first solution, or nil if there is none. The error says what is
// wrong with the problem, or is the context's cause if ctx is cancelled.
func (p *Problem[V, D]) Solve(ctx context.Context, o Options) (map[V]D, error) {
	steps, err := p.Steps(o)
	if err != nil {
		return nil, err
	}
	n := 0
	for step, assigned := range following(steps) {
		if step.Kind == Solved {
			return assigned, nil
		}
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, nil
}
