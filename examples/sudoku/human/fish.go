package human

import "math/bits"

// A fishKind says which fish are looked for.
type fishKind struct {
	size    int
	finned  bool // it has places outside the cover
	sashimi bool // and without them a line with one place
	shape   shape
}

// findFish finds n lines in which the places of a digit lie in n crossing lines, but
// for fins: then the cells that see all fins lose the digit all the same.
func findFish(p *Position, kind fishKind, out *results) {
	for d := 1; d <= 9; d++ {
		if p.places[d].Len() < 2*kind.size || out.only != nil && out.only[d].Empty() {
			continue
		}
		f := fish{fishKind: kind, p: p, d: d, out: out}
		for k, lines := range linesOf(p.places[d]) {
			f.base, f.lines = House(9*k), lines
			if f.choose(0, 0, 0, 0) {
				return
			}
		}
	}
}

// linesOf returns the places of a digit in the rows and in the columns, as bits 0 to 8.
func linesOf(places Set) (lines [2][9]uint16) {
	for c := range places.All() {
		r, k := c/9, c%9
		lines[row][r] |= 1 << k
		lines[column][k] |= 1 << r
	}
	return lines
}

type fish struct {
	fishKind
	p     *Position
	d     int
	out   *results
	base  House // the first of the lines
	lines [9]uint16
}

// choose adds lines, counted from the given one, to the base.
func (f *fish) choose(from, n int, base, union uint16) (enough bool) {
	if n == f.size {
		return f.cover(base, union)
	}
	for i := from; i < 9; i++ {
		k := bits.OnesCount16(f.lines[i])
		if k == 0 || k == 1 && !f.sashimi || !f.finned && k > f.size {
			continue
		}
		u := union | f.lines[i]
		if bits.OnesCount16(u) > f.size && !f.finned || bits.OnesCount16(u) > f.size+3 {
			continue
		}
		if f.choose(i+1, n+1, base|1<<i, u) {
			return true
		}
	}
	return false
}

// cover looks for crossing lines that cover the base.
func (f *fish) cover(base, union uint16) (enough bool) {
	if !f.finned {
		return bits.OnesCount16(union) == f.size && f.report(base, union, Set{})
	}
	// Fins have to be in one box, so the lines without cover are neighbours.
	for stack := uint16(0b111); stack < 1<<9; stack <<= 3 {
		for without := stack & union; without != 0; without = (without - 1) & stack & union {
			if cover := union &^ without; bits.OnesCount16(cover) == f.size {
				if f.fins(base, cover) {
					return true
				}
			}
		}
	}
	return false
}

// fins looks at the places in the base that are not covered.
func (f *fish) fins(base, cover uint16) (enough bool) {
	var fins Set
	sashimi := false
	for rest := base; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros16(rest)
		for fin := f.lines[i] &^ cover; fin != 0; fin &= fin - 1 {
			fins.add(cellsOf[f.base+House(i)][bits.TrailingZeros16(fin)])
		}
		switch bits.OnesCount16(f.lines[i] & cover) {
		case 0:
			return false
		case 1:
			sashimi = true
		}
	}
	if !fins.in(houses[housesOf[fins.first()][box]]) || sashimi != f.sashimi {
		return false
	}
	return f.report(base, cover, fins)
}

func (f *fish) report(base, cover uint16, fins Set) (enough bool) {
	return addFish(f.p, f.d, houseSet(base)<<f.base, houseSet(cover)<<(9-f.base), fins, f.out)
}

// A houseSet is a set of houses: bit h is house h.
type houseSet uint32

func (s houseSet) has(h House) bool { return s>>h&1 != 0 }

// list returns the houses in ascending order.
func (s houseSet) list() (all []House) {
	for ; s != 0; s &= s - 1 {
		all = append(all, House(bits.TrailingZeros32(uint32(s))))
	}
	return all
}

// A tally counts for each cell in how many houses of a set it is: those in one at least, in
// two, in three.
type tally [3]Set

// with returns a tally with one more house.
func (t tally) with(h Set) tally {
	return tally{t[0].or(h), t[1].or(t[0].and(h)), t[2].or(t[1].and(h))}
}

// over returns the cells that are in more houses of one set than of another.
func (t tally) over(other tally) Set {
	return t[0].not(other[0]).or(t[1].not(other[1])).or(t[2].not(other[2]))
}

// tally counts the places of a digit in houses.
func (p *Position) tally(set houseSet, d int) (t tally) {
	for ; set != 0; set &= set - 1 {
		t = t.with(p.in(House(bits.TrailingZeros32(uint32(set))), d))
	}
	return t
}

// addFish adds a fish of as many base houses as cover houses, if it eliminates something.
// Each house has the digit once, so the places that are right are in as many base houses as
// cover houses together: without the fins, which are in more of the base, none of them is in
// more of the cover.
func addFish(p *Position, d int, base, cover houseSet, fins Set, out *results) (enough bool) {
	in, by := p.tally(base, d), p.tally(cover, d)
	lose := by.over(in)
	if !fins.Empty() {
		lose = lose.and(fins.seen())
	}
	if lose.Empty() {
		return false
	}
	return out.add(Step{
		Eliminate: p.of(d, lose), Digits: digits(d), Cells: in[0].not(fins).list(), Fins: fins,
		Houses: base.list(), Cover: cover.list(),
	})
}

func fishReason(s *Step, say Say) string {
	base, cover := houseWords(s.Houses, say), houseWords(s.Cover, say)
	if s.Fins.Empty() {
		return say("in %s all places for %v are in %s: each of these has its %v there, and nowhere else", base, s.Digits, cover, s.Digits)
	}
	return say("in %s all places for %v but %v are in %s: either %v is %v, or %s have their %v there; in both cases cells that see %v lose it",
		base, s.Digits, s.Fins, cover, oneOf(s.Fins, say), s.Digits, cover, s.Digits, s.Fins)
}
