package explore

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// hash is what is kept of the key of a state.
type hash [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hashOf(key []byte) hash {
	return hash{maphash.Bytes(seeds[0], key), maphash.Bytes(seeds[1], key)}
}

// A search visits the states level by level, a batch at a time. The workers visit the states of a batch
// in any order. Then one goroutine enters what they have found, in the order of the states and their
// inputs. So the result does not depend on the workers.
type search struct {
	chart *scxml.Chart
	opts  Options
	data  map[string][]datamodel.Value

	seen   map[hash]struct{} // not modified while the workers run
	found  []found           // all states, in the order in which they were found
	inputs map[string]int32  // index in list, by text
	list   []Input
	open   []state // to be visited
	memory int64   // what open and found take
	delays bool    // an event came while a delayed one was pending
	report *Report
}

// found is how a state was found: by an input in another one. The first state has the input -1.
type found struct{ from, input int32 }

// A state is one to be visited.
type state struct {
	number int32
	bytes  []byte
}

// batch is how many states are visited before what was found is entered.
const batch = 4096

// entrySize is about what a state that was visited takes.
const entrySize = 60

var errBound = errors.New("a bound is reached")

func (s *search) run(ctx context.Context) error {
	workers := make([]*worker, s.opts.Workers)
	for i := range workers {
		w, err := newWorker(s)
		if err != nil {
			return err
		}
		workers[i] = w
	}
	defer s.unused(workers)
	start := workers[0].start(ctx)
	if ctx.Err() != nil {
		return s.bound("time")
	}
	if err := s.enter(-1, []successor{start}); err != nil {
		return err
	}
	last := time.Now()
	for len(s.open) > 0 {
		if depth := s.opts.MaxDepth; depth > 0 && s.report.Depth == depth {
			return s.bound("depth")
		}
		level := s.open
		s.open = nil
		for from := 0; from < len(level); from += batch {
			now := level[from:min(from+batch, len(level))]
			visits := visitAll(ctx, workers, now)
			if ctx.Err() != nil {
				return s.bound("time")
			}
			for i := range now {
				if err := s.visited(now[i].number, &visits[i]); err != nil {
					return err
				}
				s.memory -= int64(len(now[i].bytes))
				now[i].bytes = nil
			}
			if s.opts.Progress != nil && time.Since(last) > 200*time.Millisecond {
				last = time.Now()
				s.opts.Progress(Progress{len(s.found), s.report.Transitions, s.report.Depth, len(level) - from - len(now) + len(s.open)})
			}
		}
		if len(s.open) > 0 {
			s.report.Depth++
		}
	}
	return nil
}

// visitAll visits the states, each by one of the workers.
func visitAll(ctx context.Context, workers []*worker, states []state) []visit {
	visits := make([]visit, len(states))
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range workers[:min(len(workers), len(states))] {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(states) {
					return
				}
				visits[i] = w.visit(ctx, states[i].bytes)
			}
		})
	}
	all.Wait()
	return visits
}

// visited enters what the visit of a state has found.
func (s *search) visited(number int32, v *visit) error {
	if v.err != nil {
		return fmt.Errorf("%w (%s)", v.err, after(s.path(number)))
	}
	s.delays = s.delays || v.delays
	if v.deadlock != nil {
		s.report.Deadlocks++
		s.violation(Violation{Kind: Deadlock, Configuration: v.deadlock}, number, nil)
	}
	return s.enter(number, v.successors)
}

// enter enters the successors of a state.
func (s *search) enter(from int32, successors []successor) error {
	for i := range successors {
		next := &successors[i]
		if next.err != nil {
			path := s.path(from)
			if from >= 0 {
				path = append(path, next.input)
			}
			return fmt.Errorf("%w (%s)", next.err, after(path))
		}
		if from >= 0 && !next.same {
			s.report.Transitions++
		}
		for _, v := range next.events {
			s.violation(v, from, &next.input)
		}
		if next.hash == (hash{}) {
			continue
		}
		if _, known := s.seen[next.hash]; known {
			continue
		}
		if most := s.opts.MaxStates; most > 0 && len(s.found) == most {
			return s.bound("states")
		}
		if most := s.opts.MaxMemory; most > 0 && s.memory > most {
			return s.bound("memory")
		}
		s.seen[next.hash] = struct{}{}
		number := int32(len(s.found))
		s.found = append(s.found, found{from, s.inputNumber(from, next.input)})
		s.open = append(s.open, state{number, next.state})
		s.memory += entrySize + int64(len(next.state))
		for _, name := range next.reached {
			if !slices.ContainsFunc(s.report.Reached, func(r Reached) bool { return r.State == name }) {
				s.report.Reached = append(s.report.Reached, Reached{name, s.path(number)})
			}
		}
		for _, v := range next.violations {
			s.violation(v, number, nil)
		}
	}
	return nil
}

func (s *search) inputNumber(from int32, in Input) int32 {
	if from < 0 {
		return -1
	}
	text := in.String()
	n, ok := s.inputs[text]
	if !ok {
		n = int32(len(s.list))
		s.inputs[text] = n
		s.list = append(s.list, in)
	}
	return n
}

// path returns the inputs that lead to a state.
func (s *search) path(number int32) []Input {
	var path []Input
	for n := number; n > 0; n = s.found[n].from {
		path = append(path, s.list[s.found[n].input])
	}
	slices.Reverse(path)
	return path
}

// after says how a state is reached.
func after(path []Input) string {
	if len(path) == 0 {
		return "at the start"
	}
	var texts []string
	for _, in := range path {
		texts = append(texts, in.String())
	}
	return "after " + strings.Join(texts, ", ")
}

// violation reports the first violation of its kind and property.
func (s *search) violation(v Violation, number int32, last *Input) {
	if slices.ContainsFunc(s.report.Violations, func(have Violation) bool { return have.Kind == v.Kind && have.Property == v.Property }) {
		return
	}
	v.Path = s.path(number)
	if last != nil && number >= 0 {
		v.Path = append(v.Path, *last)
	}
	s.report.Violations = append(s.report.Violations, v)
}

func (s *search) bound(name string) error {
	s.report.Bound = name
	return errBound
}

// unused reports what the workers have not seen.
func (s *search) unused(workers []*worker) {
	if !s.opts.Unused {
		return
	}
	for _, st := range s.chart.States() {
		_, inside := st.Parent()
		if inside && st.Kind() != scxml.KindHistory && !slices.ContainsFunc(workers, func(w *worker) bool { return w.entered[st] }) {
			s.report.Unentered = append(s.report.Unentered, st)
		}
	}
	for _, t := range s.chart.Transitions() {
		if !slices.ContainsFunc(workers, func(w *worker) bool { return w.taken[t] }) {
			s.report.Untaken = append(s.report.Untaken, t)
		}
	}
}

// judge completes the report.
func (s *search) judge() *Report {
	r := s.report
	r.States = len(s.found)
	if r.Bound == "" && s.delays {
		r.Bound = "delays"
	}
	for _, name := range s.opts.Reach {
		if r.Bound == "" && !slices.ContainsFunc(r.Reached, func(have Reached) bool { return have.State == name }) {
			s.violation(Violation{Kind: Missing, Property: name}, 0, nil)
		}
	}
	switch {
	case len(r.Violations) > 0:
		r.Verdict, r.Bound = Violated, ""
	case r.Bound != "":
		r.Verdict = Inconclusive
	}
	return r
}
