package history

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Values that differ have other digests: in an item, in the order, in the shape and in the kind.
func TestDigestOfValues(t *testing.T) {
	of := func(items ...datamodel.Value) datamodel.Value { return items }
	all := []datamodel.Value{
		nil, int64(0), int64(1), 0.5, "", "0", "1", true, false, datamodel.NewObject(), datamodel.NewObject("a", of()),
		of(), of(nil), of(int64(0)), of(int64(1)), of("1"), of(of()), of(of(int64(1))), of(int64(0), int64(0)),
		of(int64(1), int64(2)), of(int64(2), int64(1)), of(int64(1), of(int64(2))), of(of(int64(1)), int64(2)),
		of(of(int64(1), int64(2))), of(of(int64(1)), of(int64(2))), of(of(int64(2)), of(int64(1))), of(of(int64(1), int64(2)), of()),
	}
	seen := map[digest]datamodel.Value{}
	note := func(v datamodel.Value) {
		d := digest(1).value(v)
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", datamodel.AppendJSON(nil, v), datamodel.AppendJSON(nil, other))
		}
		seen[d] = v
	}
	for _, v := range all {
		note(v)
	}
	// Each board that differs from a full one in two cells.
	for a := range 81 {
		for b := range a {
			for change := range 64 {
				board := make([]datamodel.Value, 9)
				for row := range board {
					cells := make([]datamodel.Value, 9)
					for col := range cells {
						cells[col] = int64(1 + (3*row+row/3+col)%9)
					}
					board[row] = cells
				}
				for cell, by := range map[int]int{a: 1 + change/8, b: 1 + change%8} {
					row := board[cell/9].([]datamodel.Value)
					row[cell%9] = (row[cell%9].(int64)-1+int64(by))%9 + 1
				}
				note(board)
			}
		}
	}
}
