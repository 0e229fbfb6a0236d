package human

// A coloring is a set of cells that are joined by pairs of a digit, in two colors:
// all cells of one color have the digit, or all of the other.
type coloring struct{ one, two Set }

// colorings returns the colorings of a digit.
func (p *Position) colorings(d int) (all []coloring) {
	var buffer [27]pair
	pairs := p.pairs(d, buffer[:0])
	var done Set
	for _, first := range pairs {
		if done.Has(first.a) {
			continue
		}
		k := coloring{one: Cells(first.a)}
		for grown := true; grown; {
			before := k
			for _, pr := range pairs {
				for range 2 {
					pr.a, pr.b = pr.b, pr.a
					if k.one.Has(pr.a) {
						k.two.add(pr.b)
					}
					if k.two.Has(pr.a) {
						k.one.add(pr.b)
					}
				}
			}
			grown = k != before
		}
		done = done.or(k.one).or(k.two)
		all = append(all, k)
	}
	return all
}

// reach returns the cells that see one of a set.
func (s Set) reach() (all Set) {
	for c := range s.All() {
		all = all.or(peers[c])
	}
	return all
}

// findSimpleColors finds colorings in which a color sees itself, which is then wrong,
// and cells that see both colors.
func findSimpleColors(p *Position, out *results) {
	for d := 1; d <= 9; d++ {
		for _, k := range p.colorings(d) {
			step := Step{Digits: digits(d), Cells: k.one.or(k.two).list(), Sets: []Locked{{k.one, digits(d)}, {k.two, digits(d)}}}
			for _, color := range [...]Set{k.one, k.two} {
				if color.reach().meets(color) {
					wrap := step
					wrap.Eliminate, wrap.Fins = p.of(d, color), color
					if out.add(wrap) {
						return
					}
				}
			}
			if lose := k.one.reach().and(k.two.reach()).not(k.one).not(k.two); lose.meets(p.places[d]) {
				step.Eliminate = p.of(d, lose)
				if out.add(step) {
					return
				}
			}
		}
	}
}

func simpleColorsReason(s *Step, say Say) string {
	cause := say("pairs of %v join %v and %v: either all of the first are %v or all of the second", s.Digits, s.Sets[0].Cells, s.Sets[1].Cells, s.Digits)
	if !s.Fins.Empty() {
		return say("%s; two of %v share a house, so it is the others", cause, s.Fins)
	}
	return say("%s; so cells that see one of each are not", cause)
}

// findMultiColors finds two colorings of which a color each see each other: then one
// of the other two colors is right. A color that sees both of the other is wrong.
func findMultiColors(p *Position, out *results) {
	for d := 1; d <= 9; d++ {
		all := p.colorings(d)
		for i, a := range all {
			for _, b := range all[i+1:] {
				body := a.one.or(a.two).or(b.one).or(b.two)
				step := Step{Digits: digits(d), Cells: body.list(), Sets: []Locked{
					{a.one, digits(d)}, {a.two, digits(d)}, {b.one, digits(d)}, {b.two, digits(d)},
				}}
				for _, x := range [...]struct{ color, first, second Set }{{a.one, b.one, b.two}, {a.two, b.one, b.two}, {b.one, a.one, a.two}, {b.two, a.one, a.two}} {
					if reach := x.color.reach(); reach.meets(x.first) && reach.meets(x.second) {
						wrong := step
						wrong.Eliminate, wrong.Fins = p.of(d, x.color), x.color
						if out.add(wrong) {
							return
						}
					}
				}
				var lose Set
				for _, x := range [...]struct{ near1, far1, near2, far2 Set }{
					{a.one, a.two, b.one, b.two}, {a.one, a.two, b.two, b.one}, {a.two, a.one, b.one, b.two}, {a.two, a.one, b.two, b.one},
				} {
					if x.near1.reach().meets(x.near2) {
						lose = lose.or(x.far1.reach().and(x.far2.reach()))
					}
				}
				if lose.meets(p.places[d]) {
					step.Eliminate = p.of(d, lose)
					if out.add(step) {
						return
					}
				}
			}
		}
	}
}

func multiColorsReason(s *Step, say Say) string {
	cause := say("pairs of %v join %v with %v, and %v with %v: of each two groups one is all %v",
		s.Digits, s.Sets[0].Cells, s.Sets[1].Cells, s.Sets[2].Cells, s.Sets[3].Cells, s.Digits)
	if !s.Fins.Empty() {
		return say("%s; %v see both groups of the other two, so they are not", cause, s.Fins)
	}
	return say("%s; a group of each see each other, so one of the other two is right, and cells that see both are not %v", cause, s.Digits)
}
