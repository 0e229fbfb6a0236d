package film

import (
	"image/color"
	"unicode/utf8"
)

// arms has the lines from the centre of a cell to the left, to the right, up and down, for
// the characters from U+2500: 1 is a light one, 2 a heavy one, 3 a double one. Dashed lines
// are drawn without gaps, round corners as corners, and diagonals are letters.
const arms = "" +
	"1100 2200 0011 0022 1100 2200 0011 0022 1100 2200 0011 0022 0101 0201 0102 0202 " + // ─━│┃┄┅┆┇┈┉┊┋┌┍┎┏
	"1001 2001 1002 2002 0110 0210 0120 0220 1010 2010 1020 2020 0111 0211 0121 0112 " + // ┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟
	"0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022 1101 2101 1201 2201 " + // ┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯
	"1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220 1111 2111 1211 2211 " + // ┰┱┲┳┴┵┶┷┸┹┺┻┼┽┾┿
	"1121 1112 1122 2121 1221 2112 1212 2221 2212 2122 1222 2222 1100 2200 0011 0022 " + // ╀╁╂╃╄╅╆╇╈╉╊╋╌╍╎╏
	"3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 " + // ═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟
	"0333 3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333 0101 1001 1010 " + // ╠╡╢╣╤╥╦╧╨╩╪╫╬╭╮╯
	"0110 0000 0000 0000 1000 0010 0100 0001 2000 0020 0200 0002 1200 0012 2100 0021 " //   ╰╱╲╳╴╵╶╷╸╹╺╻╼╽╾╿

// line is the thickness of a light line in pixels; that of a heavy one is twice, that of a
// double one three times as much.
const line = 2

// figure draws a character that must touch its neighbours, and reports whether it is one.
func figure(c *Cell, fill func(left, top, right, bottom int, ink color.RGBA)) bool {
	const w, h = cellWidth, cellHeight
	r, size := utf8.DecodeRuneInString(c.Text)
	if size != len(c.Text) {
		return false
	}
	rect := func(left, top, right, bottom int) { fill(left, top, right, bottom, c.Ink) }
	// quarters fills the upper left, upper right, lower left and lower right quarter.
	quarters := func(mask string) {
		for i, on := range mask {
			if x, y := i%2*w/2, i/2*h/2; on == '1' {
				rect(x, y, x+w/2, y+h/2)
			}
		}
	}
	switch {
	case r >= 0x2500 && r <= 0x257f:
		return drawArms(arms[5*(r-0x2500):][:4], rect, func(left, top, right, bottom int) { fill(left, top, right, bottom, c.Paper) })
	case r == '▀':
		rect(0, 0, w, h/2)
	case r >= '▁' && r <= '█':
		rect(0, h-h*int(r-'▀')/8, w, h)
	case r >= '▉' && r <= '▏':
		rect(0, 0, w*int('▐'-r)/8, h)
	case r == '▐':
		rect(w/2, 0, w, h)
	case r >= '░' && r <= '▓':
		fill(0, 0, w, h, blend(c.Paper, c.Ink, int(r-'▐'), 4))
	case r == '▔':
		rect(0, 0, w, h/8)
	case r == '▕':
		rect(w-w/8, 0, w, h)
	case r >= '▖' && r <= '▟':
		quarters([...]string{"0010", "0001", "1000", "1011", "1001", "1110", "1101", "0100", "0110", "0111"}[r-'▖'])
	case r >= 0x2800 && r <= 0x28ff: // Braille
		for bit := range 8 {
			x, y := bit/3, bit%3
			if bit >= 6 {
				x, y = bit-6, 3
			}
			if r>>bit&1 != 0 {
				rect(w/4-1+x*w/2, h/8-1+y*h/4, w/4+1+x*w/2, h/8+1+y*h/4)
			}
		}
	default:
		return false
	}
	return true
}

// drawArms draws lines from the centre of a cell: double ones as one thick line, whose middle
// is erased, and then the others.
func drawArms(kinds string, ink, paper func(left, top, right, bottom int)) bool {
	const w, h, x, y = cellWidth, cellHeight, cellWidth / 2, cellHeight / 2
	const left, right, up, down = 0, 1, 2, 3
	kind := func(arm int) int { return int(kinds[arm] - '0') }
	// draw draws an arm that begins so many pixels before the centre.
	draw := func(fill func(left, top, right, bottom int), arm, half, begin int) {
		switch arm {
		case left:
			fill(0, y-half, x+begin, y+half)
		case right:
			fill(x-begin, y-half, w, y+half)
		case up:
			fill(x-half, 0, x+half, y+begin)
		case down:
			fill(x-half, y-begin, x+half, h)
		}
	}
	const double, half = 3, line / 2
	for _, stage := range []string{"thick", "erase", "others"} {
		for arm := left; arm <= down; arm++ {
			one, other := kind((arm&^1)^up), kind((arm|1)^up) // the lines across
			across, through := max(one, other), kind(arm^1) > 0
			switch isDouble := kind(arm) == double; {
			case kind(arm) == 0:
			case isDouble && stage == "thick":
				draw(ink, arm, double*half, across*half)
			case isDouble && stage == "erase":
				begin := -across * half // leaves the line across
				if across == double {
					begin = half
				} else if through && min(one, other) == 0 {
					begin = 0
				}
				draw(paper, arm, half, begin)
			case !isDouble && stage == "others":
				begin := across * half
				if through {
					begin = 0
				} else if one == double && other == double {
					begin = -half
				}
				draw(ink, arm, kind(arm)*half, begin)
			}
		}
	}
	return kinds != "0000"
}
