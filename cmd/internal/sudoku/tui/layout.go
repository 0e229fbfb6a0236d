package tui

import (
	"github.com/gdamore/tcell/v2"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/theme"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
)

// The smallest screen on which the game can be played.
const minWidth, minHeight = 30, 16

// A rect is a part of the screen, in its columns and rows.
type rect struct{ x, y, w, h int }

func (r rect) contains(x, y int) bool {
	return r.x <= x && x < r.x+r.w && r.y <= y && y < r.y+r.h
}

// A cellSize is the size of the cells of a board, and where it has lines.
type cellSize struct {
	w, h               int
	colLines, rowLines bool // between all columns or rows, not only between boxes
	pad                int  // columns before and after the cells of a box
}

// cellSizes are the sizes that are tried, the largest first. Notes take 5x2 at least, and
// large digits 7x3.
var cellSizes = []cellSize{
	{11, 5, true, true, 0},
	{11, 5, true, false, 0},
	{7, 3, true, true, 0},
	{5, 2, true, false, 0},
	{3, 1, true, true, 0},
	{3, 1, false, false, 0},
	{2, 1, false, false, 1},
}

// lines returns the number of lines before row or column i, without the first line.
func lines(all bool, i int) int {
	if all {
		return i
	}
	return i / 3
}

func (c cellSize) boardWidth() int  { return 9*c.w + lines(c.colLines, 9) + 1 + 3*c.pad }
func (c cellSize) boardHeight() int { return 9*c.h + lines(c.rowLines, 9) + 1 }

// A layout is a scene on a screen of a certain size: what is where. It is the only
// computation of places, for drawing and for the mouse. Positions are columns and rows from 0.
type layout struct {
	*scene
	width, height int
	cellSize
	board  rect // with its lines
	side   rect // the panel, right of the board or below it; w is 0 if there is none
	hint   rect // a box over the board, with a hint that has no place elsewhere; w is 0 if there is none
	labels []label

	title, status, line int // rows; -1: it does not fit
	barTop, barBottom   int // first and last row of the banner, around status
}

// A label is a text outside the board.
type label struct {
	x, y  int
	text  string
	style tcell.Style
	spot  spot
}

// A spot is what is at a position of the screen.
type spot struct {
	part     part
	row, col int    // of a cell
	digit    int    // of a cell: the note that has its place there, 0: none; of onLeft: the digit
	button   string // the name of a button
}

// A part is a part of the screen that means something to the mouse.
type part uint8

const (
	onNothing    part = iota
	onCell            //
	onButton          // in the key line or the panel
	onPaused          // where the board of a paused game is hidden
	onPuzzle          // the name of the puzzle
	onTime            // the time played; and so on, what the panel says
	onValid           //
	onSolvable        //
	onStatistics      //
	onLeft            // the bar of a digit
	onMoves           // how many moves can be undone
	onFilter          //
	onPen             //
	onHint            //
	onSolver          //
	onGenerating      //
)

// The widths of a panel at the right side. Between it and the board is an empty column.
const minPanel, maxPanel = 20, 34

// newLayout lays out a scene. It chooses the largest cells that fit, with the panel if that
// fits too; the player or the theme may prefer a size. ok is false if the screen is too
// small.
func newLayout(width, height int, s *scene) (l *layout, ok bool) {
	if width < minWidth || height < minHeight {
		return nil, false
	}
	preferred := cellSize{s.styles.Theme.Width, s.styles.Theme.Height, true, true, 0}
	if w, h, ok := theme.ParseSize(s.cells); ok {
		preferred.w, preferred.h = w, h
	}
	if preferred.w > 0 {
		l, ok = preferred.fit(width, height, s)
	}
	for _, c := range cellSizes {
		if ok {
			break
		}
		if preferred.w > 0 && (c.w > preferred.w || c.h > preferred.h) {
			continue
		}
		l, ok = c.fit(width, height, s)
		ok = ok && (c.h <= 3 || !s.panel || l.side.w > 0) // the panel is worth more than very large cells
	}
	if ok {
		l.layTitle()
		l.layStatus()
		l.layKeys()
		l.layPanel()
		l.layHint()
	}
	return l, ok
}

// fit lays out the screen with cells of that size, if they fit.
func (c cellSize) fit(width, height int, s *scene) (l *layout, ok bool) {
	l = &layout{scene: s, width: width, height: height, cellSize: c, title: -1, line: height - 1}
	l.board.w, l.board.h = c.boardWidth(), c.boardHeight()
	spare := height - l.board.h - 2
	if l.board.w > width || spare < 0 {
		return nil, false
	}
	used := l.board.w
	if room := width - l.board.w - 1; s.panel && room >= minPanel {
		l.side.w = min(room, maxPanel)
		used += 1 + l.side.w
	}
	l.board.x = (width - used) / 2
	// Spare rows go to the title, then between the parts, and then above and below them,
	// or to a panel below the board.
	gap := func(want int) int {
		n := min(want, spare)
		spare -= n
		return n
	}
	title := 0
	if l.side.w == 0 {
		title = gap(1)
	}
	below := 0
	if s.panel && l.side.w == 0 && spare >= 2 {
		below = gap(8)
	}
	underBoard := gap(1)
	underStatus := gap(1)
	underTitle := gap(title)
	top := spare / 2
	if title > 0 {
		l.title = top
		top += 1 + underTitle
	}
	l.board.y = top
	bottom := top + l.board.h
	switch {
	case below > 0:
		l.side = rect{max(l.board.x-(maxPanel-l.board.w)/2, 0), bottom, 0, below}
		l.side.x = min(l.side.x, l.board.x)
		l.side.w = width - 2*l.side.x
		bottom += below
	case l.side.w > 0:
		l.side.x, l.side.y, l.side.h = l.board.x+l.board.w+1, top, l.board.h
	}
	l.status = bottom + underBoard
	l.barTop, l.barBottom = l.status-underBoard, l.status+underStatus
	if l.barTop == l.status || l.barBottom == l.status {
		l.barTop, l.barBottom = l.status, l.status
	}
	return l, true
}

// x and y return the first position of a column or row of cells.
func (l *layout) x(col int) int {
	return l.board.x + 1 + col*l.w + lines(l.colLines, col) + l.pad*(col/3+1)
}
func (l *layout) y(row int) int { return l.board.y + 1 + row*l.h + lines(l.rowLines, row) }

// cell returns the place of a cell.
func (l *layout) cell(row, col int) rect { return rect{l.x(col), l.y(row), l.w, l.h} }

// digit returns the place of a digit of one character.
func (l *layout) digit(row, col int) (x, y int) {
	return l.x(col) + (l.w-1)/2, l.y(row) + (l.h-1)/2
}

// brackets returns the places of the marks on both sides of the selected cell.
func (l *layout) brackets(row, col int) (left, right, y int) {
	x, y := l.digit(row, col)
	switch {
	case l.h == 2: // notes fill the cell
		return l.x(col) - 1, l.x(col) + l.w, y
	case l.h == 1:
		return x - 1, x + 1, y
	}
	return l.x(col), l.x(col) + l.w - 1, y
}

// hasNotes reports whether cells have places for notes.
func (l *layout) hasNotes() bool { return l.w >= 5 && l.h >= 2 }

// notePlace returns the place of a note within a cell. Where there are three rows, those of the
// notes are like the digits of a telephone; where there are two, 1 to 5 are above 6 to 9.
func (l *layout) notePlace(digit int) (dx, dy int) {
	i := digit - 1
	if l.h == 2 {
		return i%5 + (l.w-5)/2, i / 5
	}
	return (2*(i%3) + 1) * l.w / 6, (2*(i/3) + 1) * l.h / 6
}

// cellAt returns the cell at a position, and the note that has its place there; 0 if none has.
func (l *layout) cellAt(x, y int) (row, col, note int, ok bool) {
	for row, col := range sudoku.Cells {
		if !l.cell(row, col).contains(x, y) {
			continue
		}
		dx, dy := x-l.x(col), y-l.y(row)
		switch {
		case !l.hasNotes():
		case l.h == 2:
			if i := dx - (l.w-5)/2; 0 <= i && i < 5 && 5*dy+i < 9 {
				note = 5*dy + i + 1
			}
		default:
			note = dy*3/l.h*3 + dx*3/l.w + 1
		}
		return row, col, note, true
	}
	return 0, 0, 0, false
}

// hasLine reports whether a line precedes row or column i, or follows the last one for i = 9.
func hasLine(all bool, i int) bool { return all || i%3 == 0 }

// at returns what is at a position.
func (l *layout) at(x, y int) spot {
	for _, label := range l.labels {
		if label.y == y && label.x <= x && x < label.x+widget.Width(label.text) {
			return label.spot
		}
	}
	switch row, col, note, ok := l.cellAt(x, y); {
	case l.hint.contains(x, y):
		return spot{part: onHint}
	case l.view.State == game.Paused && l.board.contains(x, y):
		return spot{part: onPaused}
	case ok && l.view.State != game.Paused:
		return spot{part: onCell, row: row, col: col, digit: note}
	}
	return spot{}
}
