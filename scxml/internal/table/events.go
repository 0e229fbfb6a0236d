package table

import (
	"slices"
	"strings"
)

// Matches reports whether an event descriptor matches an event name: its tokens are a prefix of the
// name's tokens (REC 3.12.1). A trailing ".*" or "." does not matter, and "*" matches every name.
func Matches(descriptor, name string) bool {
	d := Normalize(descriptor)
	return d == "" || strings.HasPrefix(name, d) && (len(name) == len(d) || name[len(d)] == '.')
}

// Normalize removes redundant parts of a descriptor: it returns "a.b" for "a.b.*" and "a.b.", and
// "" for one that matches every name.
func Normalize(descriptor string) string {
	if descriptor == "*" {
		return ""
	}
	descriptor = strings.TrimSuffix(descriptor, ".*")
	return strings.TrimSuffix(descriptor, ".")
}

// A Descriptor is the number of an event descriptor of a chart.
type Descriptor int32

// Bit returns the bit of the descriptor in a set of 64. A missing bit means that the descriptor is
// missing; a set bit can belong to another one.
func (d Descriptor) Bit() uint64 { return 1 << (uint32(d) % 64) }

// Events numbers the event descriptors of a chart. It is immutable once the chart is compiled.
type Events struct {
	numbers map[string]Descriptor // by normalized descriptor
	matches [][]Descriptor        // by number: what matches the event with that name, see Seal
	few     []string              // by number, if there are few: comparing is faster than looking up
	lengths map[int]bool          // of the descriptors: other prefixes of a name need not be looked up, which takes linear time
}

// manyNames is the number of names from which on they are looked up.
const manyNames = 9

// Add returns the number of a descriptor. Equivalent descriptors have the same number.
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

// Seal is called after all descriptors were added. Most events have a name that is also a
// descriptor; Seal computes the matches of these for all sessions.
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

// Match appends to dst the descriptors that match name. There is at most one more of them than name
// has tokens.
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
			continue // the first token of a name that begins with a dot is empty
		}
		if n, ok := e.numbers[name[:end]]; ok {
			dst = append(dst, n)
		}
	}
	return dst
}

// A Matcher returns the descriptors that match the names of events, and remembers its answers. It
// belongs to one session. The zero Matcher is ready to use.
type Matcher struct {
	known map[string]*[]Descriptor // names that are not descriptors
	name  string
	last  *[]Descriptor // the answer for name; nil before the first
}

// maxKnown and longName bound the memory of a Matcher for a stream of ever new names, such as those
// of invocations without id. Each session has a Matcher.
const (
	maxKnown = 64
	longName = 256 // bytes
)

// Match returns the descriptors of e that match name. A Matcher must always be used with the same
// e.
func (m *Matcher) Match(e *Events, name string) []Descriptor {
	if name != m.name || m.last == nil {
		m.name, m.last = name, m.look(e, name)
	}
	return *m.last
}

func (m *Matcher) look(e *Events, name string) *[]Descriptor {
	if e.few != nil {
		if i := slices.Index(e.few, name); i >= 0 {
			return &e.matches[i]
		}
	} else if n, ok := e.numbers[name]; ok {
		return &e.matches[n]
	}
	if ds, ok := m.known[name]; ok {
		return ds
	}
	found := e.Match(nil, name)
	if len(name) <= longName {
		if m.known == nil {
			m.known = make(map[string]*[]Descriptor)
		} else if len(m.known) >= maxKnown {
			clear(m.known)
		}
		m.known[name] = &found
	}
	return &found
}
