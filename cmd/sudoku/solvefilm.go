package main

import (
	"fmt"
	"image/color"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/film"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

// The size of the film of a solver, in characters.
const (
	filmWidth  = 44
	filmHeight = 17
)

// A solverFilm is a film of a solver at work, with a frame for each step.
type solverFilm struct {
	*film.Film
	delay time.Duration
	now   time.Time
}

// show adds the position after a step.
func (f *solverFilm) show(givens, board *sudoku.Grid, step compare.Step, caption string) error {
	err := f.Add(f.now, solverFrame(givens, board, step, caption))
	f.now = f.now.Add(f.delay)
	return err
}

// solverFrame draws a board, whose cell of the step is in a colour of its own, and a caption.
func solverFrame(givens, board *sudoku.Grid, step compare.Step, caption string) film.Frame {
	var (
		paper  = color.RGBA{18, 20, 28, 255}
		text   = color.RGBA{200, 204, 214, 255}
		line   = color.RGBA{90, 98, 118, 255}
		given  = color.RGBA{255, 255, 255, 255}
		entry  = color.RGBA{120, 180, 255, 255}
		change = map[csp.Kind]color.RGBA{csp.Assign: {34, 110, 60, 255}, csp.Backtrack: {150, 40, 48, 255}, csp.Prune: {120, 92, 24, 255}}
	)
	f := film.Frame{Width: filmWidth, Height: filmHeight, Cells: make([]film.Cell, filmWidth*filmHeight)}
	for i := range f.Cells {
		f.Cells[i] = film.Cell{Text: " ", Ink: text, Paper: paper}
	}
	put := func(x, y int, text string, ink color.RGBA) {
		for _, r := range text {
			if x < filmWidth {
				c := &f.Cells[y*filmWidth+x]
				c.Text, c.Ink = string(r), ink
			}
			x++
		}
	}
	const left, top = (filmWidth - 25) / 2, 1
	for i, border := range []string{"┏━━━━━━━┳━━━━━━━┳━━━━━━━┓", "┣━━━━━━━╋━━━━━━━╋━━━━━━━┫", "┣━━━━━━━╋━━━━━━━╋━━━━━━━┫", "┗━━━━━━━┻━━━━━━━┻━━━━━━━┛"} {
		put(left, top+4*i, border, line)
	}
	for row := range 9 {
		y := top + 1 + row + row/3
		for i := range 4 {
			put(left+8*i, y, "┃", line)
		}
		for col, digit := range board[row] {
			x := left + 2 + 2*col + col/3*2
			switch {
			case givens[row][col] != 0:
				put(x, y, fmt.Sprint(digit), given)
				f.Cells[y*filmWidth+x].Bold = true
			case digit != 0:
				put(x, y, fmt.Sprint(digit), entry)
			}
			if background, ok := change[step.Kind]; ok && step.Variable.Row == row && step.Variable.Col == col {
				for i := x - 1; i <= x+1; i++ {
					f.Cells[y*filmWidth+i].Paper = background
				}
			}
		}
	}
	put(max((filmWidth-len(caption))/2, 0), filmHeight-2, caption, text)
	return f
}
