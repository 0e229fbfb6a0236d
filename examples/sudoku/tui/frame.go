package tui

import (
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/widget"
)

// A frame is a picture of the screen. tcell sends a terminal every character that was
// overwritten in between, even if it is the same again in the end; a frame changes only those
// that differ.
type frame struct {
	width, height int
	cells         []frameCell
}

type frameCell struct {
	r     rune // 0: the second half of a wide character
	style tcell.Style
}

func newFrame(width, height int, style tcell.Style) *frame {
	f := &frame{width, height, make([]frameCell, width*height)}
	for i := range f.cells {
		f.cells[i] = frameCell{' ', style}
	}
	return f
}

// rune draws a character.
func (f *frame) rune(x, y int, r rune, style tcell.Style) {
	if 0 <= x && x < f.width && 0 <= y && y < f.height {
		f.cells[y*f.width+x] = frameCell{r, style}
	}
}

// text draws a line of text. Characters without a width of their own are left out.
func (f *frame) text(x, y int, text string, style tcell.Style) {
	for _, r := range text {
		w := widget.Width(string(r))
		for i := range w {
			f.rune(x+i, y, 0, style)
		}
		if w > 0 {
			f.rune(x, y, r, style)
		}
		x += w
	}
}

// fill draws empty space.
func (f *frame) fill(r rect, style tcell.Style) {
	for y := r.y; y < r.y+r.h; y++ {
		for x := r.x; x < r.x+r.w; x++ {
			f.rune(x, y, ' ', style)
		}
	}
}

// put changes the screen where it differs.
func (f *frame) put(screen tcell.Screen) {
	for i, c := range f.cells {
		if c.r == 0 {
			continue
		}
		x, y := i%f.width, i/f.width
		text, style, _ := screen.Get(x, y)
		if r, size := utf8.DecodeRuneInString(text); r != c.r || size != len(text) || style != c.style {
			screen.SetContent(x, y, c.r, nil, c.style)
		}
	}
}
