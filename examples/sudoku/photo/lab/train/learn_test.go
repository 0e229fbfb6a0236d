package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

func goFonts(t *testing.T) []*typeface {
	var faces []*typeface
	for name, data := range map[string][]byte{"Go": goregular.TTF, "Go Bold": gobold.TTF} {
		face, err := newTypeface(name, data)
		if err != nil {
			t.Fatal(err)
		}
		faces = append(faces, face)
	}
	slices.SortFunc(faces, func(a, b *typeface) int { return len(a.name) - len(b.name) })
	return faces
}

// The gradient of each layer's weights is what a small change of a weight does to the loss.
func TestGradientIsThatOfTheLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	w := initial(random)
	var input [digit.Side * digit.Side]float32
	for i := range input {
		input[i] = random.Float32()
	}
	const class = 3
	g := newGradient()
	g.pass.Input = input
	g.add(w, class, nil)
	loss := func() float64 {
		var p digit.Pass
		p.Input = input
		p.Run(w)
		return -float64(p.Output[class])
	}
	for l, layer := range digit.Layers {
		size := (layer.In + 1) * layer.Out
		for range 20 {
			i := layer.At + random.IntN(size)
			const h = 1e-3
			old := w[i]
			w[i] = old + h
			up := loss()
			w[i] = old - h
			down := loss()
			w[i] = old
			want, got := (up-down)/(2*h), float64(g.weight[i])
			if math.Abs(want-got) > 0.02*math.Abs(want)+0.004 {
				t.Errorf("layer %d, weight %d: gradient %.5f, want %.5f", l, i, got, want)
			}
		}
	}
}

// A few steps teach the network to tell two digits of a font apart, and the same seeds give the same
// weights.
func TestTrainingLearnsAndRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("training takes a while")
	}
	faces := goFonts(t)
	cells := slices.DeleteFunc(synthesize(1, faces, faces, 6), func(c cell) bool { return c.digit != 4 && c.digit != 7 })
	if len(cells) < 20 {
		t.Fatalf("%d cells", len(cells))
	}
	var first digit.Weights
	for range 2 {
		w := initial(rand.New(rand.NewPCG(2, 0)))
		train(w, 25, 2e-2, 3, mix(cells, nil, 0), func(int, float64) {})
		if first == nil {
			first = w
		} else if !slices.Equal(first, w) {
			t.Error("the same seeds give other weights")
		}
	}
	var p digit.Pass
	right := 0
	for i := range cells {
		for j := range p.Input {
			p.Input[j] = float32(cells[i].pixels[(grid.Margin+j/digit.Side)*grid.PatchSize+grid.Margin+j%digit.Side]) / ink
		}
		if p.Run(first); p.Output[4] > p.Output[7] == (cells[i].digit == 4) {
			right++
		}
	}
	if right < len(cells)*9/10 {
		t.Errorf("%d of %d cells are right", right, len(cells))
	}
}

// What is printed is in the cell where it should be: a digit has ink in the middle of its cell, an
// empty cell has none.
func TestPagesAreFoundAndCut(t *testing.T) {
	faces := goFonts(t)
	random := rand.New(rand.NewPCG(2, 5))
	page := newPage(random, faces, faces, 50)
	page.digits[0] = 0
	picture, corners := photograph(random, page, 40)
	w, ok := grid.Settle(picture, corners)
	if !ok {
		t.Fatal("the grid is not found")
	}
	blank := 0
	for c, patch := range grid.Cut(picture, w) {
		if page.digits[c] > 0 && patch.Blank() {
			t.Errorf("cell %d has the digit %d and no ink", c, page.digits[c])
		}
		if patch.Blank() {
			blank++
		}
	}
	if blank == 0 {
		t.Error("all cells have ink")
	}
}

// Every way to write a digit stays where it should be, and is not written twice in the same way.
func TestPensWriteInTheirPlace(t *testing.T) {
	const side, height = 120, 60
	for d := 1; d <= 9; d++ {
		for way := range ways[d] {
			var before *grid.Plane
			for seed := range uint64(20) {
				random := rand.New(rand.NewPCG(seed, 3))
				w := newPen(random)
				w.ways[d] = way
				p := grid.NewPlane(side, side)
				for i := range p.V {
					p.V[i] = 1
				}
				w.write(random, p, d, side/2, (side-height)/2, height, shape{wide: 1}, 0)
				dark := 0
				for i, v := range p.V {
					if x, y := i%side, i/side; v < 0.5 {
						if dark++; x < 15 || x >= side-15 || y < 15 || y >= side-15 {
							t.Fatalf("way %d of %d: ink at %d, %d", way, d, x, y)
						}
					}
				}
				if dark < height || dark > height*height*2/3 {
					t.Errorf("way %d of %d: %d dark pixels", way, d, dark)
				}
				if before != nil && slices.Equal(before.V, p.V) {
					t.Errorf("way %d of %d: the same twice", way, d)
				}
				before = p
			}
		}
	}
}

func TestBlurKeepsInkAndSpreadsIt(t *testing.T) {
	p := grid.NewPlane(41, 41)
	p.V[20*41+20] = 1
	blur(p, 3, 1.5)
	var sum, xx, yy float64
	for i, v := range p.V {
		x, y := float64(i%41-20), float64(i/41-20)
		sum, xx, yy = sum+float64(v), xx+float64(v)*x*x, yy+float64(v)*y*y
	}
	if math.Abs(sum-1) > 1e-3 || math.Abs(math.Sqrt(xx)-3) > 0.2 || math.Abs(math.Sqrt(yy)-1.5) > 0.15 {
		t.Errorf("sum %.4f, deviations %.2f and %.2f; want 1, 3 and 1.5", sum, math.Sqrt(xx), math.Sqrt(yy))
	}
}
