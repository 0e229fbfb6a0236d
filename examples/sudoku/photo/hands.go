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

// traits say how a digit was made: where its top and its bottom are, in cells; how dark it is; and how
// much more red than blue, and than green, it leaves of the paper's light.
type traits [5]float64

// traitRules say for each trait how far printed digits of a page differ at least, as a standard
// deviation; how far handwritten ones differ from them; and how many of those do not.
var traitRules = [len(traits{})]struct{ printed, written, alike float64 }{
	{0.04, 0.12, 0.2}, {0.04, 0.12, 0.2}, {0.08, 0.3, 0.5}, {0.04, 0.25, 0.5}, {0.04, 0.25, 0.5},
}

// compareHands makes digits more or less likely to be printed, on a page with handwritten ones: those
// that are printed have the traits of most that look so. It calls measure if there are any.
func compareHands(all *[81]beliefs, measure func() *[81]traits) {
	if !writtenIn(all) {
		return
	}
	var printed []int // cells that surely look so
	for c := range all {
		if p := all[c].printed(); p > 0.9 {
			printed = append(printed, c)
		}
	}
	if len(printed) < 8 {
		return
	}
	found := measure()
	var ratios [81]float64 // logarithms: how much likelier the traits are if a digit is printed
	for k, rule := range traitRules {
		middle := median(printed, func(c int) float64 { return found[c][k] })
		spread := max(rule.printed, 1.5*median(printed, func(c int) float64 { return math.Abs(found[c][k] - middle) }))
		far := max(rule.written, 2*spread)
		for c := range found {
			d := found[c][k] - middle
			other := spread / far * math.Exp(min(d*d/2*(1/(spread*spread)-1/(far*far)), 50))
			other /= 0.95 + 0.05*other // one in twenty was not measured well
			ratios[c] -= math.Log(rule.alike + (1-rule.alike)*other)
		}
	}
	for c := range all {
		all[c].favor(min(max(ratios[c], -8), 6))
	}
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

// median returns the median of a value of some cells.
func median(cells []int, value func(c int) float64) float64 {
	values := make([]float64, len(cells))
	for i, c := range cells {
		values[i] = value(c)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// traitsOf returns the traits of the digits of a page that is turned by quarters.
func traitsOf(img image.Image, f *grid.Frame, w *grid.Warp, cells *[81]grid.Patch, quarters int) *[81]traits {
	var all [81]traits
	for c, patch := range turned(cells, quarters) {
		t := &all[c]
		t[0], t[1], t[2] = extent(&patch)
		from := origin(c, quarters)
		t[3], t[4] = inkColor(img, f, w, float64(from%9), float64(from/9))
	}
	return &all
}

// extent returns where the ink in the middle of a patch begins and ends, in cells, and how dark it is.
// Lines at the border do not belong to it unless the digit touches them.
func extent(patch *grid.Patch) (top, bottom, dark float64) {
	const n, edge, middle = grid.PatchSize, 4, 10
	var seen [n * n]bool
	var stack []int
	add := func(x, y int) {
		if i := y*n + x; x >= edge && x < n-edge && y >= edge && y < n-edge && patch[i] > 0.5 && !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
	}
	for y := middle; y < n-middle; y++ {
		for x := middle; x < n-middle; x++ {
			add(x, y)
		}
	}
	first, last := n, 0
	var inked []float32
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		x, y := i%n, i/n
		first, last = min(first, y), max(last, y)
		inked = append(inked, patch[i])
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				add(x+dx, y+dy)
			}
		}
	}
	if len(inked) == 0 {
		return 0, 0, 0
	}
	slices.Sort(inked)
	return float64(first) / n, float64(last) / n, float64(inked[len(inked)*3/4])
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
