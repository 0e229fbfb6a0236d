package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A search visits the states level by level, a batch at a time. The workers visit the states of a batch
// in any order. Then one goroutine enters what they have found, in the order of the states and their
// inputs. So the result does not depend on the workers.
type search struct {
	opts    Options
	workers []*worker

	visits   []visit          // of the last batch
	seen     seen             // not modified while the workers run
	found    store[found]     // all states, by number
	inputs   map[string]int32 // index in list, by text
	list     []Input
	graph    bool   // whether the next four are kept
	nodes    []Node // by number
	edges    []edge
	marks    []marks           // by number
	keeps    []timers          // by number: the delayed events that none of renewing drops
	renewing map[int32][]Input // by number: inputs that drop delayed events and lead to the same state
	stops    []int32           // states that nothing changes
	open     []state           // to be visited
	level    int32             // how many states the levels before have, and the present one
	memory   int64             // what open and found take
	batch    int               // how many states are visited before what was found is entered
	start    []byte            // the first state
	growth   []Growth          // seen so far
	lost     bool              // a worker does not end its work; nothing of it may be used any more
	replays  System            // of grows, or nil
	delays   bool              // an event came while a delayed one was pending
	report   *Report
	ids      bool // keys have generated ids
	eventful bool // a property looks at the event, so each input is judged

	timerNumbers map[string]int // by name
	newSystem    func() (System, error)
}

// found is how a state was found: by an input in another one. The first state has the input -1.
type found struct{ from, input int32 }

// edge is an input that leads from one state to another.
type edge struct {
	from, to, input int32
	drops           timers
}

// timers is a set of names of delayed events, by their numbers. All after the first 63 share one.
type timers uint64

// timers returns the set of some names.
func (s *search) timers(names []string) (set timers) {
	for _, name := range names {
		number, ok := s.timerNumbers[name]
		if !ok {
			if s.timerNumbers == nil {
				s.timerNumbers = map[string]int{}
			}
			number = min(len(s.timerNumbers), 63)
			s.timerNumbers[name] = number
		}
		set |= 1 << number
	}
	return set
}

// A state is one to be visited.
type state struct {
	number int32
	bytes  []byte
}

// maxBatch is the most states of a batch. It has fewer if it takes much time or memory.
const (
	maxBatch    = 4096
	batchTime   = 100 * time.Millisecond
	batchMemory = 64 << 20
)

// What a state takes, about.
const (
	entrySize = 40
	bitsSize  = 12  // with Options.Bits
	stateSize = 80  // more, besides its bytes, until it is visited
	nodeSize  = 150 // more in a graph
	edgeSize  = 130
	drawnNode = 800 // more for somebody who writes the graph, besides the bytes of the state
	drawnEdge = 300
	inputSize = 200 // of another input, besides twice its text
)

// errIDs says that the search has to begin again with ids in the keys.
var errIDs = errors.New("something looks at ids")

func (s *search) run(ctx context.Context) error {
	if s.opts.Simulate != nil {
		return s.simulate(ctx)
	}
	var start successor
	s.each(ctx, 1, func(w *worker, _ int) { start = w.after(ctx, Input{}, w.system.Start(ctx)) })
	if ctx.Err() != nil {
		if stopped(ctx) == "memory" {
			s.growth = []Growth{{Kind: InputGrows}}
		}
		return stopped(ctx)
	}
	if s.needsIDs() {
		return errIDs
	}
	if err := s.enter(-1, []successor{start}, nil); err != nil {
		return err
	}
	s.start, s.batch = start.state, 1
	began, last := time.Now(), time.Now()
	look := began.Add(growthAfter)
	for len(s.open) > 0 {
		if depth := s.opts.MaxDepth; depth > 0 && s.report.Depth == depth {
			return boundError("depth")
		}
		level := s.open
		s.open, s.level = nil, int32(s.found.size)
		for left := level; len(left) > 0; {
			now := left[:min(s.batch, len(left))]
			left = left[len(now):]
			begun := time.Now()
			visits := s.visitAll(ctx, now)
			if ctx.Err() != nil {
				s.inside(ctx, now, visits)
				return stopped(ctx)
			}
			if s.needsIDs() {
				return errIDs
			}
			var size int64
			for i := range now {
				size += visits[i].size
				if err := s.visited(now[i].number, &visits[i]); err != nil {
					return err
				}
				s.memory -= stateSize + int64(len(now[i].bytes))
				now[i].bytes = nil
			}
			s.adapt(time.Since(begun), size)
			if s.opts.Progress != nil && time.Since(last) > 200*time.Millisecond {
				if s.growth == nil && last.After(look) {
					s.growth = s.grows()
					look = time.Now().Add(time.Since(began))
				}
				last = time.Now()
				s.opts.Progress(Progress{States: s.found.size, Transitions: s.report.Transitions, Depth: s.report.Depth, Frontier: len(left) + len(s.open), Grows: s.growth})
			}
		}
		if len(s.open) > 0 {
			s.report.Depth++
		}
	}
	return nil
}

// adapt chooses the next batch after one that took so much time and memory.
func (s *search) adapt(took time.Duration, size int64) {
	if took > batchTime || size > min(batchMemory, visitIn(s.opts.MaxMemory)) {
		s.batch = max(1, s.batch/2)
	} else {
		s.batch = min(maxBatch, 2*s.batch)
	}
}

// needsIDs reports whether states were compared without ids although something looks at them. It also
// shares what the workers have learned.
func (s *search) needsIDs() bool {
	for _, w := range s.workers {
		s.eventful = s.eventful || w.eventful
		if w.watched != nil && !s.ids && w.watched.KeepsIDs() {
			return true
		}
	}
	return false
}

// visitAll visits the states, each by one of the workers. What it returns is valid until the next call.
func (s *search) visitAll(ctx context.Context, states []state) []visit {
	if s.visits == nil {
		s.visits = make([]visit, maxBatch)
	}
	visits := s.visits[:len(states)]
	for _, w := range s.workers[:min(len(s.workers), len(states))] {
		w.fresh = make(map[hash]struct{}, len(w.fresh))
	}
	s.each(ctx, len(states), func(w *worker, i int) { w.visit(ctx, states[i].bytes, &visits[i]) })
	return visits
}

// patience is how long a search waits for its workers when its context is done: not all code can be
// interrupted.
const patience = 500 * time.Millisecond

// each calls f for the numbers below count, on a goroutine for each worker, until ctx is done. What f has
// written may be used only if it is not.
func (s *search) each(ctx context.Context, count int, f func(w *worker, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range s.workers[:min(len(s.workers), count)] {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				f(w, i)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(patience):
		s.lost = true
	}
}

// visited enters what the visit of a state has found.
func (s *search) visited(number int32, v *visit) error {
	if v.err != nil {
		return fmt.Errorf("%w (%s)", v.err, after(s.path(number)))
	}
	s.delays = s.delays || v.delays
	if v.deadlock != nil {
		s.report.Deadlocks++
		if s.graph {
			s.nodes[number].Deadlock = true
		}
		if !s.opts.NoDeadlocks {
			s.violation(Violation{Kind: Deadlock, Configuration: v.deadlock}, number, nil)
		}
	}
	if s.graph {
		s.keeps[number] = s.timers(v.pending)
		if v.renewing != nil {
			if s.renewing == nil {
				s.renewing = map[int32][]Input{}
			}
			s.renewing[number] = v.renewing
		}
	}
	edges := len(s.edges)
	err := s.enter(number, v.successors, v.dropped)
	if err != nil {
		s.edges = s.edges[:edges] // all of a state, or none
	} else if s.graph && !slices.ContainsFunc(v.successors, func(next successor) bool { return !next.same }) {
		s.stops = append(s.stops, number)
	}
	return err
}

// enter enters the successors of a state. dropped are those of visit, or nil.
func (s *search) enter(from int32, successors []successor, dropped [][]string) error {
	for i := range successors {
		if s.opts.First && len(s.report.Violations) > 0 {
			return boundError("")
		}
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
		if !next.rests {
			continue
		}
		number, known := s.seen.number(next.hash)
		if !known {
			var err error
			if number, err = s.discover(from, next); err != nil {
				return err
			}
		}
		if s.graph && from >= 0 && !next.same {
			var drops timers
			if i < len(dropped) {
				drops = s.timers(dropped[i])
			}
			s.edges = append(s.edges, edge{from, number, s.inputNumber(from, next.input), drops})
			s.memory += edgeSize
			if s.opts.Graph {
				s.memory += drawnEdge
			}
		}
	}
	return nil
}

// discover enters a state that was not known.
func (s *search) discover(from int32, next *successor) (int32, error) {
	if most := s.opts.MaxStates; most > 0 && s.found.size == most || s.found.size == math.MaxInt32 {
		return 0, boundError("states")
	}
	need := s.memory
	if s.seen.full() {
		need += 8 * int64(len(s.seen.slots))
	}
	if most := s.opts.MaxMemory; most > 0 && need > most-most/8 {
		return 0, boundError("memory")
	}
	number := s.seen.add(next.hash)
	s.found.add(found{from, s.inputNumber(from, next.input)})
	if s.graph {
		s.nodes, s.marks, s.keeps = append(s.nodes, next.node), append(s.marks, next.marks), append(s.keeps, 0)
		s.memory += int64(nodeSize + 16*len(next.node.Configuration))
		if s.opts.Graph {
			s.memory += drawnNode + int64(len(next.state))
		}
	}
	if next.prune {
		s.report.Pruned++
	} else {
		s.open = append(s.open, state{number, next.state})
		s.memory += stateSize + int64(len(next.state))
	}
	if s.opts.Bits > 0 {
		s.memory += bitsSize
	} else {
		s.memory += entrySize
	}
	for _, v := range next.violations {
		s.violation(v, number, nil)
	}
	for _, name := range next.reached {
		if slices.Contains(s.missing(), name) {
			s.report.Reached = append(s.report.Reached, Reached{State: name, Path: s.path(number)})
		}
	}
	if s.opts.Stop && next.reached != nil && s.missing() == nil {
		return 0, boundError("reached")
	}
	return number, nil
}

func (s *search) inputNumber(from int32, in Input) int32 {
	if from < 0 {
		return -1
	}
	text := in.String()
	if in.due != nil {
		text += fmt.Sprint(in.due.events)
	}
	n, ok := s.inputs[text]
	if !ok {
		n = int32(len(s.list))
		s.inputs[text] = n
		s.list = append(s.list, in)
		s.memory += inputSize + 2*int64(len(text)) + in.size()
	}
	return n
}

// path returns the inputs that lead to a state.
func (s *search) path(number int32) []Input {
	var path []Input
	for n := number; n > 0; n = s.found.at(n).from {
		path = append(path, s.list[s.found.at(n).input])
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

// violation reports a violation in a state, or after another input.
func (s *search) violation(v Violation, number int32, last *Input) {
	if s.reported(v) {
		return
	}
	path := s.path(number)
	if last != nil && number >= 0 {
		path = append(path, *last)
	}
	s.add(v, path)
}

// reported reports whether there is a violation of the same kind and property.
func (s *search) reported(v Violation) bool {
	return slices.ContainsFunc(s.report.Violations, v.isLike)
}

// add reports the first violation of its kind and property.
func (s *search) add(v Violation, path []Input) {
	if !s.reported(v) {
		v.Path = path
		s.report.Violations = append(s.report.Violations, v)
	}
}

// missing returns the states of Options.Reach that were not found.
func (s *search) missing() (names []string) {
	for _, name := range s.opts.Reach {
		if !slices.ContainsFunc(s.report.Reached, func(r Reached) bool { return r.State == name }) {
			names = append(names, name)
		}
	}
	return names
}

// judge completes the report. complete says whether the search came to its end.
func (s *search) judge(complete bool) error {
	r := s.report
	if s.opts.Simulate == nil {
		r.States = s.found.size
	}
	if len(s.opts.LeadsTo) > 0 {
		l := s.newLiveness()
		for i := range s.opts.LeadsTo {
			if v := l.check(i); v != nil {
				r.Violations = append(r.Violations, *v)
			}
		}
	}
	if err := s.schedule(); err != nil {
		return err
	}
	if r.Bound == "" && s.delays {
		r.Bound = "delays"
	}
	r.Missed = s.seen.missed
	if r.Bound != "" && !complete && s.opts.Simulate == nil {
		if !s.lost {
			r.Grows = s.grows()
		}
		if r.Grows == nil {
			r.Grows = s.growth
		}
	}
	s.leftOut()
	if complete && r.Bound == "" && len(r.LeftOut) == 0 {
		for _, name := range s.missing() {
			s.violation(Violation{Kind: Missing, Property: name}, 0, nil)
		}
	}
	s.verdict()
	if s.opts.Graph {
		r.Graph = &Graph{Nodes: s.nodes, Edges: make([]Edge, len(s.edges))}
		for i, e := range s.edges {
			r.Graph.Edges[i] = Edge{int(e.from), int(e.to), s.list[e.input]}
		}
	}
	return nil
}

// verdict sets the verdict of the report.
func (s *search) verdict() {
	r := s.report
	switch {
	case len(r.Violations) > 0:
		r.Verdict = Violated
	case r.Bound != "":
		r.Verdict = Inconclusive
	case len(r.LeftOut) > 0:
		r.Verdict = Searched
	}
}

// schedule gives the inputs of the report their times, and removes what is not possible at any times.
func (s *search) schedule() error {
	var violations []Violation
	for _, v := range s.report.Violations {
		possible, err := s.timed(&v.Path, &v.Cycle)
		if err != nil {
			return err
		}
		if possible {
			violations = append(violations, v)
		}
	}
	var reached []Reached
	for _, r := range s.report.Reached {
		possible, err := s.timed(&r.Path, new([]Input))
		if err != nil {
			return err
		}
		if possible {
			reached = append(reached, r)
		}
	}
	s.report.Violations, s.report.Reached = violations, reached
	return nil
}

// timed gives a path and the cycle after it their times, and reports whether they are possible.
func (s *search) timed(path, cycle *[]Input) (bool, error) {
	all, err := schedule(s.workers[0].system, slices.Concat(*path, *cycle))
	if errors.Is(err, ErrUntimed) {
		s.delays = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	at := len(all)
	if len(*cycle) > 0 {
		at = 0
		for _, in := range *path {
			if in.Event != "" && all[at].Event == "" {
				at++ // the wait before it
			}
			at++
		}
		*cycle = all[at:]
	}
	*path = all[:at:at]
	return true, nil
}
