package tui

import (
	"cmp"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// cells draws all cells, the selected one last: its marks may be outside it.
func (p *painter) cells() {
	hints := p.hints()
	highlighted := p.view.Highlighted()
	draw := func(selected bool) {
		for i := range 81 {
			row, col := i/9, i%9
			if cell := &p.view.Cells[row][col]; cell.Selected == selected {
				c := cellPainter{p, p.cell(row, col), row, col, cell, hints, highlighted}
				c.draw()
			}
		}
	}
	draw(false)
	draw(true)
}

// hints returns the roles of single candidates in the hint.
func (p *painter) hints() map[game.Candidate]theme.Role {
	if p.view.Hint == nil {
		return nil
	}
	roles := map[game.Candidate]theme.Role{}
	for _, part := range []struct {
		candidates []game.Candidate
		role       theme.Role
	}{{p.view.Hint.Causes, theme.Cause}, {p.view.Hint.Exclude, theme.Excluded}, {p.view.Hint.Place, theme.Target}} {
		for _, c := range part.candidates {
			roles[c] = part.role
		}
	}
	return roles
}

// A cellPainter draws a cell.
type cellPainter struct {
	*painter
	place    rect
	row, col int
	*game.Cell
	hints       map[game.Candidate]theme.Role
	highlighted int
}

func (c *cellPainter) draw() {
	c.fillPaper()
	switch {
	case c.Digit == 0 && c.hasNotes() && c.Notes|c.Corner != 0:
		c.notes()
	case c.Digit == 0 && !c.colLines && c.h == 1:
		c.char(c.styles.Glyph(theme.Empty), theme.Line)
	case c.Digit < 0 || c.Digit > 9: // a chart may send any number
		c.char('?', theme.Entry)
	case c.Digit > 0 && c.h >= 3:
		c.large()
	case c.Digit > 0:
		c.char(cmp.Or(c.zero, '0')+rune(c.Digit), c.ink())
	}
	c.marks()
}

// ink returns the role of the digit.
func (c *cellPainter) ink() theme.Role {
	if c.Given {
		return theme.Given
	}
	return theme.Entry
}

// char draws a digit, or what there is instead, as one character.
func (c *cellPainter) char(r rune, ink theme.Role) {
	x, y := c.digit(c.row, c.col)
	c.Rune(x, y, r, c.style(c.paper(x), ink))
}

// paper returns the most important role that the cell has, at a column of the screen.
func (c *cellPainter) paper(x int) theme.Role {
	switch {
	case c.Selected:
		return penRoles[c.view.Pen]
	case c.Broken || c.Wrong:
		return theme.Broken
	case c.Hint == game.Target:
		return theme.Target
	case c.Hint == game.Excluded:
		return theme.Excluded
	case c.Hint == game.Cause:
		return theme.Cause
	case c.Conflict:
		return theme.Conflict
	case c.Marked:
		return theme.Marked
	case c.Colours != 0: // several are stripes
		colours := words.Digits(c.Colours)
		i := max(x-c.place.x, 0) * len(colours) / c.w
		return theme.Colour1 + theme.Role(colours[min(i, len(colours)-1)]-'1')
	case c.Equal:
		return theme.Equal
	case c.hover == spot{part: onCell, row: c.row, col: c.col, digit: c.hover.digit}:
		return theme.Button
	case c.Peer:
		return theme.Peer
	case !c.rowLines && c.h > 1 && (c.row+c.col)%2 == 1:
		return theme.Odd
	}
	return theme.Cell
}

// style returns the style of an ink on a paper of the cell. A conflict is underlined whatever
// the paper is.
func (c *cellPainter) style(paper, ink theme.Role) tcell.Style {
	style := c.styles.On(paper, ink).StrikeThrough(false) // which is for single candidates
	if c.Conflict {
		style = style.Underline(true)
	}
	return style
}

func (c *cellPainter) fillPaper() {
	for dy := range c.place.h {
		for dx := range c.place.w {
			x := c.place.x + dx
			style := c.styles.On(c.paper(x), theme.Cell).Underline(false).StrikeThrough(false)
			if !c.styles.Colours && !c.rowLines && c.h > 1 && dy == c.place.h-1 && c.row%3 < 2 {
				style = style.Underline(true) // there are no lines between rows, and no paper
			}
			c.Rune(x, c.place.y+dy, ' ', style)
		}
	}
}

// notes draws the notes at their places.
func (c *cellPainter) notes() {
	for d := 1; d <= 9; d++ {
		if (c.Notes|c.Corner)&(1<<d) == 0 {
			continue
		}
		dx, dy := c.notePlace(d)
		x, y := c.place.x+dx, c.place.y+dy
		paper, ink := c.paper(x), theme.Note
		if c.Corner&(1<<d) != 0 {
			ink = theme.Corner
		}
		role, hinted := c.hints[game.Candidate{Row: c.row, Col: c.col, Digit: d}]
		switch {
		case hinted:
			paper = role
		case d == c.highlighted && !c.Selected:
			paper = theme.Equal
		}
		style := c.styles.On(paper, ink).StrikeThrough(role == theme.Excluded)
		switch {
		case role == theme.Cause || role == theme.Target:
			_, _, mask := style.Decompose()
			style = style.Bold(true).Reverse(mask&tcell.AttrReverse == 0)
		case hinted || paper == theme.Equal:
			style = style.Bold(true)
		}
		c.Rune(x, y, '0'+rune(d), style)
	}
}

// marks draws the characters that say what colours say too: the selection and its pen, a
// conflict, what a hint says, and colours.
func (c *cellPainter) marks() {
	left, right, y := c.brackets(c.row, c.col)
	mark := func(x, y int, r rune) {
		style := c.styles.On(theme.Cell, theme.Text)
		if c.h == 1 || c.place.contains(x, y) {
			style = c.styles.On(c.paper(x), c.ink()).Underline(false).StrikeThrough(false)
		}
		if c.Selected && (r == 'x' || r == '!') { // the cell of the cursor is not red, but its mark
			style = c.styles.On(theme.Broken, theme.Entry).Underline(false)
		}
		c.Rune(x, y, r, style)
	}
	before, after := ' ', ' '
	switch {
	case c.Selected:
		pair := [...]string{game.Digits: "[]", game.Notes: "()", game.Corner: "<>", game.Colours: "{}"}[c.view.Pen]
		before, after = rune(pair[0]), rune(pair[1])
	case c.Marked:
		before, after = ':', ':'
	case c.styles.Colours:
	case c.Equal:
		before, after = '=', '='
	}
	trouble := c.trouble()
	colour := ' '
	if c.Colours != 0 {
		colour = 'a' + rune(words.Digits(c.Colours)[0]-'1')
	}
	if c.h > 1 {
		// The marks have places of their own: colours in the upper left corner, trouble in the right.
		if before != ' ' {
			mark(left, y, before)
			mark(right, y, after)
		}
		if c.h == 2 && c.Digit == 0 && c.Notes|c.Corner != 0 { // the place that notes leave free
			if trouble == ' ' {
				trouble = colour
			}
			colour = ' '
			if trouble != ' ' {
				mark(c.place.x+c.w-1, c.place.y+1, trouble)
			}
			return
		}
		if colour != ' ' {
			mark(c.place.x, c.place.y, colour)
		}
		if trouble != ' ' {
			mark(c.place.x+c.w-1, c.place.y, trouble)
		}
		return
	}
	if before == ' ' {
		before = colour
	}
	if trouble != ' ' {
		after = trouble
	}
	if before != ' ' {
		mark(left, y, before)
	}
	if after != ' ' {
		mark(right, y, after)
	}
}

// trouble returns the mark of a wrong entry or the one that broke the puzzle, of a conflict, or of a hint.
func (c *cellPainter) trouble() rune {
	switch {
	case c.Broken || c.Wrong:
		return 'x'
	case c.Conflict:
		return '!'
	case c.Hint == game.Target:
		return '*'
	case c.Hint == game.Excluded:
		return '-'
	case c.Hint == game.Cause:
		return '+'
	}
	return ' '
}
