package plain

import (
	"regexp"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// A place is that of a cell, from 0.
type place struct{ row, col int }

// places calls yield with all cells, row by row.
func places(yield func(place) bool) {
	for i := range 81 {
		if !yield(place{i / 9, i % 9}) {
			return
		}
	}
}

func (at place) in(v *game.View) *game.Cell { return &v.Cells[at.row][at.col] }

// cell matches a cell, or those of some rows and columns, in English and Dutch.
var cell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ ,]*r(?:ow|ij)? ?([1-9]+)[ ,]*[ck](?:ol(?:umn|om)?)? ?([1-9]+)`)
})

// cellsOf returns the cells that a text begins with, such as "r4c7" or "r4c78, r1c2", and
// the rest of the text.
func cellsOf(text string) (cells []place, rest string) {
	for m := cell().FindStringSubmatch(text); m != nil; m = cell().FindStringSubmatch(text) {
		for _, row := range m[1] {
			for _, col := range m[2] {
				if at := (place{int(row - '1'), int(col - '1')}); !slices.Contains(cells, at) {
					cells = append(cells, at)
				}
			}
		}
		text = text[len(m[0]):]
	}
	return cells, text
}

// A unit is a kind of nine cells.
type unit int

const (
	row unit = iota
	column
	box
)

// cells returns the cells of a unit with a number from 1 to 9.
func (u unit) cells(number int) (all [9]place) {
	n := number - 1
	for i := range 9 {
		all[i] = [...]place{{n, i}, {i, n}, {n/3*3 + i/3, n%3*3 + i%3}}[u]
	}
	return all
}
