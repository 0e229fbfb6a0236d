package grid

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// lined returns a picture of a grid without digits: lines of 2 pixels, on the curves that at maps
// the lines of a grid of 9 units to.
func lined(w, h int, at func(u, v float64) Point) *Plane {
	p := NewPlane(w, h)
	for i := range p.V {
		p.V[i] = 0.9
	}
	for i := range 10 {
		for s := 0.0; s <= 9; s += 0.005 {
			for _, c := range []Point{at(s, float64(i)), at(float64(i), s)} {
				for _, d := range []Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
					x, y := int(c.X+d.X), int(c.Y+d.Y)
					if x >= 0 && y >= 0 && x < w && y < h {
						p.V[y*w+x] = 0.3
					}
				}
			}
		}
	}
	return p
}

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

func TestWarpTakesCornersToCorners(t *testing.T) {
	q := Quad{{10, 20}, {400, 5}, {430, 380}, {30, 350}}
	got := NewWarp(q).Corners()
	for i := range q {
		if distance(got[i], q[i]) > 1e-6 {
			t.Errorf("corner %d is at %v, want %v", i, got[i], q[i])
		}
	}
}

func TestHomographyKeepsLinesStraight(t *testing.T) {
	w := NewWarp(Quad{{10, 20}, {400, 5}, {430, 380}, {30, 350}})
	a, b, c := w.At(0, 3), w.At(4, 3), w.At(9, 3)
	if cross := (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X); math.Abs(cross) > 1e-6 {
		t.Errorf("a row of cells is bent: %v", cross)
	}
}

func TestFitIgnoresWhatIsFarOff(t *testing.T) {
	var samples []sample
	want := polynomial{0.02, -0.03, 0.01, 0.02}
	for i := range 100 {
		u, v := float64(i%10), float64(i/10)
		value := want.at(u, v)
		if i%9 == 0 {
			value += 0.3
		}
		samples = append(samples, sample{u, v, value, 1})
	}
	got := fit(samples, 4)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 0.01 {
			t.Errorf("coefficient %d is %.3f, want %.3f", i, got[i], want[i])
		}
	}
}

func TestGridsAreFoundAndFollowed(t *testing.T) {
	flat := NewWarp(Quad{{60, 50}, {420, 40}, {450, 400}, {40, 390}})
	tests := map[string]func(u, v float64) Point{
		"flat": flat.At,
		"curled": func(u, v float64) Point {
			return flat.At(u+0.12*math.Sin(v/3), v+0.15*math.Sin(u/2.5))
		},
		"a lifted corner": func(u, v float64) Point {
			lift := 0.25 * math.Max(0, u-7) / 2 * math.Max(0, v-7) / 2
			return flat.At(u-lift, v-lift)
		},
	}
	for name, at := range tests {
		found := Find(t.Context(), lined(500, 450, at))
		if len(found) != 1 {
			t.Errorf("%s: found %d grids", name, len(found))
			continue
		}
		for row := range 10 {
			for column := range 10 {
				u, v := float64(column), float64(row)
				if off := distance(found[0].At(u, v), at(u, v)); off > 3.5 { // of 40 pixels a cell
					t.Errorf("%s: the crossing %d, %d is %.1f pixels off", name, column, row, off)
				}
			}
		}
	}
}

func TestGridsInOnePictureDoNotOverlap(t *testing.T) {
	left, right := NewWarp(Quad{{20, 20}, {290, 20}, {290, 290}, {20, 290}}), NewWarp(Quad{{330, 40}, {600, 40}, {600, 310}, {330, 310}})
	p := lined(640, 340, left.At)
	for i, v := range lined(640, 340, right.At).V {
		p.V[i] = min(p.V[i], v)
	}
	if found := Find(t.Context(), p); len(found) != 2 || overlap(found[0].Corners(), found[1].Corners()) {
		t.Errorf("found %d grids", len(found))
	}
}

func TestFrameSaysWhereItsPixelsAre(t *testing.T) {
	img := image.NewGray(image.Rect(100, 50, 2600, 2050))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := 1200; y < 1210; y++ {
		for x := 700; x < 710; x++ {
			img.SetGray(x, y, color.Gray{0})
		}
	}
	for _, limit := range []int{5000, 1000, 700} {
		f := NewFrame(t.Context(), img, img.Rect, limit)
		if max(f.W, f.H) > limit {
			t.Errorf("limit %d: the frame is %dx%d", limit, f.W, f.H)
		}
		var sum, x, y float64
		for i, v := range f.V {
			ink := float64(1 - v)
			sum, x, y = sum+ink, x+ink*float64(i%f.W), y+ink*float64(i/f.W)
		}
		middle := Point{x / sum, y / sum}
		if got := f.ToImage(middle); distance(got, Point{704.5, 1204.5}) > 0.5 {
			t.Errorf("limit %d: the spot is at %v", limit, got)
		}
		if back := f.FromImage(f.ToImage(middle)); distance(back, middle) > 1e-9 {
			t.Errorf("limit %d: %v comes back as %v", limit, middle, back)
		}
	}
}

func TestTransparentIsPaper(t *testing.T) {
	if f := NewFrame(t.Context(), image.NewNRGBA(image.Rect(0, 0, 4, 4)), image.Rect(0, 0, 4, 4), 100); f.V[5] < 0.99 {
		t.Errorf("transparent is %v", f.V[5])
	}
}

func TestRedInkIsDark(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 1))
	img.SetRGBA(0, 0, color.RGBA{250, 80, 80, 255})
	img.SetRGBA(1, 0, color.RGBA{250, 250, 250, 255})
	if f := NewFrame(t.Context(), img, img.Rect, 100); f.V[0] > 0.5*f.V[1] {
		t.Errorf("red is %v, paper %v", f.V[0], f.V[1])
	}
}

func TestUprightUndoesATurn(t *testing.T) {
	var upright, turned Patch
	const n = PatchSize
	upright[3*n+7] = 1 // row 3, column 7 comes to column n-1-3, row 7
	turned[7*n+n-1-3] = 1
	if turned.Upright(1) != upright || upright.Upright(4) != upright {
		t.Error("a patch is turned the wrong way")
	}
}

func TestEmptyCellsStayEmptyHoweverLittleContrast(t *testing.T) {
	at := NewWarp(Quad{{20, 20}, {380, 20}, {380, 380}, {20, 380}}).At
	p := lined(400, 400, at)
	for c := 0; c < 81; c += 3 { // a faint blot in every third cell
		m := at(float64(c%9)+0.5, float64(c/9)+0.5)
		for i := range 100 {
			p.V[(int(m.Y)-5+i/10)*p.W+int(m.X)-5+i%10] -= 0.08
		}
	}
	w, ok := Settle(p, Quad{{20, 20}, {380, 20}, {380, 380}, {20, 380}})
	if !ok {
		t.Fatal("not found")
	}
	for c, patch := range Cut(p, w) {
		if blank := patch.Blank(); blank != (c%3 != 0) {
			t.Errorf("cell %d is blank: %v", c, blank)
		}
	}
}

// A shadow is not ink, however dark it is, and ink in it is as dark as elsewhere.
func TestShadowsAreNotInk(t *testing.T) {
	q := Quad{{20, 20}, {380, 20}, {380, 380}, {20, 380}}
	at := NewWarp(q).At
	p := lined(400, 400, at)
	for c := 0; c < 81; c += 2 { // a stroke in every other cell
		m := at(float64(c%9)+0.5, float64(c/9)+0.5)
		for i := range 60 {
			p.V[(int(m.Y)-10+i/3)*p.W+int(m.X)-1+i%3] = 0.2
		}
	}
	w, ok := Settle(p, q)
	if !ok {
		t.Fatal("not found")
	}
	want := Cut(p, w)
	for i := range p.V {
		if x, y := float64(i%p.W), float64(i/p.W); y > 0.6*x+55 || math.Hypot(x-260, y-130) < 70 {
			p.V[i] *= 0.3
		}
	}
	const edge = PatchSize / 5
	for c, got := range Cut(p, w) {
		differs, n := 0.0, 0
		for i, ink := range got {
			if x, y := i%PatchSize, i/PatchSize; min(x, y) >= edge && max(x, y) < PatchSize-edge {
				differs += math.Abs(float64(ink - want[c][i]))
				n++
			}
		}
		if differs/float64(n) > 0.03 {
			t.Errorf("cell %d differs by %.3f, on average", c, differs/float64(n))
		}
	}
}
