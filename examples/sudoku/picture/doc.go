// Package picture draws Sudokus as PNG and SVG pictures and on the pages of a PDF.
//
//	err := picture.PNG(file, &game, 2)            // one puzzle, transparent, twice the size
//	err = picture.SVG(file, &game)
//	pages := picture.NewPages(file, picture.Options{PerPage: 4, Solutions: true})
//	err = pages.Add(&game, &solution, "")         // for each puzzle
//	err = pages.Close()
//
// All three show givens in bold, entered digits in blue, and pencil marks. The same
// input gives the same bytes.
//
// # Implementation
//
// board.go draws a board on a canvas of rectangles and text. png.go, svg.go and
// pdf.go implement canvases, and pages.go arranges boards on pages. Text uses
// outlines of the Go fonts, so that viewers do not need any fonts. A PDF has them
// as a font of type 3, so that text can be searched and copied. The Go fonts have
// Latin, Greek and Cyrillic letters; other characters become an empty box.
package picture
