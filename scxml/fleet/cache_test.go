package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Whatever is used in which order, the sessions in memory without users are within both bounds, and those
// that were used last.
func TestCacheIsBounded(t *testing.T) {
	const limit, most = 6, 1000
	var c cache
	c.init(limit, most)
	rnd := rand.New(rand.NewPCG(1, 0))
	full := map[bool]int{}
	for range 10_000 {
		e, err := c.acquire(context.Background(), fmt.Sprint(rnd.IntN(30)))
		if err != nil {
			t.Fatal(err)
		}
		e.rec = &record{size: []int{10, 90, 300, 1200}[rnd.IntN(4)]} // it changes while it is in use
		if rnd.IntN(20) == 0 {
			e.drop()
		}
		want := e.rec != nil && e.rec.size <= most
		c.release(e)
		kept, size := 0, 0
		for i := c.idle.after; i != &c.idle; i = i.after {
			if c.entries[i.key] != i {
				t.Fatalf("%q is in the ring and not in the map", i.key)
			}
			kept++
			size += i.rec.size
		}
		if kept != c.kept || size != c.size || kept > limit || size > most || len(c.entries) != kept {
			t.Fatalf("%d sessions of %d bytes are kept (%d of %d are counted), %d are known", kept, size, c.kept, c.size, len(c.entries))
		}
		if got := c.entries[e.key] == e; got != want {
			t.Fatalf("the session that was used last is kept: %v, want %v", got, want)
		}
		full[kept == limit]++
	}
	if full[true] < 100 || full[false] < 100 {
		t.Errorf("%d times the number and %d times the size was the bound: too few to tell", full[true], full[false])
	}
	c.clear()
	if c.kept != 0 || c.size != 0 || len(c.entries) != 0 {
		t.Errorf("after clear %d sessions of %d bytes are kept", c.kept, c.size)
	}
}
