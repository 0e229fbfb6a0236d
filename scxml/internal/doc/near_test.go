package doc

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDistance compares distance with its definition.
func TestDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	text := func() string {
		var b strings.Builder
		for range random.IntN(7) {
			b.WriteRune([]rune("abcäB")[random.IntN(5)])
		}
		return b.String()
	}
	for range 3000 {
		a, b, limit := text(), text(), 1+random.IntN(6)
		s, u := lowered(nil, a), lowered(nil, b)
		if got, want := distance(s, u, limit), min(slowDistance(s, u), limit); got != want {
			t.Fatalf("the distance of %q and %q is %d, want %d (limit %d)", a, b, got, want, limit)
		}
	}
}

func slowDistance(s, t []rune) int {
	if len(s) == 0 || len(t) == 0 {
		return len(s) + len(t)
	}
	cost := 1
	if s[0] == t[0] {
		cost = 0
	}
	d := min(slowDistance(s[1:], t[1:])+cost, slowDistance(s[1:], t)+1, slowDistance(s, t[1:])+1)
	if len(s) > 1 && len(t) > 1 && s[0] == t[1] && s[1] == t[0] {
		d = min(d, slowDistance(s[2:], t[2:])+1)
	}
	return d
}

func BenchmarkNear(b *testing.B) {
	candidates := make([]string, 0, 10_000)
	for i := range 10_000 {
		candidates = append(candidates, "state"+strings.Repeat("x", i%3)+string(rune('a'+i%26)))
	}
	b.ReportAllocs()
	for b.Loop() {
		near("stateyq", func(yield func(string) bool) {
			for _, c := range candidates {
				if !yield(c) {
					return
				}
			}
		})
	}
}
