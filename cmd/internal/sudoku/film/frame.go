package film

import (
	"image"
	"image/color"
)

// A Frame is what a terminal shows at a time.
type Frame struct {
	Width, Height int    // in characters
	Cells         []Cell // row by row
}

// A Cell is a place for a character. A character of two columns is in the first of its
// cells, and the second has the text "".
type Cell struct {
	Text                    string // a character with its combining marks; " " for none
	Ink, Paper              color.RGBA
	Bold, Underline, Strike bool
}

// empty reports whether the cell has nothing but paper.
func (c *Cell) empty() bool { return (c.Text == "" || c.Text == " ") && !c.Underline && !c.Strike }

// same reports whether two cells look the same.
func same(a, b *Cell) bool { return *a == *b || a.empty() && b.empty() && a.Paper == b.Paper }

// changes returns the smallest rectangle around the cells of b that differ from a. All
// differ if a is nil or has another size.
func changes(a, b *Frame) (area image.Rectangle) {
	if a == nil || a.Width != b.Width || a.Height != b.Height {
		return image.Rect(0, 0, b.Width, b.Height)
	}
	for i := range b.Cells {
		if x, y := i%b.Width, i/b.Width; !same(&a.Cells[i], &b.Cells[i]) {
			area = area.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return area
}
