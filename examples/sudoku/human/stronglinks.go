package human

// A grouped link is a house whose places for a digit are in two groups of cells that
// see something together: when there is no digit in one, there is in the other.
type groupedLink struct {
	ends    [2]Set
	within  [2]uint32 // for each end the houses that hold it, as bits
	house   House
	grouped bool
}

func newGroupedLink(a, b Set, h House, grouped bool) groupedLink {
	return groupedLink{[2]Set{a, b}, [2]uint32{within(a), within(b)}, h, grouped}
}

// within returns the houses that hold all cells, as bits.
func within(cells Set) (in uint32) {
	for _, h := range housesOf[cells.first()] {
		if cells.in(houses[h]) {
			in |= 1 << h
		}
	}
	return in
}

// groupedLinks returns the houses that have such groups for a digit.
func (p *Position) groupedLinks(d int, all []groupedLink) []groupedLink {
	for h := range House(27) {
		places := p.in(h, d)
		switch n := places.Len(); {
		case n == 2:
			a, b := places, places
			a.remove(places.first())
			b = b.not(a)
			all = append(all, newGroupedLink(b, a, h, false))
		case n < 3 || n > 6:
		case h.kind() == box:
			all = p.groupsOfBox(h, places, all)
		default: // two of the three boxes on the line
			var parts [3]Set
			k := 0
			for b := 0; b < 3; b++ {
				if part := places.and(houses[housesOf[cellsOf[h][3*b]][box]]); !part.Empty() {
					parts[k] = part
					k++
				}
			}
			if k == 2 {
				all = append(all, newGroupedLink(parts[0], parts[1], h, true))
			}
		}
	}
	return all
}

// groupsOfBox adds the groups of a box: in a row and a column, or in two of its lines.
func (p *Position) groupsOfBox(h House, places Set, all []groupedLink) []groupedLink {
	corner := cellsOf[h][0]
	r, c := housesOf[corner][row], housesOf[corner][column]
	add := func(a, b Set) bool {
		a, b = a.and(places), b.and(places)
		if places.in(a.or(b)) && !a.in(b) && !b.in(a) {
			all = append(all, newGroupedLink(a, b, h, true))
			return true
		}
		return false
	}
	for i := range House(3) {
		for j := range House(3) {
			if add(houses[r+i], houses[c+j]) {
				return all
			}
		}
	}
	for i := range House(3) {
		for j := range i {
			if add(houses[r+i], houses[r+j]) || add(houses[c+i], houses[c+j]) {
				return all
			}
		}
	}
	return all
}

// findStrongLinks finds chains of n strong links on one digit, with groups, in which
// the near ends of neighbours share a house: then one of the far ends has the digit.
func findStrongLinks(p *Position, n int, out *results) {
	var found []Step
	var buffer [64]groupedLink
	for d := 1; d <= 9; d++ {
		if p.places[d].Len() < 2*n {
			continue
		}
		s := strongLinks{p: p, d: d, rating: out.rating, n: n, all: p.groupedLinks(d, buffer[:0]), out: &found}
		for i := range s.all {
			for side := range 2 {
				s.chain[0], s.side[0] = i, side
				s.extend(1)
			}
		}
	}
	out.addSorted(found)
}

type strongLinks struct {
	p      *Position
	d, n   int
	rating Rating // of the easiest
	all    []groupedLink
	chain  [4]int // of the links so far
	side   [4]int // the end with which each begins
	out    *[]Step
}

func (s *strongLinks) from(i int) Set { return s.all[s.chain[i]].ends[s.side[i]] }
func (s *strongLinks) to(i int) Set   { return s.all[s.chain[i]].ends[1-s.side[i]] }

func (s *strongLinks) extend(k int) {
	if k == s.n {
		s.report()
		return
	}
	first := 0
	if k == s.n-1 { // the other direction is the same
		first = s.chain[0] + 1
	}
	last := &s.all[s.chain[k-1]]
	near, in := last.ends[1-s.side[k-1]], last.within[1-s.side[k-1]]
	for i := first; i < len(s.all); i++ {
		link := &s.all[i]
		if (link.within[0]|link.within[1])&in == 0 {
			continue
		}
		for side := range 2 {
			if link.within[side]&in != 0 && !link.ends[side].meets(near) && !s.visits(k, link.house) {
				s.chain[k], s.side[k] = i, side
				s.extend(k + 1)
			}
		}
	}
}

// visits tells whether the first k links have one of a house.
func (s *strongLinks) visits(k int, h House) bool {
	for j := range k {
		if s.all[s.chain[j]].house == h {
			return true
		}
	}
	return false
}

func (s *strongLinks) report() {
	first, last := s.from(0), s.to(s.n-1)
	ends := first.or(last)
	loop := s.all[s.chain[0]].within[s.side[0]]&s.all[s.chain[s.n-1]].within[1-s.side[s.n-1]] != 0 && !first.meets(last)
	lose := ends.seen()
	if !loop && !lose.meets(s.p.places[s.d]) {
		return
	}
	var body Set
	for i := range s.n {
		body = body.or(s.from(i)).or(s.to(i))
	}
	if loop { // each of the weak links is a strong one
		for i := 1; i < s.n; i++ {
			lose = lose.or(s.to(i - 1).or(s.from(i)).seen())
		}
		lose = lose.not(body)
	}
	if !lose.meets(s.p.places[s.d]) {
		return
	}
	base := s.rating
	var kinds [3]bool
	grouped := false
	for i := range s.n {
		link := s.all[s.chain[i]]
		kinds[link.house.kind()] = true
		grouped = grouped || link.grouped
	}
	switch {
	case grouped:
		base += 3
	case kinds == [3]bool{true, true, true}:
		base += 2
	case kinds[box] || kinds[row] && kinds[column]:
		base++
	}
	step := Step{Rating: base, Eliminate: s.p.of(s.d, lose), Digits: digits(s.d), Cells: body.list()}
	var nodes []Node
	for i := range s.n {
		step.Houses = append(step.Houses, s.all[s.chain[i]].house)
		nodes = append(nodes, Node{s.d, s.from(i)}, Node{s.d, s.to(i)})
	}
	step.Chains = [][]Link{alternating(nodes...)}
	*s.out = append(*s.out, step)
}

func strongLinksReason(s *Step, say Say) string {
	chain := s.Chains[0]
	a, b := chain[0].From, chain[len(chain)-1].To
	return say("%s, each from the places in %s; so one of %v and %v is %v, and cells that see both are not",
		chainWords(chain, say), houseWords(s.Houses, say), a.Cells, b.Cells, s.Digits)
}
