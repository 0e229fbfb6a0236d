package photo

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// traits say how a digit was made: where its top and its bottom are, in cells; how dark it is; how much
// more red than blue, and than green, it leaves of the paper's light; and how wide its strokes are.
type traits [6]float64

// traitRules say for each trait how far printed digits of a page differ at least, and handwritten ones
// from them, as standard deviations.
var traitRules = [len(traits{})]struct{ printed, written float64 }{
	{0.02, 0.12}, {0.02, 0.12}, {0.06, 0.3}, {0.03, 0.25}, {0.025, 0.25}, {0.008, 0.03},
}

// compareHands makes digits more or less likely to be printed, on a page with handwritten ones: those
// that are printed have the traits of most that look so, and those that are not, mostly those of the
// others. It calls measure if there are any.
func compareHands(all *[81]beliefs, measure func() *[81]traits) {
	if !writtenIn(all) {
		return
	}
	found := measure()
	var ratios [81]float64 // logarithms: how much likelier the traits are if a digit is printed
	for k, rule := range traitRules {
		value := func(c int) float64 { return found[c][k] }
		print := distribution(value, rule.printed, func(c int) float64 { return all[c].printed() })
		hand := distribution(value, 2*rule.printed, func(c int) float64 { return (1 - all[c].printed()) * (1 - math.Exp(all[c][0])) })
		other := normal{print.middle, max(rule.written, 2*print.spread)} // of another pen
		for c := range found {
			v := found[c][k]
			written := 0.8*hand.density(v) + 0.2*other.density(v)
			ratios[c] += math.Log(0.95*print.density(v)/written + 0.05) // one in twenty was not measured well
		}
	}
	for c := range all {
		all[c].favor(min(max(0.6*ratios[c], -8), 6)) // less than they say: they depend on each other
	}
}

// A normal is a normal distribution.
type normal struct{ middle, spread float64 }

func (n normal) density(v float64) float64 {
	d := (v - n.middle) / n.spread
	return math.Exp(-d*d/2)/n.spread + 1e-6
}

// distribution returns how the values of cells are distributed, of which each counts by a weight.
func distribution(value func(c int) float64, least float64, weight func(c int) float64) (n normal) {
	n.middle = median(value, weight)
	n.spread = max(least, 1.5*median(func(c int) float64 { return math.Abs(value(c) - n.middle) }, weight))
	return n
}

// median returns the median of the values of cells, of which each counts by a weight.
func median(value, weight func(c int) float64) float64 {
	var cells [81]int
	sum := 0.0
	for c := range cells {
		cells[c] = c
		sum += weight(c)
	}
	slices.SortFunc(cells[:], func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	for _, c := range cells {
		if sum -= 2 * weight(c); sum <= 0 {
			return value(c)
		}
	}
	return value(cells[80])
}

// printed returns the probability that there is a printed digit, if there is a digit.
func (b *beliefs) printed() float64 {
	printed, written := 0.0, 0.0
	for d := 1; d <= 9; d++ {
		printed += math.Exp(b[d])
		written += math.Exp(b[d+digit.Handwritten])
	}
	if printed+written < math.Exp(b[0]) {
		return 0
	}
	return printed / (printed + written)
}

// favor makes all printed digits more likely, relative to the handwritten ones.
func (b *beliefs) favor(ratio float64) {
	sum := 0.0
	for d := range b {
		if d > digit.Handwritten {
			b[d] -= ratio / 2
		} else if d > 0 {
			b[d] += ratio / 2
		}
		sum += math.Exp(b[d])
	}
	for d := range b {
		b[d] -= math.Log(sum)
	}
}

// traitsOf returns the traits of the digits of a page that is turned by quarters.
func traitsOf(img image.Image, f *grid.Frame, w *grid.Warp, cells *[81]grid.Patch, quarters int) *[81]traits {
	var all [81]traits
	for c, patch := range turned(cells, quarters) {
		t := &all[c]
		t[0], t[1], t[2], t[5] = extent(&patch)
		from := origin(c, quarters)
		t[3], t[4] = inkColor(img, f, w, float64(from%9), float64(from/9))
	}
	return &all
}

// extent returns where the ink in the middle of a patch begins and ends, in cells, how dark it is, and
// how wide its strokes are, in cells. Lines at the border do not belong to it unless the digit touches
// them.
func extent(patch *grid.Patch) (top, bottom, dark, wide float64) {
	const n, edge, middle, half = grid.PatchSize, 4, 10, 0.5
	var seen [n * n]bool
	var stack []int
	add := func(x, y int) {
		if i := y*n + x; x >= edge && x < n-edge && y >= edge && y < n-edge && patch[i] > half && !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
	}
	for y := middle; y < n-middle; y++ {
		for x := middle; x < n-middle; x++ {
			add(x, y)
		}
	}
	top, bottom = n, 0
	var inked []float32
	border, area := 0.0, 0.0
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		x, y := i%n, i/n
		// Between two pixels, the ink begins where it would be half as dark as it can be.
		above, below := float64(patch[i-n]), float64(patch[i+n])
		ink := float64(patch[i])
		if above <= half {
			top = min(top, float64(y)-(ink-half)/(ink-above))
			border++
		}
		if below <= half {
			bottom = max(bottom, float64(y)+(ink-half)/(ink-below))
			border++
		}
		for _, next := range []int{i - 1, i + 1} {
			if patch[next] <= half {
				border++
			}
		}
		area += min(ink, 1)
		inked = append(inked, patch[i])
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				add(x+dx, y+dy)
			}
		}
	}
	if len(inked) == 0 {
		return 0, 0, 0, 0
	}
	slices.Sort(inked)
	return top / n, bottom / n, float64(inked[len(inked)*3/4]), 2 * area / max(border, 1) / n
}

// inkColor returns how much more red than blue, and than green, the ink of a cell leaves.
func inkColor(img image.Image, f *grid.Frame, w *grid.Warp, u, v float64) (blue, green float64) {
	const side = 20
	var points []color.NRGBA
	for i := range side * side {
		p := f.ToImage(w.At(u+0.2+0.6*float64(i%side)/side, v+0.2+0.6*float64(i/side)/side))
		x := min(max(int(math.Round(p.X)), img.Bounds().Min.X), img.Bounds().Max.X-1)
		y := min(max(int(math.Round(p.Y)), img.Bounds().Min.Y), img.Bounds().Max.Y-1)
		points = append(points, color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))
	}
	level := func(c color.NRGBA) int { return 2*int(c.R) + 3*int(c.G) + int(c.B) }
	slices.SortFunc(points, func(a, b color.NRGBA) int { return cmp.Compare(level(a), level(b)) })
	n := len(points)
	ink, paper := mean(points[:n/12]), mean(points[n/2:n*9/10])
	if level(points[n-1])-level(points[n/2]) > 2*(level(points[n/2])-level(points[0])) { // light ink
		ink, paper = mean(points[n-n/12:]), mean(points[n/10:n/2])
	}
	left := func(k int) float64 { return (ink[k] + 1) / (paper[k] + 1) }
	return left(0) - left(2), left(0) - left(1)
}

func mean(points []color.NRGBA) (m [3]float64) {
	for _, c := range points {
		m[0] += float64(c.R)
		m[1] += float64(c.G)
		m[2] += float64(c.B)
	}
	for k := range m {
		m[k] /= float64(len(points))
	}
	return m
}
