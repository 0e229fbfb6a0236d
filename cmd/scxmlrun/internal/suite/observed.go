package suite

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// covers is the kind of the violations by which an observed session tells a search what it does. So
// the search finds a shortest way to each, and on any number of cores the same.
const covers explore.Kind = "covers"

// An observed session tells what it does for the first time. With Pairs, the transition of the chart that
// it took last belongs to its state.
type observed struct {
	*explore.Session
	pairs, guards, transitions bool

	all    []scxml.Transition
	number map[scxml.Transition]uint32 // its index in all, and 1
	last   uint32                      // the number of the transition that was taken last; 0 if there is none

	told  map[any]bool // what was told
	names []string     // what the present input does for the first time
}

// outcome is what a condition was.
type outcome struct {
	of scxml.Transition
	is bool
}

// pair is two transitions of the chart that were taken one directly after the other.
type pair struct{ first, second scxml.Transition }

func newObserved(chart *scxml.Chart, opts explore.Options, criteria []Criterion) (*observed, error) {
	o := &observed{all: chart.Transitions(), number: map[scxml.Transition]uint32{}, told: map[any]bool{}}
	for i, t := range o.all {
		o.number[t] = uint32(i + 1)
	}
	o.pairs, o.guards = slices.Contains(criteria, Pairs), slices.Contains(criteria, Guards)
	o.transitions = o.pairs || o.guards || slices.Contains(criteria, Transitions)
	opts.Session = append(slices.Clip(opts.Session), scxml.WithTrace(o.trace()))
	var err error
	o.Session, err = explore.NewSession(chart, opts)
	return o, err
}

func (o *observed) trace() *scxml.Trace {
	trace := &scxml.Trace{Enter: func(_ *scxml.Session, st scxml.State) { tell(o, st, nameOfState) }}
	if o.transitions {
		trace.Transition = func(_ *scxml.Session, t scxml.Transition) {
			tell(o, t, nameOfTransition)
			if n := o.number[t]; n > 0 && o.pairs {
				if o.last > 0 {
					tell(o, pair{o.all[o.last-1], t}, nameOfPair)
				}
				o.last = n
			}
		}
	}
	if o.guards {
		trace.Cond = func(_ *scxml.Session, t scxml.Transition, is bool, _ error) { tell(o, outcome{t, is}, nameOfOutcome) }
	}
	return trace
}

// tell notes what the session does, if it is the first time.
func tell[T comparable](o *observed, what T, name func(T) string) {
	if !o.told[what] {
		o.told[what] = true
		o.names = append(o.names, name(what))
	}
}

func nameOfState(st scxml.State) string { return at(st.Pos(), "state "+st.Name()) }

func nameOfTransition(t scxml.Transition) string { return at(t.Pos(), "transition "+t.String()) }

func nameOfPair(p pair) string {
	return nameOfTransition(p.first) + ", then " + nameOfTransition(p.second)
}

func nameOfOutcome(o outcome) string {
	is := "false"
	if o.is {
		is = "true"
	}
	return at(o.of.Pos(), "condition "+o.of.Cond()+" is "+is)
}

func at(pos datamodel.Position, what string) string { return pos.String() + ": " + what }

// kinds returns what a program tells in place of observed sessions.
func kinds(criteria []Criterion) []search.Kind {
	all := []search.Kind{search.Entered}
	if slices.ContainsFunc(criteria, func(c Criterion) bool { return c != States }) {
		all = append(all, search.Taken)
	}
	if slices.Contains(criteria, Pairs) {
		all = append(all, search.Followed)
	}
	if slices.Contains(criteria, Guards) {
		all = append(all, search.True, search.False)
	}
	return all
}

// violation returns what observed sessions tell of a deed.
func violation(d compiled.Deed) explore.Violation {
	v := explore.Violation{Kind: covers}
	switch d.Kind {
	case search.Entered:
		v.Property = nameOfState(d.State)
	case search.Taken:
		v.Property = nameOfTransition(d.Transition)
	case search.Followed:
		v.Property = nameOfPair(pair{d.Before, d.Transition})
	default:
		v.Property = nameOfOutcome(outcome{d.Transition, d.Kind == search.True})
	}
	return v
}

// goals returns what the chart itself has of what the criteria ask for, without pairs.
func goals(chart *scxml.Chart, criteria []Criterion) (all []string) {
	for _, st := range chart.States() {
		if kind := st.Kind(); kind != scxml.KindScxml && kind != scxml.KindHistory {
			all = append(all, nameOfState(st))
		}
	}
	for _, t := range chart.Transitions() {
		if !slices.Equal(criteria, []Criterion{States}) {
			all = append(all, nameOfTransition(t))
		}
		if slices.Contains(criteria, Guards) && t.Cond() != "" {
			all = append(all, nameOfOutcome(outcome{t, true}), nameOfOutcome(outcome{t, false}))
		}
	}
	return all
}

// Start implements [explore.System].
func (o *observed) Start(ctx context.Context) error {
	o.names = nil
	return o.Session.Start(ctx)
}

// Apply implements [explore.System].
func (o *observed) Apply(ctx context.Context, in explore.Input) error {
	o.names = nil
	return o.Session.Apply(ctx, in)
}

// Violations returns what the last input has done for the first time.
func (o *observed) Violations() []explore.Violation {
	var all []explore.Violation
	for _, name := range o.names {
		all = append(all, explore.Violation{Kind: covers, Property: name})
	}
	return all
}

// run starts the session, applies the path, and returns all that it does.
func (o *observed) run(ctx context.Context, path []explore.Input) (map[string]bool, error) {
	err := o.Start(ctx)
	names := o.names
	for _, in := range path {
		if err != nil {
			break
		}
		err = o.Apply(ctx, in)
		names = append(names, o.names...)
	}
	if errors.As(err, new(*scxml.LimitError)) || errors.Is(err, explore.ErrEndless) {
		err = nil // which is what the path does
	}
	does := map[string]bool{}
	for _, name := range names {
		does[name] = true
	}
	return does, err
}

// AppendState implements [explore.System].
func (o *observed) AppendState(dst []byte) ([]byte, error) {
	return o.Session.AppendState(binary.LittleEndian.AppendUint32(dst, o.last))
}

// AppendKey implements [explore.System].
func (o *observed) AppendKey(dst []byte) ([]byte, error) {
	return o.Session.AppendKey(binary.LittleEndian.AppendUint32(dst, o.last))
}

// LoadState implements [explore.System].
func (o *observed) LoadState(state []byte) error {
	if len(state) < 4 {
		return scxml.ErrSnapshot
	}
	o.last = binary.LittleEndian.Uint32(state)
	return o.Session.LoadState(state[4:])
}
