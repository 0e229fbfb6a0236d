package main

import (
	"context"
	"image"
	"image/draw"
	"math"
	"math/rand/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab/labelled"
)

// inks are the colors of pens: how much red, green and blue they leave.
var inks = [][3]float64{{0.1, 0.1, 0.1}, {0.35, 0.35, 0.35}, {0.1, 0.15, 0.55}, {0.25, 0.35, 0.8}, {0.7, 0.15, 0.15}}

// mixed returns photos in which somebody has solved the puzzle: with a pen, or else in one of the
// typefaces.
func mixed(seed uint64, photos []labelled.Photo, faces []*typeface, pens bool) (solved []labelled.Photo) {
	var solver sudoku.Solver
	for i, p := range photos {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		f := grid.NewFrame(context.Background(), p.Image, p.Image.Bounds(), 1200)
		boards := grid.Find(context.Background(), f.Plane)
		solution, solutions := solver.Solve(&p.Grid)
		if len(boards) == 0 || solutions == 0 {
			continue // measure says so
		}
		w := newWriter(random, faces)
		if w.tone, w.pen = 0, nil; pens {
			w.pen = newPen(random)
		}
		img := image.NewRGBA(p.Image.Bounds())
		draw.Draw(img, img.Rect, p.Image, img.Rect.Min, draw.Src)
		s := scribe{random: random, writer: w, ink: inks[random.IntN(len(inks))], sigma: between(random, 0.02, 0.05)}
		p.Name, p.Image = p.Name+" solved", img
		for c := range 81 {
			if row, column := c/9, c%9; p.Grid[row][column] == 0 {
				p.Entries[row][column] = solution[row][column]
				s.write(img, f, boards[0].Warp, row, column, solution[row][column])
			}
		}
		solved = append(solved, p)
	}
	return solved
}

// A scribe writes on photos.
type scribe struct {
	random *rand.Rand
	writer *writer
	ink    [3]float64
	sigma  float64 // of the blur, in cells
}

// write writes a digit into a cell of a photo.
func (s *scribe) write(img *image.RGBA, f *grid.Frame, w *grid.Warp, row, column, d int) {
	const side, margin = 64, 12 // of the cell, and around it
	digit := grid.NewPlane(side+2*margin, side+2*margin)
	for i := range digit.V {
		digit.V[i] = 1
	}
	middle := float64(side)/2 + margin
	s.writer.write(s.random, digit, d, grid.Point{X: middle, Y: middle}, side)
	blur(digit, s.sigma*side, s.sigma*side)

	// The cell is nearly a parallelogram.
	u, v := float64(column), float64(row)
	o, a, b := f.ToImage(w.At(u, v)), f.ToImage(w.At(u+1, v)), f.ToImage(w.At(u, v+1))
	ax, ay, bx, by := a.X-o.X, a.Y-o.Y, b.X-o.X, b.Y-o.Y
	det := ax*by - ay*bx
	reach := math.Abs(ax) + math.Abs(ay) + math.Abs(bx) + math.Abs(by)
	for y := int(o.Y - reach); y < int(o.Y+reach); y++ {
		for x := int(o.X - reach); x < int(o.X+reach); x++ {
			if !(image.Point{x, y}).In(img.Rect) {
				continue
			}
			px, py := float64(x)-o.X, float64(y)-o.Y
			i, j := (px*by-py*bx)/det*side+margin, (py*ax-px*ay)/det*side+margin
			if i < 0 || j < 0 || i >= side+2*margin || j >= side+2*margin {
				continue
			}
			cover := 1 - float64(digit.At(i, j))
			pixel := img.Pix[img.PixOffset(x, y):]
			for k, left := range s.ink {
				pixel[k] = uint8(float64(pixel[k]) * (1 - cover*(1-left)))
			}
		}
	}
}
