package human

// Backdoors returns the smallest sets of digits of the solution that, placed now, let
// the techniques of an order do the rest: of one digit, or if there are none, of two,
// and so on up to a size. A position that the order solves anyway has the empty set.
func (f *Finder) Backdoors(p *Position, size int, order ...Technique) ([][]Candidate, error) {
	grid := p.Grid()
	solution, err := Solution(&grid)
	if err != nil {
		return nil, err
	}
	var open []Candidate
	for c := range p.empty.All() {
		open = append(open, Candidate{c, solution[c/9][c%9]})
	}
	for n := range size + 1 {
		if found := f.backdoors(p, n, open, nil, order); len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// backdoors returns the sets of n more digits.
func (f *Finder) backdoors(p *Position, n int, open, chosen []Candidate, order []Technique) (found [][]Candidate) {
	if n == 0 {
		if _, solved := f.Solve(p, order...); solved {
			found = append(found, append([]Candidate(nil), chosen...))
		}
		return found
	}
	for i, c := range open {
		q := *p
		if q.Place(c.Cell, c.Digit) {
			found = append(found, f.backdoors(&q, n-1, open[i+1:], append(chosen, c), order)...)
		}
	}
	return found
}
