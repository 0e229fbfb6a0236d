package grid

import (
	"math/rand/v2"
	"testing"
)

// A grid whose lines are not connected is found by its lines.
func TestGridWithBrokenLinesIsFound(t *testing.T) {
	w := NewWarp(Quad{{70, 40}, {330, 90}, {290, 340}, {30, 290}})
	p := lined(400, 400, w.At)
	for i := range 9 {
		for j := range 10 {
			for _, at := range []Point{w.At(float64(i)+0.5, float64(j)), w.At(float64(j), float64(i)+0.5), w.At(float64(i), float64(j))} {
				for y := int(at.Y) - 3; y <= int(at.Y)+4; y++ {
					for x := int(at.X) - 3; x <= int(at.X)+4; x++ {
						p.V[y*p.W+x] = 0.9
					}
				}
			}
		}
	}
	boards := Find(t.Context(), p)
	if len(boards) != 1 {
		t.Fatalf("%d grids", len(boards))
	}
	got, want := boards[0].Corners(), w.Corners()
	for i := range want {
		if distance(got[i], want[i]) > 4 {
			t.Errorf("corner %d is at %v, want %v", i, got[i], want[i])
		}
	}
}

// Lines that noise votes for are not a grid.
func TestNoiseIsNotAGrid(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		p := NewPlane(300, 200)
		for i := range p.V {
			p.V[i] = random.Float32()
		}
		if boards := Find(t.Context(), p); len(boards) > 0 {
			t.Fatalf("a grid at %v, of %d edges", boards[0].Corners(), boards[0].seen)
		}
	}
}
