package main

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab/labelled"
)

// A cell is a labelled patch: a byte a pixel, 200 for ink.
type cell struct {
	pixels [grid.PatchSize * grid.PatchSize]uint8
	digit  uint8
}

const ink = 200

func newCell(p *grid.Patch, digit int) cell {
	c := cell{digit: uint8(digit)}
	for i, v := range p {
		c.pixels[i] = uint8(v*ink + 0.5)
	}
	return c
}

// synthesize returns the cells of a number of pages that are printed, photographed, found and cut as
// real ones are. The same seed gives the same cells.
func synthesize(seed uint64, faces, byHand []*typeface, pages int) []cell {
	parts := make([][]cell, pages)
	var wg sync.WaitGroup
	for worker := range shards {
		wg.Go(func() {
			for i := worker; i < pages; i += shards {
				parts[i] = onePage(rand.New(rand.NewPCG(seed, uint64(i))), faces, byHand)
			}
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}

// onePage returns the cells of a page, or none if its grid is not found.
func onePage(random *rand.Rand, faces, byHand []*typeface) []cell {
	size := 15 * math.Pow(75.0/15, random.Float64())
	page := newPage(random, faces, byHand, min(max(1.3*size, 24), 72))
	picture, corners := photograph(random, page, size)
	w, ok := grid.Settle(picture, corners)
	if !ok {
		return nil
	}
	var cells []cell
	for c, patch := range grid.Cut(picture, w) {
		cells = append(cells, newCell(&patch, page.digits[c]))
	}
	return cells
}

// photographed returns the cells of a photo, as it is and with every other harm, and of those without a digit
// every other one once more, with a handwritten digit.
func photographed(seed, number uint64, p labelled.Photo, byHand []*typeface) (cells []cell) {
	random := rand.New(rand.NewPCG(seed, number))
	w := newWriter(random, byHand)
	sharpness := between(random, 0.3, 1.3)
	add := func(img image.Image, fill bool) {
		patches, err := photo.Cells(img)
		if err != nil {
			return // measure says so
		}
		for c, patch := range patches {
			class := p.Grid[c/9][c%9]
			if written := p.Entries[c/9][c%9]; written > 0 {
				class = written + digit.Handwritten
			}
			if class == 0 || legible(&patch) {
				cells = append(cells, newCell(&patch, class))
			}
			if class == 0 && fill && c%2 == 0 {
				cells = append(cells, w.filled(random, patch, sharpness))
			}
		}
	}
	add(p.Image, true)
	for k := int(number) % 2; k < len(labelled.Harms); k += 2 {
		add(labelled.Harms[k].Put(random, p.Image), false)
	}
	return cells
}

// legible reports whether a harm has left so much ink in the middle of a patch that a digit can be read.
func legible(patch *grid.Patch) bool {
	const edge = grid.PatchSize / 5
	dark := 0
	for j := edge; j < grid.PatchSize-edge; j++ {
		for _, v := range patch[j*grid.PatchSize+edge : (j+1)*grid.PatchSize-edge] {
			if v > 0.5 {
				dark++
			}
		}
	}
	return dark >= 12
}

// filled returns a cell in which the writer writes a digit, blurred as much as the photo may be.
func (w *writer) filled(random *rand.Rand, patch grid.Patch, sigma float64) cell {
	const middle, side = grid.PatchSize / 2.0, grid.PatchSize / 1.128 // of the cell
	d := 1 + random.IntN(9)
	written := grid.NewPlane(grid.PatchSize, grid.PatchSize)
	for i := range written.V {
		written.V[i] = 1
	}
	w.write(random, written, d, grid.Point{X: middle, Y: middle}, side)
	blur(written, sigma, sigma)
	for i, v := range written.V {
		patch[i] = 1 - (1-patch[i])*v
	}
	return newCell(&patch, d+digit.Handwritten)
}

// distort shows a window of the cell a little turned, moved, stretched, and lighter or darker.
func (c *cell) distort(random *rand.Rand, window *[digit.Side * digit.Side]float32) {
	const middle = (grid.PatchSize - 1) / 2.0
	sx, sy := between(random, 0.88, 1.12), between(random, 0.88, 1.12)
	turn, lean := float64(random.NormFloat64()*0.05), random.NormFloat64()*0.05
	dx, dy := random.NormFloat64()*0.9, random.NormFloat64()*0.9
	gain := float32(between(random, 0.75, 1.2)) / ink
	grain := float32(0)
	if chance(random, 0.25) {
		grain = float32(random.Float64() * 0.08)
	}
	for j := range digit.Side {
		for i := range digit.Side {
			x, y := float64(i)-(digit.Side-1)/2.0, float64(j)-(digit.Side-1)/2.0
			v := c.at(middle+dx+sx*x+(turn+lean)*y, middle+dy+sy*y-turn*x) * gain
			if grain > 0 {
				v += grain * float32(random.NormFloat64())
			}
			window[j*digit.Side+i] = min(max(v, 0), 1.25)
		}
	}
}

// at returns the value at (x, y), interpolated.
func (c *cell) at(x, y float64) float32 {
	const n = grid.PatchSize
	x, y = min(max(x, 0), n-1.001), min(max(y, 0), n-1.001)
	i, j := int(x), int(y)
	fx, fy := float32(x-float64(i)), float32(y-float64(j))
	p := c.pixels[j*n+i:]
	top := float32(p[0]) + fx*(float32(p[1])-float32(p[0]))
	bottom := float32(p[n]) + fx*(float32(p[n+1])-float32(p[n]))
	return top + fy*(bottom-top)
}
