package csp

import "slices"

// A search is the state of one backtracking search.
type search[V comparable, D any] struct {
	Options
	variables []variable[V, D]
	yield     func(Step[V, D]) bool

	live  [][]bool // by variable and value: not pruned
	left  []int    // by variable: how many are live
	value []int    // by variable: the value assigned, or -1
	depth int      // number of variables assigned
	trail []pruned // in the order of pruning
}

type pruned struct{ variable, value int }

func newSearch[V comparable, D any](p *Problem[V, D], o Options, yield func(Step[V, D]) bool) *search[V, D] {
	n := len(p.variables)
	s := &search[V, D]{Options: o, variables: p.variables, yield: yield,
		live: make([][]bool, n), left: make([]int, n), value: make([]int, n)}
	for x, v := range p.variables {
		s.live[x] = slices.Repeat([]bool{true}, len(v.domain))
		s.left[x] = len(v.domain)
		s.value[x] = -1
	}
	return s
}

// run runs the search. Like all functions that yield steps, it returns false if
// yield did.
func (s *search[V, D]) run() bool {
	if s.AC3 {
		consistent, more := s.ac3()
		if !consistent || !more {
			return more
		}
	}
	return s.backtrack()
}

// backtrack tries the values of one more variable, and searches on from each.
func (s *search[V, D]) backtrack() bool {
	if s.depth == len(s.variables) {
		return s.yield(Step[V, D]{Kind: Solved, Depth: s.depth})
	}
	x := s.next()
	for _, value := range s.order(x) {
		if !s.legal(x, value) {
			continue
		}
		mark := len(s.trail)
		s.value[x] = value
		s.depth++
		if !s.step(Assign, x, value) {
			return false
		}
		consistent, more := true, true
		if s.ForwardChecking {
			consistent, more = s.check(x)
		}
		if consistent && more {
			more = s.backtrack()
		}
		if !more {
			return false
		}
		s.restore(mark)
		s.value[x] = -1
		s.depth--
		if !s.step(Backtrack, x, value) {
			return false
		}
	}
	return true
}

// next chooses the variable to assign.
func (s *search[V, D]) next() int {
	best, fewest := -1, 0
	for x := range s.variables {
		if s.value[x] >= 0 {
			continue
		}
		if !s.MRV {
			return x
		}
		if n := s.remaining(x); best < 0 || n < fewest {
			best, fewest = x, n
		}
	}
	return best
}

// remaining returns the number of values that a variable can still have.
func (s *search[V, D]) remaining(x int) int {
	if s.ForwardChecking {
		return s.left[x] // all live values are legal
	}
	n := 0
	for value := range s.live[x] {
		if s.legal(x, value) {
			n++
		}
	}
	return n
}

// legal reports whether a value is allowed with all assigned ones.
func (s *search[V, D]) legal(x, value int) bool {
	if !s.live[x][value] || s.ForwardChecking {
		return s.live[x][value]
	}
	v := &s.variables[x]
	for _, a := range v.arcs {
		if other := s.value[a.other]; other >= 0 && !a.allowed(v.domain[value], s.variables[a.other].domain[other]) {
			return false
		}
	}
	return true
}

// order returns the values of a variable in the order in which to try them.
func (s *search[V, D]) order(x int) []int {
	order := make([]int, len(s.live[x]))
	for i := range order {
		order[i] = i
	}
	if !s.LCV {
		return order
	}
	ruledOut := make([]int, len(order))
	for value := range ruledOut {
		if s.legal(x, value) {
			ruledOut[value] = s.rulesOut(x, value)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return ruledOut[a] - ruledOut[b] })
	return order
}

// rulesOut returns the number of values of other variables that an assignment
// would exclude.
func (s *search[V, D]) rulesOut(x, value int) int {
	v := &s.variables[x]
	n := 0
	for _, a := range v.arcs {
		if s.value[a.other] >= 0 {
			continue
		}
		for i, other := range s.variables[a.other].domain {
			if s.live[a.other][i] && !a.allowed(v.domain[value], other) && s.legal(a.other, i) {
				n++
			}
		}
	}
	return n
}

// check does forward checking after an assignment to x. consistent is false if a
// variable does not have any values left.
func (s *search[V, D]) check(x int) (consistent, more bool) {
	v := &s.variables[x]
	for _, a := range v.arcs {
		if s.value[a.other] >= 0 {
			continue
		}
		for i, other := range s.variables[a.other].domain {
			if s.live[a.other][i] && !a.allowed(v.domain[s.value[x]], other) && !s.prune(a.other, i) {
				return false, false
			}
		}
		if s.left[a.other] == 0 {
			return false, true
		}
	}
	return true, true
}

// ac3 makes all arcs consistent. consistent is false if a variable does not have
// any values left.
func (s *search[V, D]) ac3() (consistent, more bool) {
	// A variable in the queue means all arcs to it. Each is in the queue once.
	queue := make([]int, len(s.variables))
	queued := make([]bool, len(s.variables))
	for x := range queue {
		queue[x], queued[x] = x, true
	}
	for len(queue) > 0 {
		y := queue[0]
		queue, queued[y] = queue[1:], false
		for _, a := range s.variables[y].arcs {
			x, before := a.other, s.left[a.other]
			for i, value := range s.variables[x].domain {
				if s.live[x][i] && !s.supported(value, y, a) && !s.prune(x, i) {
					return false, false
				}
			}
			if s.left[x] == 0 {
				return false, true
			}
			if s.left[x] < before && !queued[x] {
				queue, queued[x] = append(queue, x), true
			}
		}
	}
	return true, true
}

// supported reports whether y has a value that is allowed with a value of the
// variable at the other end of an arc.
func (s *search[V, D]) supported(value D, y int, a arc[D]) bool {
	for i, own := range s.variables[y].domain {
		if s.live[y][i] && a.allowed(own, value) {
			return true
		}
	}
	return false
}

func (s *search[V, D]) prune(x, value int) bool {
	s.live[x][value] = false
	s.left[x]--
	s.trail = append(s.trail, pruned{x, value})
	return s.step(Prune, x, value)
}

// restore undoes prunings until the trail has the length mark.
func (s *search[V, D]) restore(mark int) {
	for _, p := range s.trail[mark:] {
		s.live[p.variable][p.value] = true
		s.left[p.variable]++
	}
	s.trail = s.trail[:mark]
}

func (s *search[V, D]) step(kind Kind, x, value int) bool {
	v := &s.variables[x]
	return s.yield(Step[V, D]{kind, v.name, v.domain[value], s.depth})
}
