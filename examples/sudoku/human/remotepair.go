package human

import "slices"

// findRemotePair finds chains of cells with the same two candidates: cells with an odd
// number of links between them have different digits, and take both from what sees them.
func findRemotePair(p *Position, out *results) {
	two := p.with(2)
	for start := range two.All() {
		s := p.cells[start]
		var same Set
		for c := range two.All() {
			if p.cells[c] == s {
				same.add(c)
			}
		}
		if same.Len() < 4 {
			continue
		}
		before := map[Cell]Cell{}
		level, done := Cells(start), Cells(start)
		for links := 1; !level.Empty(); links++ {
			var next Set
			for c := range level.All() {
				for peer := range same.and(peers[c]).not(done).not(next).All() {
					next.add(peer)
					before[peer] = c
				}
			}
			done = done.or(next)
			level = next
			if links < 3 || links%2 == 0 {
				continue
			}
			for end := range next.All() {
				lose := p.ofAll(s, peers[start].and(peers[end]))
				if len(lose) == 0 || end < start {
					continue
				}
				cells := []Cell{end}
				for at := end; at != start; at = before[at] {
					cells = append(cells, before[at])
				}
				slices.Reverse(cells)
				if out.add(Step{Rating: 70 + lengthRating(2*len(cells)), Eliminate: lose, Digits: s, Cells: cells}) {
					return
				}
			}
		}
	}
}

func remotePairReason(s *Step, say Say) string {
	return say("%s all are %s, and each sees the next: so %v and %v have different ones, and cells that see both have neither",
		list(s.Cells, func(c Cell) string { return say("%v", c) }, say), s.Digits.words("or", say), s.Cells[0], s.Cells[len(s.Cells)-1])
}
