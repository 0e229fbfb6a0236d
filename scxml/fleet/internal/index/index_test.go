package index

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
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

// Keys come in their order, page by page, after any changes; entries that come in order, as those of a
// store that is opened, too.
func TestKeysAreInOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 0))
	var x Index
	known := map[string]bool{} // whether it is pending
	put := func(key string, pending bool) {
		x.Put(key, Entry{Wake: Never, Pending: pending})
		known[key] = pending
	}
	for i := range 5 * maxChunk {
		put(fmt.Sprintf("k%06d", i), i%3 == 0)
	}
	if len(x.all.chunks) != 5 {
		t.Errorf("there are %d chunks, want that they are full", len(x.all.chunks))
	}
	for step := range 40_000 {
		key := fmt.Sprintf("k%06d", rnd.IntN(10_000))
		if rnd.IntN(20_000) > step/2 { // first more and more, then fewer
			put(key, rnd.IntN(2) == 0)
		} else {
			x.Delete(key)
			delete(known, key)
		}
		if step%1000 > 0 {
			continue
		}
		check := func(what string, list func(string, int) []string, match func(key string) bool) {
			var want, got []string
			for _, key := range slices.Sorted(maps.Keys(known)) {
				if match(key) {
					want = append(want, key)
				}
			}
			for n := 1 + rnd.IntN(2000); ; {
				after := ""
				if len(got) > 0 {
					after = got[len(got)-1]
				}
				page := list(after, n)
				if got = append(got, page...); len(page) < n {
					break
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(list("", 0), want) {
				t.Fatalf("step %d: %s are %d keys, want these %d in their order", step, what, len(got), len(want))
			}
			rest := want[sort.SearchStrings(want, "k005000x"):]
			if got := list("k005000x", 1); !slices.Equal(got, rest[:min(1, len(rest))]) {
				t.Fatalf("step %d: after a key that is not there %s is %q", step, what, got)
			}
		}
		check("all", x.Keys, func(string) bool { return true })
		check("pending", x.Pending, func(key string) bool { return known[key] })
	}
}

// Listing some keys does not cost more when there are many, or when one has come since.
func BenchmarkKeys(b *testing.B) {
	for _, size := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var x Index
			for i := range size {
				x.Put(fmt.Sprint("k", i*7919%size), Entry{Wake: Never})
			}
			b.ReportAllocs()
			for b.Loop() {
				x.Put("new", Entry{Wake: Never, Pending: true})
				x.Keys("k5", 100)
				x.Pending("", 100)
				x.Delete("new")
			}
		})
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
