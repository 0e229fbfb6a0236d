package human

import "testing"

func BenchmarkSolve(b *testing.B) {
	all := benchmarkPositions(b)
	var f Finder
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.Solve(all[i%len(all)], Order()...)
		i++
	}
}

// BenchmarkFind finds all steps at the start of a puzzle.
func BenchmarkFind(b *testing.B) {
	all := benchmarkPositions(b)
	var f Finder
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.Find(all[i%len(all)], 0, Order()...)
		i++
	}
}

func benchmarkPositions(b *testing.B) (all []*Position) {
	for _, puzzle := range puzzles(b, 40) {
		all = append(all, position(b, &puzzle.Grid))
	}
	return all
}
