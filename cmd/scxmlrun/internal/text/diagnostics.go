package text

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/internal/widget"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Diagnostics writes a line for each problem of a document to out, which writes to
// file, and on a terminal the line of the document where it is, with a caret. The
// document was read from the file called name; source is its text.
func Diagnostics(out *Writer, file *os.File, name string, source []byte, all []scxml.Diagnostic) {
	showLines, width := cli.IsTerminal(file), 80
	if w, _, err := term.GetSize(int(file.Fd())); showLines && err == nil && w >= 20 {
		width = w
	}
	texts := &sources{name: name, source: source}
	for _, d := range all {
		look := Yellow
		if d.Severity == scxml.SeverityError {
			look = Red
		}
		out.Print(out.Paint(Bold, d.Pos.String()) + ": " + out.Paint(look, d.Severity.String()) + ": " + cli.Visible(d.Message, cli.EscapeNewlines) + out.Paint(Dim, " ["+d.Code+"]") + "\n")
		if showLines {
			if line, ok := texts.line(d.Pos); ok {
				out.Print(excerpt(line, d.Pos.Col, width))
			}
		}
	}
}

// sources finds the lines that diagnostics of one chart talk about, in the
// document itself and in the files that it loads.
type sources struct {
	name   string // of the document
	source []byte
	file   string // of lines
	lines  []string
	last   int // the line that runes is, from 1
	runes  []rune
}

// line returns the line of a position, without its end. It remembers the last
// one: a document that is a single line may have thousands of problems.
func (s *sources) line(pos datamodel.Position) ([]rune, bool) {
	if s.lines == nil || s.file != pos.File {
		text, ok := s.read(pos.File)
		if !ok {
			return nil, false
		}
		s.file, s.lines, s.last = pos.File, strings.Split(text, "\n"), 0
	}
	if pos.Line < 1 || pos.Line > len(s.lines) {
		return nil, false
	}
	if s.last != pos.Line {
		s.last, s.runes = pos.Line, []rune(strings.TrimRight(s.lines[pos.Line-1], " \t\r"))
	}
	return s.runes, true
}

// read returns the text of a file. What is not UTF-8 is not shown: its
// columns are those of the text that it was converted to.
func (s *sources) read(name string) (string, bool) {
	text := s.source
	if name != filepath.ToSlash(s.name) {
		dir := filepath.Dir(s.name)
		inside, err := filepath.Rel(dir, filepath.FromSlash(name))
		if err != nil {
			return "", false
		}
		folder, err := file.OpenFolder(dir)
		if err != nil {
			return "", false
		}
		defer folder.Close()
		if text, err = fs.ReadFile(folder, filepath.ToSlash(inside)); err != nil {
			return "", false
		}
	}
	return strings.TrimPrefix(string(text), "\uFEFF"), utf8.Valid(text)
}

// A cell is a character as it is shown.
type cell struct {
	text  string
	width int // in columns of the terminal
}

// excerpt returns a line of a document, indented and cut to the width of the
// terminal, and below it a caret under the character of the given column.
func excerpt(line []rune, col, width int) string {
	const (
		margin   = "    "
		tab      = 4
		ellipsis = "…"
	)
	col = max(1, min(col, len(line)+1)) // also if a child behind the wall says that it is anywhere
	// What is further from the caret than the terminal is wide is not looked at.
	first := max(0, col-1-width)
	end := min(len(line), col+width)
	var cells []cell
	caret, at := -1, 0 // the cell of the caret; columns so far
	for n, r := range line[first:end] {
		if first+n == col-1 {
			caret = len(cells)
		}
		c := cell{string(r), widget.Width(string(r))}
		switch {
		case r == '\t':
			c.width = tab - at%tab
			c.text = strings.Repeat(" ", c.width)
		case cli.Hidden(r):
			c.text = cli.Visible(c.text, cli.EscapeNewlines)
			c.width = utf8.RuneCountInString(c.text)
		}
		at += c.width
		cells = append(cells, c)
	}
	if caret < 0 {
		caret = len(cells) // after the end
	}
	// What the line begins with says nothing.
	from := 0
	for first == 0 && from < min(caret, len(cells)) && strings.TrimSpace(cells[from].text) == "" {
		from++
	}
	space := width - len(margin) - 1
	columns := func(cells []cell) (n int) {
		for _, c := range cells {
			n += c.width
		}
		return n
	}
	before, after := "", ""
	if first > 0 {
		before = ellipsis
	}
	if columns(cells[from:min(caret+1, len(cells))]) > space {
		// Two thirds of the width are for the text before the caret.
		keep := caret
		for keep > from && columns(cells[keep-1:caret]) < space*2/3 {
			keep--
		}
		if keep > from {
			from, before = keep, ellipsis
		}
	}
	to := from
	for room := space - 2*len([]rune(ellipsis)); to < len(cells) && room >= cells[to].width; to++ {
		room -= cells[to].width
	}
	if to < len(cells) || end < len(line) {
		after = ellipsis
	}
	var b strings.Builder
	b.WriteString(margin + before)
	for _, c := range cells[from:to] {
		b.WriteString(c.text)
	}
	b.WriteString(after + "\n" + margin)
	b.WriteString(strings.Repeat(" ", len([]rune(before))+columns(cells[from:min(caret, to)])) + "^\n")
	return b.String()
}
