// Package table holds the flat data structures of the interpreter: state numbers, sets of them, and
// event descriptors.
package table

import "math/bits"

// A State is the number of a state in document order; the root is 0. The descendants of a state are
// the numbers after it up to its last one, so "is a descendant" is two comparisons.
type State int32

// None is not a state.
const None State = -1

// A Set is a set of states. Its ascending order is entry order (ancestors first, then document
// order), its descending order is exit order (REC 3.13).
type Set []uint64

// NewSet returns an empty set for the states 0 to n-1.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether s is in the set.
func (set Set) Has(s State) bool { return set[uint32(s)/64]&(1<<(uint32(s)%64)) != 0 }

// Add adds s to the set.
func (set Set) Add(s State) { set[uint32(s)/64] |= 1 << (uint32(s) % 64) }

// Remove removes s from the set.
func (set Set) Remove(s State) { set[uint32(s)/64] &^= 1 << (uint32(s) % 64) }

// Clear empties the set.
func (set Set) Clear() { clear(set) }

// Next returns the lowest state of the set that is at least s, or None.
func (set Set) Next(s State) State {
	w := int(s) / 64
	if w >= len(set) {
		return None
	}
	if rest := set[w] &^ (1<<(uint32(s)%64) - 1); rest != 0 {
		return State(w*64 + bits.TrailingZeros64(rest))
	}
	for w++; w < len(set); w++ {
		if set[w] != 0 {
			return State(w*64 + bits.TrailingZeros64(set[w]))
		}
	}
	return None
}

// Prev returns the highest state of the set that is at most s, or None.
func (set Set) Prev(s State) State {
	if s < 0 {
		return None
	}
	w := int(s) / 64
	if rest := set[w] & (1<<(uint32(s)%64)<<1 - 1); rest != 0 {
		return State(w*64 + 63 - bits.LeadingZeros64(rest))
	}
	for w--; w >= 0; w-- {
		if set[w] != 0 {
			return State(w*64 + 63 - bits.LeadingZeros64(set[w]))
		}
	}
	return None
}

// AppendShared appends to list the states that are in both sets, in ascending order.
func (set Set) AppendShared(list []State, other Set) []State {
	for w, rest := range set {
		for rest &= other[w]; rest != 0; rest &= rest - 1 {
			list = append(list, State(w*64+bits.TrailingZeros64(rest)))
		}
	}
	return list
}

// HasRange reports whether the set has a state between lo and hi, inclusive.
func (set Set) HasRange(lo, hi State) bool {
	if lo > hi {
		return false
	}
	s := set[:int(hi)/64+1].Next(lo)
	return s != None && s <= hi
}
