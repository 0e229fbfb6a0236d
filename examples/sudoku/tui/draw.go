package tui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// draw puts the game on the screen; it is seen once that is shown.
func draw(s tcell.Screen, t theme, g *game) {
	s.Fill(' ', t.text)
	width, height := s.Size()
	l, ok := newLayout(width, height)
	if !ok {
		drawTooSmall(s, t, width, height)
		return
	}
	p := painter{s, t, l}
	p.board(g)
	p.title(g)
	p.status(g)
	p.keys(g)
}

func drawTooSmall(s tcell.Screen, t theme, width, height int) {
	text := fmt.Sprintf("The window is too small for the Sudoku: it is %d x %d and has to be at least %d x %d. Q quits.",
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
	if len(lines) > height { // the numbers are what matters
		lines = []string{fmt.Sprintf("min %dx%d", minWidth, minHeight)}
	}
	for i, line := range lines {
		s.PutStrStyled(max((width-len(line))/2, 0), max((height-len(lines))/2, 0)+i, line, t.text)
	}
}

// A painter draws the parts of a game.
type painter struct {
	screen tcell.Screen
	theme  theme
	layout layout
}

func (p painter) rune(x, y int, r rune, style tcell.Style) {
	p.screen.SetContent(x, y, r, nil, style)
}

// centred writes a text into the middle of a row.
func (p painter) centred(y int, text string, style tcell.Style) {
	text = printable(text)
	if n := utf8.RuneCountInString(text); n > p.layout.width {
		text = string([]rune(text)[:p.layout.width-1]) + "~"
	}
	p.screen.PutStrStyled((p.layout.width-utf8.RuneCountInString(text))/2, y, text, style)
}

// printable replaces what a terminal would take for a command.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

func (p painter) board(g *game) {
	l, t := p.layout, p.theme
	lineStyle := t.line
	if g.solved() {
		lineStyle = t.solvedLine
	}
	right, bottom := l.left+l.boardWidth()-1, l.top+l.boardHeight()-1
	for row := range 10 {
		if !l.hasLine(row) {
			continue
		}
		for x := l.left; x <= right; x++ {
			p.rune(x, l.y(row)-1, t.horizontal(row), lineStyle)
		}
	}
	for col := range 10 {
		if !l.hasLine(col) {
			continue
		}
		for y := l.top; y <= bottom; y++ {
			p.rune(l.x(col)-1, y, t.vertical(col), lineStyle)
		}
		for row := range 10 {
			if l.hasLine(row) {
				p.rune(l.x(col)-1, l.y(row)-1, t.junction(row, col), lineStyle)
			}
		}
	}
	conflicts := g.current.Conflicts()
	for row := range 9 {
		for col := range 9 {
			p.cell(row, col, g.current[row][col], g.look(row, col, &conflicts))
		}
	}
}

func (p painter) cell(row, col, digit int, look look) {
	l := p.layout
	style, before, after := p.theme.cell(look)
	for dy := range l.cellH {
		for dx := range l.cellW {
			p.rune(l.x(col)+dx, l.y(row)+dy, ' ', style)
		}
	}
	x, y := l.x(col)+l.cellW/2, l.y(row)+l.cellH/2
	p.rune(x-1, y, before, style)
	p.rune(x+1, y, after, style)
	switch {
	case 1 <= digit && digit <= 9:
		p.rune(x, y, '0'+rune(digit), style)
	case digit != 0: // a chart may say anything
		p.rune(x, y, '?', style)
	}
}

func (p painter) title(g *game) {
	if p.layout.title < 0 {
		return
	}
	title := g.title
	if name := g.puzzleName(); name != "" {
		title += ": " + name
	}
	p.centred(p.layout.title, title, p.theme.text.Bold(true))
}

func (p painter) status(g *game) {
	l, t := p.layout, p.theme
	if g.solved() && !g.playing() {
		for y := l.barTop; y <= l.barBottom; y++ {
			for x := range l.width {
				p.rune(x, y, ' ', t.banner)
			}
		}
		p.centred(l.status, p.tell(append([]string{"*** SOLVED ***"}, solvedHints(g)...), g.message), t.banner)
		return
	}
	parts := g.status()
	if l.title < 0 {
		if name := g.puzzleName(); name != "" {
			parts = append(parts, name)
		}
	}
	p.centred(l.status, p.tell(parts, g.message), t.text)
}

func solvedHints(g *game) []string {
	if g.message != "" {
		return []string{g.message}
	}
	return []string{"N: next", "S: again"}
}

// tell joins the parts, or shows the message alone if it would be left out: it
// is the answer to the last command.
func (p painter) tell(parts []string, message string) string {
	text := p.join(parts)
	if !strings.Contains(text, message) {
		return message
	}
	return text
}

// join puts together as many of the parts as fit into a row.
func (p painter) join(parts []string) string {
	separator := " " + string(p.theme.dot()) + " "
	text := parts[0]
	for _, part := range parts[1:] {
		longer := text + separator + part
		if utf8.RuneCountInString(longer) <= p.layout.width {
			text = longer
		}
	}
	return text
}

func (p painter) keys(g *game) {
	for _, hint := range keyLine(g.playing(), p.layout.width) {
		p.screen.PutStrStyled(hint.x, p.layout.keys, hint.key, p.theme.key)
		p.screen.PutStrStyled(hint.x+len(hint.key)+1, p.layout.keys, hint.label, p.theme.text)
	}
}

// commandAt returns what a click at a place means.
func commandAt(x, y, width, height int, g *game) command {
	l, ok := newLayout(width, height)
	if !ok {
		return command{}
	}
	if row, col, ok := l.cellAt(x, y); ok {
		return command{click, row, col}
	}
	if y == l.keys {
		for _, hint := range keyLine(g.playing(), l.width) {
			if hint.x <= x && x < hint.x+hint.width() {
				return hint.command
			}
		}
	}
	return command{}
}
