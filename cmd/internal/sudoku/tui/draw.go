package tui

import (
	"math"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/cmd/internal/terminal"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// draw draws a scene and returns where everything is; the caller shows the screen. ok is
// false if the screen is too small for the game.
func draw(screen tcell.Screen, s *scene) (l *layout, ok bool) {
	width, height := screen.Size()
	f := terminal.NewFrame(width, height, s.styles.Of(theme.Text))
	defer f.Put(screen)
	if l, ok = newLayout(width, height, s); !ok {
		drawTooSmall(f, s)
		return nil, false
	}
	p := &painter{Frame: f, layout: l}
	p.lines()
	if s.view.State == game.Paused {
		p.paused()
	} else {
		p.cells()
	}
	p.fill(l.hint, s.hintStyle())
	p.banner()
	for _, label := range l.labels {
		f.Text(label.x, label.y, label.text, label.style)
	}
	return l, true
}

func drawTooSmall(f *terminal.Frame, s *scene) {
	text := s.words.T("The window is too small for the Sudoku: it is %d x %d and must be at least %d x %d. Q quits.", f.Width, f.Height, minWidth, minHeight)
	lines := widget.Wrap(text, max(f.Width, 1))
	if len(lines) > f.Height { // keep the numbers
		lines = []string{s.words.T("min %dx%d", minWidth, minHeight)}
	}
	for i, line := range lines {
		f.Text(max((f.Width-widget.Width(line))/2, 0), max((f.Height-len(lines))/2, 0)+i, line, s.styles.Of(theme.Text))
	}
}

// A painter draws a layout.
type painter struct {
	*terminal.Frame
	*layout
}

func (p *painter) fill(r rect, style tcell.Style) { p.Fill(r.x, r.y, r.w, r.h, style) }

// lines draws the lines of the board: first whole lines, then their crossings. Those of a
// paused game are only the outer ones.
func (p *painter) lines() {
	thin, thick := p.styles.On(theme.Cell, theme.Line), p.styles.Boxes(stateRoles[p.view.State])
	p.fill(p.board, thin)
	style := func(i, j int) tcell.Style {
		if i >= 0 && i%3 == 0 || j >= 0 && j%3 == 0 {
			return thick
		}
		return thin
	}
	left := func(col int) int {
		if col == 9 {
			return p.board.x + p.board.w - 1
		}
		return p.x(col) - p.pad - 1
	}
	above := func(row int) int { return p.y(row) - 1 }
	visible := func(all bool, i int) bool {
		if p.view.State == game.Paused {
			return i%9 == 0
		}
		return hasLine(all, i)
	}
	for _, boxes := range []bool{false, true} { // lines between boxes are over those between cells
		for i := range 10 {
			if (i%3 == 0) != boxes {
				continue
			}
			if visible(p.rowLines, i) {
				for x := range p.board.w {
					p.line(p.board.x+x, above(i), i, theme.NoLine, style(i, -1))
				}
			}
			if visible(p.colLines, i) {
				for y := range p.board.h {
					p.line(left(i), p.board.y+y, theme.NoLine, i, style(-1, i))
				}
			}
		}
	}
	for row := range 10 {
		for col := range 10 {
			if visible(p.rowLines, row) && visible(p.colLines, col) {
				p.line(left(col), above(row), row, col, style(row, col))
			}
		}
	}
}

// line draws a character of a line, with what of the glow is there.
func (p *painter) line(x, y, row, col int, style tcell.Style) {
	if boxes := row >= 0 && row%3 == 0 || col >= 0 && col%3 == 0; boxes && p.glow >= 0 && p.styles.Glows {
		style = p.styles.Glowing(style, p.glowAt(x-p.board.x, y-p.board.y))
	}
	p.Rune(x, y, p.styles.Line(row, col), style)
}

// The glow crosses the board once in this time. It has few steps, so that little has to be sent
// from one picture to the next.
const (
	glowTime  = 9 * time.Second
	glowSteps = 5
)

// glowAt returns the part of the glow at a position of the board, from 0 to 1: a soft band
// that moves from the upper left to the lower right corner.
func (p *painter) glowAt(x, y int) float64 {
	width := float64(p.board.w + 2*p.board.h) // rows are twice as high as columns are wide
	at := float64(p.glow%glowTime) / float64(glowTime) * 1.5 * width
	d := (float64(x+2*y) - at + width/4) / (width / 10)
	return math.Round(0.85*glowSteps*math.Exp(-d*d)) / glowSteps
}

// banner draws a bar across the screen.
func (p *painter) banner() {
	if p.hasBar() {
		p.fill(rect{0, p.barTop, p.layout.width, p.barBottom - p.barTop + 1}, p.styles.Of(stateRoles[p.view.State]))
	}
}

// paused draws a box where the board was.
func (p *painter) paused() {
	style := p.styles.Of(theme.Paused)
	lines := []string{strings.ToUpper(p.words.State(game.Paused)), ""}
	if p.view.Clock || p.view.Time > 0 {
		lines = append(lines, words.Clock(p.view.Time), "")
	}
	lines = append(lines, widget.Wrap(p.words.T("P or a double click: continue"), p.board.w-8)...)
	box := rect{w: 0, h: len(lines) + 2}
	for _, line := range lines {
		box.w = max(box.w, widget.Width(line)+4)
	}
	box.x, box.y = p.board.x+(p.board.w-box.w)/2, p.board.y+(p.board.h-box.h)/2
	p.fill(box, style)
	for i, line := range lines {
		p.Text(box.x+(box.w-widget.Width(line))/2, box.y+1+i, line, style)
	}
}
