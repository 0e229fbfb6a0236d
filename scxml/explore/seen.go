package explore

import "hash/maphash"

// hash is what is kept of the key of a state.
type hash [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hashOf(key []byte) hash {
	return hash{maphash.Bytes(seeds[0], key), maphash.Bytes(seeds[1], key)}
}

// A seen is a set of states that numbers them from 0 in the order in which they are added. Any number of
// goroutines may look into it at the same time while nothing is added.
type seen struct {
	hashes []hash  // by number
	slots  []int32 // numbers + 1, each at the first free place from that of its hash on; 0 is free
}

// number returns the number of a state.
func (s *seen) number(h hash) (int32, bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	n := s.slots[s.place(h)]
	return n - 1, n > 0
}

// place returns the slot of a hash, or the free one where it belongs.
func (s *seen) place(h hash) uint64 {
	last := uint64(len(s.slots) - 1)
	for i := h[0] & last; ; i = (i + 1) & last {
		if n := s.slots[i]; n == 0 || s.hashes[n-1] == h {
			return i
		}
	}
}

// add adds a state that the set does not have, and returns its number.
func (s *seen) add(h hash) int32 {
	if 4*len(s.hashes) >= 3*len(s.slots) {
		s.slots = make([]int32, max(1024, 2*len(s.slots)))
		for i, h := range s.hashes {
			s.slots[s.place(h)] = int32(i + 1)
		}
	}
	i := s.place(h)
	s.hashes = append(s.hashes, h)
	s.slots[i] = int32(len(s.hashes))
	return int32(len(s.hashes)) - 1
}
