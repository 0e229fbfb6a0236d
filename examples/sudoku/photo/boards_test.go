package photo_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// The lines between cells of a box may be too thin for a camera, or not be there.
func TestBoardsWithoutThinLines(t *testing.T) {
	face, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	puzzle := sudoku.Puzzles()[12].Grid
	for _, cell := range []int{28, 60} {
		digits, err := opentype.NewFace(face, &opentype.FaceOptions{Size: float64(cell) * 0.7, DPI: 72})
		if err != nil {
			t.Fatal(err)
		}
		c := newCanvas(11*cell, 12*cell, 240)
		c.lines(cell, 2*cell, 3, 3, 3*cell, 3*cell, 3)
		for i := range 81 {
			if d := puzzle[i/9][i%9]; d > 0 {
				c.text(digits, (1+i%9)*cell+cell*3/10, (3+i/9)*cell-cell/4, string('0'+rune(d)))
			}
		}
		checkRead(t, "without thin lines", c, &puzzle)
		// The picture ends within the first and the last line.
		checkRead(t, "without thin lines, cut off", c.SubImage(image.Rect(0, 2*cell, 11*cell, 11*cell+1)), &puzzle)
	}
}

// A board of 180 pixels is read, also as a small part of a large screen.
func TestCellsOfTwentyPixels(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	board := drawn(t, &format.Game{Givens: puzzle})
	for _, screen := range []image.Point{{200, 200}, {1280, 800}, {1920, 1080}} {
		c := newCanvas(screen.X, screen.Y, 250)
		at := image.Rect(0, 0, 186, 186).Add(image.Pt(screen.X/2-93, screen.Y/3-60))
		draw.CatmullRom.Scale(c, at, board, board.Bounds(), draw.Src, nil)
		checkRead(t, "small", c, &puzzle)
	}
}

// Glare that takes a digit takes the lines around it as well: such a cell is not silently empty.
func TestGlareIsInDoubt(t *testing.T) {
	puzzle := sudoku.Puzzles()[12].Grid
	board := drawn(t, &format.Game{Givens: puzzle})
	cell := float64(board.Bounds().Dx()) / 9.3
	row, column := 4, 0
	for puzzle[row][column] == 0 {
		column++
	}
	img := image.NewGray(board.Bounds())
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			far := math.Hypot(float64(x)/cell-float64(column)-0.65, float64(y)/cell-float64(row)-0.65)
			v := 0.6*float64(color.GrayModel.Convert(board.At(x, y)).(color.Gray).Y) + 600*math.Exp(-far*far/0.8)
			img.SetGray(x, y, color.Gray{uint8(min(v, 255))})
		}
	}
	r, err := photo.NewReader().Read(t.Context(), img)
	if err != nil {
		t.Fatal(err)
	}
	for c, got := range r.Board() {
		for i, d := range got {
			if d != puzzle[c][i] && !r.Doubt[c][i] {
				t.Errorf("r%dc%d is read as %d and not in doubt, want %d", c+1, i+1, d, puzzle[c][i])
			}
		}
	}
	if !r.Doubt[row][column] || r.Doubt[0][8] {
		t.Errorf("in doubt: %v", r.Doubt)
	}
}
