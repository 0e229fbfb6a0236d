package human

// findDeathBlossom finds a cell, the stem, and for each of its candidates an almost
// locked set, a petal, that loses the digit to it: whichever digit the stem takes, one
// of the petals is locked, and has the digits that all petals share.
func findDeathBlossom(p *Position, out *results) {
	all := out.almostLocked(p)
	for stem := range p.empty.All() {
		have := p.cells[stem]
		if have.Len() < 2 || have.Len() > 5 {
			continue
		}
		b := blossom{p: p, stem: stem, out: out}
		for d := range have.All() {
			for i := range all {
				if a := &all[i]; a.Digits.Has(d) && !a.Cells.Has(stem) && a.places[d].in(peers[stem]) {
					b.petals[d] = append(b.petals[d], a)
				}
			}
		}
		if b.grow(have, allDigits) {
			return
		}
	}
}

type blossom struct {
	p      *Position
	stem   Cell
	petals [10][]*als
	chosen [10]*als
	out    *results
}

// grow chooses a petal for each of the digits; common are the digits that all have.
func (b *blossom) grow(open, common Digits) (enough bool) {
	if open == 0 {
		return b.report(common)
	}
	d := open.first()
	for _, a := range b.petals[d] {
		left := common & a.Digits &^ (1 << d)
		useful := false
		for z := range left.All() {
			seen := a.seen[z]
			for e := range (b.p.cells[b.stem] &^ open).All() {
				seen = seen.and(b.chosen[e].seen[z])
			}
			if !seen.meets(b.p.places[z]) {
				left &^= 1 << z
				continue
			}
			useful = true
		}
		if !useful {
			continue
		}
		b.chosen[d] = a
		if b.grow(open&^(1<<d), left) {
			return true
		}
	}
	return false
}

func (b *blossom) report(common Digits) (enough bool) {
	step := Step{Digits: b.p.cells[b.stem], Cells: []Cell{b.stem}}
	for z := range common.All() {
		seen := everyCell
		for d := range step.Digits.All() {
			seen = seen.and(b.chosen[d].seen[z])
		}
		if b.p.Has(b.stem, z) && !seen.Has(b.stem) {
			continue // the stem itself may be z
		}
		step.Eliminate = append(step.Eliminate, b.p.of(z, seen)...)
	}
	if len(step.Eliminate) == 0 {
		return false
	}
	for d := range step.Digits.All() {
		step.Sets = append(step.Sets, b.chosen[d].Locked)
		step.Houses = append(step.Houses, b.chosen[d].house)
	}
	return b.out.add(step)
}

func deathBlossomReason(s *Step, say Say) string {
	i := 0
	var petals []string
	for d := range s.Digits.All() {
		petals = append(petals, say("with %d it locks %s", d, s.Sets[i].words(say)))
		i++
	}
	return say("%v is %s: %s; in any case one of these sets holds each digit that all of them have, and cells that see all its places lose it",
		s.Cells[0], s.Digits.words("or", say), join(petals, "%s and %s", say))
}
