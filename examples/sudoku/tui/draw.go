package tui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// draw draws a view; the caller shows the screen.
func draw(s tcell.Screen, t theme, v game.View) {
	s.Fill(' ', t.text)
	width, height := s.Size()
	l, ok := newLayout(width, height)
	if !ok {
		drawTooSmall(s, t, width, height)
		return
	}
	p := &painter{s, t, l, v}
	p.board()
	p.title()
	p.status()
	p.keys()
}

func drawTooSmall(s tcell.Screen, t theme, width, height int) {
	text := fmt.Sprintf("The window is too small for the Sudoku: it is %d x %d and must be at least %d x %d. Q quits.",
		width, height, minWidth, minHeight)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	lines = append(lines, line)
	if len(lines) > height { // keep the numbers
		lines = []string{fmt.Sprintf("min %dx%d", minWidth, minHeight)}
	}
	for i, line := range lines {
		s.PutStrStyled(max((width-len(line))/2, 0), max((height-len(lines))/2, 0)+i, line, t.text)
	}
}

// A painter draws the parts of a view.
type painter struct {
	screen tcell.Screen
	theme  theme
	layout layout
	view   game.View
}

func (p *painter) rune(x, y int, r rune, style tcell.Style) {
	p.screen.SetContent(x, y, r, nil, style)
}

// centred writes a text centred in a row.
func (p *painter) centred(y int, text string, style tcell.Style) {
	text = printable(text)
	if n := utf8.RuneCountInString(text); n > p.layout.width {
		text = string([]rune(text)[:p.layout.width-1]) + "~"
	}
	p.screen.PutStrStyled((p.layout.width-utf8.RuneCountInString(text))/2, y, text, style)
}

// printable replaces characters that a terminal would execute.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

func (p *painter) board() {
	l, t := p.layout, p.theme
	lineStyle := t.line
	if p.view.State == game.Solved {
		lineStyle = t.solvedLine
	}
	// Draw whole lines first, then their crossings.
	for i := range 10 {
		if l.hasLine(i) {
			for x := range l.boardWidth() {
				p.rune(l.left+x, l.y(i)-1, t.lineAt(i, noLine), lineStyle)
			}
			for y := range l.boardHeight() {
				p.rune(l.x(i)-1, l.top+y, t.lineAt(noLine, i), lineStyle)
			}
		}
	}
	for row := range 10 {
		for col := range 10 {
			if l.hasLine(row) && l.hasLine(col) {
				p.rune(l.x(col)-1, l.y(row)-1, t.lineAt(row, col), lineStyle)
			}
		}
	}
	for row := range 9 {
		for col := range 9 {
			p.cell(row, col, p.view.Cells[row][col])
		}
	}
}

func (p *painter) cell(row, col int, cell game.Cell) {
	l := p.layout
	style, before, after := p.theme.cell(cell)
	for dy := range l.cellH {
		for dx := range l.cellW {
			p.rune(l.x(col)+dx, l.y(row)+dy, ' ', style)
		}
	}
	x, y := l.x(col)+l.cellW/2, l.y(row)+l.cellH/2
	p.rune(x-1, y, before, style)
	p.rune(x+1, y, after, style)
	switch {
	case 1 <= cell.Digit && cell.Digit <= 9:
		p.rune(x, y, '0'+rune(cell.Digit), style)
	case cell.Digit != 0: // a chart may send any number
		p.rune(x, y, '?', style)
	}
}

func (p *painter) title() {
	if p.layout.title < 0 {
		return
	}
	title := p.view.Title
	if name := puzzleName(p.view); name != "" {
		title += ": " + name
	}
	p.centred(p.layout.title, title, p.theme.text.Bold(true))
}

func (p *painter) status() {
	l, style := p.layout, p.theme.text
	if p.view.State == game.Solved {
		style = p.theme.banner
		for y := l.barTop; y <= l.barBottom; y++ {
			for x := range l.width {
				p.rune(x, y, ' ', style)
			}
		}
	}
	parts := status(p.view)
	if name := puzzleName(p.view); l.title < 0 && p.view.State != game.Solved && name != "" {
		parts = append(parts, name)
	}
	text := p.join(parts)
	if message := messageText(p.view.Message); !strings.Contains(text, message) {
		text = message // the answer to the last input must not be left out
	}
	p.centred(l.status, text, style)
}

// join joins as many of the parts as fit into a row.
func (p *painter) join(parts []string) string {
	separator := " " + string(p.theme.dot) + " "
	text := parts[0]
	for _, part := range parts[1:] {
		longer := text + separator + part
		if utf8.RuneCountInString(longer) <= p.layout.width {
			text = longer
		}
	}
	return text
}

func (p *painter) keys() {
	for _, hint := range keyLine(p.view.State == game.Playing, p.layout.width) {
		p.screen.PutStrStyled(hint.x, p.layout.keys, hint.key, p.theme.key)
		p.screen.PutStrStyled(hint.x+len(hint.key)+1, p.layout.keys, hint.label, p.theme.text)
	}
}
