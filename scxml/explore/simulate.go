package explore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A Simulation makes random runs through state spaces that are too large for a search. Each begins at the
// start and takes inputs that change something, all with the same probability, until it comes to an end, to
// a violation or to Options.MaxDepth. The first run with a violation is the last one, and inputs that the
// violation does not need are taken out of its path. No number of runs shows that there is no violation:
// without one the verdict is [Inconclusive].
type Simulation struct {
	Seed uint64 // the same seed makes the same runs
	Runs int    // how many; 0: until the context or another bound ends them
}

// defaultLength is how many inputs a random run has unless Options.MaxDepth says otherwise.
const defaultLength = 1000

// maxShrinking is how many inputs are tried to find a shorter path.
const maxShrinking = 50_000

// A randomRun is what a worker has found in a run.
type randomRun struct {
	began               bool // it does not if the context is done
	states, transitions int
	path                []Input
	hashes              []hash // of the states after them
	violations          []Violation
	reached             []reachedAt
	err                 error
}

// reachedAt is a state of Options.Reach that was active after a number of inputs.
type reachedAt struct {
	name  string
	after int
}

// simulate makes random runs.
func (s *search) simulate(ctx context.Context) error {
	if s.graph {
		return errors.New("a simulation has no graph, and cannot tell what leads to what")
	}
	var start successor
	s.each(ctx, 1, func(w *worker, _ int) { start = w.after(ctx, Input{}, w.system.Start(ctx)) })
	switch {
	case ctx.Err() != nil:
		return stopped(ctx)
	case start.err != nil:
		return fmt.Errorf("%w (%s)", start.err, after(nil))
	}
	for _, v := range slices.Concat(start.events, start.violations) {
		s.add(v, nil)
	}
	for _, name := range start.reached {
		s.report.Reached = append(s.report.Reached, Reached{State: name})
	}
	s.report.States = 1
	if !start.rests || len(s.report.Violations) > 0 {
		return boundError("")
	}
	for last := time.Now(); ; {
		runs := s.runAll(ctx, start.state)
		for i := range runs {
			if s.lost || !runs[i].began {
				break
			}
			if err := s.ran(ctx, start, &runs[i]); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return stopped(ctx)
		}
		if s.opts.Progress != nil && time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			s.opts.Progress(Progress{States: s.report.States, Transitions: s.report.Transitions, Depth: s.report.Depth, Runs: s.report.Runs})
		}
	}
}

// runAll makes the next few runs, each by one of the workers.
func (s *search) runAll(ctx context.Context, start []byte) []randomRun {
	count := 4 * len(s.workers)
	if most := s.opts.Simulate.Runs; most > 0 {
		count = min(count, most-s.report.Runs)
	}
	runs := make([]randomRun, count)
	s.each(ctx, count, func(w *worker, i int) { runs[i] = w.run(ctx, start, s.report.Runs+i) })
	return runs
}

// ran enters what a run has found.
func (s *search) ran(ctx context.Context, start successor, r *randomRun) error {
	report := s.report
	if r.err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w (%s)", r.err, after(r.path))
	}
	report.Runs++
	report.States += r.states
	report.Transitions += r.transitions
	report.Depth = max(report.Depth, len(r.path))
	w := s.workers[0]
	for _, at := range r.reached {
		if slices.Contains(s.missing(), at.name) {
			path := w.shrink(ctx, start, r, at.after, func(next *successor) bool { return slices.Contains(next.reached, at.name) })
			report.Reached = append(report.Reached, Reached{State: at.name, Path: path})
		}
	}
	for _, v := range r.violations {
		if v.Kind == Deadlock {
			report.Deadlocks++
		}
		s.add(v, w.shrink(ctx, start, r, len(r.path), func(next *successor) bool {
			return slices.ContainsFunc(next.events, v.isLike) || slices.ContainsFunc(next.violations, v.isLike) ||
				v.Kind == Deadlock && next.rests && w.isDeadlock(ctx, next)
		}))
	}
	switch {
	case len(report.Violations) > 0:
		return boundError("")
	case s.opts.Stop && len(s.opts.Reach) > 0 && s.missing() == nil:
		return boundError("reached")
	case report.Runs == s.opts.Simulate.Runs:
		return boundError("runs")
	case s.opts.MaxStates > 0 && report.States >= s.opts.MaxStates:
		return boundError("states")
	}
	return nil
}

// run makes a random run, the numbers of which depend on its own number alone.
func (w *worker) run(ctx context.Context, start []byte, number int) (r randomRun) {
	r.began = true
	random := rand.New(rand.NewPCG(w.opts.Simulate.Seed, uint64(number)))
	length := w.opts.MaxDepth
	if length == 0 {
		length = defaultLength
	}
	missing := w.missing()
	if r.err = w.system.LoadState(start); r.err != nil {
		return r
	}
	if w.key, r.err = w.system.AppendKey(w.key[:0]); r.err != nil {
		return r
	}
	own := hashOf(w.key)
	for len(r.path) < length && !w.system.Final() && ctx.Err() == nil {
		next, stuck := w.step(ctx, random, own)
		if next.err != nil {
			r.path, r.err = append(r.path, next.input), next.err
			return r
		}
		r.violations = append(next.events, next.violations...)
		if stuck != nil && !w.opts.NoDeadlocks {
			r.violations = append(r.violations, Violation{Kind: Deadlock, Configuration: stuck})
		}
		if !next.same {
			r.transitions++
			r.states++
		}
		if !next.same || next.events != nil {
			r.path, r.hashes = append(r.path, next.input), append(r.hashes, next.hash)
		}
		for _, name := range next.reached {
			if slices.Contains(missing, name) {
				r.reached = append(r.reached, reachedAt{name, len(r.path)})
			}
		}
		if next.same || !next.rests || next.prune || r.violations != nil {
			break
		}
		own = next.hash
	}
	return r
}

// step gives the system inputs in random order until one changes its state, which has the hash own. If none
// does and no time can pass, it returns the configuration.
func (w *worker) step(ctx context.Context, random *rand.Rand, own hash) (next successor, stuck []string) {
	next.news = &noNews
	w.inputs = w.system.AppendInputs(w.inputs[:0])
	pending := slices.ContainsFunc(w.inputs, func(in Input) bool { return in.Event == "" })
	for left := w.inputs; len(left) > 0; left = left[1:] {
		i := random.IntN(len(left))
		left[0], left[i] = left[i], left[0]
		if left[0].untried() {
			continue
		}
		next = w.take(ctx, left[0])
		next.same = next.rests && next.hash == own
		if !next.same || next.events != nil {
			return next, nil
		}
	}
	next.same = true
	if !pending {
		stuck = w.system.Configuration()
	}
	return next, stuck
}

// take gives the system an input. It is in the state that it returns.
func (w *worker) take(ctx context.Context, in Input) successor {
	next := w.after(ctx, in, w.system.Apply(ctx, in))
	if next.err == nil && next.rests && len(w.opts.Properties) > 0 { // which may have changed it
		next.own().err = w.system.LoadState(next.state)
	}
	return next
}

// isDeadlock reports whether no input leads out of a state, in which the system is.
func (w *worker) isDeadlock(ctx context.Context, at *successor) bool {
	if w.system.Final() {
		return false
	}
	for _, in := range w.system.AppendInputs(nil) {
		if in.Event == "" {
			return false
		}
		if next := w.take(ctx, in); !next.rests || next.hash != at.hash {
			return w.system.LoadState(at.state) != nil
		}
	}
	return true
}

// shrink returns a short path that reaches the goal of the first inputs of a run.
func (w *worker) shrink(ctx context.Context, start successor, r *randomRun, length int, goal func(*successor) bool) []Input {
	var path []Input
	index := map[hash]int{start.hash: 0} // of states, in path
	for i, in := range r.path[:length] {
		if at, ok := index[r.hashes[i]]; ok && i < length-1 { // a cycle
			path = path[:at]
			for h, n := range index {
				if n > at {
					delete(index, h)
				}
			}
			continue
		}
		path = append(path, in)
		index[r.hashes[i]] = len(path)
	}
	budget := maxShrinking
	for size := len(path); size > 0; size /= 2 {
		for from := 0; from < len(path); {
			without := slices.Concat(path[:from], path[min(from+size, len(path)):])
			shorter, ok := w.replay(ctx, start, without, goal)
			if budget -= len(without) + 1; budget < 0 || ctx.Err() != nil {
				return path
			}
			if ok {
				path = shorter
			} else {
				from += size
			}
		}
	}
	return path
}

// replay gives the system those of the inputs that can come, until it reaches the goal, and returns those that
// had an effect.
func (w *worker) replay(ctx context.Context, start successor, path []Input, goal func(*successor) bool) (taken []Input, ok bool) {
	if w.system.LoadState(start.state) != nil {
		return nil, false
	}
	own := start.hash
	for _, in := range path {
		w.inputs = w.system.AppendInputs(w.inputs[:0])
		i := slices.IndexFunc(w.inputs, func(can Input) bool { return can.String() == in.String() })
		if i < 0 && in.Event == "" {
			i = slices.IndexFunc(w.inputs, func(can Input) bool { return can.Event == "" })
		}
		if i < 0 {
			continue
		}
		in = w.inputs[i]
		next := w.take(ctx, in)
		if next.err != nil {
			return nil, false
		}
		if next.hash != own || next.events != nil {
			own, taken = next.hash, append(taken, in)
		}
		if goal(&next) {
			return taken, true
		}
		if !next.rests || next.prune || w.system.Final() {
			return nil, false
		}
	}
	return nil, false
}
