package terminal

import (
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
)

// A Frame is a picture of the screen. tcell sends a terminal every character that was
// overwritten in between, even if it is the same again in the end; a frame changes only those
// that differ.
type Frame struct {
	Width, Height int

	cells []frameCell
}

type frameCell struct {
	r     rune // 0: the second half of a wide character
	style tcell.Style
}

// NewFrame returns a frame that is filled with spaces.
func NewFrame(width, height int, style tcell.Style) *Frame {
	f := &Frame{width, height, make([]frameCell, width*height)}
	for i := range f.cells {
		f.cells[i] = frameCell{' ', style}
	}
	return f
}

// Rune draws a character.
func (f *Frame) Rune(x, y int, r rune, style tcell.Style) {
	if 0 <= x && x < f.Width && 0 <= y && y < f.Height {
		f.cells[y*f.Width+x] = frameCell{r, style}
	}
}

// Text draws a line of text. Characters without a width of their own are left out.
func (f *Frame) Text(x, y int, text string, style tcell.Style) {
	for _, r := range text {
		w := widget.Width(string(r))
		for i := range w {
			f.Rune(x+i, y, 0, style)
		}
		if w > 0 {
			f.Rune(x, y, r, style)
		}
		x += w
	}
}

// Fill draws empty space.
func (f *Frame) Fill(x, y, w, h int, style tcell.Style) {
	for j := range h {
		for i := range w {
			f.Rune(x+i, y+j, ' ', style)
		}
	}
}

// Put changes the screen where it differs.
func (f *Frame) Put(screen tcell.Screen) {
	for i, c := range f.cells {
		if c.r == 0 {
			continue
		}
		x, y := i%f.Width, i/f.Width
		text, style, _ := screen.Get(x, y)
		if r, size := utf8.DecodeRuneInString(text); r != c.r || size != len(text) || style != c.style {
			screen.SetContent(x, y, c.r, nil, c.style)
		}
	}
}
