package photo_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A picture of 640x480, in which the grid is 430 pixels wide.
func BenchmarkRead(b *testing.B) {
	board := drawn(b, &format.Game{Givens: sudoku.Puzzles()[12].Grid})
	scale := float64(board.Bounds().Dx()) / 430
	img := mapped(board, 640, 480, func(x, y float64) (float64, float64) {
		return (x - 100 - y/50) * scale, (y - 20 - x/60) * scale
	})
	reader := photo.NewReader()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), img); err != nil {
			b.Fatal(err)
		}
	}
}
