package game

import (
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
)

// The inputs that select cells.

// A step beyond the edge comes out at the opposite one. Longer ways end at the edge.
func (in Move) do(s drive.Session, g *Game) error {
	return Select{moved(g.row, in.Rows), moved(g.col, in.Cols)}.do(s, g)
}

func moved(from, by int) int {
	if by == 1 || by == -1 {
		return (from + by + 9) % 9
	}
	return min(max(from+by, 0), 8)
}

func (in Select) do(_ drive.Session, g *Game) error {
	g.row, g.col, g.marked = in.Row, in.Col, [9][9]bool{}
	return nil
}

func (in Extend) do(s drive.Session, g *Game) error {
	return Drag{moved(g.row, in.Rows), moved(g.col, in.Cols)}.do(s, g)
}

func (in Drag) do(_ drive.Session, g *Game) error {
	g.marked[g.row][g.col], g.marked[in.Row][in.Col] = true, true
	g.row, g.col = in.Row, in.Col
	return nil
}

func (Unselect) do(_ drive.Session, g *Game) error {
	g.marked = [9][9]bool{}
	return nil
}

func (in SetPen) do(_ drive.Session, g *Game) error {
	g.pen = Pen(in)
	return nil
}

func (in SetFilter) do(_ drive.Session, g *Game) error {
	g.filter = int(in)
	return nil
}

func (in Switch) do(_ drive.Session, g *Game) error {
	g.show ^= Show(in)
	return nil
}

func (Unknown) do(_ drive.Session, g *Game) error {
	g.message.Code = UnknownInput
	return nil
}

// several reports whether inputs change more than the selected cell.
func (g *Game) several() bool { return g.marked != [9][9]bool{} }

// markedCells returns the cells that inputs change, row by row.
func (g *Game) markedCells() (cells []cellData) {
	for row, col := range sudoku.Cells {
		if g.marked[row][col] || row == g.row && col == g.col {
			cells = append(cells, cellData{row, col})
		}
	}
	return cells
}
