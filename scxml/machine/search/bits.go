package search

import "math/bits"

// A bitTable is a set of states of which it has three bits each. A state whose bits are those of others is taken for a
// known one.
type bitTable struct {
	words  []uint64 // a power of two
	ones   int      // bits that are set
	missed float64  // states that were taken for known ones, to be expected
}

// newBitTable returns a table of at most so many bytes.
func newBitTable(bytes int64) *bitTable {
	return &bitTable{words: make([]uint64, 1<<max(0, bits.Len64(uint64(bytes)/8)-1))}
}

// places returns where the bits of a hash are.
func (t *bitTable) places(hash uint64) [3]uint64 {
	high, low := bits.Mul64(hash, 0x9e3779b97f4a7c15)
	step, last := high^low|1, uint64(len(t.words))*64-1
	return [3]uint64{hash & last, (hash + step) & last, (hash + 2*step) & last}
}

// has reports whether the bits of a hash are set.
func (t *bitTable) has(hash uint64) bool {
	for _, p := range t.places(hash) {
		if t.words[p/64]>>(p%64)&1 == 0 {
			return false
		}
	}
	return true
}

// add sets the bits of a hash that the table lacks.
func (t *bitTable) add(hash uint64) {
	full := float64(t.ones) / float64(64*len(t.words))
	known := full * full * full // how likely a new state is taken for a known one
	t.missed += known / (1 - known)
	for _, p := range t.places(hash) {
		bit := uint64(1) << (p % 64)
		if t.words[p/64]&bit == 0 {
			t.ones++
		}
		t.words[p/64] |= bit
	}
}
