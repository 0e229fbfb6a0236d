package photo

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// A Stage is what one stage of reading a picture has made of it.
type Stage struct {
	Name  string // such as "4-cells"
	About string // what the picture shows, in a sentence
	Image image.Image
}

// Stages reads the Sudoku in a picture and returns the stages on the way: the gray picture, the grid
// in it, the cells, and what they were read as. With an error it returns the stages before it.
func (r *Reader) Stages(ctx context.Context, img image.Image) ([]Stage, error) {
	f, boards, err := locate(ctx, img)
	stages := []Stage{{"1-gray", "The gray picture.", picture(f.Plane)}}
	overview := picture(f.Plane)
	for _, b := range boards {
		drawGrid(overview, b.Warp)
	}
	stages = append(stages, Stage{"2-grids", "The grids in it.", overview})
	if err != nil {
		return stages, err
	}
	b, err := theOne(boards)
	if err != nil {
		return stages, err
	}
	f, w := nearer(ctx, img, f, b)
	near := picture(f.Plane)
	drawGrid(near, w)
	beliefs, upright, _ := r.look(ctx, img, f, w)
	sheet := contactSheet(upright)
	read := contactSheet(upright)
	annotate(read, decide(ctx, beliefs))
	return append(stages,
		Stage{"3-lines", "The grid from near, with its lines as they were followed.", near},
		Stage{"4-cells", "The cells as the network sees them.", sheet},
		Stage{"5-read", "What each cell was read as, and how likely that is in percent. Red: in doubt.", read}), nil
}

func picture(p *grid.Plane) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, p.W, p.H))
	for i, v := range p.V {
		gray := uint8(min(max(v, 0), 1)*255 + 0.5)
		copy(out.Pix[4*i:], []uint8{gray, gray, gray, 255})
	}
	return out
}

// drawGrid draws the lines of a grid, as the warp has them.
func drawGrid(out *image.RGBA, w *grid.Warp) {
	const steps = 600
	for i := range 10 {
		for step := range steps + 1 {
			along := 9 * float64(step) / steps
			for _, p := range []grid.Point{w.At(along, float64(i)), w.At(float64(i), along)} {
				out.SetRGBA(int(math.Round(p.X)), int(math.Round(p.Y)), color.RGBA{255, 0, 0, 255})
			}
		}
	}
}

// A contact sheet shows each pixel of a cell zoom times as large. Its cells are pitch pixels apart.
const (
	zoom  = 2
	pitch = zoom * (grid.PatchSize + 2)
)

func contactSheet(cells *[81]grid.Patch) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, 9*pitch, 9*pitch))
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{120, 160, 220, 255}), image.Point{}, draw.Src)
	for c := range cells {
		place := image.Rect(0, 0, zoom*grid.PatchSize, zoom*grid.PatchSize).Add(image.Pt(c%9*pitch+zoom, c/9*pitch+zoom))
		cell := drawn(&cells[c])
		draw.NearestNeighbor.Scale(out, place, cell, cell.Rect, draw.Src, nil)
	}
	return out
}

// annotate writes into each cell what it was read as, and how likely that is in percent: blue, or
// red if it is in doubt.
func annotate(out *image.RGBA, r *Reading) {
	for c := range 81 {
		row, column := c/9, c%9
		d := r.Grid[row][column]
		if d == 0 && !r.Doubt[row][column] {
			continue
		}
		ink := color.RGBA{0, 60, 220, 255}
		if r.Doubt[row][column] {
			ink = color.RGBA{220, 0, 0, 255}
		}
		text := font.Drawer{Dst: out, Src: image.NewUniform(ink), Face: basicfont.Face7x13, Dot: fixed.P(column*pitch+3, row*pitch+13)}
		text.DrawString(fmt.Sprintf("%d %.0f", d, 100*r.Probability[row][column][d]))
	}
}
