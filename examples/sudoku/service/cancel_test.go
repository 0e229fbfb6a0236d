package service

import (
	"context"
	"errors"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A service whose state is exited ends soon, even in the middle of a long search.
func TestCancelledServiceEnds(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	puzzle := sudoku.Puzzles()[20].Grid
	if _, err := makePuzzle(ctx, new(scxml.Invocation), generateParams{Level: 5}); err != enough {
		t.Errorf("generate: got %v", err)
	}
	if _, err := hint(ctx, nil, hintParams{InitState: puzzle, CurrentState: puzzle}); err != enough {
		t.Errorf("hint: got %v", err)
	}
	for _, m := range Methods() {
		if _, err := solve(ctx, nil, solveParams{InitState: puzzle, Method: m.Name}); err != enough {
			t.Errorf("%s: got %v", m.Name, err)
		}
	}
}
