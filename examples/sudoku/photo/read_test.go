package photo_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"golang.org/x/image/draw"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// drawn returns the picture of a puzzle as package picture draws it.
func drawn(t testing.TB, g *format.Game) image.Image {
	var b bytes.Buffer
	if err := picture.PNG(&b, g, 1, picture.White); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// mapped returns a picture of w*h pixels, each of which is the mean of what img has around the point
// that f returns, or paper outside of it.
func mapped(img image.Image, w, h int, f func(x, y float64) (float64, float64)) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, w, h))
	const n = 3
	for y := range h {
		for x := range w {
			sum := 0
			for i := range n * n {
				fx, fy := f(float64(x)+float64(i%n-1)/n, float64(y)+float64(i/n-1)/n)
				gray := uint8(240)
				if p := image.Pt(int(math.Round(fx)), int(math.Round(fy))); p.In(img.Bounds()) {
					gray = color.GrayModel.Convert(img.At(p.X, p.Y)).(color.Gray).Y
				}
				sum += int(gray)
			}
			out.SetGray(x, y, color.Gray{uint8(sum / (n * n))})
		}
	}
	return out
}

func checkRead(t *testing.T, name string, img image.Image, want *sudoku.Grid) *photo.Reading {
	t.Helper()
	reading, err := photo.NewReader().Read(t.Context(), img)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	if reading.Grid != *want {
		t.Errorf("%s:\ngot  %s\nwant %s", name, &reading.Grid, want)
	}
	return reading
}

func TestOurOwnPicturesAreRead(t *testing.T) {
	for _, p := range sudoku.Puzzles() {
		r := checkRead(t, p.Name, drawn(t, &format.Game{Givens: p.Grid}), &p.Grid)
		if r != nil && (r.Solutions != 1 || r.Doubt != [9][9]bool{}) {
			t.Errorf("%s: %d solutions, doubt %v", p.Name, r.Solutions, r.Doubt)
		}
	}
}

func TestTheGridIsFoundWhereverItIs(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	img := drawn(t, &format.Game{Givens: puzzle})
	side := float64(img.Bounds().Dx())
	sin, cos := math.Sincos(0.12)
	tests := []struct {
		name string
		f    func(x, y float64) (float64, float64)
	}{
		{"with paper around", func(x, y float64) (float64, float64) { return x - 150, y - 90 }},
		{"half the size", func(x, y float64) (float64, float64) { return 2*x - 200, 2*y - 100 }},
		{"not level", func(x, y float64) (float64, float64) {
			return cos*(x-300) - sin*(y-250) + side/2, sin*(x-300) + cos*(y-250) + side/2
		}},
		{"from one side", func(x, y float64) (float64, float64) {
			z := 1.1 - 0.0004*x
			return (x - 120) / z, (y-100)/z + 20
		}},
		{"curled", func(x, y float64) (float64, float64) {
			return x - 100 + 9*math.Sin(y/110), y - 80 + 12*math.Sin(x/150)
		}},
	}
	for _, test := range tests {
		checkRead(t, test.name, mapped(img, int(side)+300, int(side)+200, test.f), &puzzle)
	}
}

func TestAPageMayBeTurned(t *testing.T) {
	puzzle := sudoku.Puzzles()[8].Grid
	img := drawn(t, &format.Game{Givens: puzzle})
	last := float64(img.Bounds().Dx() - 1)
	turn := func(x, y float64) (float64, float64) { return y, last - x }
	for quarters := range 4 {
		page := mapped(img, int(last)+1, int(last)+1, func(x, y float64) (float64, float64) {
			for range quarters {
				x, y = turn(x, y)
			}
			return x, y
		})
		r := checkRead(t, "turned", page, &puzzle)
		if r == nil {
			continue
		}
		// The first corner is where the first row begins.
		corners := []image.Point{{0, 0}, {int(last), 0}, {int(last), int(last)}, {0, int(last)}}
		want, got := corners[quarters], r.Corners[0]
		if math.Hypot(float64(want.X-got.X), float64(want.Y-got.Y)) > last/12 {
			t.Errorf("after %d quarter turns, the first corner is %v", quarters, got)
		}
	}
}

func TestThemesAreRead(t *testing.T) {
	puzzle := sudoku.Puzzles()[5].Grid
	img := drawn(t, &format.Game{Givens: puzzle})
	theme := func(f func(gray uint8, x, y int) uint8) image.Image {
		themed := image.NewGray(img.Bounds())
		for y := range themed.Rect.Dy() {
			for x := range themed.Rect.Dx() {
				themed.SetGray(x, y, color.Gray{f(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y, x, y)})
			}
		}
		return themed
	}
	checkRead(t, "dark", theme(func(gray uint8, x, y int) uint8 { return 30 + (255-gray)/4*3 }), &puzzle)

	// Lines and digits differ from the cells in opposite directions.
	cell := float64(img.Bounds().Dx()) / 9.3
	line := func(x, y int) bool {
		u, v := float64(x)/cell-0.15, float64(y)/cell-0.15
		return math.Abs(u-math.Round(u)) < 0.12 || math.Abs(v-math.Round(v)) < 0.12
	}
	checkRead(t, "white lines between gray cells", theme(func(gray uint8, x, y int) uint8 {
		if line(x, y) {
			return 255 - gray/2
		}
		return gray / 2
	}), &puzzle)
}

// A digit at the border of the picture may be the half of one.
func TestCellsThatAreCutOffAreInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	board := drawn(t, &format.Game{Givens: puzzle})
	side := float64(board.Bounds().Dx())
	img := mapped(board, int(side), int(side)+100, func(x, y float64) (float64, float64) { return x + 0.3*side/9.3, y - 50 })
	r, err := photo.NewReader().Read(t.Context(), img)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 81 {
		if r.Doubt[c/9][c%9] != (c%9 == 0) {
			t.Errorf("r%dc%d is in doubt: %v", c/9+1, c%9+1, r.Doubt[c/9][c%9])
		}
	}
}

func TestPencilMarksAreNotDigits(t *testing.T) {
	puzzle := sudoku.Puzzles()[15].Grid
	g := format.Game{Givens: puzzle, Progress: &format.Progress{Board: puzzle}}
	random := rand.New(rand.NewPCG(1, 1))
	for row := range 9 {
		for column := range 9 {
			if puzzle[row][column] == 0 {
				g.Progress.Notes[row][column] = uint16(random.IntN(512)) << 1
			}
		}
	}
	checkRead(t, "pencil marks", drawn(t, &g), &puzzle)
}

func TestPicturesWithoutASudoku(t *testing.T) {
	noise := image.NewGray(image.Rect(0, 0, 300, 200))
	random := rand.New(rand.NewPCG(1, 1))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
	}
	board := drawn(t, &format.Game{Givens: sudoku.Puzzles()[0].Grid}) // nearly full
	half := image.NewRGBA(image.Rect(0, 0, board.Bounds().Dx(), board.Bounds().Dy()/2))
	draw.Draw(half, half.Rect, board, image.Point{}, draw.Src)
	for name, img := range map[string]image.Image{
		"one pixel": image.NewGray(image.Rect(0, 0, 1, 1)),
		"one line":  image.NewGray(image.Rect(0, 0, 5000, 1)),
		"black":     image.NewGray(image.Rect(0, 0, 300, 200)),
		"noise":     noise,
		"half":      half,
	} {
		if r, err := photo.NewReader().Read(t.Context(), img); err == nil {
			t.Errorf("%s: read a grid at %v", name, r.Corners)
		} else if !errors.Is(err, photo.ErrNoGrid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSeveralSudokus(t *testing.T) {
	first, second := sudoku.Puzzles()[0].Grid, sudoku.Puzzles()[1].Grid
	a, b := drawn(t, &format.Game{Givens: first}), drawn(t, &format.Game{Givens: second})
	side := a.Bounds().Dx()
	both := image.NewRGBA(image.Rect(0, 0, 2*side+20, side))
	draw.Draw(both, both.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(both, a.Bounds(), a, image.Point{}, draw.Src)
	draw.Draw(both, b.Bounds().Add(image.Pt(side+20, 0)), b, image.Point{}, draw.Src)
	_, err := photo.NewReader().Read(t.Context(), both)
	var several *photo.SeveralError
	if !errors.As(err, &several) || several.Boards != 2 {
		t.Errorf("error %v", err)
	}
	all, err := photo.NewReader().ReadAll(t.Context(), both)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d readings, error %v", len(all), err)
	}
	if all[0].Grid != first && all[1].Grid != first || all[0].Grid != second && all[1].Grid != second {
		t.Errorf("read %s and %s", &all[0].Grid, &all[1].Grid)
	}

	// The solution of the last puzzle, small beside the puzzle, is not meant.
	draw.Draw(both, both.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(both, a.Bounds(), a, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(both, image.Rect(side+20, 0, side+20+side/2, side/2), b, b.Bounds(), draw.Src, nil)
	checkRead(t, "with a small one", both, &first)
}

// A countdown is a context that is done after it was asked a number of times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Reading is interrupted wherever it is: it asks often, and then does not return a part of a reading.
func TestReadingIsInterrupted(t *testing.T) {
	puzzle := sudoku.Puzzles()[8].Grid
	file := pngOf(t, drawn(t, &format.Game{Givens: puzzle}))
	read := func(ctx context.Context) (*photo.Reading, error) {
		img, err := photo.Decode(ctx, bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		return photo.NewReader().Read(ctx, img)
	}
	whole := &countdown{Context: t.Context()}
	whole.left.Store(math.MaxInt64)
	if _, err := read(whole); err != nil {
		t.Fatal(err)
	}
	times := math.MaxInt64 - whole.left.Load()
	if times < 500 {
		t.Errorf("asked %d times", times)
	}
	for _, n := range []int64{0, 1, times / 10, times / 3, times / 2, times * 9 / 10, times - 1} {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(n)
		if r, err := read(ctx); r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("done when asked %d times of %d: read %v, error %v", n, times, r, err)
		}
	}
}
