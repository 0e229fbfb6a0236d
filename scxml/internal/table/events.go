package table

import (
	"slices"
	"strings"
)

// Matches reports whether an event descriptor matches an event name (REC
// 3.12.1): its tokens are a prefix of the name's tokens. A trailing ".*" or
// "." says nothing more, and "*" matches every name.
func Matches(descriptor, name string) bool {
	d := Normalize(descriptor)
	return d == "" || strings.HasPrefix(name, d) && (len(name) == len(d) || name[len(d)] == '.')
}

// Normalize returns what is left of a descriptor without what adds nothing to
// it: "a.b" for "a.b.*" and "a.b.", and "" for one that matches every name.
func Normalize(descriptor string) string {
	if descriptor == "*" {
		return ""
	}
	descriptor = strings.TrimSuffix(descriptor, ".*")
	return strings.TrimSuffix(descriptor, ".")
}

// A Descriptor is the number of an event descriptor of a chart.
type Descriptor int32

// Bit returns the descriptor's place in a set that is only 64 large: what is not
// there is certainly not meant, what is there may be another.
func (d Descriptor) Bit() uint64 { return 1 << (uint32(d) % 64) }

// Events numbers the event descriptors of a chart. It does not change once
// the chart is compiled.
type Events struct {
	numbers map[string]Descriptor // by normalized descriptor
	matches [][]Descriptor        // by number: what matches an event of that very name, see Seal
	few     []string              // by number, if there are few: to compare is quicker than to look up
	lengths map[int]bool          // of the descriptors: no other beginning of a name is looked up, which takes time in proportion to it
}

// manyNames is how many names are looked up rather than compared.
const manyNames = 9

// Add returns the number of descriptor; descriptors that mean the same have the same.
func (e *Events) Add(descriptor string) Descriptor {
	d := Normalize(descriptor)
	n, ok := e.numbers[d]
	if !ok {
		if e.numbers == nil {
			e.numbers = make(map[string]Descriptor)
			e.lengths = make(map[int]bool)
		}
		n = Descriptor(len(e.numbers))
		e.numbers[d] = n
		e.lengths[len(d)] = true
	}
	return n
}

// Seal is called once all descriptors are there. Most events that a session
// processes have a name that is a descriptor, too; what matches them is
// computed here, for all sessions.
func (e *Events) Seal() {
	e.matches = make([][]Descriptor, len(e.numbers))
	if len(e.numbers) < manyNames {
		e.few = make([]string, len(e.numbers))
	}
	for name, n := range e.numbers {
		e.matches[n] = e.Match(nil, name)
		if e.few != nil {
			e.few[n] = name
		}
	}
}

// Match appends to dst the descriptors that match name. There are at most as
// many as name has tokens, and one more.
func (e *Events) Match(dst []Descriptor, name string) []Descriptor {
	if n, ok := e.numbers[""]; ok {
		dst = append(dst, n)
	}
	for end := 0; end <= len(name); end++ {
		next := strings.IndexByte(name[end:], '.')
		if next < 0 {
			next = len(name) - end
		}
		end += next
		if end == 0 || !e.lengths[end] {
			continue // of a name that begins with a dot the first token is empty
		}
		if n, ok := e.numbers[name[:end]]; ok {
			dst = append(dst, n)
		}
	}
	return dst
}

// A Matcher answers which descriptors match the names of events, from memory
// after the first time. It belongs to one session; the zero Matcher knows nothing yet.
type Matcher struct {
	known map[string][]Descriptor // names that are no descriptors
	name  string                  // the last answer
	last  []Descriptor
}

// maxKnown and longName bound the memory of a Matcher: a stream of ever new names must not make it grow.
const (
	maxKnown = 1024
	longName = 256 // bytes
)

// Match returns the descriptors of e that match name. It is always asked about the same e.
func (m *Matcher) Match(e *Events, name string) []Descriptor {
	if name != m.name {
		m.name, m.last = name, m.look(e, name)
	}
	return m.last
}

func (m *Matcher) look(e *Events, name string) []Descriptor {
	if e.few != nil {
		if i := slices.Index(e.few, name); i >= 0 {
			return e.matches[i]
		}
	} else if n, ok := e.numbers[name]; ok {
		return e.matches[n]
	}
	if len(name) > longName {
		return e.Match(nil, name)
	}
	ds, ok := m.known[name]
	if !ok {
		ds = e.Match(nil, name)
		if m.known == nil {
			m.known = make(map[string][]Descriptor)
		} else if len(m.known) >= maxKnown {
			clear(m.known)
		}
		m.known[name] = ds
	}
	return ds
}
