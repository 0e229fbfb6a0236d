package format

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// A Writer writes games. Its output is buffered until Close or Flush.
type Writer struct {
	out    *bufio.Writer
	format Format
	xml    openSudokuWriter
	games  int
	text   strings.Builder // of one game
}

// NewWriter returns a Writer for a format, which must be one of [Formats].
func NewWriter(w io.Writer, f Format) *Writer {
	if !f.Valid() {
		panic(fmt.Sprintf("format: %q is not a format", f))
	}
	return &Writer{out: bufio.NewWriter(w), format: f}
}

// Write writes a game without the parts that the format does not keep, see the
// package documentation.
func (w *Writer) Write(g *Game) error {
	w.text.Reset()
	out := &w.text
	grids := w.games > 0 // formats with several lines separate games by an empty line
	w.games++
	switch w.format {
	case Line:
		out.WriteString(g.Givens.String())
		if g.Name != "" {
			out.WriteString(" # " + g.Name)
		}
		out.WriteByte('\n')
	case SDM:
		out.WriteString(zeros(g.Givens) + "\n")
	case HoDoKu:
		writeLibrary(out, g)
	case FPuzzles:
		out.WriteString("https://www.f-puzzles.com/?load=" + packedPuzzle(g) + "\n")
	case SudokuPad:
		out.WriteString("https://sudokupad.app/fpuzzles" + url.QueryEscape(packedPuzzle(g)) + "\n")
	case GNOME:
		writeGnome(out, g)
	case OpenSudoku:
		w.xml.write(out, g)
	case Saved:
		if err := writeSaved(out, g); err != nil {
			return err
		}
	default:
		if grids {
			out.WriteByte('\n')
		}
		writeGrid(out, w.format, g)
	}
	_, err := w.out.WriteString(out.String())
	return err
}

// Flush writes the buffer.
func (w *Writer) Flush() error { return w.out.Flush() }

// Close ends the file and writes the buffer. It does not close the underlying
// writer. A file without games is empty.
func (w *Writer) Close() error {
	w.text.Reset()
	w.xml.close(&w.text)
	w.out.WriteString(w.text.String()) // Flush returns the error
	return w.out.Flush()
}

func zeros(g sudoku.Grid) string { return strings.ReplaceAll(g.String(), ".", "0") }

// writeLibrary writes a library line of HoDoKu.
func writeLibrary(out *strings.Builder, g *Game) {
	board, notes := g.Board(), g.Notes()
	out.WriteString(":0000:x:")
	for row, col := range sudoku.Cells {
		switch digit := board[row][col]; {
		case digit == 0:
			out.WriteByte('.')
		case g.Givens[row][col] == 0:
			out.WriteByte('+')
			fallthrough
		default:
			out.WriteByte('0' + byte(digit))
		}
	}
	out.WriteByte(':')
	if notes != (Notes{}) {
		possible := candidates(&board)
		separator := ""
		for row, col := range sudoku.Cells {
			for _, digit := range digits(possible[row][col] &^ notes[row][col]) {
				fmt.Fprintf(out, "%s%c%d%d", separator, digit, row+1, col+1)
				separator = " "
			}
		}
	}
	out.WriteString("::")
	out.WriteString(strings.Trim(g.Name, ": "))
	if g.Name != "" {
		out.WriteByte(':')
	}
	out.WriteByte('\n')
}

// writeGrid writes a game in a format with 9 lines of 9 cells.
func writeGrid(out *strings.Builder, f Format, g *Game) {
	board, notes := g.Board(), g.Notes()
	switch f {
	case CSV:
		for _, row := range g.Givens {
			out.WriteString(strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]") + "\n")
		}
	case SDK:
		for _, f := range g.textFields() {
			if *f.text != "" {
				out.WriteString("#" + string(f.letter) + *f.text + "\n")
			}
		}
		out.WriteString("[Puzzle]\n" + plainRows(&g.Givens))
		if board != g.Givens {
			out.WriteString("[State]\n" + plainRows(&board))
		}
		if notes != (Notes{}) {
			out.WriteString("[PencilMarks]\n" + strings.Join(noteRows(&notes), "\n") + "\n")
		}
	case SS:
		writeFramed(out, &g.Givens)
		if board != g.Givens || notes != (Notes{}) {
			writeFramed(out, &board)
		}
		if notes != (Notes{}) {
			writeCandidates(out, &board, &notes, nil)
		}
	case Candidates:
		if notes == (Notes{}) {
			notes = candidates(&board)
		}
		writeCandidates(out, &board, &notes, &g.Givens)
	case Text:
		out.WriteString(Rows(&board))
	}
}

// plainRows writes 9 lines of 9 characters.
func plainRows(g *sudoku.Grid) string {
	var out strings.Builder
	text := g.String()
	for row := range 9 {
		out.WriteString(text[9*row:9*row+9] + "\n")
	}
	return out.String()
}

// Rows returns a grid as 11 lines for people.
func Rows(g *sudoku.Grid) string {
	var out strings.Builder
	for row, cells := range strings.SplitAfter(plainRows(g), "\n")[:9] {
		if row%3 == 0 && row > 0 {
			out.WriteString("------+-------+------\n")
		}
		for col, cell := range cells[:9] {
			switch {
			case col == 0:
			case col%3 == 0:
				out.WriteString(" | ")
			default:
				out.WriteByte(' ')
			}
			out.WriteRune(cell)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// writeFramed writes a grid as Simple Sudoku does.
func writeFramed(out *strings.Builder, g *sudoku.Grid) {
	text := g.String()
	out.WriteString(" *-----------*\n")
	for row := range 9 {
		if row%3 == 0 && row > 0 {
			out.WriteString(" |---+---+---|\n")
		}
		cells := text[9*row:]
		out.WriteString(" |" + cells[:3] + "|" + cells[3:6] + "|" + cells[6:9] + "|\n")
	}
	out.WriteString(" *-----------*\n")
}

// writeCandidates writes a grid with the digit or the candidates of each cell. If givens is not nil,
// entered digits and single candidates are marked, since these would be read back as givens.
func writeCandidates(out *strings.Builder, board *sudoku.Grid, notes *Notes, givens *sudoku.Grid) {
	var cells [9][9]string
	var widths [9]int
	for row, col := range sudoku.Cells {
		cell := digits(notes[row][col])
		switch digit := board[row][col]; {
		case digit != 0 && givens != nil && givens[row][col] == 0:
			cell = "u" + string(rune('0'+digit))
		case digit != 0:
			cell = string(rune('0' + digit))
		case cell == "":
			cell = "."
		case len(cell) == 1 && givens != nil:
			cell = "c" + cell
		}
		cells[row][col] = cell
		widths[col] = max(widths[col], len(cell))
	}
	var bands [3]string
	for col, width := range widths {
		bands[col/3] += strings.Repeat("-", width+2)
	}
	out.WriteString("*" + strings.Join(bands[:], "-") + "*\n")
	for row := range 9 {
		if row%3 == 0 && row > 0 {
			out.WriteString("|" + strings.Join(bands[:], "+") + "|\n")
		}
		for col, cell := range cells[row] {
			if col%3 == 0 {
				out.WriteByte('|')
			}
			out.WriteString(" " + cell + "         "[:widths[col]-len(cell)+1])
		}
		out.WriteString("|\n")
	}
	out.WriteString("*" + strings.Join(bands[:], "-") + "*\n")
}
