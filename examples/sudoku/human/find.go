package human

// A Finder finds steps. The zero value is ready. It has working memory that long
// chains need, some megabytes, and is used by one goroutine at a time.
type Finder struct{ scratch *scratch }

// Find returns the steps of the techniques that a position allows now, technique by
// technique in the order given, at most limit of them; 0 means all. Steps of a
// technique that have the same effect count once. Of Nested Forcing Chains it finds one
// step only.
func (f *Finder) Find(p *Position, limit int, order ...Technique) []Step {
	if f.scratch == nil {
		f.scratch = new(scratch)
	}
	out := results{limit: limit, scratch: f.scratch}
	for _, t := range order {
		first := len(out.steps)
		catalogue[t].find(p, &out)
		for i := first; i < len(out.steps); i++ {
			if s := &out.steps[i]; s.Rating == 0 {
				s.Rating = catalogue[t].rating
			}
		}
		if out.enough() {
			break
		}
	}
	return out.steps
}

// Next returns the first step of the first technique of an order that finds one.
func (f *Finder) Next(p *Position, order ...Technique) (Step, bool) {
	if steps := f.Find(p, 1, order...); len(steps) > 0 {
		return steps[0], true
	}
	return Step{}, false
}

// results collects steps.
type results struct {
	steps []Step
	limit int
	seen  map[effect]bool
	*scratch

	// When only some places of digits are of interest: those of each digit, and all of
	// them as that of digit 0. Simple patterns without one of them may be left out.
	only *[10]Set
}

// skips tells whether patterns of a digit in a house, or for digit 0 of any digit, are
// of no interest.
func (r *results) skips(h House, d int) bool { return r.only != nil && !r.only[d].meets(houses[h]) }

// A scratch is memory that finders use again and again.
type scratch struct {
	search *chainSearch
	net    *network
	trial  *boards
	aic    []*aicResults
	sets   []als // of a position
	setsOf Position
}

func (s *scratch) chains() *chainSearch {
	if s.search == nil {
		s.search = new(chainSearch)
	}
	return s.search
}

func (s *scratch) network() *network {
	if s.net == nil {
		s.net = new(network)
	}
	return s.net
}

func (s *scratch) boards() *boards {
	if s.trial == nil {
		s.trial = new(boards)
	}
	return s.trial
}

func (r *results) enough() bool { return r.limit > 0 && len(r.steps) >= r.limit }

// add adds a step, unless the technique has found one with the same effect, and tells
// whether there are enough.
func (r *results) add(s Step) (enough bool) {
	if r.limit != 1 {
		e := effectOf(&s)
		if r.seen[e] {
			return false
		}
		if r.seen == nil {
			r.seen = map[effect]bool{}
		}
		r.seen[e] = true
	}
	r.steps = append(r.steps, s)
	return r.enough()
}

// An effect is what a step places and eliminates, as bits.
type effect struct {
	technique        Technique
	place, eliminate [12]uint64
}

func effectOf(s *Step) (e effect) {
	e.technique = s.Technique
	for _, c := range s.Place {
		n := stateOf(c.Cell, c.Digit, true).candidate()
		e.place[n/64] |= 1 << (n % 64)
	}
	for _, c := range s.Eliminate {
		n := stateOf(c.Cell, c.Digit, true).candidate()
		e.eliminate[n/64] |= 1 << (n % 64)
	}
	return e
}
