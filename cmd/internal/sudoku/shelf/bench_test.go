package shelf_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// BenchmarkSave measures what a move costs after it is shown.
func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	s, err := shelf.Open(dir, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		if err := s.Save(played(1, 1+n%9)); err != nil {
			b.Fatal(err)
		}
	}
}
