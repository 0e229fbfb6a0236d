// Package csp solves small constraint satisfaction problems: variables, a
// finite domain of values for each, and constraints between two variables at a
// time. It is made to be watched and to compare methods with, not for speed.
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
// and takes the last assignment back when a variable has no value left. By
// itself it takes variables and values in the order in which they were given.
// [Options] switch on what makes it quicker, each for itself: AC-3, forward
// checking, minimum remaining values (MRV) and least constraining value (LCV).
// They are those of Russell and Norvig, Artificial Intelligence: A Modern
// Approach, chapter 6.
//
// [Problem.Steps] is the search as an iterator of its assignments, prunings and
// backtracks.
package csp
