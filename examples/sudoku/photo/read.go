package photo

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// ErrNoGrid is returned for a picture in which no Sudoku is found.
var ErrNoGrid = errors.New("no Sudoku found in the picture: all lines of its grid must be in it")

// A SeveralError is returned for a picture with several Sudokus of about the same size.
type SeveralError struct{ Boards int }

func (e *SeveralError) Error() string {
	return fmt.Sprintf("found %d Sudokus in the picture: cut it down to one", e.Boards)
}

// A Reading is what was read of one Sudoku in a picture.
type Reading struct {
	Grid      sudoku.Grid    // the printed digits
	Entries   sudoku.Grid    // the handwritten ones
	Doubt     [9][9]bool     // the cells that may be wrong: compare them with the picture
	Solutions int            // of the grid: 0, 1, or 2 for more
	Corners   [4]image.Point // in the picture: left and right end of the first row, right and left end of the last

	// Cells has the picture of each cell and a little around it, upright, with black ink on white.
	Cells [9][9]*image.Gray

	// Probability has, for each cell, how likely its picture alone makes each printed digit, and 0
	// for none.
	Probability [9][9][10]float64
}

// A Reader reads pictures. Any number of goroutines may use it.
type Reader struct{ weights digit.Weights }

//go:embed weights.bin
var weights []byte

// NewReader returns a reader with the network that comes with the package.
func NewReader() *Reader {
	r, err := NewReaderWeights(weights)
	if err != nil {
		panic(err) // a test reads them
	}
	return r
}

// NewReaderWeights returns a reader with another network, as the command train writes it.
func NewReaderWeights(data []byte) (*Reader, error) {
	w, err := digit.Decode(data)
	return &Reader{w}, err
}

// Read reads the Sudoku in a picture, which may be turned by quarters. It returns ErrNoGrid, or a
// *SeveralError if it is not clear which Sudoku is meant: others must have less than half the area of
// the largest. When ctx is done, it soon returns the cause.
func (r *Reader) Read(ctx context.Context, img image.Image) (*Reading, error) {
	f, boards, err := locate(ctx, img)
	if err != nil {
		return nil, err
	}
	b, err := theOne(boards)
	if err != nil {
		return nil, err
	}
	reading, err := r.readBoard(ctx, img, f, b)
	if err == nil && !believed(b, reading) {
		return nil, ErrNoGrid
	}
	return reading, err
}

// believed reports whether a board is one: if a few lines say so, it must be read as a puzzle.
func believed(b grid.Board, reading *Reading) bool { return !b.Weak || reading.Solutions == 1 }

// ReadFile reads the Sudoku in the file of a picture, or all, from the top left, if it is not clear
// which is meant. Its errors are those of [Decode], Read and ReadAll.
func (r *Reader) ReadFile(ctx context.Context, file io.Reader) ([]*Reading, error) {
	img, err := Decode(ctx, file)
	if err != nil {
		return nil, err
	}
	reading, err := r.Read(ctx, img)
	var several *SeveralError
	switch {
	case err == nil:
		return []*Reading{reading}, nil
	case !errors.As(err, &several):
		return nil, err
	}
	all, err := r.ReadAll(ctx, img)
	slices.SortStableFunc(all, func(a, b *Reading) int {
		return cmp.Compare(a.Corners[0].X+a.Corners[0].Y, b.Corners[0].X+b.Corners[0].Y)
	})
	return all, err
}

// ReadAll reads all Sudokus in a picture, the clearest first. It returns ErrNoGrid if there is none.
// When ctx is done, it soon returns the cause.
func (r *Reader) ReadAll(ctx context.Context, img image.Image) ([]*Reading, error) {
	f, boards, err := locate(ctx, img)
	if err != nil {
		return nil, err
	}
	var readings []*Reading
	for _, b := range boards {
		reading, err := r.readBoard(ctx, img, f, b)
		if err != nil {
			return nil, err
		}
		if believed(b, reading) {
			readings = append(readings, reading)
		}
	}
	if len(readings) == 0 {
		return nil, ErrNoGrid
	}
	return readings, nil
}

const (
	overview = 1200 // the greatest side of the gray picture in which grids are looked for
	closeUp  = 700  // and of the one from which a grid is read, if the first has little of it
)

// locate finds the grids of a picture. It always returns the frame.
func locate(ctx context.Context, img image.Image) (*grid.Frame, []grid.Board, error) {
	f := grid.NewFrame(ctx, img, img.Bounds(), overview)
	boards := grid.Find(ctx, f.Plane)
	switch {
	case ctx.Err() != nil:
		return f, nil, context.Cause(ctx)
	case len(boards) == 0:
		return f, nil, ErrNoGrid
	}
	return f, boards, nil
}

// theOne returns the grid that is meant.
func theOne(boards []grid.Board) (grid.Board, error) {
	largest, several := 0, 0
	for i, b := range boards {
		if b.Corners().Area() > boards[largest].Corners().Area() {
			largest = i
		}
	}
	for _, b := range boards {
		if b.Corners().Area() >= boards[largest].Corners().Area()/2 {
			several++
		}
	}
	if several > 1 {
		return grid.Board{}, &SeveralError{several}
	}
	return boards[largest], nil
}

// Cells returns the cells of the Sudoku in a picture as the network sees them.
func Cells(img image.Image) (*[81]grid.Patch, error) {
	f, boards, err := locate(context.Background(), img)
	if err != nil {
		return nil, err
	}
	b, err := theOne(boards)
	if err != nil {
		return nil, err
	}
	f, w := nearer(context.Background(), img, f, b)
	return grid.Cut(f.Plane, w), nil
}

// washedOut is how strong the lines around a cell are, relative to those of the page, where light may
// have made a digit white. Of 3,240 cells of photos without glare, 5 have less.
const washedOut = 0.4

// readBoard reads one grid that was found.
func (r *Reader) readBoard(ctx context.Context, img image.Image, f *grid.Frame, b grid.Board) (*Reading, error) {
	f, w := nearer(ctx, img, f, b)
	beliefs, cells, quarters := r.look(ctx, img, f, w)
	reading := decide(ctx, beliefs)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	faint := grid.Faint(f.Plane, w)
	for c, patch := range cells {
		reading.Cells[c/9][c%9] = drawn(&patch)
		if from := origin(c, quarters); faint[from] < washedOut || cutOff(img, f, w, from) {
			reading.Doubt[c/9][c%9] = true
		}
	}
	for i, p := range w.Corners().Turned(quarters) {
		p = f.ToImage(p)
		reading.Corners[i] = image.Pt(int(math.Round(p.X)), int(math.Round(p.Y)))
	}
	return reading, nil
}

// look returns what the network and the page's other digits make of the cells, these upright, and
// by how many quarter turns the page is turned.
func (r *Reader) look(ctx context.Context, img image.Image, f *grid.Frame, w *grid.Warp) (*[81]beliefs, *[81]grid.Patch, int) {
	cells := grid.Cut(f.Plane, w)
	all, quarters := r.classify(ctx, cells)
	compareHands(all, func() *[81]traits { return traitsOf(img, f, w, cells, quarters) })
	return all, turned(cells, quarters), quarters
}

// cutOff reports whether the picture ends within a cell, more than at its border.
func cutOff(img image.Image, f *grid.Frame, w *grid.Warp, c int) bool {
	const border = 0.15
	for i := range 4 {
		u, v := float64(c%9)+border, float64(c/9)+border
		u, v = u+float64(i%2)*(1-2*border), v+float64(i/2)*(1-2*border)
		p := f.ToImage(w.At(u, v))
		if !image.Pt(int(math.Floor(p.X)), int(math.Floor(p.Y))).In(img.Bounds()) {
			return true
		}
	}
	return false
}

// drawn returns a patch as a picture.
func drawn(patch *grid.Patch) *image.Gray {
	picture := image.NewGray(image.Rect(0, 0, grid.PatchSize, grid.PatchSize))
	for i, ink := range patch {
		picture.Pix[i] = uint8(255 * (1 - min(ink, 1)))
	}
	return picture
}

// nearer returns what to read a grid from: dark digits on light paper, taken from the image once more
// if the grid has few of the frame's pixels.
func nearer(ctx context.Context, img image.Image, f *grid.Frame, b grid.Board) (*grid.Frame, *grid.Warp) {
	w := b.Warp
	x0, y0, x1, y1 := b.Corners().Bounds()
	if long := max(x1-x0, y1-y0); f.Scale() > 1 && long < 0.6*closeUp {
		border := 0.06 * long
		low := f.ToImage(grid.Point{X: x0 - border, Y: y0 - border})
		high := f.ToImage(grid.Point{X: x1 + border, Y: y1 + border})
		near := grid.NewFrame(ctx, img, image.Rect(int(low.X), int(low.Y), int(high.X), int(high.Y)), closeUp)
		corners := b.Corners()
		for i, p := range corners {
			corners[i] = near.FromImage(f.ToImage(p))
		}
		plane := near.Plane
		if b.Dark {
			plane = plane.Inverted()
		}
		if settled, ok := b.Settle(plane, corners); ok {
			f, w = near, settled
		}
	}
	if b.Dark {
		f = f.Inverted()
	}
	return f, w
}

// Board returns all digits, printed and handwritten.
func (r *Reading) Board() sudoku.Grid {
	board := r.Grid
	for row := range board {
		for column := range board[row] {
			board[row][column] |= r.Entries[row][column] // at most one of them is not 0
		}
	}
	return board
}

// Alone returns the printed digit that a cell looks like, without regard to the other cells.
func (r *Reading) Alone(row, column int) int {
	best := 0
	for d, p := range r.Probability[row][column] {
		if p > r.Probability[row][column][best] {
			best = d
		}
	}
	return best
}
