package tui

import "github.com/gdamore/tcell/v2"

// A look is what there is to see about a cell of the board.
type look struct {
	given    bool // its digit belongs to the puzzle
	conflict bool // its digit stands in a unit twice
	selected bool
	peer     bool // in the row, column or box of the selected cell
	equal    bool // has the digit of the selected cell
}

// A theme gives looks a style. Without colours, marks beside the digit tell
// the looks apart.
type theme struct {
	text, key          tcell.Style
	line, solvedLine   tcell.Style
	banner             tcell.Style
	paper, peer, equal tcell.Style // background of a cell, with the ink of an entry
	selected, conflict tcell.Style
	given              tcell.Color // ink of a given
	marks              bool
	ascii              bool
}

// newTheme chooses a theme for a terminal of so many colours, 0 for none.
func newTheme(colors int, utf8 bool) theme {
	t := theme{ascii: !utf8}
	plain := tcell.StyleDefault
	style := func(ink, paper int) tcell.Style {
		return plain.Foreground(tcell.PaletteColor(ink)).Background(tcell.PaletteColor(paper))
	}
	t.text, t.key = plain, plain.Reverse(true)
	switch {
	case colors >= 256:
		t.line, t.solvedLine = style(246, 234), style(46, 234).Bold(true)
		t.banner = style(16, 46).Bold(true)
		t.paper, t.peer, t.equal = style(117, 234), style(117, 238), style(231, 25)
		t.selected, t.conflict = style(16, 220), style(224, 124)
		t.given = tcell.PaletteColor(231)
	case colors >= 8:
		const black, red, green, yellow, blue, cyan, white = 0, 1, 2, 3, 4, 6, 7
		t.line, t.solvedLine = style(white, black), style(green, black).Bold(true)
		t.banner = style(black, green)
		t.paper, t.peer, t.equal = style(yellow, black), style(yellow, blue), style(black, green)
		t.selected, t.conflict = style(black, cyan), style(white, red)
		t.given = tcell.PaletteColor(white)
	default:
		t.marks = true
		t.given = tcell.ColorDefault
		t.line, t.solvedLine = plain, plain.Bold(true)
		t.banner = plain.Reverse(true).Bold(true)
		t.paper, t.peer, t.equal = plain, plain, plain
		t.selected, t.conflict = plain.Reverse(true), plain.Underline(true)
	}
	return t
}

// cell returns how a cell of that look appears: its style, and the marks on
// both sides of its digit.
func (t theme) cell(l look) (style tcell.Style, before, after rune) {
	style, before, after = t.paper, ' ', ' '
	switch {
	case l.selected:
		style, before, after = t.selected, '[', ']'
		if l.conflict {
			style = style.Underline(true)
		}
	case l.conflict:
		style = t.conflict
	case l.equal:
		style = t.equal
	case l.peer:
		style = t.peer
	}
	if t.marks && !l.selected {
		switch {
		case l.equal:
			before, after = '=', '='
		case l.peer:
			before, after = t.dot(), t.dot()
		}
	}
	if l.conflict {
		after = '!'
	}
	if l.given {
		style = style.Bold(true)
		if !l.selected && !l.equal {
			style = style.Foreground(t.given)
		}
	}
	return style, before, after
}

func (t theme) dot() rune {
	if t.ascii {
		return '.'
	}
	return '·'
}

// junctions are the crossings of two lines: [top, inner, box, bottom][left, inner, box, right].
var (
	unicodeJunctions = [4][4]rune{
		{'╔', '╤', '╦', '╗'},
		{'╟', '┼', '╫', '╢'},
		{'╠', '╪', '╬', '╣'},
		{'╚', '╧', '╩', '╝'},
	}
	asciiJunctions = [4][4]rune{
		{'#', '=', '#', '#'},
		{'#', '+', '#', '#'},
		{'#', '=', '#', '#'},
		{'#', '=', '#', '#'},
	}
)

// junction returns the crossing of the lines before a row and a column, 9 for the last lines.
func (t theme) junction(row, col int) rune {
	kind := func(i int) int {
		switch {
		case i == 0:
			return 0
		case i == 9:
			return 3
		case i%3 == 0:
			return 2
		}
		return 1
	}
	if t.ascii {
		return asciiJunctions[kind(row)][kind(col)]
	}
	return unicodeJunctions[kind(row)][kind(col)]
}

// horizontal and vertical return what the line before a row or column is made of.
func (t theme) horizontal(row int) rune {
	switch {
	case row%3 == 0 && t.ascii:
		return '='
	case row%3 == 0:
		return '═'
	case t.ascii:
		return '-'
	}
	return '─'
}

func (t theme) vertical(col int) rune {
	switch {
	case col%3 == 0 && t.ascii:
		return '#'
	case col%3 == 0:
		return '║'
	case t.ascii:
		return '|'
	}
	return '│'
}
