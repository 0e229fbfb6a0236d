package picture_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
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

// A picture of the next step, with the candidates that it is about.
func ExampleStepSVG() {
	position, err := human.New(&sudoku.Puzzles()[0].Grid)
	if err != nil {
		fmt.Println(err)
		return
	}
	var f human.Finder
	step, _ := f.Next(position, human.Order()...)
	var out bytes.Buffer
	if err := picture.StepSVG(&out, position, &step, picture.StepOptions{Few: true, Ground: picture.White}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Split(out.String(), "\n")[1])
	// Output: <title>Full House</title>
}

// A page that leads through the solution.
func ExampleWalk() {
	position, err := human.New(&sudoku.Puzzles()[0].Grid)
	if err != nil {
		fmt.Println(err)
		return
	}
	var f human.Finder
	path, _ := f.Solve(position, human.Order()...)
	walk := picture.Walk{Title: "My first Sudoku", Start: position, Path: path}
	var page strings.Builder
	if err := walk.Write(&page); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(path), "steps,", strings.Count(page.String(), "<article "), "pictures with that of the solution")
	// Output: 2 steps, 3 pictures with that of the solution
}
