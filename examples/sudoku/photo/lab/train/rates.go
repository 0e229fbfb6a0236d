package main

import (
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/grid"
)

// rates returns a table of how cells are read that a network has not learned: each kind of cell, and
// what it was taken for.
func rates(w digit.Weights, cells []cell) string {
	const (
		right, other, empty, printed, byHand, columns = 0, 1, 2, 3, 4, 5
	)
	kind := func(class int) int {
		switch {
		case class == 0:
			return 0
		case class <= digit.Handwritten:
			return 1
		}
		return 2
	}
	var counts [3][columns]int
	var pass digit.Pass
	for i := range cells {
		var patch grid.Patch
		for j, v := range cells[i].pixels {
			patch[j] = float32(v) / ink
		}
		pass.Look(&patch, 0, 0)
		pass.Run(w)
		answer := 0
		for class, log := range pass.Output {
			if log > pass.Output[answer] {
				answer = class
			}
		}
		want := int(cells[i].digit)
		column := empty + kind(answer)
		switch {
		case answer == want:
			column = right
		case kind(answer) == kind(want):
			column = other
		}
		counts[kind(want)][column]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %7s %8s %12s %6s %8s %12s\n", "", "cells", "right", "other digit", "empty", "printed", "handwritten")
	for k, name := range []string{"empty", "printed", "handwritten"} {
		n := 0
		for _, c := range counts[k] {
			n += c
		}
		c := counts[k]
		fmt.Fprintf(&b, "%-12s %7d %7.2f%% %12d %6d %8d %12d\n", name, n, 100*float64(c[right])/float64(max(1, n)), c[other], c[empty], c[printed], c[byHand])
	}
	return b.String()
}
