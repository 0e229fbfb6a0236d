// Package photo reads a Sudoku from a photo of a newspaper or from a screenshot.
//
//	img, err := photo.Decode(ctx, file)
//	reading, err := photo.NewReader().Read(ctx, img)
//	// reading.Grid has the givens; reading.Doubt says which cells to compare with the picture
//
// It is plain Go: no cgo, no other program and no network connection, and it runs in a page as well.
//
// # How it works
//
// Each stage has a file; its output is a plain value that the next one reads. The stages up to the
// cells are in package internal/grid, the network in internal/digit.
//
//	decode.go    a file → an image, within limits, turned as its EXIF data demand (exif.go)
//	plane.go     an image → a gray picture of at most 1200 pixels a side
//	find.go      a gray picture → the grids in it: tries the areas that are dark at several thresholds
//	areas.go     a threshold → the corners of connected areas that are as big as a grid
//	votes.go     dark pixels → the corners of what may be grids, if no area is one
//	warp.go      four corners → a map from the grid to the picture: a homography and a polynomial
//	refine.go    such a map → one that agrees with the lines of the grid, however the page curls
//	board.go     such a map → the board as it is seen from above, without shadows
//	cells.go     the board → 81 small pictures, as bright and as dark as each other
//	classify.go  a small picture → how likely each digit is (network.go); and how the page lies
//	hands.go     those of a page with handwriting → which digits are made like the printed ones
//	             of the page: their height, ink and strokes
//	decide.go    probabilities → a reading: the likeliest grid with exactly one solution (repair.go)
//
// [Reader.ReadStrokes], in stroke.go, reads a digit that a pen has drawn on a screen.
//
// [Reader.Stages] returns what the stages see as pictures. In the module lab, train makes the weights of the
// network, and measure counts errors; MODELCARD.md says what the weights were trained on.
package photo
