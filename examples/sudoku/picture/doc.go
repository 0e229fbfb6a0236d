// Package picture draws Sudokus: as PNG and SVG pictures, and on pages of a
// PDF to print.
//
//	err := picture.PNG(file, &game, 2)            // one puzzle, transparent, twice the size
//	err = picture.SVG(file, &game)
//	pages := picture.NewPages(file, picture.Options{PerPage: 4, Solutions: true})
//	err = pages.Add(&game, &solution, "")         // for each puzzle
//	err = pages.Close()
//
// All three show the same: what was given in bold, what was entered in blue, and
// the pencil marks. The same input gives the same bytes.
//
// # How it is made
//
// A board is drawn by board.go on a [canvas], which knows rectangles and text;
// png.go, svg.go and pdf.go are one each, and pages.go arranges boards on
// pages. The letters are those of the Go fonts, as outlines: no font has to
// be there where a picture is looked at. In a PDF they are a font of type 3,
// so that text can be searched and copied. The Go fonts have Latin, Greek and
// Cyrillic letters; in place of others there is an empty box.
package picture
