// Package csp solves small constraint satisfaction problems: variables with finite
// domains, and constraints between pairs of variables. Its purpose is to show and
// to compare methods, not speed.
//
//	var p csp.Problem[string, string]
//	for _, region := range []string{"WA", "NT", "SA"} {
//		p.Variable(region, "red", "green", "blue")
//	}
//	p.Constrain("WA", "NT", csp.Different)
//	p.Constrain("WA", "SA", csp.Different)
//	p.Constrain("NT", "SA", csp.Different)
//	solution, err := p.Solve(ctx, csp.Options{MRV: true})
//
// The search is backtracking: it assigns a value to one variable after the other
// and undoes the last assignment if no value of a variable is left. By default it
// takes variables and values in the order in which they were given. [Options]
// enable AC-3, forward checking, minimum remaining values (MRV) and least
// constraining value (LCV), as described by Russell and Norvig, Artificial
// Intelligence: A Modern Approach, chapter 6.
//
// [Problem.MinConflicts] is a local search.
//
// [Problem.Steps] is an iterator over the search's assignments, prunings and
// backtracks.
package csp
