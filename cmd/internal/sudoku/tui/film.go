package tui

import (
	"image/color"

	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
)

// The colours of a terminal in films, where a style does not say which.
var filmInk, filmPaper = color.RGBA{214, 214, 214, 255}, color.RGBA{16, 16, 16, 255}

// snapshot returns what a screen shows.
func snapshot(s tcell.Screen) film.Frame {
	width, height := s.Size()
	f := film.Frame{Width: width, Height: height, Cells: make([]film.Cell, 0, width*height)}
	for y := range height {
		for x := 0; x < width; x++ {
			text, style, columns := s.Get(x, y)
			c := filmCell(text, style)
			f.Cells = append(f.Cells, c)
			if c.Text = ""; columns == 2 && x+1 < width {
				f.Cells = append(f.Cells, c)
				x++
			}
		}
	}
	return f
}

func filmCell(text string, style tcell.Style) film.Cell {
	ink, paper, attributes := style.Decompose()
	c := film.Cell{
		Text: text, Ink: rgb(ink, filmInk), Paper: rgb(paper, filmPaper),
		Bold: attributes&tcell.AttrBold != 0, Underline: attributes&tcell.AttrUnderline != 0, Strike: attributes&tcell.AttrStrikeThrough != 0,
	}
	if text == "" {
		c.Text = " "
	}
	if attributes&tcell.AttrReverse != 0 {
		c.Ink, c.Paper = c.Paper, c.Ink
	}
	if attributes&tcell.AttrDim != 0 {
		c.Ink = color.RGBA{half(c.Ink.R, c.Paper.R), half(c.Ink.G, c.Paper.G), half(c.Ink.B, c.Paper.B), 255}
	}
	return c
}

func half(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }

// rgb returns a colour, or another one if that of the terminal is meant.
func rgb(c tcell.Color, other color.RGBA) color.RGBA {
	if r, g, b := c.RGB(); r >= 0 {
		return color.RGBA{uint8(r), uint8(g), uint8(b), 255}
	}
	return other
}
