package compare_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compare"
)

func TestRun(t *testing.T) {
	var grids []sudoku.Grid
	for _, p := range sudoku.Puzzles() {
		grids = append(grids, p.Grid)
	}
	table, err := compare.Run(t.Context(), grids, 1_000_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
}
