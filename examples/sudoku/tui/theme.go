package tui

import (
	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A theme has the styles of cells. Without colours, marks on both sides of a digit
// distinguish them.
type theme struct {
	text, key          tcell.Style
	line, solvedLine   tcell.Style
	banner             tcell.Style
	paper, peer, equal tcell.Style // background of a cell, with the ink of an entry
	selected, conflict tcell.Style
	given              tcell.Color // ink of a given
	marks              bool
	lines              *lineRunes
	dot                rune
}

// newTheme chooses a theme by the number of colours of the terminal.
func newTheme(colors int, utf8 bool) theme {
	t := theme{lines: &asciiLines, dot: '.'}
	if utf8 {
		t.lines, t.dot = &unicodeLines, '·'
	}
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

// cell returns the style of a cell, and the marks on both sides of its digit.
func (t theme) cell(c game.Cell) (style tcell.Style, before, after rune) {
	style, before, after = t.paper, ' ', ' '
	switch {
	case c.Selected:
		style, before, after = t.selected, '[', ']'
		if c.Conflict {
			style = style.Underline(true)
		}
	case c.Conflict:
		style = t.conflict
	case c.Equal:
		style = t.equal
	case c.Peer:
		style = t.peer
	}
	if t.marks && !c.Selected {
		switch {
		case c.Equal:
			before, after = '=', '='
		case c.Peer:
			before, after = t.dot, t.dot
		}
	}
	if c.Conflict {
		after = '!'
	}
	if c.Given {
		style = style.Bold(true)
		if !c.Selected && !c.Equal {
			style = style.Foreground(t.given)
		}
	}
	return style, before, after
}

// lineRunes are the characters of lines and their crossings, by the kinds of the lines
// before a row and before a column of the board.
type lineRunes [5][5]rune

var (
	unicodeLines = lineRunes{
		{'╔', '╤', '╦', '╗', '═'}, // the first row's line
		{'╟', '┼', '╫', '╢', '─'}, // one within a box
		{'╠', '╪', '╬', '╣', '═'}, // one between boxes
		{'╚', '╧', '╩', '╝', '═'}, // the line after the last row
		{'║', '│', '║', '║', ' '}, // none: a column's line only
	}
	asciiLines = lineRunes{
		{'#', '=', '#', '#', '='},
		{'#', '+', '#', '#', '-'},
		{'#', '=', '#', '#', '='},
		{'#', '=', '#', '#', '='},
		{'#', '|', '#', '#', ' '},
	}
)

const noLine = -1

// lineAt returns the crossing of the lines before a row and a column, where 9 means
// the last line, or a piece of one line if the other is noLine.
func (t theme) lineAt(row, col int) rune {
	kind := func(i int) int {
		switch {
		case i == noLine:
			return 4
		case i == 0:
			return 0
		case i == 9:
			return 3
		case i%3 == 0:
			return 2
		}
		return 1
	}
	return t.lines[kind(row)][kind(col)]
}
