package widget

import (
	"image"
	"strings"

	"github.com/gdamore/tcell/v2"
)

// A Board has the digits that were read from a picture, next to the picture in characters, to compare
// and to correct. Where there is not enough room, the picture shows the cells around the selected one.
type Board struct {
	Digits   [9][9]int
	Doubt    [9][9]bool        // marked with a question mark
	Written  [9][9]bool        // by hand: marked with an apostrophe
	Pictures [9][9]*image.Gray // of the cells, with black ink
	Changed  func()            // called after a change; may be nil

	row, col   int         // the selected cell
	top, left  int         // the first cells of the picture that are visible
	rows, cols int         // of the picture that are visible
	picture    image.Point // the size of its cells
	pane       int         // where the digits begin
	cell, line int         // the size of their cells
}

// The sizes of a cell of the picture, in characters: of dots, and of ASCII.
var (
	dotted = image.Pt(6, 3)
	inked  = image.Pt(9, 5)
)

const boardGap = 2 // between the picture and the digits

func (b *Board) size(int) (w, h, least int) {
	return 9*dotted.X + boardGap + digitsWidth(3), 9 * dotted.Y, 9
}

// digitsWidth returns the width of the digits, with a column between boxes.
func digitsWidth(cell int) int { return 9*cell + 2 }

func (b *Board) takesFocus() bool { return true }

func (b *Board) draw(c canvas, focused bool) {
	b.cell = 3
	if w, _, _ := b.size(c.w); c.w < w {
		b.cell = 2
	}
	size := dotted
	if c.look.ASCII {
		size = inked
	}
	b.picture = size
	b.line = min(max(c.h/9, 1), size.Y)
	b.cols = min(max((c.w-boardGap-digitsWidth(b.cell))/size.X, 1), 9)
	b.rows = min(max(c.h/size.Y, 1), 9)
	b.left = max(min(b.left, b.col, 9-b.cols), b.col-b.cols+1)
	b.top = max(min(b.top, b.row, 9-b.rows), b.row-b.rows+1)
	b.pane = min(b.cols*size.X+boardGap, c.w-digitsWidth(b.cell))
	for row := range 9 {
		for col := range 9 {
			style, mark := c.look.Text, ""
			switch {
			case b.Doubt[row][col]:
				style, mark = c.look.Doubt, "?"
			case b.Written[row][col]:
				mark = "'"
			}
			if focused && row == b.row && col == b.col {
				style = c.look.Selected
			}
			text := "." + mark
			if d := b.Digits[row][col]; d > 0 {
				text = string(rune('0'+d)) + mark
			}
			text = strings.Repeat(" ", b.cell-2) + text
			c.print(b.pane+col*b.cell+col/3, row*b.line, text+strings.Repeat(" ", b.cell-len(text)), style)
			if row >= b.top && row < b.top+b.rows && col >= b.left && col < b.left+b.cols {
				place := rect{(col - b.left) * size.X, (row - b.top) * size.Y, size.X, size.Y}
				drawPicture(c.sub(place), b.Pictures[row][col], style)
			}
		}
	}
	c.sub(rect{0, 0, b.pane - 1, b.rows * size.Y}).scrolled(b.top > 0, b.top+b.rows < 9)
}

// drawPicture draws the middle of a cell's picture, without the lines around it.
func drawPicture(c canvas, picture *image.Gray, style tcell.Style) {
	// A character has columns of dots, each with the values of its dots from above.
	columns := [][]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}
	if c.look.ASCII {
		columns = [][]rune{{1, 2}}
	}
	wide, high := len(columns)*c.w, len(columns[0])*c.h
	side := picture.Rect.Dx()
	inner := picture.Rect.Inset(side / 6)
	for y := range c.h {
		for x := range c.w {
			var dots rune
			for i, column := range columns {
				for j, value := range column {
					if isInk(picture, inner, x*len(columns)+i, y*len(column)+j, wide, high) {
						dots |= value
					}
				}
			}
			r := 0x2800 + dots // the block of Braille patterns
			switch {
			case c.look.ASCII:
				r = rune(" '.:"[dots])
			case dots == 0:
				r = ' '
			}
			c.rune(x, y, r, style)
		}
	}
}

// isInk reports whether a dot of so many in a part of a picture is dark.
func isInk(picture *image.Gray, part image.Rectangle, x, y, wide, high int) bool {
	sum, n := 0, 0
	for py := part.Min.Y + y*part.Dy()/high; py < part.Min.Y+(y+1)*part.Dy()/high; py++ {
		for px := part.Min.X + x*part.Dx()/wide; px < part.Min.X+(x+1)*part.Dx()/wide; px++ {
			sum += int(picture.GrayAt(px, py).Y)
			n++
		}
	}
	return sum < 150*n
}

func (b *Board) move(rows, cols int) {
	b.row, b.col = (b.row+rows+9)%9, (b.col+cols+9)%9
}

// nextDoubt selects the next cell in doubt.
func (b *Board) nextDoubt() {
	for i := 1; i <= 81; i++ {
		if at := (9*b.row + b.col + i) % 81; b.Doubt[at/9][at%9] {
			b.row, b.col = at/9, at%9
			return
		}
	}
}

// set corrects the selected cell, which is then not in doubt.
func (b *Board) set(digit int) {
	b.Digits[b.row][b.col], b.Doubt[b.row][b.col] = digit, false
	b.Written[b.row][b.col] = b.Written[b.row][b.col] && digit > 0
	b.changed()
}

func (b *Board) changed() {
	if b.Changed != nil {
		b.Changed()
	}
}

func (b *Board) key(ev *tcell.EventKey) (outcome, bool) {
	switch ev.Key() {
	case tcell.KeyUp:
		b.move(-1, 0)
	case tcell.KeyDown:
		b.move(+1, 0)
	case tcell.KeyLeft:
		b.move(0, -1)
	case tcell.KeyRight:
		b.move(0, +1)
	case tcell.KeyHome:
		b.col = 0
	case tcell.KeyEnd:
		b.col = 8
	case tcell.KeyPgUp:
		b.row = 0
	case tcell.KeyPgDn:
		b.row = 8
	case tcell.KeyDelete, tcell.KeyBackspace:
		b.set(0)
	case tcell.KeyRune:
		switch r := ev.Rune(); {
		case '0' <= r && r <= '9':
			b.set(int(r - '0'))
		case r == '.' || r == ' ':
			b.set(0)
		case r == '?':
			b.nextDoubt()
		case r == '\'' && b.Digits[b.row][b.col] > 0:
			b.Written[b.row][b.col] = !b.Written[b.row][b.col]
			b.changed()
		default:
			return outcome{}, false
		}
	default:
		return outcome{}, false
	}
	return outcome{}, true
}

func (b *Board) mouse(x, y int, m Mouse) outcome {
	switch {
	case m.Wheel != 0:
		b.move(m.Wheel, 0)
	case m.Press && x >= b.pane && b.cell > 0:
		x -= b.pane
		b.row, b.col = min(y/b.line, 8), min(x/b.cell, 8)
		for b.col > 0 && b.col*b.cell+b.col/3 > x { // the columns between boxes
			b.col--
		}
	case m.Press && x < b.cols*b.picture.X && y < b.rows*b.picture.Y:
		b.row, b.col = b.top+y/b.picture.Y, b.left+x/b.picture.X
	}
	return outcome{}
}
