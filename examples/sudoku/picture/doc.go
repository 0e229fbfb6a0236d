// Package picture draws Sudokus as PNG and SVG pictures and on the pages of a PDF, and
// the steps of a solution as pictures and on a page of HTML.
//
//	err := picture.PNG(file, &game, 2, picture.Transparent) // one puzzle, twice the size
//	err = picture.SVG(file, &game)
//	err = picture.StepSVG(file, position, &step, picture.StepOptions{})
//	walk := picture.Walk{Title: "Monday", Start: position, Path: steps}
//	err = walk.Write(file)
//	pages := picture.NewPages(file, picture.Options{PerPage: 4, Solutions: true})
//	err = pages.Add(&game, &solution, "")         // for each puzzle
//	err = pages.Close()
//
// All show givens in bold, entered digits in blue, and pencil marks. The same
// input gives the same bytes.
//
// # Steps
//
// A picture of a step shows the position and what the step is about, in colours and in
// shapes, which also serve colour-blind people and print without colours:
//
//	circle                  a candidate of the pattern, or one that is right in a chain
//	square                  one that is wrong in a chain
//	rhomb                   a fin, or a digit that one of several cells has
//	two circles             placed
//	struck                  eliminated
//	line, dashes, dots      of the two at least one is right; at most one; see [human.Pattern]
//	frame, dashed frame     a house with the pattern, and one that it covers
//	hatches                 almost locked sets, and groups of colours
//
// # Implementation
//
// board.go draws a board on a canvas of rectangles and text. png.go, svg.go and
// pdf.go implement canvases, and pages.go arranges boards on pages. step.go draws a step
// with the marks that marks.go takes from it, and links.go its links; png.go and
// stepsvg.go implement its surfaces, and walk.go puts pictures on a page. Text uses
// outlines of the Go fonts, so that viewers do not need any fonts. A PDF has them
// as a font of type 3, so that text can be searched and copied. The Go fonts have
// Latin, Greek and Cyrillic letters; other characters become an empty box.
package picture
