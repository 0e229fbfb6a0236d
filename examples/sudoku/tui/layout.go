package tui

// The smallest screen that fits the board, the status line and the key line.
const minWidth, minHeight = 9*3 + 4, 9 + 4 + 2

// A layout has the positions of everything on a screen of a certain size, in cells of
// the screen from 0.
type layout struct {
	width, height int
	cellW, cellH  int  // of a cell of the board, without lines
	inner         bool // there are lines between all cells, not only between boxes
	left, top     int  // upper left corner of the board

	title, status, keys int // rows; -1: it does not fit
	barTop, barBottom   int // first and last row of the banner, around status
}

// newLayout chooses the largest board that fits. ok is false if none does.
func newLayout(width, height int) (l layout, ok bool) {
	for _, size := range []struct {
		w, h  int
		inner bool
	}{{7, 3, true}, {3, 1, true}, {3, 1, false}} {
		l = layout{width: width, height: height, cellW: size.w, cellH: size.h, inner: size.inner}
		spare := height - l.boardHeight() - 2
		if l.boardWidth() > width || spare < 0 {
			continue
		}
		// Spare rows go to the title, then between the parts, and then above and
		// below them.
		gap := func(want int) int {
			n := min(want, spare)
			spare -= n
			return n
		}
		title := gap(1)
		underBoard := gap(1)
		underStatus := gap(1)
		underTitle := gap(title)
		l.title = spare/2 - 1 + title
		l.top = l.title + 1 + underTitle
		l.left = (width - l.boardWidth()) / 2
		l.status = l.top + l.boardHeight() + underBoard
		l.barTop, l.barBottom = l.status-underBoard, l.status+underStatus
		if l.barTop == l.status || l.barBottom == l.status {
			l.barTop, l.barBottom = l.status, l.status
		}
		l.keys = height - 1
		if title == 0 {
			l.title = -1
		}
		return l, true
	}
	return layout{}, false
}

func (l layout) boardWidth() int  { return 9*l.cellW + l.lines(9) + 1 }
func (l layout) boardHeight() int { return 9*l.cellH + l.lines(9) + 1 }

// lines returns the number of lines before row or column i, without the first line.
func (l layout) lines(i int) int {
	if l.inner {
		return i
	}
	return i / 3
}

// hasLine reports whether a line precedes row or column i, or follows the last one for i = 9.
func (l layout) hasLine(i int) bool { return l.inner || i%3 == 0 }

// x and y return the first position of a column or row of cells.
func (l layout) x(col int) int { return l.left + 1 + col*l.cellW + l.lines(col) }
func (l layout) y(row int) int { return l.top + 1 + row*l.cellH + l.lines(row) }

// cellAt returns the cell of the board at a position.
func (l layout) cellAt(x, y int) (row, col int, ok bool) {
	for row := range 9 {
		for col := range 9 {
			if dx, dy := x-l.x(col), y-l.y(row); 0 <= dx && dx < l.cellW && 0 <= dy && dy < l.cellH {
				return row, col, true
			}
		}
	}
	return 0, 0, false
}
