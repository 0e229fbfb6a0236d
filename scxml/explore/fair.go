package explore

import "slices"

// A liveness looks for a run on which a response does not come: a way from a state in which When holds
// through states in which Then does not. It ends in a state that nothing changes, or in a component in
// which a fair run can stay.
type liveness struct {
	*search
	response int
	first    []int32 // index of the first edge of each state, and of none
	labels   []int32 // of the inputs in list: which event
	events   int     // how many there are
}

func (s *search) newLiveness() *liveness {
	l := &liveness{search: s, first: make([]int32, s.found.size+1)}
	for _, e := range s.edges {
		l.first[e.from+1]++
	}
	for i := range s.found.size {
		l.first[i+1] += l.first[i]
	}
	numbers := map[string]int32{}
	for _, in := range s.list {
		if in.due != nil {
			l.labels = append(l.labels, -1) // the delayed events that it drops count
			continue
		}
		event := eventOf(s.workers[0].system, in)
		if _, ok := numbers[event]; !ok {
			numbers[event] = int32(len(numbers))
		}
		l.labels = append(l.labels, numbers[event])
	}
	l.events = len(numbers)
	return l
}

// out returns the edges that leave a state.
func (l *liveness) out(n int32) []edge { return l.edges[l.first[n]:l.first[n+1]] }

// check returns the violation of a response, or nil.
func (l *liveness) check(response int) *Violation {
	l.response = response
	alive := make([]bool, l.found.size)
	for n := range alive {
		alive[n] = !l.marks[n].then(response)
	}
	component := make([]int32, l.found.size) // 0, -1 for a stop, or the number of a fair component
	for _, n := range l.stops {
		if alive[n] {
			component[n] = -1
		}
	}
	for i, nodes := range l.fair(alive, nil) {
		for _, n := range nodes {
			component[n] = int32(i + 1)
		}
	}
	bad := l.leading(alive, component)
	for n := range bad {
		if bad[n] && l.marks[n].when(response) {
			return l.lasso(int32(n), alive, component)
		}
	}
	return nil
}

// leading returns the states that are alive and from which those that have a component can be reached.
func (l *liveness) leading(alive []bool, component []int32) []bool {
	into := make([]int32, l.found.size+1)
	for _, e := range l.edges {
		into[e.to+1]++
	}
	for i := range l.found.size {
		into[i+1] += into[i]
	}
	from, at := make([]int32, len(l.edges)), slices.Clone(into)
	for _, e := range l.edges {
		from[at[e.to]] = e.from
		at[e.to]++
	}
	lead := make([]bool, l.found.size)
	var queue []int32
	for n, c := range component {
		if c != 0 {
			lead[n] = true
			queue = append(queue, int32(n))
		}
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range from[into[n]:into[n+1]] {
			if alive[p] && !lead[p] {
				lead[p] = true
				queue = append(queue, p)
			}
		}
	}
	return lead
}

// fair appends the components of the graph of the states that are alive in which a fair run can stay.
func (l *liveness) fair(alive []bool, all [][]int32) [][]int32 {
	inside := make([]bool, len(alive)) // the component
	enabled, stays := make([]int, l.events), make([]bool, l.events)
	last := make([]int32, l.events)
	var smaller []bool
	for _, nodes := range l.components(alive) {
		if n := nodes[0]; len(nodes) == 1 && (l.renewing[n] == nil || len(l.out(n)) == 0) {
			continue // an edge leads to another state, or it is a stop
		}
		clear(enabled) // in how many states an event changes something
		clear(stays)   // whether it can lead to another state of the component
		clear(last)
		kept, dropped := ^timers(0), timers(0)
		for _, n := range nodes {
			inside[n] = true
			kept &= l.keeps[n]
		}
		for _, n := range nodes {
			for _, e := range l.out(n) {
				if inside[e.to] {
					dropped |= e.drops
				}
				label := l.labels[e.input]
				if label < 0 {
					continue
				}
				if last[label] != n+1 {
					last[label] = n + 1
					enabled[label]++
				}
				stays[label] = stays[label] || inside[e.to]
			}
		}
		least := len(nodes) // of the states in which an event that must come is enabled
		if l.opts.Strong {
			least = 1
		}
		leaves := func(label int32) bool { return enabled[label] >= least && !stays[label] }
		isFair := true
		for label := range int32(l.events) {
			isFair = isFair && !leaves(label)
		}
		switch {
		case kept&^dropped != 0: // time does not pass
		case isFair:
			all = append(all, nodes)
		case l.opts.Strong: // a smaller component may be fair
			if smaller == nil {
				smaller = make([]bool, len(alive))
			}
			for _, n := range nodes {
				smaller[n] = !slices.ContainsFunc(l.out(n), func(e edge) bool { return l.labels[e.input] >= 0 && leaves(l.labels[e.input]) })
			}
		}
		for _, n := range nodes {
			inside[n] = false
		}
	}
	if smaller != nil {
		return l.fair(smaller, all)
	}
	return all
}

// components returns the strongly connected components of the states that are alive (Tarjan).
func (l *liveness) components(alive []bool) (all [][]int32) {
	index := make([]int32, len(alive)) // 0: not seen
	low := make([]int32, len(alive))
	on := make([]bool, len(alive))
	var stack []int32
	type call struct{ n, next int32 }
	var calls []call
	count := int32(0)
	open := func(n int32) {
		count++
		index[n], low[n], on[n] = count, count, true
		stack, calls = append(stack, n), append(calls, call{n, l.first[n]})
	}
	for root := range int32(len(alive)) {
		if !alive[root] || index[root] != 0 {
			continue
		}
		open(root)
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			n := c.n
			if c.next < l.first[n+1] {
				to := l.edges[c.next].to
				c.next++
				switch {
				case !alive[to]:
				case index[to] == 0:
					open(to)
				case on[to]:
					low[n] = min(low[n], index[to])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				parent := calls[len(calls)-1].n
				low[parent] = min(low[parent], low[n])
			}
			if low[n] == index[n] {
				at := len(stack)
				for on[n] {
					at--
					on[stack[at]] = false
				}
				all = append(all, slices.Clone(stack[at:]))
				stack = stack[:at]
			}
		}
	}
	return all
}

// lasso returns the violation that begins in a state: the way to the next state that has a component, and a
// fair cycle there.
func (l *liveness) lasso(n int32, alive []bool, component []int32) *Violation {
	v := &Violation{Kind: Unanswered, Property: l.opts.LeadsTo[l.response].Name, Path: l.path(n)}
	if component[n] == 0 {
		way := l.way(n, func(n int32) bool { return alive[n] }, func(e edge) bool { return component[e.to] != 0 })
		v.Path = append(v.Path, l.inputsOf(way)...)
		n = way[len(way)-1].to
	}
	v.Configuration = l.nodes[n].Configuration
	if component[n] > 0 {
		v.Cycle = l.renewing[n] // if the component is this state
		if slices.ContainsFunc(l.out(n), func(e edge) bool { return component[e.to] == component[n] }) {
			v.Cycle = l.inputsOf(l.cycle(n, func(m int32) bool { return component[m] == component[n] }))
		}
	}
	return v
}

// cycle returns a fair cycle through a state of a fair component.
func (l *liveness) cycle(start int32, inside func(int32) bool) (cycle []edge) {
	for n := start; ; n = cycle[len(cycle)-1].to {
		owed, kept := l.owed(start, cycle), l.kept(start, cycle)
		if len(owed) == 0 && kept == 0 && n == start && len(cycle) > 0 {
			return cycle
		}
		cycle = append(cycle, l.way(n, inside, func(e edge) bool {
			switch {
			case kept != 0 && (e.drops&kept != 0 || l.keeps[e.to]&kept != kept):
				return true
			case len(owed) == 0:
				return kept == 0 && e.to == start
			case slices.Contains(owed, l.labels[e.input]):
				return true
			}
			return !l.opts.Strong && slices.ContainsFunc(owed, func(label int32) bool { return !l.comes(e.to, label) })
		})...)
	}
}

// owed returns the events that must come on a cycle, but do not.
func (l *liveness) owed(start int32, cycle []edge) (owed []int32) {
	for label := range int32(l.events) {
		if slices.ContainsFunc(cycle, func(e edge) bool { return l.labels[e.input] == label }) {
			continue
		}
		states := 0
		if l.comes(start, label) {
			states++
		}
		for _, e := range cycle {
			if l.comes(e.to, label) {
				states++
			}
		}
		if states == 1+len(cycle) || l.opts.Strong && states > 0 {
			owed = append(owed, label)
		}
	}
	return owed
}

// kept returns the delayed events that stay pending on a cycle, so that time cannot pass.
func (l *liveness) kept(start int32, cycle []edge) timers {
	kept := l.keeps[start]
	for _, e := range cycle {
		kept &= l.keeps[e.to] &^ e.drops
	}
	return kept
}

// comes reports whether an event changes something in a state.
func (l *liveness) comes(n, label int32) bool {
	return slices.ContainsFunc(l.out(n), func(e edge) bool { return l.labels[e.input] == label })
}

// way returns a shortest way of at least one edge from a state, through states inside, the last edge of which
// is a goal.
func (l *liveness) way(from int32, inside func(int32) bool, goal func(edge) bool) []edge {
	by := map[int32]edge{} // how a state was found
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range l.out(queue[0]) {
			if !inside(e.to) {
				continue
			}
			if goal(e) {
				way := []edge{e}
				for n := e.from; n != from; n = by[n].from {
					way = append(way, by[n])
				}
				slices.Reverse(way)
				return way
			}
			if _, ok := by[e.to]; !ok && e.to != from {
				by[e.to] = e
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

func (l *liveness) inputsOf(way []edge) (inputs []Input) {
	for _, e := range way {
		inputs = append(inputs, l.list[e.input])
	}
	return inputs
}
