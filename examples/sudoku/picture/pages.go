package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// A Paper is a size of pages, in points of 1/72 inch.
type Paper struct{ Width, Height float64 }

// Sizes of paper.
var (
	A4     = Paper{595.28, 841.89}
	Letter = Paper{612, 792}
)

// PerPage returns the possible numbers of puzzles on a page.
func PerPage() []int { return []int{1, 2, 4, 6} }

// MaxPuzzles is the maximum number of puzzles in a document.
const MaxPuzzles = 10_000

// Options describe pages. The zero value is one puzzle on a page, A4, without
// solutions.
type Options struct {
	PerPage   int   // one of PerPage(); 0 is 1
	Paper     Paper // the zero Paper is A4
	Solutions bool  // whether pages with the solutions follow
}

// Pages writes puzzles on the pages of a PDF. It writes each page as soon as it is
// full; Close ends the document.
type Pages struct {
	options   Options
	doc       *pdf
	board     board
	page      *pdfPage // nil if the next puzzle begins a page
	onPage    int
	puzzles   int
	solutions []solution
}

// A solution is the solution of a puzzle on the last pages.
type solution struct {
	game   format.Game
	remark string // replaces the board if not ""
}

// Sizes on pages, in points.
const (
	margin         = 48.0
	footer         = 24.0 // above the bottom margin
	gap            = 26.0 // between puzzles
	headline       = 20.0 // above a puzzle
	headlineSize   = 11.0
	solutionColumn = 4
	solutionRows   = 5
	solutionLine   = 14.0 // above a solution
	largestBoard   = 440.0
)

// NewPages begins a document. The error says which option is wrong.
func NewPages(w io.Writer, o Options) (*Pages, error) {
	if o.PerPage == 0 {
		o.PerPage = 1
	}
	if o.Paper == (Paper{}) {
		o.Paper = A4
	}
	if !slices.Contains(PerPage(), o.PerPage) {
		return nil, fmt.Errorf("picture: cannot put %d puzzles on a page: want one of %v", o.PerPage, PerPage())
	}
	if o.Paper.Width < 300 || o.Paper.Height < 300 {
		return nil, fmt.Errorf("picture: paper of %v by %v points is too small: want at least 300 by 300", o.Paper.Width, o.Paper.Height)
	}
	regular, bold := faces()
	p := &Pages{options: o, board: board{regular: regular, bold: bold}}
	p.doc = newPDF(w, o.Paper, regular, bold)
	return p, nil
}

// Add adds a puzzle with its number, name, level and rating. The solution is used only if
// the options ask for solutions; if it is nil, the remark replaces it.
func (p *Pages) Add(g *format.Game, grid *sudoku.Grid, remark string) error {
	if p.puzzles == MaxPuzzles {
		return fmt.Errorf("picture: cannot put more than %d puzzles into a document", MaxPuzzles)
	}
	p.puzzles++
	if p.options.Solutions {
		s := solution{format.Game{Givens: g.Givens}, remark}
		if grid != nil {
			s.game.Progress, s.remark = &format.Progress{Board: *grid}, ""
		}
		p.solutions = append(p.solutions, s)
	}
	columns, rows := 1, p.options.PerPage
	if rows > 2 {
		columns, rows = 2, rows/2
	}
	width := (p.options.Paper.Width - 2*margin - float64(columns-1)*gap) / float64(columns)
	height := (p.options.Paper.Height - 2*margin - footer - float64(rows-1)*gap) / float64(rows)
	size := min(width, height-headline, largestBoard)
	p.begin()
	col, row := p.onPage%columns, p.onPage/columns
	x := margin + float64(col)*(width+gap) + (width-size)/2
	y := margin + float64(row)*(height+gap) + (height-size-headline)/3
	p.headline(x, y, size, g)
	p.board.draw(x, y+headline, size/boardSize, g)
	if p.onPage++; p.onPage == p.options.PerPage {
		p.end()
	}
	return p.doc.err
}

// headline writes the number and the name of a puzzle, and its level at the right.
func (p *Pages) headline(x, y, size float64, g *format.Game) {
	text := fmt.Sprint(p.puzzles)
	if g.Name != "" {
		text += "  " + g.Name
	}
	base := y + headline - 7
	level := p.board.regular.fit(strings.TrimSpace(g.Info.Level+" "+g.Info.Rating), headlineSize, size/3)
	room := size
	if level != "" {
		width := p.board.regular.width(level) * headlineSize
		p.page.text(x+size-width, base, headlineSize, p.board.regular, level, caption)
		room -= width + 10
	}
	p.page.text(x, base, headlineSize, p.board.bold, p.board.bold.fit(text, headlineSize, room), ink)
}

// begin begins a page, with its number at the bottom, unless there is one.
func (p *Pages) begin() {
	if p.page != nil {
		return
	}
	p.page = &pdfPage{pdf: p.doc}
	p.board.canvas = p.page
	text := fmt.Sprint(len(p.doc.pages) + 1)
	width := p.board.regular.width(text) * 9
	p.page.text((p.options.Paper.Width-width)/2, p.options.Paper.Height-margin+4, 9, p.board.regular, text, caption)
}

// end writes the page.
func (p *Pages) end() {
	if p.page != nil {
		p.doc.page(p.page)
		p.page, p.onPage = nil, 0
	}
}

// Close writes the solutions and the end of the document.
func (p *Pages) Close() error {
	p.end()
	for i := range p.solutions {
		p.solution(i)
	}
	p.end()
	if len(p.doc.pages) == 0 {
		p.begin()
		p.end() // a document needs a page
	}
	return p.doc.close()
}

// solution draws the solution of a puzzle.
func (p *Pages) solution(i int) {
	const title = 34.0
	p.begin()
	if p.onPage == 0 {
		p.page.text(margin, margin+14, 16, p.board.bold, "Solutions", ink)
	}
	width := (p.options.Paper.Width - 2*margin - (solutionColumn-1)*gap/2) / solutionColumn
	height := (p.options.Paper.Height - 2*margin - footer - title - (solutionRows-1)*gap/2) / solutionRows
	size := min(width, height-solutionLine)
	col, row := p.onPage%solutionColumn, p.onPage/solutionColumn
	x := margin + float64(col)*(width+gap/2) + (width-size)/2
	y := margin + title + float64(row)*(height+gap/2)
	s := &p.solutions[i]
	label := fmt.Sprint(i + 1)
	p.page.text(x, y+solutionLine-5, 9, p.board.bold, label, ink)
	if s.remark != "" {
		p.page.text(x+p.board.bold.width(label+"  ")*9, y+solutionLine-5, 9, p.board.regular, p.board.regular.fit(s.remark, 9, size*0.8), caption)
	} else {
		p.board.draw(x, y+solutionLine, size/boardSize, &s.game)
	}
	if p.onPage++; p.onPage == solutionColumn*solutionRows {
		p.end()
	}
}
