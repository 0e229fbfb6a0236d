package picture_test

import (
	"bytes"
	"fmt"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// The puzzles of the game on paper, six on a page, with their solutions.
func ExampleNewPages() {
	var out bytes.Buffer
	pages, err := picture.NewPages(&out, picture.Options{PerPage: 6, Paper: picture.Letter, Solutions: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range sudoku.Puzzles() {
		solution := p.Grid.Solutions(1)[0]
		if err := pages.Add(&format.Game{Name: p.Name, Givens: p.Grid}, &solution, ""); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := pages.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s with %d pages\n", out.Bytes()[1:8], bytes.Count(out.Bytes(), []byte("/Type /Page ")))
	// Output: PDF-1.4 with 6 pages
}

// A picture of a puzzle, three times as large.
func ExamplePNG() {
	var out bytes.Buffer
	if err := picture.PNG(&out, &format.Game{Givens: sudoku.Puzzles()[0].Grid}, 3, picture.Transparent); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", out.Bytes()[1:4])
	// Output: PNG
}
