package human

// Order returns the techniques in the order in which a player tries them: what is
// easier to see comes first. Every proper puzzle is solved with them. Left out are the
// techniques whose steps these find as well.
func Order() []Technique { return upTo(DirectPointing) }

// Solve returns the steps that lead from a position to the solution, each the next one
// of the order, and whether they reach it. The position stays as it is.
func (f *Finder) Solve(p *Position, order ...Technique) (path []Step, solved bool) {
	q := *p
	for !q.Solved() {
		step, ok := f.Next(&q, order...)
		if !ok || q.Apply(&step) != nil {
			return path, false
		}
		path = append(path, step)
	}
	return path, true
}
