package picture

import (
	"fmt"
	"io"
	"slices"

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

// PerPage returns how many puzzles a page can have.
func PerPage() []int { return []int{1, 2, 4, 6} }

// MaxPuzzles is how many puzzles a document can have.
const MaxPuzzles = 10_000

// Options say how pages look. The zero value is a puzzle a page, on A4, without solutions.
type Options struct {
	PerPage   int   // one of PerPage(); 0 is 1
	Paper     Paper // the zero Paper is A4
	Solutions bool  // whether the solutions follow on pages of their own
}

// Pages puts puzzles on the pages of a PDF. Pages are written as soon as they
// are full; Close ends the document.
type Pages struct {
	options   Options
	doc       *pdf
	board     board
	page      *pdfPage // nil: the next puzzle begins one
	onPage    int
	puzzles   int
	solutions []solution
}

// A solution is what stands on the pages at the end.
type solution struct {
	givens, grid packed
	remark       string // instead of the grid
}

// packed is a grid that takes less memory.
type packed [81]uint8

func pack(g *sudoku.Grid) (p packed) {
	for i := range p {
		p[i] = uint8(g[i/9][i%9])
	}
	return p
}

func (p *packed) grid() (g sudoku.Grid) {
	for i, digit := range p {
		g[i/9][i%9] = int(digit)
	}
	return g
}

// The measures of pages, in points.
const (
	margin         = 48.0
	footer         = 24.0 // above the margin below
	gap            = 26.0 // between puzzles
	headline       = 20.0 // above a puzzle
	headlineSize   = 11.0
	solutionColumn = 4
	solutionRows   = 5
	solutionLine   = 14.0 // above a solution
	largestBoard   = 440.0
)

// NewPages begins a document, or says which option is wrong.
func NewPages(w io.Writer, o Options) (*Pages, error) {
	if o.PerPage == 0 {
		o.PerPage = 1
	}
	if o.Paper == (Paper{}) {
		o.Paper = A4
	}
	if !slices.Contains(PerPage(), o.PerPage) {
		return nil, fmt.Errorf("picture: %d puzzles a page: expected one of %v", o.PerPage, PerPage())
	}
	if o.Paper.Width < 300 || o.Paper.Height < 300 {
		return nil, fmt.Errorf("picture: the paper is too small: %v", o.Paper)
	}
	regular, bold := faces()
	p := &Pages{options: o, board: board{regular: regular, bold: bold}}
	p.doc = newPDF(w, o.Paper, regular, bold)
	return p, nil
}

// Add puts a puzzle on the paper, with its number, its name and its level. Its
// solution is wanted only if the options ask for it; without one, the remark
// takes its place.
func (p *Pages) Add(g *format.Game, grid *sudoku.Grid, remark string) error {
	if p.puzzles == MaxPuzzles {
		return fmt.Errorf("picture: there are more than %d puzzles", MaxPuzzles)
	}
	p.puzzles++
	if p.options.Solutions {
		s := solution{givens: pack(&g.Givens), remark: remark}
		if grid != nil {
			s.grid = pack(grid)
			s.remark = ""
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

// headline writes the number and the name of a puzzle, and its level to the right.
func (p *Pages) headline(x, y, size float64, g *format.Game) {
	text := fmt.Sprint(p.puzzles)
	if g.Name != "" {
		text += "  " + g.Name
	}
	base := y + headline - 7
	level := p.board.regular.fit(g.Info.Level, headlineSize, size/3)
	room := size
	if level != "" {
		width := p.board.regular.width(level) * headlineSize
		p.page.text(x+size-width, base, headlineSize, p.board.regular, level, caption)
		room -= width + 10
	}
	p.page.text(x, base, headlineSize, p.board.bold, p.board.bold.fit(text, headlineSize, room), ink)
}

// begin begins a page if need be, with its number at its foot.
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
		p.end() // a document has a page
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
		g := format.Game{Givens: s.givens.grid(), Progress: &format.Progress{Board: s.grid.grid()}}
		p.board.draw(x, y+solutionLine, size/boardSize, &g)
	}
	if p.onPage++; p.onPage == solutionColumn*solutionRows {
		p.end()
	}
}
