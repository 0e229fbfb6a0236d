package picture

import (
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// A canvas is a surface to draw on. x grows to the right and y downwards.
type canvas interface {
	rectangle(x, y, width, height float64, c colour)
	// text begins at x on the baseline y; size is the height of a line.
	text(x, y, size float64, f *face, text string, c colour)
}

// A colour has red, green and blue from 0 to 255.
type colour struct{ r, g, b uint8 }

var (
	ink     = colour{0x1a, 0x1a, 0x1a} // givens, thick lines
	hair    = colour{0x9a, 0x9a, 0x9a} // thin lines
	pen     = colour{0x1f, 0x5f, 0xbf} // entered digits
	pencil  = colour{0x5a, 0x5a, 0x5a} // pencil marks
	caption = colour{0x6a, 0x6a, 0x6a} // small text on pages
)

// The sizes of a board's parts, in cells.
const (
	thick     = 3.0 / 48
	thin      = 1.0 / 48
	digitSize = 0.68
	noteSize  = 0.25
	// boardSize is the width and the height of a board: its 9 cells and half a
	// thick line on each side.
	boardSize = 9 + thick
)

// A board draws grids with digits of the two faces.
type board struct {
	canvas
	regular, bold *face
}

// lines draws the lines of a board with the upper left corner of the frame at (x, y).
func (b *board) lines(x, y, cell float64) {
	// Thin lines come first, so that they do not interrupt thick ones.
	size := boardSize * cell
	for _, width := range []float64{thin, thick} {
		for i := range 10 {
			if (i%3 == 0) != (width == thick) {
				continue
			}
			c := hair
			if width == thick {
				c = ink
			}
			at := (float64(i) + (thick-width)/2) * cell
			b.rectangle(x+at, y, width*cell, size, c)
			b.rectangle(x, y+at, size, width*cell, c)
		}
	}
}

// draw draws a game with the upper left corner of the frame at (x, y).
func (b *board) draw(x, y, cell float64, g *format.Game) {
	b.lines(x, y, cell)
	digits, notes := g.Board(), g.Notes()
	for row, col := range sudoku.Cells {
		// The middle of the cell.
		cx, cy := x+(float64(col)+(1+thick)/2)*cell, y+(float64(row)+(1+thick)/2)*cell
		switch digit := digits[row][col]; {
		case digit != 0 && g.Givens[row][col] != 0:
			b.digit(cx, cy, digitSize*cell, b.bold, digit, ink)
		case digit != 0:
			b.digit(cx, cy, digitSize*cell, b.regular, digit, pen)
		default:
			for note := 1; note <= 9; note++ {
				if notes[row][col]&(1<<note) != 0 {
					at := noteAt(note).times(cell)
					b.digit(cx+at.x, cy+at.y, noteSize*cell, b.regular, note, pencil)
				}
			}
		}
	}
}

// noteAt returns the place of a note in its cell, in cells from the middle.
func noteAt(d int) point { return point{float64((d-1)%3-1) * 0.29, float64((d-1)/3-1) * 0.29} }

// digit draws a digit around a point.
func (b *board) digit(x, y, size float64, f *face, digit int, c colour) {
	text := string(rune('0' + digit))
	b.text(x-f.width(text)*size/2, y+f.digitHeight()*size/2, size, f, text, c)
}
