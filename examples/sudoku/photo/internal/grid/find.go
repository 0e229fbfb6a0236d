// Package grid finds the boards of Sudokus in a gray picture, and cuts them into the pictures of their cells.
package grid

import (
	"cmp"
	"context"
	"slices"
)

// A Board is a grid that was found in a frame.
type Board struct {
	*Warp
	match
	Dark bool // light lines on dark paper: warp and match belong to the negative
	Weak bool // tiles, tables and lines of text may look so: believe it if there is a puzzle in it
}

// Find returns the grids of a picture, the best first; none of them overlap.
//
// It looks for connected dark areas as big as a grid. What is dark depends on the light and on the
// print, so it tries several thresholds, and keeps what agrees best with the lines of a grid. If there
// is none, the pixels vote for lines, and the lines around the boxes are enough. When ctx is done, it
// looks for no more.
func Find(ctx context.Context, p *Plane) []Board {
	found := findIn(ctx, p, false)
	if !slices.ContainsFunc(found, func(b Board) bool { return b.seen >= 150 }) {
		found = append(found, findIn(ctx, p.Inverted(), true)...)
	}
	slices.SortStableFunc(found, func(a, b Board) int { return cmp.Compare(b.score(), a.score()) })
	var boards []Board
	for _, f := range found {
		if !slices.ContainsFunc(boards, func(b Board) bool { return overlap(b.Corners(), f.Corners()) }) {
			boards = append(boards, f)
		}
	}
	return boards
}

func findIn(ctx context.Context, p *Plane, dark bool) []Board {
	var found []Board
	sums := p.sums()
	long := max(p.W, p.H)
	var tried []Quad
	var boxes []Board
	clear := false // a grid is found that no other threshold can show better
	try := func(q Quad, voted bool) {
		if slices.ContainsFunc(tried, func(t Quad) bool { return alike(t, q) }) {
			return
		}
		tried = append(tried, q)
		w, m := settle(p, q, false)
		switch {
		case m.isGrid() && (!voted || m.seen >= 138): // there are lines in noise, too
			found = append(found, Board{w, m, dark, voted})
			clear = clear || m.seen >= 174
		case m.thick >= 48 && !m.isGrid():
			if w, m := settle(p, q, true); m.isBoxes() {
				boxes = append(boxes, Board{w, m, dark, true})
			}
		}
	}

	// The window in which a pixel is compared with others is a part of the picture.
	for _, part := range []int{40, 16, 100} {
		if ctx.Err() != nil {
			break
		}
		d := p.darkness(sums, max(3, long/part))
		deviation := d.deviation()
		for _, factor := range []float32{0.6, 1, 0.3, 1.6} {
			for _, q := range bigAreas(d, factor*deviation) {
				if ctx.Err() != nil {
					return found
				}
				try(q, false)
			}
			if clear {
				return found
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, q := range votedQuads(p) {
		if ctx.Err() != nil || clear {
			break
		}
		try(q, true)
	}
	return append(found, boxes...)
}

// Settle returns the warp that agrees best with the lines of the picture, and whether it agrees with
// enough of them. The corners of the grid must be near those of the quad.
func Settle(p *Plane, q Quad) (*Warp, bool) {
	w, m := settle(p, q, false)
	return w, m.isGrid()
}

// Settle is Settle for another picture of the board.
func (b *Board) Settle(p *Plane, q Quad) (*Warp, bool) {
	w, m := settle(p, q, b.boxes)
	return w, m.isGrid() || b.boxes && m.isBoxes()
}

// settle does not look at the lines within boxes if there may be none.
func settle(p *Plane, q Quad, boxes bool) (*Warp, match) {
	w := NewWarp(q)
	w.boxes = boxes
	w.follow(w.lookAtAll(p, 0.35), 4)
	e := w.lookAtAll(p, 0.3)
	if m := e.match(); !boxes && m.seen < 60 || boxes && m.thick < 48 {
		return w, m // most candidates are not grids
	}
	w.follow(e, 4)
	w.follow(w.lookAtAll(p, 0.25), 10)
	w.follow(w.lookAtAll(p, 0.2), 10)
	m := w.lookAtAll(p, 0.15).match()
	w.bend(w.lookAtAll(p, 0.2))
	w.bend(w.lookAtAll(p, 0.15))
	return w, m // a bend finds lines in noise as well
}
