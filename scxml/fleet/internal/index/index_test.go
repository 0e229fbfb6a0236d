package index

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Keys come in the order of their Wake and then of themselves, after any changes.
func TestDueIsInOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 0))
	var x Index
	wakes := map[string]int64{} // the slow answer
	for step := range 20_000 {
		key := fmt.Sprint("k", rnd.IntN(500))
		switch rnd.IntN(5) {
		case 0:
			x.Delete(key)
			delete(wakes, key)
		case 1:
			x.Put(key, Entry{Wake: Never})
			wakes[key] = Never
		default:
			wake := rnd.Int64N(100)
			x.Put(key, Entry{Wake: wake})
			wakes[key] = wake
		}
		if step%50 > 0 {
			continue
		}
		now, n := rnd.Int64N(120)-10, rnd.IntN(100)
		all := slices.DeleteFunc(slices.Collect(maps.Keys(wakes)), func(key string) bool { return wakes[key] == Never })
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(wakes[a], wakes[b]), cmp.Compare(a, b)) })
		var want []string
		next := int64(Never)
		for _, key := range all {
			if wakes[key] > now || n > 0 && len(want) == n {
				next = wakes[key]
				break
			}
			want = append(want, key)
		}
		if got, at := x.Due(now, n); !slices.Equal(got, want) || at != next {
			t.Fatalf("step %d: Due(%d, %d) returns %q and %d, want %q and %d", step, now, n, got, at, want, next)
		}
	}
}

// Taking what is due does not cost more when much else is due.
func BenchmarkDue(b *testing.B) {
	for _, size := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var x Index
			for i := range size {
				x.Put(fmt.Sprint("k", i), Entry{Wake: int64(i * 7919 % size)})
			}
			b.ReportAllocs()
			for b.Loop() {
				x.Due(int64(size), 100)
			}
		})
	}
}
