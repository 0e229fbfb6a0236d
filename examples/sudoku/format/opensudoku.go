package format

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
)

// maxToken is the maximum size of a tag or text in XML.
const maxToken = 1 << 20

// readOpenSudoku reads the XML of OpenSudoku.
func readOpenSudoku(l *lines, yield func(Game, error) bool) {
	l.skipBOM()
	r := &xmlReader{lines: l, input: &bounded{r: l.r}}
	r.decoder = newXMLDecoder(r.input, l.decoded)
	games(r.game, yield)
}

// newXMLDecoder returns a decoder of UTF-8. If the input was in UTF-16, it says so.
func newXMLDecoder(r io.Reader, decoded bool) *xml.Decoder {
	d := xml.NewDecoder(r)
	if decoded {
		d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	}
	return d
}

type xmlReader struct {
	*lines
	input   *bounded
	decoder *xml.Decoder
	file    Game     // what the file says about all its games
	open    []string // the open elements
	games   int
	pos     datamodel.Position // of the last token
}

// game reads the next game. It returns io.EOF after the last one.
func (r *xmlReader) game() (Game, error) {
	for {
		token, err := r.token()
		if err != nil {
			return Game{}, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if len(r.open) == 0 && name != "opensudoku" && name != "opensudoku2" {
				return Game{}, errorAt(r.pos, "expected <opensudoku>, found <%s>", label(name))
			}
			if len(r.open) == 16 {
				return Game{}, errorAt(r.pos, "the elements are nested more than 16 deep")
			}
			r.open = append(r.open, name)
			if name == "game" {
				r.games++
				r.begin = r.pos.Line
				return r.element(token)
			}
		case xml.EndElement:
			r.open = r.open[:len(r.open)-1]
		case xml.CharData:
			if len(r.open) == 2 {
				r.about(r.open[1], label(string(token)))
			}
		}
	}
}

// token reads a token of the XML.
func (r *xmlReader) token() (xml.Token, error) {
	line, col := r.decoder.InputPos()
	r.pos = datamodel.Position{File: r.lines.file, Line: r.number + line, Col: col}
	r.input.left = maxToken
	token, err := r.decoder.Token()
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF && r.games == 0:
		return nil, errorAt(r.pos, "the file does not contain a puzzle: expected <game data=…> or <game cells_data=…>")
	case errors.Is(err, errTooLong):
		return nil, errorAt(r.pos, "expected a tag or a text of at most %d bytes", maxToken)
	case errors.As(err, &syntax):
		return nil, errorAt(datamodel.Position{File: r.lines.file, Line: r.number + syntax.Line, Col: 1}, "bad XML: %s", syntax.Msg)
	case err == io.EOF:
		return nil, err
	case r.input.err != nil && r.input.err != io.EOF:
		return nil, &readError{r.lines.file, r.input.err}
	case err != nil:
		return nil, errorAt(r.pos, "bad XML: %v", err)
	}
	return token, nil
}

// about stores the text of an element that describes all games.
func (r *xmlReader) about(element, text string) {
	switch {
	case element == "description" && r.file.Info.Comment == "":
		element = "comment"
	case element == "name" && r.file.Info.Source == "":
		element = "source"
	}
	for _, f := range r.file.textFields() {
		if f.element == element && text != "" {
			*f.text = text
		}
	}
}

func attribute(element xml.StartElement, name string) string {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// element reads <game>. Version 3 of the XML, which the program and its fork OpenSudoku2
// write now, has other names for the attributes.
func (r *xmlReader) element(element xml.StartElement) (game Game, err error) {
	game = r.file
	if note := label(cmp.Or(attribute(element, "note"), attribute(element, "user_note"))); note != "" {
		game.Name = note
	}
	name, data := "data", strings.TrimSpace(attribute(element, "data"))
	if data == "" && attribute(element, "cells_data") != "" {
		name, data = "cells_data", strings.TrimSpace(attribute(element, "cells_data"))
	}
	if cells, ok := strings.CutPrefix(data, "version:"); ok {
		if problem := openSudokuCells(&game, cells); problem != "" {
			return game, errorAt(r.pos, "%s of <game>: %s", name, problem)
		}
	} else if n := cellsIn([]byte(data), &game.Givens); n != 81 || len(data) != 81 {
		return game, errorAt(r.pos, `%s of <game>: expected 81 digits, or "version:" and cells, found %d digits and then %q`, name, n, label(data[n:]))
	}
	if text := attribute(element, "time"); text != "" && text != "0" {
		ms, err := strconv.ParseUint(text, 10, 40)
		if err != nil {
			return game, errorAt(r.pos, "time of <game>: expected a number of milliseconds, found %q", label(text))
		}
		game.progress().Time = time.Duration(ms) * time.Millisecond
	}
	return game, nil
}

// openSudokuCells reads the version number and the cells after "version:", or says
// what is wrong with them.
func openSudokuCells(game *Game, data string) (problem string) {
	version, cells := strings.TrimLeft(data, " "), ""
	// A parser that normalizes attributes makes a blank of the end of the line.
	if i := strings.IndexAny(version, "\n "); i >= 0 {
		version, cells = version[:i], version[i:]
	}
	v := strings.TrimSpace(version)
	// The fields of a cell: its value, notes (in version 4 and 5 in the corners and in the
	// centre), the number of a colour, and whether it may be changed.
	size, ok := map[string]int{"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}[v]
	if !ok {
		return "expected version 1 to 5, found " + strconv.Quote(label(v))
	}
	if v == "2" { // a version of the program sometimes doubled the bar
		cells = strings.ReplaceAll(cells, "||", "|")
	}
	fields := strings.Split(strings.TrimSuffix(strings.TrimSpace(cells), "|"), "|")
	if len(fields) != 81*size {
		return "expected " + strconv.Itoa(81*size) + " fields in 81 cells, found " + strconv.Itoa(len(fields))
	}
	var p Progress
	for i := range 81 {
		row, col, cell := i/9, i%9, fields[i*size:(i+1)*size]
		where := "cell " + strconv.Itoa(i+1) + ": "
		value, editable := cell[0], cell[size-1]
		if len(value) != 1 || value[0] < '0' || '9' < value[0] {
			return where + "expected a digit, found " + strconv.Quote(label(value))
		}
		if editable != "0" && editable != "1" {
			return where + "expected 0 or 1 for whether it may be changed, found " + strconv.Quote(label(editable))
		}
		for i, text := range cell[1:min(size-1, 3)] {
			set, ok := openSudokuNotes(text, v == "1")
			if !ok {
				return where + "expected notes, found " + strconv.Quote(label(text))
			}
			if size > 3 && i == 0 {
				p.Corner[row][col] = set
			} else {
				p.Notes[row][col] = set
			}
		}
		if size == 5 {
			colour, err := strconv.ParseUint(cell[3], 10, 8)
			if err != nil || colour > 9 {
				return where + "expected a colour from 0 to 9, found " + strconv.Quote(label(cell[3]))
			}
			p.Colours[row][col] = 1 << colour &^ 1 // 0 is none
		}
		p.Board[row][col] = int(value[0] - '0')
		if editable == "0" {
			game.Givens[row][col] = p.Board[row][col]
		}
	}
	game.begun(&p)
	return ""
}

// openSudokuNotes reads the notes of a cell: "1,2," or "-" in a list, and otherwise
// a number whose bit 0 is the digit 1.
func openSudokuNotes(text string, list bool) (set uint16, ok bool) {
	if !list {
		bits, err := strconv.ParseUint(text, 10, 9)
		return uint16(bits) << 1, err == nil
	}
	if text == "-" {
		return 0, true
	}
	return group([]byte(strings.ReplaceAll(text, ",", "")))
}

// openSudokuWriter writes version 2 of the XML.
type openSudokuWriter struct{ begun bool }

func (o *openSudokuWriter) write(out *strings.Builder, g *Game) {
	if !o.begun {
		o.begun = true
		out.WriteString(xml.Header + "<opensudoku version=\"2\">\n")
		for _, f := range g.textFields() {
			if f.element != "" && *f.text != "" {
				out.WriteString("  <" + f.element + ">" + escape(*f.text) + "</" + f.element + ">\n")
			}
		}
		name := "Sudoku"
		if g.Info.Source != "" {
			name = escape(g.Info.Source)
		}
		out.WriteString("  <folder name=\"" + name + "\">\n")
	}
	out.WriteString("    <game data=\"")
	if p := g.Progress; p == nil {
		out.WriteString(zeros(g.Givens))
	} else {
		writeOpenSudokuCells(out, &g.Givens, p)
		out.WriteString(`" state="` + map[bool]string{true: "2", false: "0"}[p.Board.Empty() == 0])
		out.WriteString(`" time="` + strconv.FormatInt(p.Time.Milliseconds(), 10))
	}
	if g.Name != "" {
		out.WriteString(`" note="` + escape(g.Name))
	}
	out.WriteString("\"/>\n")
}

// writeOpenSudokuCells writes the cells in the oldest version that has a place for their
// marks, because programs do not read the newer ones.
func writeOpenSudokuCells(out *strings.Builder, givens *sudoku.Grid, p *Progress) {
	version := 3
	switch {
	case p.Colours != (Notes{}):
		version = 5
	case p.Corner != (Notes{}):
		version = 4
	}
	fmt.Fprintf(out, "version: %d&#10;", version)
	for row, col := range sudoku.Cells {
		fmt.Fprintf(out, "%d|", p.Board[row][col])
		if version > 3 {
			fmt.Fprintf(out, "%d|", p.Corner[row][col]>>1)
		}
		fmt.Fprintf(out, "%d|", p.Notes[row][col]>>1)
		if version == 5 {
			fmt.Fprintf(out, "%d|", bits.TrailingZeros16(p.Colours[row][col]|1<<10)%10)
		}
		out.WriteString(map[bool]string{true: "1|", false: "0|"}[givens[row][col] == 0])
	}
}

func (o *openSudokuWriter) close(out *strings.Builder) {
	if o.begun {
		out.WriteString("  </folder>\n</opensudoku>\n")
	}
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
