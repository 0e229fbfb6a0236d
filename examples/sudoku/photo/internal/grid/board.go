package grid

import "slices"

const (
	cellSize  = 32            // pixels
	boardSize = 11 * cellSize // a board has a cell more on each side, with what is around it
)

// rectified returns the board in a picture as it is seen from above.
func rectified(p *Plane, w *Warp) *Plane {
	board := NewPlane(boardSize, boardSize)
	for row := range 11 {
		for column := range 11 {
			board.sample(row*cellSize*boardSize+column*cellSize, p, w, float64(column-1), float64(row-1))
		}
	}
	return board
}

// sample fills the cell of a board that begins at an index with the gray values of the picture, from
// its top left corner at (u, v).
func (b *Plane) sample(at int, p *Plane, w *Warp, u, v float64) {
	// The warp is nearly bilinear within a cell: its corners give all pixels.
	nw, ne, se, sw := w.At(u, v), w.At(u+1, v), w.At(u+1, v+1), w.At(u, v+1)
	const n = cellSize
	// One sample a pixel is enough if a pixel of the board is as big as one of the picture, else four.
	fine := abs(ne.X-nw.X)+abs(ne.Y-nw.Y) < 1.5*n
	for j := range n {
		t := (float64(j) + 0.5) / n
		left := Point{nw.X + t*(sw.X-nw.X), nw.Y + t*(sw.Y-nw.Y)}
		right := Point{ne.X + t*(se.X-ne.X), ne.Y + t*(se.Y-ne.Y)}
		dx, dy := (right.X-left.X)/n, (right.Y-left.Y)/n
		qx, qy := (dx-dy)/4, (dx+dy)/4
		for i := range n {
			x, y := left.X+(float64(i)+0.5)*dx, left.Y+(float64(i)+0.5)*dy
			if fine {
				b.V[at+i] = p.At(x, y)
			} else {
				b.V[at+i] = (p.At(x-qx, y-qy) + p.At(x+qx, y+qy) + p.At(x-qy, y+qx) + p.At(x+qy, y-qx)) / 4
			}
		}
		at += b.W
	}
}

func abs(x float64) float64 { return max(x, -x) }

// flat returns the board as a part of the light that paper has at each place: 1 is paper, and what is
// darker is ink, also in a shadow and at its edge. What strokes and lines are printed on is seen when all
// that is dark and narrower than a window is filled in, a morphological closing; a shadow is wider.
func (b *Plane) flat() *Plane {
	const reach = 5 // the window has 11 pixels, a third of a cell
	paper := b.filtered(reach, slices.Max).filtered(reach, slices.Min)
	flat := NewPlane(b.W, b.H)
	for i, v := range b.V {
		flat.V[i] = v / max(paper.V[i], 0.02)
	}
	return flat
}

// filtered returns the plane with each value replaced by one of those in the square around it.
func (p *Plane) filtered(reach int, choose func([]float32) float32) *Plane {
	for range 2 { // along the rows, then along the columns
		turned := NewPlane(p.H, p.W)
		for y := range p.H {
			row := p.V[y*p.W : (y+1)*p.W]
			for x := range row {
				turned.V[x*p.H+y] = choose(row[max(0, x-reach):min(p.W, x+reach+1)])
			}
		}
		p = turned
	}
	return p
}

// patches returns the patches of a board.
func (b *Plane) patches() *[81]Patch {
	var cells [81]Patch
	const around = (PatchSize - cellSize) / 2
	for c := range cells {
		at := ((c/9+1)*cellSize-around)*b.W + (c%9+1)*cellSize - around
		for j := range PatchSize {
			copy(cells[c][j*PatchSize:(j+1)*PatchSize], b.V[at+j*b.W:])
		}
	}
	return &cells
}
