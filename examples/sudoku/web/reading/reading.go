// Package reading reads the Sudokus in pictures for the page. It is a program by itself there,
// command sudoku-photo-web, which is loaded when the player has a picture.
package reading

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// A Result is what was read of a picture, as the page passes it to the game.
type Result struct {
	Sudokus []Sudoku `json:"sudokus"`         // from the top left
	Error   string   `json:"error,omitempty"` // why there are none, unless NoGrid says it
	NoGrid  bool     `json:"noGrid,omitempty"`
}

// A Sudoku is one of a picture. Each text has 81 characters, a dot for a cell without a digit.
type Sudoku struct {
	Givens  string `json:"givens"`  // the printed digits
	Entries string `json:"entries"` // the handwritten ones
	Doubt   string `json:"doubt"`   // a question mark for a cell that may be wrong
}

// Read reads the Sudoku in the file of a picture, or all if it is not clear which is meant.
func Read(ctx context.Context, file []byte) Result {
	readings, err := read(ctx, file)
	switch {
	case errors.Is(err, photo.ErrNoGrid):
		return Result{NoGrid: true}
	case err != nil:
		return Result{Error: err.Error()}
	}
	slices.SortStableFunc(readings, func(a, b *photo.Reading) int {
		return cmp.Compare(a.Corners[0].X+a.Corners[0].Y, b.Corners[0].X+b.Corners[0].Y)
	})
	var result Result
	for _, r := range readings {
		doubt := bytes.Repeat([]byte("."), 81)
		for i := range 81 {
			if r.Doubt[i/9][i%9] {
				doubt[i] = '?'
			}
		}
		result.Sudokus = append(result.Sudokus, Sudoku{r.Grid.String(), r.Entries.String(), string(doubt)})
	}
	return result
}

func read(ctx context.Context, file []byte) ([]*photo.Reading, error) {
	img, err := photo.Decode(ctx, bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	reader := photo.NewReader()
	reading, err := reader.Read(ctx, img)
	var several *photo.SeveralError
	switch {
	case errors.As(err, &several):
		return reader.ReadAll(ctx, img)
	case err != nil:
		return nil, err
	}
	return []*photo.Reading{reading}, nil
}
