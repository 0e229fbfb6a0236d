package human

// A template is a way to place a digit in the whole grid: once in each row, column and box,
// where it is placed already or a candidate. These are those of one digit together.
type templates struct {
	some, all Set // the empty cells that are in at least one, and in each
}

// templatesOf returns the templates of each digit of a position, which several techniques use.
func (s *scratch) templatesOf(p *Position) *[10]templates {
	if s.layoutsOf != *p {
		s.layoutsOf = *p
		for d := 1; d <= 9; d++ {
			s.layouts[d] = p.templates(d)
		}
	}
	return &s.layouts
}

// templates returns the templates of a digit.
func (p *Position) templates(d int) templates {
	var open []House // the rows that lack the digit
	for r := range House(9) {
		placed := false
		for _, c := range cellsOf[r] {
			placed = placed || p.Digit(c) == d
		}
		if !placed {
			open = append(open, r)
		}
	}
	t := templates{all: everyCell}
	t.extend(open, p.places[d], Set{})
	return t
}

// extend adds the templates that have some cells, and one more in each of the open rows, of
// the places that are left.
func (t *templates) extend(open []House, left, chosen Set) {
	if len(open) == 0 {
		t.some, t.all = t.some.or(chosen), t.all.and(chosen)
		return
	}
	for c := range left.and(houses[open[0]]).All() {
		next := chosen
		next.add(c)
		t.extend(open[1:], left.not(peers[c]), next)
	}
}

// findTemplateSet finds places of a digit that are in all of its templates.
func findTemplateSet(p *Position, out *results) {
	for d, t := range out.templatesOf(p) {
		if d == 0 || t.some.Empty() || t.all.Empty() {
			continue
		}
		step := Step{Digits: digits(d), Cells: t.some.not(t.all).list()}
		for c := range t.all.All() {
			step.Place = append(step.Place, Candidate{c, d})
		}
		if out.add(step) {
			return
		}
	}
}

// findTemplateDelete finds places of a digit that are in none of its templates.
func findTemplateDelete(p *Position, out *results) {
	for d, t := range out.templatesOf(p) {
		if d == 0 || t.some.Empty() || t.some == p.places[d] {
			continue
		}
		if out.add(Step{Eliminate: p.of(d, p.places[d].not(t.some)), Digits: digits(d), Cells: t.some.list()}) {
			return
		}
	}
}

func templateReason(s *Step, say Say) string {
	var cells Set
	for _, c := range append(s.Place, s.Eliminate...) {
		cells.add(c.Cell)
	}
	if len(s.Place) > 0 {
		return say("each way to place %v once in every row, column and box has it in %v", s.Digits, cells)
	}
	return say("no way to place %v once in every row, column and box has it in %s", s.Digits, oneOf(cells, say))
}
