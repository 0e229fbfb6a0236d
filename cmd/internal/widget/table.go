package widget

import "github.com/gdamore/tcell/v2"

// A Table has rows of texts of which one is selected with the arrow keys.
type Table struct {
	Cells    [][]string // rows that are as long
	Row, Col int
	Changed  func() // called after another cell was selected; may be nil

	top, left int // the first cell that is shown
}

// most is how wide a column may be.
const mostColumn = 12

func (t *Table) column() (width int) {
	for _, row := range t.Cells {
		for _, text := range row {
			width = max(width, Width(text))
		}
	}
	return min(max(width, 1), mostColumn) + 2
}

func (t *Table) size(int) (w, h, least int) {
	if len(t.Cells) == 0 {
		return 0, 0, 0
	}
	return t.column()*len(t.Cells[0]) + 1, len(t.Cells), min(len(t.Cells), 3)
}

func (t *Table) takesFocus() bool { return len(t.Cells) > 0 }

func (t *Table) draw(c canvas, focused bool) {
	w := t.column()
	columns := max(min((c.w-1)/w, len(t.Cells[0])), 1)
	t.top = max(min(t.top, t.Row, len(t.Cells)-c.h), t.Row-c.h+1, 0)
	t.left = max(min(t.left, t.Col), t.Col-columns+1, 0)
	for y := range min(c.h, len(t.Cells)-t.top) {
		for x := range columns {
			row, col := t.top+y, t.left+x
			style := c.look.Field
			if row == t.Row && col == t.Col {
				style = c.look.Button.Reverse(true)
				if focused {
					style = c.look.Selected
				}
			}
			cell := c.sub(rect{x * w, y, w - 1, 1})
			cell.fill(style)
			cell.print(0, 0, Cut(t.Cells[row][col], w-1, c.look.glyphs().cut), style)
			if row == t.Row && col == t.Col { // also without colours
				c.print(x*w+w-1, y, c.look.glyphs().less, c.look.Key)
			}
		}
	}
	c.scrolled(t.top > 0, t.top+c.h < len(t.Cells))
}

func (t *Table) choose(row, col int) {
	row, col = max(min(row, len(t.Cells)-1), 0), max(min(col, len(t.Cells[0])-1), 0)
	if row == t.Row && col == t.Col {
		return
	}
	if t.Row, t.Col = row, col; t.Changed != nil {
		t.Changed()
	}
}

func (t *Table) key(ev *tcell.EventKey) (outcome, bool) {
	row, col := t.Row, t.Col
	switch ev.Key() {
	case tcell.KeyUp:
		row--
	case tcell.KeyDown:
		row++
	case tcell.KeyLeft:
		col--
	case tcell.KeyRight:
		col++
	case tcell.KeyHome:
		col = 0
	case tcell.KeyEnd:
		col = len(t.Cells[0])
	default:
		return outcome{}, false
	}
	t.choose(row, col)
	return outcome{}, true
}

func (t *Table) mouse(x, y int, m Mouse) outcome {
	switch {
	case m.Wheel != 0:
		t.choose(t.Row+m.Wheel, t.Col)
	case m.Press:
		t.choose(t.top+y, t.left+x/t.column())
	}
	return outcome{}
}
