package csp_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/csp"
)

func ExampleProblem_MinConflicts() {
	columns, err := queens(100).MinConflicts(context.Background(), rand.New(rand.NewPCG(1, 1)), 1000)
	attacked := false
	for row, column := range columns {
		for other, c := range columns {
			attacked = attacked || row != other && (column == c || column-c == row-other || column-c == other-row)
		}
	}
	fmt.Println(len(columns), "queens, one attacks another:", attacked, err)
	// Output: 100 queens, one attacks another: false <nil>
}

func TestMinConflicts(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for n := 4; n <= 30; n++ {
		columns, err := queens(n).MinConflicts(t.Context(), random, 100_000)
		if len(columns) != n || err != nil {
			t.Fatalf("%d queens: %v, %v", n, columns, err)
		}
		for row, column := range columns {
			for other, c := range columns {
				if row != other && (column == c || column-c == row-other || column-c == other-row) {
					t.Fatalf("%d queens: those of rows %d and %d attack each other", n, row, other)
				}
			}
		}
	}
	if columns, err := queens(3).MinConflicts(t.Context(), random, 1000); columns != nil || err != nil {
		t.Errorf("three queens: %v, %v", columns, err)
	}
	var empty, wrong csp.Problem[int, int]
	empty.Variable(1)
	if solution, err := empty.MinConflicts(t.Context(), random, 1000); solution != nil || err != nil {
		t.Errorf("a variable without values: %v, %v", solution, err)
	}
	wrong.Constrain(1, 2, csp.Different[int])
	if _, err := wrong.MinConflicts(t.Context(), random, 1000); err == nil {
		t.Error("no error for a constraint of unknown variables")
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if solution, err := queens(3).MinConflicts(ctx, random, 1000); solution != nil || err != cause {
		t.Errorf("cancelled: %v, %v", solution, err)
	}
}
