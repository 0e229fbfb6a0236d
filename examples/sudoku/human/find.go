package human

import (
	"cmp"
	"slices"
)

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
		out.technique, out.rating = t, catalogue[t].rating
		catalogue[t].find(p, &out)
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

// A finder adds the steps that it finds to the results, always in the same order, until
// these have enough.
type finder func(p *Position, out *results)

// with returns the finder of one kind of the steps that find finds.
func with[Kind any](find func(*Position, Kind, *results), kind Kind) finder {
	return func(p *Position, out *results) { find(p, kind, out) }
}

// results collects steps.
type results struct {
	steps     []Step
	technique Technique // of the steps that are added
	rating    Rating    // of its easiest steps
	limit     int
	seen      map[effect]bool
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
	sets   []als       // of a position
	links  [][]alsLink // of the sets, nil before they are wanted
	setsOf Position

	layouts   [10]templates // of the digits of a position
	layoutsOf Position
}

func (s *scratch) chains() *chainSearch { return ready(&s.search) }
func (s *scratch) network() *network    { return ready(&s.net) }
func (s *scratch) boards() *boards      { return ready(&s.trial) }

// ready returns what has been made before, or a new one.
func ready[T any](known **T) *T {
	if *known == nil {
		*known = new(T)
	}
	return *known
}

func (r *results) enough() bool { return r.limit > 0 && len(r.steps) >= r.limit }

// add adds a step of the technique, unless that has found one with the same effect, and
// tells whether there are enough. A step without a rating gets that of the technique.
func (r *results) add(s Step) (enough bool) {
	s.Technique, s.Rating = r.technique, cmp.Or(s.Rating, r.rating)
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

// addSorted adds steps until there are enough. Short of a better measure, first comes what
// is easier to see, then what does more.
func (r *results) addSorted(steps []Step) {
	slices.SortStableFunc(steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Rating, b.Rating), cmp.Compare(len(b.Eliminate), len(a.Eliminate)))
	})
	for _, s := range steps {
		if r.add(s) {
			return
		}
	}
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
