package diagram

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

func BenchmarkLayout(b *testing.B) {
	for _, states := range []int{20, 100, 500} {
		b.Run(strconv.Itoa(states), func(b *testing.B) {
			chart := legalChart(b, states)
			b.ReportAllocs()
			for b.Loop() {
				New(chart).Layout(b.Context())
			}
		})
	}
}

// legalChart returns a random chart.
func legalChart(t testing.TB, states int) *scxml.Chart {
	t.Helper()
	for i := range uint64(100) {
		if chart, err := scxml.Parse("random.scxml", []byte(randomChart(rand.New(rand.NewPCG(1, i)), states))); err == nil {
			return chart
		}
	}
	t.Fatal("no chart of 100 is legal")
	return nil
}
