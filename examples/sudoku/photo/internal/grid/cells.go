package grid

import "slices"

// A Patch is the gray picture of one cell and a little around it: 0 for paper, 1 for ink. The
// network sees a window of it, so that the same patch can be looked at in several places.
type Patch [PatchSize * PatchSize]float32

const (
	PatchSize  = 36 // a cell has 32
	WindowSize = 30 // the side of what the network sees
	Margin     = (PatchSize - WindowSize) / 2
)

// Cut returns the 81 patches of a grid, row by row.
//
// The paper's brightness is that around each pixel, since light is uneven and some cells are tinted. Ink
// is as dark as it is in the darker cells of the page; a cell where it is darker yet has its own
// measure. So an empty cell stays empty however little contrast the picture has. If digits are
// lighter than the paper, all is inverted.
func Cut(p *Plane, w *Warp) *[81]Patch {
	board := rectified(p, w)
	if lightInk(board.patches()) {
		board = board.Inverted()
	}
	cells := board.flat().patches()
	var all [81]levels
	var depths [81]float32
	for c := range cells {
		all[c] = cells[c].levels()
		depths[c] = all[c].depth()
	}
	slices.Sort(depths[:])
	ink := depths[81*85/100]
	for c := range cells {
		paper := all[c].paper
		scale := 1 / max(all[c].depth()*0.95, ink*0.65, 0.02)
		for i, v := range cells[c] {
			cells[c][i] = min(max((1-v/paper)*scale, 0), 1.25)
		}
	}
	return cells
}

// levels are brightnesses that a cell has in its middle: nearly the darkest, the median, that of the
// paper, and nearly the brightest.
type levels struct{ dark, middle, paper, bright float32 }

// depth returns how dark the ink is, from 0 for paper to 1 for black.
func (l *levels) depth() float32 { return 1 - l.dark/l.paper }

// levels returns the levels of a patch of gray values. Lines may reach into it, but not into its
// middle half.
func (c *Patch) levels() levels {
	const quarter = PatchSize / 4
	var inner [(PatchSize - 2*quarter) * (PatchSize - 2*quarter)]float32
	k := 0
	for j := quarter; j < PatchSize-quarter; j++ {
		k += copy(inner[k:], c[j*PatchSize+quarter:(j+1)*PatchSize-quarter])
	}
	slices.Sort(inner[:])
	n := len(inner)
	return levels{inner[n*4/100], inner[n/2], max(inner[n*9/10], 0.02), inner[n*96/100]}
}

// lightInk reports whether digits are lighter than what is around them.
func lightInk(cells *[81]Patch) bool {
	var light, dark float32
	for c := range cells {
		l := cells[c].levels()
		light += l.bright - l.middle
		dark += l.middle - l.dark
	}
	return light > 2*dark
}

// Blank reports whether there is next to no ink in the middle of the patch.
func (c *Patch) Blank() bool {
	const edge = PatchSize / 5
	for j := edge; j < PatchSize-edge; j++ {
		for _, v := range c[j*PatchSize+edge : (j+1)*PatchSize-edge] {
			if v > 0.25 {
				return false
			}
		}
	}
	return true
}

// Upright returns the patch turned back by a number of quarter turns, counterclockwise.
func (c *Patch) Upright(quarters int) Patch {
	turned := *c
	for range quarters {
		from := turned
		for j := range PatchSize {
			for i := range PatchSize {
				turned[j*PatchSize+i] = from[i*PatchSize+PatchSize-1-j]
			}
		}
	}
	return turned
}
