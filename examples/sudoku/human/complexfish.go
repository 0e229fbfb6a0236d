package human

// A shape says of which houses a fish is made.
type shape int

const (
	basic   shape = iota // rows and columns: the base of one kind, the cover of the other
	franken              // and boxes in either
	mutant               // anything else
)

// shapeOf returns the simplest shape of a fish with a base and a cover.
func shapeOf(base, cover houseSet) shape {
	const boxes, rows, columns = 0o777 << 18, 0o777, 0o777 << 9
	switch {
	case base&columns|cover&rows != 0 && base&rows|cover&columns != 0:
		return mutant
	case (base|cover)&boxes != 0:
		return franken
	}
	return basic
}

// The bounds of fish with boxes or mixed lines, which HoDoKu calls complex. They have at most
// 4 base houses, as the techniques say, and these many fins, which are HoDoKu's defaults.
const (
	maxFins     = 5
	maxEndoFins = 2 // fins in several base houses
)

// findComplexFish finds franken and mutant fish: n houses of any kind, in which the places of
// a digit but for fins lie in n other houses, each in at least as many of the latter as of the
// former. Places in more of the latter that see all fins lose the digit. As that takes long,
// it looks only for fish that eliminate a place without a template, and for each such place
// reports one fish of the kind, that with the fewest fins, if a smaller one does not exist.
func findComplexFish(p *Position, kind fishKind, out *results) {
	for d, t := range out.templatesOf(p) {
		if d == 0 || t.some.Empty() {
			continue
		}
		for target := range p.places[d].not(t.some).All() {
			f := complexFish{fishKind: kind, p: p, d: d, target: target, left: p.places[d].not(peers[target])}
			f.left.remove(target)
			for f.size = 2; f.size <= kind.size && f.base == 0; f.size++ {
				f.choose(0, 0, 0, tally{})
			}
			if f.size > kind.size && f.base != 0 && addFish(p, d, f.base, f.cover, f.fins, out) {
				return
			}
		}
	}
}

type complexFish struct {
	fishKind
	p      *Position
	d      int
	target Cell // that is eliminated
	left   Set  // the places of the digit that do not see it

	base, cover houseSet // of the best fish so far
	fins        Set
}

// choose adds houses, counted from the given one, to the base. None of them has the target:
// a fish with such a house is one without it, and without a cover house of the target.
func (f *complexFish) choose(from House, n int, base houseSet, in tally) {
	if n == f.size {
		f.coverWith(0, 0, base, in, tally{})
		return
	}
	for h := from; h < 27; h++ {
		places := f.p.in(h, f.d)
		if houses[h].Has(f.target) || !places.meets(f.left) || f.shape == franken && shapeOf(base|1<<h, 0) == mutant {
			continue
		}
		if next := in.with(places); f.coverable(next[0].and(f.left)) {
			f.choose(h+1, n+1, base|1<<h, next)
		}
	}
}

// coverable tells whether so few places have no house in common that the cover may hold them
// all. One of its houses is that of the target.
func (f *complexFish) coverable(places Set) bool {
	n := 0
	for ; !places.Empty() && n < f.size; n++ {
		c := places.first()
		places = places.not(peers[c])
		places.remove(c)
	}
	return n < f.size
}

// coverWith adds houses to a cover of n until it has all places that do not see the target, and
// the target in as many houses as there are left.
func (f *complexFish) coverWith(n int, cover, base houseSet, in, by tally) {
	next := f.target
	if open := in.over(by).and(f.left); !open.Empty() {
		next = open.first()
	} else if n == f.size {
		f.keep(base, cover, in, by)
		return
	}
	if n == f.size {
		return
	}
	for _, h := range housesOf[next] {
		if with := cover | 1<<h; !(cover | base).has(h) && shapeOf(base, with) <= f.shape {
			f.coverWith(n+1, with, base, in, by.with(f.p.in(h, f.d)))
		}
	}
}

// keep notes a fish if it is the best so far.
func (f *complexFish) keep(base, cover houseSet, in, by tally) {
	fins := in.over(by)
	switch n := fins.Len(); {
	case shapeOf(base, cover) != f.shape || f.finned == (n == 0) || n > maxFins || fins.and(in[1]).Len() > maxEndoFins:
	case !by.over(in).Has(f.target):
	case f.base == 0 || n < f.fins.Len():
		f.base, f.cover, f.fins = base, cover, fins
	}
}

func complexFishReason(s *Step, say Say) string {
	places := Cells(s.Cells...).or(s.Fins)
	var in, by tally
	for _, h := range s.Houses {
		in = in.with(houses[h].and(places))
	}
	for _, h := range s.Cover {
		by = by.with(houses[h].and(places))
	}
	text := fishReason(s, say)
	if in[1].or(by[1]).Empty() {
		return text
	}
	return say("%s; a place counts for each of these houses that it is in", text)
}
