package photo_test

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A canvas is a gray picture to draw on.
type canvas struct{ *image.Gray }

func newCanvas(w, h int, gray uint8) canvas {
	c := canvas{image.NewGray(image.Rect(0, 0, w, h))}
	c.box(0, 0, w, h, gray)
	return c
}

func (c canvas) box(x0, y0, x1, y1 int, gray uint8) {
	draw.Draw(c, image.Rect(x0, y0, x1, y1), image.NewUniform(color.Gray{gray}), image.Point{}, draw.Src)
}

// lines draws a grid of so many columns and rows.
func (c canvas) lines(x, y, columns, rows, w, h, width int) {
	for i := range columns + 1 {
		c.box(x+i*w-width/2, y, x+i*w+width-width/2, y+rows*h, 0)
	}
	for j := range rows + 1 {
		c.box(x, y+j*h-width/2, x+columns*w, y+j*h+width-width/2, 0)
	}
}

func (c canvas) text(face font.Face, x, y int, s string) {
	d := font.Drawer{Dst: c, Src: image.Black, Face: face, Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// blob darkens or lightens an ellipse with a soft border.
func (c canvas) blob(x, y, rx, ry float64, gray uint8) {
	for j := max(0, int(y-ry)); j < min(c.Rect.Dy(), int(y+ry)); j++ {
		for i := max(0, int(x-rx)); i < min(c.Rect.Dx(), int(x+rx)); i++ {
			u, v := (float64(i)-x)/rx, (float64(j)-y)/ry
			if cover := min(max(4*(1-u*u-v*v), 0), 1); cover > 0 {
				p := &c.Pix[c.PixOffset(i, j)]
				*p = uint8(float64(*p)*(1-cover) + float64(gray)*cover)
			}
		}
	}
}

// fur strokes hairs in all directions.
func (c canvas) fur(random *rand.Rand, hairs int) {
	for range hairs {
		x, y := random.Float64()*float64(c.Rect.Dx()), random.Float64()*float64(c.Rect.Dy())
		turn, gray := random.Float64()*2*math.Pi, uint8(40+random.IntN(180))
		for i := range 25 {
			t := turn + float64(i)/40
			c.SetGray(int(x+float64(i)*math.Cos(t)), int(y+float64(i)*math.Sin(t)), color.Gray{gray})
		}
	}
}

// withoutSudoku are pictures of things that have faces, lines, letters or cells, but no Sudoku.
func withoutSudoku(t *testing.T) map[string]image.Image {
	outlines, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	large, err := opentype.NewFace(outlines, &opentype.FaceOptions{Size: 30, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	small := basicfont.Face7x13
	random := rand.New(rand.NewPCG(1, 2))

	cat := newCanvas(800, 600, 150)
	cat.fur(random, 60000)
	for _, side := range []float64{-1, 1} {
		cat.blob(400+side*150, 250, 70, 60, 220) // eyes
		cat.blob(400+side*150, 250, 18, 55, 10)
		for k := range 4 { // whiskers
			for i := range 200 {
				cat.SetGray(int(400+side*float64(40+i)), 400+10*k+(k-2)*i/6, color.Gray{250})
			}
		}
	}
	cat.blob(400, 380, 40, 25, 60)

	face := newCanvas(640, 480, 200)
	face.blob(320, 240, 160, 210, 150)
	for _, x := range []float64{260, 380} {
		face.blob(x, 190, 30, 14, 240)
		face.blob(x, 190, 12, 12, 20)
	}
	face.blob(320, 350, 60, 14, 90)

	page := newCanvas(600, 800, 245)
	for y := 40; y < 780; y += 16 {
		page.text(small, 30, y, "Of the readings with exactly one solution, the reader takes the likeliest one; 4 9 2.")
	}

	crossword := newCanvas(700, 700, 255)
	crossword.lines(50, 50, 15, 15, 40, 40, 2)
	for range 60 {
		x, y := 50+40*random.IntN(15), 50+40*random.IntN(15)
		crossword.box(x, y, x+40, y+40, 0)
	}
	for i := range 40 {
		crossword.text(small, 53+40*(i%13), 62+40*(i/3), "12")
	}

	calendar := newCanvas(760, 640, 255)
	calendar.lines(30, 100, 7, 6, 100, 85, 3)
	calendar.text(large, 300, 70, "November")
	for d := range 30 {
		calendar.text(large, 40+100*(d%7), 135+85*(d/7), string([]byte{"0123"[(d+1)/10], "0123456789"[(d+1)%10]}))
	}

	chess := newCanvas(700, 700, 230)
	for i := range 64 {
		if (i+i/8)%2 == 1 {
			x, y := 50+75*(i%8), 50+75*(i/8)
			chess.box(x, y, x+75, y+75, 90)
		}
	}
	chess.lines(50, 50, 1, 1, 600, 600, 6)

	table := newCanvas(900, 500, 255)
	table.lines(20, 20, 5, 12, 170, 38, 2)
	for i := range 60 {
		table.text(small, 30+170*(i%5), 45+38*(i/5), "total 1,234.56")
	}

	window := newCanvas(600, 800, 120)
	window.box(80, 60, 520, 740, 235)
	window.lines(80, 60, 2, 3, 220, 227, 24)

	tiles := newCanvas(800, 800, 225) // of a bathroom: many more lines than a Sudoku has
	tiles.lines(0, 0, 20, 20, 40, 40, 3)

	brick := newCanvas(800, 600, 150)
	for row := range 20 {
		brick.box(0, 30*row, 800, 30*row+3, 230)
		for x := row % 2 * 40; x < 800; x += 80 {
			brick.box(x, 30*row, x+3, 30*row+30, 230)
		}
	}

	kakuro := newCanvas(500, 500, 255) // 8x8
	kakuro.lines(50, 50, 8, 8, 50, 50, 2)

	return map[string]image.Image{
		"cat": cat, "face": face, "text": page, "crossword": crossword, "calendar": calendar, "chess board": chess,
		"table": table, "window": window, "tiles": tiles, "bricks": brick, "eight by eight": kakuro,
	}
}

func TestThingsThatAreNotASudoku(t *testing.T) {
	if testing.Short() {
		t.Skip("they take a second each")
	}
	for name, img := range withoutSudoku(t) {
		if r, err := photo.NewReader().Read(t.Context(), img); err == nil {
			t.Errorf("%s: read %s at %v", name, &r.Grid, r.Corners)
		} else if !errors.Is(err, photo.ErrNoGrid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
