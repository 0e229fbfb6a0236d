package csp

import (
	"context"
	"math/rand/v2"
)

// MinConflicts looks for a solution by local search: it gives every variable a random value, and then
// again and again a variable of a violated constraint, chosen at random, the value that violates the fewest
// (Russell and Norvig, chapter 6.4). It is fast where solutions are many, such as many queens on a board, and
// rarely ends where there is one, as in a Sudoku: it goes round in circles.
//
// It returns nil after so many changes without a solution, which does not mean that there is none. The
// error says what is wrong with the problem, or is the context's cause if ctx is cancelled.
func (p *Problem[V, D]) MinConflicts(ctx context.Context, random *rand.Rand, changes int) (map[V]D, error) {
	if p.err != nil {
		return nil, p.err
	}
	value := make([]int, len(p.variables))
	for x, v := range p.variables {
		if len(v.domain) == 0 {
			return nil, nil
		}
		value[x] = random.IntN(len(v.domain))
	}
	conflicts := func(x, own int) (n int) {
		v := &p.variables[x]
		for _, a := range v.arcs {
			if !a.allowed(v.domain[own], p.variables[a.other].domain[value[a.other]]) {
				n++
			}
		}
		return n
	}
	for ; ; changes-- {
		var violated []int
		for x := range p.variables {
			if conflicts(x, value[x]) > 0 {
				violated = append(violated, x)
			}
		}
		if len(violated) == 0 {
			solution := map[V]D{}
			for x, v := range p.variables {
				solution[v.name] = v.domain[value[x]]
			}
			return solution, nil
		}
		if changes <= 0 {
			return nil, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		x := violated[random.IntN(len(violated))]
		ties, fewest := 0, 0
		for own := range p.variables[x].domain {
			switch n := conflicts(x, own); {
			case ties == 0 || n < fewest:
				value[x], ties, fewest = own, 1, n
			case n == fewest:
				if ties++; random.IntN(ties) == 0 { // each of them is as likely
					value[x] = own
				}
			}
		}
	}
}
