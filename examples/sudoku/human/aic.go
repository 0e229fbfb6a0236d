package human

import "slices"

// An aicResult says which conclusions a technique draws.
type aicResult int

const (
	fromEnds   aicResult = iota // what both ends exclude
	fromLoop                    // what each link of a loop excludes
	fromItself                  // a candidate that excludes or implies itself
)

// An aicFinder says which chains are followed, and what is concluded from them.
type aicFinder struct {
	kind aicKind
	want aicResult
}

// findAIC finds the conclusions of chains, those of the shortest chains first.
func findAIC(p *Position, by aicFinder, out *results) {
	for _, f := range out.aics(p, by.kind, out.limit == 1)[by.want] {
		f.Rating = out.rating + lengthRating(f.length+2)
		if out.add(f.Step) {
			return
		}
	}
}

// aicResults are the conclusions of one kind of chains in a position.
type aicResults struct {
	p     Position
	kind  aicKind
	best  bool // only the shortest of each are there
	found [3][]chainStep
	kept  [3]map[effect]int // unless best, the places of the steps by effect
}

// aics returns the conclusions of chains, which several techniques share.
func (s *scratch) aics(p *Position, kind aicKind, best bool) *[3][]chainStep {
	for _, known := range s.aic {
		if known.kind == kind && known.best == best && known.p == *p {
			return &known.found
		}
	}
	r := &aicResults{p: *p, kind: kind, best: best}
	r.search(newAICSearch(newAICGraph(p, kind, s)))
	if len(s.aic) == 4 {
		s.aic = s.aic[1:]
	}
	s.aic = append(s.aic, r)
	return &r.found
}

func (r *aicResults) search(s *aicSearch) {
	if !r.best {
		for i := range r.kept {
			r.kept[i] = map[effect]int{}
		}
	}
	for start := range int32(len(s.nodes)) {
		loops := false
		s.follow(start, s.strong[start], func(end int32) {
			r.note(s, start, end, fromEnds)
			if !r.kind.oneDigit && !r.kind.cells {
				r.note(s, start, end, fromItself)
				loops = loops || s.excludes(end, start)
			}
		})
		if !loops && r.best {
			continue
		}
		// Which loops there are depends on the path.
		for _, first := range s.strong[start] {
			s.follow(start, []aicLink{first}, func(end int32) {
				if !r.best {
					r.note(s, start, end, fromEnds)
				}
				if !r.kind.oneDigit && !r.kind.cells {
					r.note(s, start, end, fromLoop)
				}
			})
		}
	}
	r.kept = [3]map[effect]int{}
	for i := range r.found {
		slices.SortStableFunc(r.found[i], compareChains)
	}
}

// note keeps the conclusions of a chain.
func (r *aicResults) note(s *aicSearch, start, end int32, want aicResult) {
	found := &r.found[want]
	length := int(s.length[end])
	if r.best && len(*found) > 0 && length >= (*found)[0].length {
		return
	}
	for _, step := range s.conclude(start, end, want) {
		nodes, _ := s.path(start, end)
		if r.kind.groups && !slices.ContainsFunc(nodes, func(n int32) bool { return int(n) >= s.single }) {
			continue // the technique without groups finds it
		}
		e := effectOf(&step)
		known, ok := r.kept[want][e]
		if ok && length >= (*found)[known].length {
			continue
		}
		var line []Node
		for _, n := range nodes {
			line = append(line, s.nodes[n])
			step.Digits |= 1 << s.nodes[n].Digit
		}
		step.Chains = [][]Link{alternating(line...)}
		switch {
		case r.best:
			*found = append((*found)[:0], chainStep{step, length, 0})
			return
		case ok:
			(*found)[known] = chainStep{step, length, 0}
		default:
			r.kept[want][e] = len(*found)
			*found = append(*found, chainStep{step, length, 0})
		}
	}
}

// excludes tells whether a node excludes another.
func (s *aicSearch) excludes(a, b int32) bool {
	return slices.Contains(s.weak[a], aicLink{b, -1})
}

// conclude returns the steps that follow from a chain between two nodes.
func (s *aicSearch) conclude(start, end int32, want aicResult) (steps []Step) {
	a, b := s.nodes[start], s.nodes[end]
	if want == fromLoop {
		if lose := s.loop(start, end); len(lose) > 0 {
			steps = append(steps, Step{Eliminate: lose})
		}
		return steps
	}
	lose := s.exclude(a, b)
	switch {
	case start == end:
		if want == fromItself && int(start) < s.single {
			others := s.p.cells[a.Cells.first()] &^ (1 << a.Digit)
			if others != 0 {
				steps = append(steps, Step{Eliminate: s.p.ofAll(others, a.Cells)})
			}
		}
	case want == fromItself:
		for _, c := range lose {
			steps = append(steps, Step{Eliminate: []Candidate{c}})
		}
	case len(lose) > 0:
		steps = append(steps, Step{Eliminate: lose})
	}
	return steps
}

// exclude returns the candidates that cannot be right when one of two nodes is.
func (s *aicSearch) exclude(a, b Node) (lose []Candidate) {
	switch {
	case a.Digit == b.Digit:
		return s.p.of(a.Digit, a.Cells.seen().and(b.Cells.seen()))
	case s.kind.cells:
		return nil
	case a.Cells == b.Cells && a.Cells.Len() == 1:
		return s.p.ofAll(s.p.cells[a.Cells.first()]&^(1<<a.Digit|1<<b.Digit), a.Cells)
	}
	lose = s.p.of(b.Digit, a.Cells.and(b.Cells.seen()))
	if a.Cells.Len() > 1 {
		lose = nil
	}
	if b.Cells.Len() == 1 {
		lose = append(lose, s.p.of(a.Digit, b.Cells.and(a.Cells.seen()))...)
	}
	return lose
}

// loop returns what a chain excludes whose ends exclude each other, too: then each of
// its links holds in both directions.
func (s *aicSearch) loop(start, end int32) []Candidate {
	if start == end || !s.excludes(end, start) {
		return nil
	}
	nodes, sets := s.path(start, end)
	var lose []Candidate
	for i := 1; i < len(nodes)+1; i += 2 {
		a, b := s.nodes[nodes[i]], s.nodes[nodes[(i+1)%len(nodes)]]
		if a.Digit == b.Digit {
			lose = append(lose, s.p.of(a.Digit, a.Cells.seen().and(b.Cells.seen()))...)
		} else {
			lose = append(lose, s.p.ofAll(s.p.cells[a.Cells.first()]&^(1<<a.Digit|1<<b.Digit), a.Cells)...)
		}
	}
	for _, k := range sets { // each set is locked
		set := &s.sets[k]
		for d := range set.Digits.All() {
			used := slices.ContainsFunc(nodes, func(n int32) bool { return s.nodes[n] == Node{d, set.places[d]} })
			if !used {
				lose = append(lose, s.p.of(d, set.seen[d].not(set.Cells))...)
			}
		}
	}
	return unique(lose)
}

func aicReason(s *Step, say Say) string {
	chain := s.Chains[0]
	a, b := chain[0].From, chain[len(chain)-1].To
	if a == b {
		return say("%s: it follows from its own absence, so it is right", chainWords(chain, say))
	}
	return say("%s: at least one of %s and %s is right, and what both exclude is wrong", chainWords(chain, say), a.text(true, say), b.text(true, say))
}

func loopReason(s *Step, say Say) string {
	chain := s.Chains[0]
	return say("%s, which excludes %s again: the loop holds in both directions, so of each two neighbors one is right, and what both exclude is wrong",
		chainWords(chain, say), chain[0].From.text(true, say))
}
