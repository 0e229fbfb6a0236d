package explore

import (
	"hash/maphash"
	"math/bits"
)

// hash is what is kept of the key of a state.
type hash [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hashOf(key []byte) hash {
	return hash{maphash.Bytes(seeds[0], key), maphash.Bytes(seeds[1], key)}
}

// A seen is a set of states that numbers them from 0 in the order in which they are added. Any number of
// goroutines may look into it at the same time while nothing is added.
type seen struct {
	hashes store[hash] // by number
	slots  []int32     // numbers + 1, each at the first free place from that of its hash on; 0 is free

	// With Options.Bits a state is three bits of a table instead. A state whose bits are those of others
	// is taken for a known one.
	table  []uint64 // its size is a power of two
	ones   int      // bits that are set
	count  int32
	missed float64 // states that were taken for known ones, to be expected
}

// newSeen returns a set, with a table of about so many bytes unless it is 0.
func newSeen(bytes int64) seen {
	if bytes <= 0 {
		return seen{}
	}
	return seen{table: make([]uint64, 1<<max(0, bits.Len64(uint64(bytes)/8)-1))}
}

// number returns the number of a state, or in a table -1.
func (s *seen) number(h hash) (int32, bool) {
	if s.table != nil {
		return -1, s.mark(h, false) == 0
	}
	if len(s.slots) == 0 {
		return 0, false
	}
	n := s.slots[s.place(h)]
	return n - 1, n > 0
}

// mark returns how many bits of a state the table does not have, and sets them if set is true.
func (s *seen) mark(h hash, set bool) (added int) {
	last := uint64(len(s.table))*64 - 1
	for i := range uint64(3) {
		bit := (h[0] + i*(h[1]|1)) & last
		word := &s.table[bit/64]
		if *word>>(bit%64)&1 == 0 {
			added++
			if set {
				*word |= 1 << (bit % 64)
			}
		}
	}
	return added
}

// place returns the slot of a hash, or the free one where it belongs.
func (s *seen) place(h hash) uint64 {
	last := uint64(len(s.slots) - 1)
	for i := h[0] & last; ; i = (i + 1) & last {
		if n := s.slots[i]; n == 0 || *s.hashes.at(n - 1) == h {
			return i
		}
	}
}

// full reports whether there are more slots when the next state is added, besides the old ones at first.
func (s *seen) full() bool { return s.table == nil && 4*s.hashes.size >= 3*len(s.slots) }

// add adds a state that the set does not have, and returns its number.
func (s *seen) add(h hash) int32 {
	s.count++
	if s.table != nil {
		full := float64(s.ones) / float64(64*len(s.table))
		known := full * full * full // how likely a new state is taken for a known one
		s.missed += known / (1 - known)
		s.ones += s.mark(h, true)
		return s.count - 1
	}
	if s.full() {
		s.slots = make([]int32, max(1024, 2*len(s.slots)))
		for n := range s.count - 1 {
			s.slots[s.place(*s.hashes.at(n))] = n + 1
		}
	}
	i := s.place(h)
	s.hashes.add(h)
	s.slots[i] = s.count
	return s.count - 1
}
