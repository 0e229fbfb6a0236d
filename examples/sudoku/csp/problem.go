package csp

import (
	"context"
	"fmt"
	"iter"
	"maps"
)

// A Problem is a set of variables of type V with values of type D, and
// constraints between them. The zero value has none. Once it is complete, any
// number of goroutines may search it.
type Problem[V comparable, D any] struct {
	variables []variable[V, D] // in the order given
	index     map[V]int
	err       error // the first mistake made while the problem was put together
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

// Variable adds a variable and the values that it can have, the first ones to
// try first. A variable without values makes a problem without solution.
func (p *Problem[V, D]) Variable(name V, domain ...D) {
	if p.index == nil {
		p.index = map[V]int{}
	}
	if _, ok := p.index[name]; ok {
		p.fail(fmt.Errorf("variable %v is there twice", name))
		return
	}
	p.index[name] = len(p.variables)
	p.variables = append(p.variables, variable[V, D]{name: name, domain: domain})
}

// Constrain adds a constraint: allowed tells whether a and b can have these
// values together. It must always give the same answer for the same values.
func (p *Problem[V, D]) Constrain(a, b V, allowed func(a, b D) bool) {
	i, ok1 := p.index[a]
	j, ok2 := p.index[b]
	switch {
	case !ok1:
		p.fail(fmt.Errorf("constraint between %v and %v: no variable %v has been added", a, b, a))
	case !ok2:
		p.fail(fmt.Errorf("constraint between %v and %v: no variable %v has been added", a, b, b))
	case i == j:
		p.fail(fmt.Errorf("constraint between %v and itself: leave values out of its domain instead", a))
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

// Different is a constraint: the values differ.
func Different[D comparable](a, b D) bool { return a != b }

// Options switch parts of the search on. The zero value is plain backtracking
// with variables and values in the order given.
type Options struct {
	// AC3 makes all arcs consistent once before the search: a value goes
	// if it is allowed with no value that another variable has.
	AC3 bool
	// ForwardChecking takes from the other variables what an assignment does not
	// allow, and goes back as soon as one has no value left.
	ForwardChecking bool
	// MRV takes next the variable with the fewest values left, of equals the
	// first.
	MRV bool
	// LCV tries first the value that rules out the fewest values of
	// the variables that are not assigned, of equals the first.
	LCV bool
}

// A Kind says what a step does.
type Kind int

const (
	Assign    Kind = iota // a variable is given a value
	Prune                 // a variable loses a value that it can no longer have
	Backtrack             // an assignment is taken back, and with it what has been pruned since
	Solved                // all variables have values; variable and value of the step are zero
)

func (k Kind) String() string {
	switch k {
	case Assign:
		return "assign"
	case Prune:
		return "prune"
	case Backtrack:
		return "backtrack"
	case Solved:
		return "solved"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// A Step is one step of a search.
type Step[V, D any] struct {
	Kind     Kind
	Variable V
	Value    D
	Depth    int // how many variables are assigned after the step
}

// Steps is the search as a sequence of steps. It ends when everything has been
// tried; after a step Solved, the search goes on to the next solution. It ends
// at once when the loop over it does. The error says what is wrong with the
// problem; there are no steps then.
func (p *Problem[V, D]) Steps(o Options) (iter.Seq[Step[V, D]], error) {
	if p.err != nil {
		return nil, p.err
	}
	return func(yield func(Step[V, D]) bool) { newSearch(p, o, yield).run() }, nil
}

// Solutions is the sequence of all solutions, each a map of its own.
func (p *Problem[V, D]) Solutions(o Options) (iter.Seq[map[V]D], error) {
	steps, err := p.Steps(o)
	if err != nil {
		return nil, err
	}
	return func(yield func(map[V]D) bool) {
		assigned := map[V]D{}
		for step := range steps {
			switch step.Kind {
			case Assign:
				assigned[step.Variable] = step.Value
			case Backtrack:
				delete(assigned, step.Variable)
			case Solved:
				if !yield(maps.Clone(assigned)) {
					return
				}
			}
		}
	}, nil
}

// Solve returns the first solution, or nil if there is none. The error is what
// is wrong with the problem, or the context's cause when ctx is cancelled.
func (p *Problem[V, D]) Solve(ctx context.Context, o Options) (map[V]D, error) {
	steps, err := p.Steps(o)
	if err != nil {
		return nil, err
	}
	assigned := map[V]D{}
	n := 0
	for step := range steps {
		switch step.Kind {
		case Assign:
			assigned[step.Variable] = step.Value
		case Backtrack:
			delete(assigned, step.Variable)
		case Solved:
			return assigned, nil
		}
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, nil
}
