// Package reading reads the Sudokus in pictures for the page. It is a program by itself there,
// command sudoku-photo-web, which is loaded when the player has a picture.
package reading

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A Result is what was read of a picture, as the page passes it to the game.
type Result struct {
	Sudokus []Sudoku `json:"sudokus"`         // from the top left
	Error   string   `json:"error,omitempty"` // why there are none, unless NoGrid says it
	NoGrid  bool     `json:"noGrid,omitempty"`
}

// A Drawn is a digit that was drawn, or 0 if it is not clear which.
type Drawn struct {
	Digit int `json:"digit"`
}

// sure is how likely a drawn digit must be.
const sure = 0.6

// ReadDrawn reads the digit that strokes of a pen are, given as JSON: an array of strokes, each an array
// of points [x, y].
func ReadDrawn(text []byte) Drawn {
	var strokes [][][2]float64
	if err := json.Unmarshal(text, &strokes); err != nil {
		return Drawn{}
	}
	drawn := make([][]photo.Point, len(strokes))
	for i, stroke := range strokes {
		for _, p := range stroke {
			drawn[i] = append(drawn[i], photo.Point{X: p[0], Y: p[1]})
		}
	}
	if digit, probability := photo.NewReader().ReadStrokes(drawn); probability >= sure {
		return Drawn{digit}
	}
	return Drawn{}
}

// A Sudoku is one of a picture, as package action has it.
type Sudoku struct {
	Digits  [9][9]int     `json:"digits"`
	Doubt   [9][9]bool    `json:"doubt"`
	Written [9][9]bool    `json:"written"`
	Guesses [9][9][]Guess `json:"guesses"`
	Picture []byte        `json:"picture"` // a PNG of the cells, each a ninth as wide and high
}

// A Guess is a digit that a cell may have; 0 is none.
type Guess struct {
	Digit   int `json:"digit"`
	Percent int `json:"percent"`
}

// Read reads the Sudoku in the file of a picture, or all if it is not clear which is meant.
func Read(ctx context.Context, file []byte) Result {
	readings, err := photo.NewReader().ReadFile(ctx, bytes.NewReader(file))
	switch {
	case errors.Is(err, photo.ErrNoGrid):
		return Result{NoGrid: true}
	case err != nil:
		return Result{Error: err.Error()}
	}
	var result Result
	for _, r := range readings {
		one := Sudoku{Digits: r.Board(), Doubt: r.Doubt, Picture: sheet(&r.Cells)}
		for i := range 81 {
			row, col := i/9, i%9
			one.Written[row][col] = r.Entries[row][col] > 0
			one.Guesses[row][col] = guesses(&r.Probability[row][col])
		}
		result.Sudokus = append(result.Sudokus, one)
	}
	return result
}

// guesses returns the digits that are not unlikely.
func guesses(probability *[10]float64) (all []Guess) {
	for digit, p := range probability {
		if percent := int(100*p + 0.5); percent > 0 {
			all = append(all, Guess{digit, percent})
		}
	}
	slices.SortStableFunc(all, func(a, b Guess) int { return b.Percent - a.Percent })
	return all[:min(len(all), 4)]
}

// sheet returns the pictures of cells in one.
func sheet(cells *[9][9]*image.Gray) []byte {
	size := cells[0][0].Rect.Size()
	all := image.NewGray(image.Rect(0, 0, 9*size.X, 9*size.Y))
	for i := range 81 {
		at := image.Pt(i%9*size.X, i/9*size.Y)
		draw.Draw(all, image.Rectangle{at, at.Add(size)}, cells[i/9][i%9], image.Point{}, draw.Src)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, all); err != nil {
		return nil // never: it is neither empty nor too large
	}
	return file.Bytes()
}
