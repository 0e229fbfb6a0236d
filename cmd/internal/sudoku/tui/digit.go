package tui

// font has the digits in 3x5 dots, a row in an octal digit.
var font = [10]uint16{0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717}

// tall has the rows of dots of a large digit: its strokes are two dots thick.
var tall = [8]int{0, 0, 1, 2, 2, 3, 4, 4}

// dot reports whether a dot of a digit is set; scale is 1, or 2 for a large one.
func dot(digit, x, y, scale int) bool {
	if scale == 2 {
		x--
		y--
		if x < 0 || y < 0 || y >= len(tall) {
			return false
		}
		x, y = x/2, tall[y]
	}
	return 0 <= x && x < 3 && 0 <= y && y < 5 && font[digit]>>(3*(4-y)+2-x)&1 != 0
}

// segments has the segments of digits: top, upper left, upper right, middle, lower left, lower
// right and bottom.
var segments = [10]string{"abcefg", "cf", "acdeg", "acdfg", "bcdf", "abdfg", "abdefg", "acf", "abcdefg", "abcdfg"}

// large draws a digit in several rows: in blocks, or in ASCII. Where there are no colours,
// only the digits of the puzzle are blocks.
func (c *cellPainter) large() {
	scale := 1
	if c.h >= 5 && c.w >= 8 {
		scale = 2
	}
	if c.styles.Blocks && (c.styles.Colours || c.Given) {
		c.blocks(scale)
	} else {
		c.ascii(scale)
	}
}

// blocks draws a digit in half blocks, two dots a character.
func (c *cellPainter) blocks(scale int) {
	w, h := 3, 3
	if scale == 2 {
		w, h = 8, 5
	}
	left, top := c.place.x+(c.w-w)/2, c.place.y+(c.h-h)/2
	for y := range h {
		for x := range w {
			switch upper, lower := dot(c.Digit, x, 2*y, scale), dot(c.Digit, x, 2*y+1, scale); {
			case upper && lower:
				c.block(left+x, top+y, '█')
			case upper:
				c.block(left+x, top+y, '▀')
			case lower:
				c.block(left+x, top+y, '▄')
			}
		}
	}
}

// ascii draws a digit as seven segments.
func (c *cellPainter) ascii(scale int) {
	w, half := 2*scale+1, scale
	left, top := c.place.x+(c.w-w)/2, c.place.y+(c.h-2*half-1)/2
	for _, segment := range segments[c.Digit] {
		switch segment {
		case 'a', 'd', 'g':
			y := top + int(segment-'a')/3*half
			for x := 1; x < w-1; x++ {
				c.block(left+x, y, '_')
			}
		default:
			x, y := left, top+1
			if segment == 'c' || segment == 'f' {
				x += w - 1
			}
			if segment >= 'e' {
				y += half
			}
			for dy := range half {
				c.block(x, y+dy, '|')
			}
		}
	}
}

func (c *cellPainter) block(x, y int, r rune) {
	c.Rune(x, y, r, c.styles.On(c.paper(x), c.ink()).Underline(false).StrikeThrough(false))
}
