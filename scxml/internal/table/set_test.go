package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSet compares a Set with a map on random operations.
func TestSet(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 200} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		set, model := NewSet(n), make(map[State]bool)
		for range 2000 {
			s := State(rng.IntN(n))
			switch rng.IntN(4) {
			case 0, 1:
				set.Add(s)
				model[s] = true
			case 2, 3:
				set.Remove(s)
				delete(model, s)
			}
			if set.Has(s) != model[s] {
				t.Fatalf("n %d: Has(%d) = %v", n, s, set.Has(s))
			}
			at := State(rng.IntN(n))
			next, prev := None, None
			for i := at; int(i) < n && next == None; i++ {
				if model[i] {
					next = i
				}
			}
			for i := at; i >= 0 && prev == None; i-- {
				if model[i] {
					prev = i
				}
			}
			if set.Next(at) != next || set.Prev(at) != prev {
				t.Fatalf("n %d: Next(%d) = %d, want %d; Prev = %d, want %d", n, at, set.Next(at), next, set.Prev(at), prev)
			}
			hi := State(rng.IntN(n))
			if want := next != None && next <= hi && at <= hi; set.HasRange(at, hi) != want {
				t.Fatalf("n %d: HasRange(%d, %d) = %v", n, at, hi, !want)
			}
		}
		var shared []State
		other := NewSet(n)
		for s := range State(n) {
			if s%3 == 0 {
				other.Add(s)
				if model[s] {
					shared = append(shared, s)
				}
			}
		}
		if got := set.AppendShared(nil, other); !slices.Equal(got, shared) {
			t.Errorf("n %d: AppendShared returns %v, want %v", n, got, shared)
		}
		set.Clear()
		if set.Next(0) != None || set.Prev(State(n-1)) != None {
			t.Errorf("n %d: Clear leaves something", n)
		}
	}
}
