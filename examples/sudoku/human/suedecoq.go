package human

// findSueDeCoq finds two or three cells where a box meets a line, with cells of the
// line and cells of the box that have no digit in common, and as many digits as cells
// in all: then every digit is in them, and leaves the rest of the line, of the box, or both.
func findSueDeCoq(p *Position, out *results) {
	for b := House(18); b < 27; b++ {
		corner := cellsOf[b][0]
		for i := range House(3) {
			for _, line := range [...]House{housesOf[corner][row] + i, housesOf[corner][column] + i} {
				cross := houses[b].and(houses[line]).and(p.empty).list()
				inLine := houses[line].and(p.empty).not(houses[b]).list()
				inBox := houses[b].and(p.empty).not(houses[line]).list()
				for some := 1; some < 1<<len(cross); some++ {
					center, v := p.choice(cross, some)
					if n := center.Len(); n < 2 || v.Len() < n+2 {
						continue
					}
					for l := 1; l < 1<<len(inLine); l++ {
						lineCells, lineDigits := p.choice(inLine, l)
						if lineDigits&v == 0 || (lineDigits|v).Len() > center.Len()+lineCells.Len()+len(inBox) {
							continue
						}
						for k := 1; k < 1<<len(inBox); k++ {
							boxCells, boxDigits := p.choice(inBox, k)
							body := center.or(lineCells).or(boxCells)
							if lineDigits&boxDigits != 0 || boxDigits&v == 0 || (v|lineDigits|boxDigits).Len() != body.Len() {
								continue
							}
							lose := p.ofAll((v|lineDigits)&^boxDigits, houses[line].not(body))
							lose = unique(append(lose, p.ofAll((v|boxDigits)&^lineDigits, houses[b].not(body))...))
							if len(lose) == 0 {
								continue
							}
							if out.add(Step{
								Eliminate: lose, Digits: v | lineDigits | boxDigits, Cells: body.list(), Houses: []House{line, b},
								Sets: []Locked{{center, v}, {lineCells, lineDigits}, {boxCells, boxDigits}},
							}) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// choice returns the cells of a list that bits choose, and their candidates.
func (p *Position) choice(list []Cell, bits int) (cells Set, union Digits) {
	for i, c := range list {
		if bits>>i&1 != 0 {
			cells.add(c)
			union |= p.cells[c]
		}
	}
	return cells, union
}

func sueDeCoqReason(s *Step, say Say) string {
	return say("%s, %s in %v and %s in %v are as many cells as digits, and the latter two have none in common: each digit is in them once, so it leaves the rest of a house in which all its places are",
		s.Sets[0].words(say), s.Sets[1].words(say), s.Houses[0], s.Sets[2].words(say), s.Houses[1])
}
