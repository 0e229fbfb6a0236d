package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/picture"
)

// begun is a game with givens, an entered digit (the 4 in row 1), and notes.
func begun(t *testing.T) *format.Game {
	const text = `{"sudoku":1,"name":"<No. 1>","givens":"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
		"board":"534.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
		"notes":[",,,26,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,,,",",,,,,,123456789,,"]}`
	for g, err := range format.Read("game", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		return &g
	}
	panic("no game")
}

func TestPNG(t *testing.T) {
	g := begun(t)
	for scale := 1; scale <= picture.MaxScale; scale++ {
		var out bytes.Buffer
		if err := picture.PNG(&out, g, scale, picture.Transparent); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != 447*scale || size.Y != 447*scale {
			t.Errorf("scale %d: got %v", scale, size)
		}
		// seen returns the colours in a cell, without its lines.
		seen := func(row, col int) (opaque, blue int) {
			for y := (10 + 48*row) * scale; y < (52+48*row)*scale; y++ {
				for x := (10 + 48*col) * scale; x < (52+48*col)*scale; x++ {
					c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
					if c.A > 0 {
						opaque++
						if c.B > c.R+50 {
							blue++
						}
					}
				}
			}
			return opaque, blue
		}
		area := 42 * 42 * scale * scale
		if n, blue := seen(0, 0); n < area/20 || n > area/3 || blue > 0 {
			t.Errorf("scale %d: a given has %d pixels of %d, %d of them blue", scale, n, area, blue)
		}
		if n, blue := seen(0, 2); n < area/20 || n > area/3 || blue < n/2 {
			t.Errorf("scale %d: an entered digit has %d pixels of %d, %d of them blue", scale, n, area, blue)
		}
		if n, _ := seen(0, 3); n < area/100 || n > area/8 {
			t.Errorf("scale %d: notes have %d pixels of %d", scale, n, area)
		}
		if n, _ := seen(2, 3); n != 0 {
			t.Errorf("scale %d: an empty cell has %d pixels", scale, n)
		}
		if _, _, _, alpha := img.At(0, 0).RGBA(); alpha != 0 {
			t.Errorf("scale %d: the margin is not transparent", scale)
		}
		// Lines begin and end on whole pixels: 3 of the frame, 1 between cells.
		for at, want := range map[int]bool{5: false, 6: true, 8: true, 9: false, 54: false, 55: true, 56: false, 440: true, 441: false} {
			if _, _, _, alpha := img.At(at*scale, 250*scale).RGBA(); (alpha == 0xffff) != want || !want && alpha != 0 {
				t.Errorf("scale %d: column %d has alpha %d", scale, at, alpha)
			}
		}
	}
	for _, scale := range []int{-1, 0, 5} {
		if err := picture.PNG(io.Discard, g, scale, picture.Transparent); err == nil {
			t.Errorf("scale %d is not an error", scale)
		}
	}
}

func TestSVG(t *testing.T) {
	var out bytes.Buffer
	if err := picture.SVG(&out, begun(t)); err != nil {
		t.Fatal(err)
	}
	var svg struct {
		ViewBox string `xml:"viewBox,attr"`
		Title   string `xml:"title"`
		Desc    string `xml:"desc"`
		Glyphs  []struct {
			ID string `xml:"id,attr"`
			D  string `xml:"d,attr"`
		} `xml:"defs>path"`
		Lines []struct{} `xml:"rect"`
		Uses  []struct {
			Href string `xml:"href,attr"`
		} `xml:"use"`
	}
	if err := xml.Unmarshal(out.Bytes(), &svg); err != nil {
		t.Fatal(err)
	}
	if svg.ViewBox != "0 0 447 447" || svg.Title != "<No. 1>" || !strings.HasPrefix(svg.Desc, "534.7....6..195") {
		t.Errorf("got %q, %q, %q", svg.ViewBox, svg.Title, svg.Desc)
	}
	if len(svg.Lines) != 20 {
		t.Errorf("got %d lines, want 20", len(svg.Lines))
	}
	ids := map[string]bool{}
	for _, g := range svg.Glyphs {
		if ids["#"+g.ID] || !strings.HasPrefix(g.D, "M") || len(g.D) < 20 {
			t.Errorf("glyph %s: %s", g.ID, g.D)
		}
		ids["#"+g.ID] = true
	}
	if len(svg.Uses) != 30+1+2+9 { // givens, an entered digit, notes
		t.Errorf("got %d characters", len(svg.Uses))
	}
	for _, u := range svg.Uses {
		if !ids[u.Href] {
			t.Errorf("%s is not defined", u.Href)
		}
	}
}

// pages makes a PDF with copies of a game.
func pages(t *testing.T, o picture.Options, n int) []byte {
	var out bytes.Buffer
	p, err := picture.NewPages(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	g := begun(t)
	solution := g.Givens.Solutions(1)[0]
	for i := range n {
		var grid *sudoku.Grid
		if i != 1 {
			grid = &solution
		}
		if err := p.Add(g, grid, "no solution"); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var (
	objectStart = regexp.MustCompile(`(?m)^(\d+) 0 obj$`)
	streamStart = regexp.MustCompile(`/Length (\d+) /Filter /FlateDecode >>\nstream\n`)
	toUnicode   = regexp.MustCompile(`<(..)> <([0-9a-f]{4,8})>`)
	shown       = regexp.MustCompile(`/([rb]) \S+ Tf \S+ \S+ Td <([0-9a-f]*)> Tj`)
)

// streams returns the streams of a PDF after checking its cross-reference table.
func streams(t *testing.T, doc []byte) (all []string) {
	tail := string(doc[bytes.LastIndex(doc, []byte("startxref\n")):])
	var start, size int
	if _, err := fmt.Sscanf(tail, "startxref\n%d\n%%%%EOF", &start); err != nil {
		t.Fatal(err)
	}
	table := strings.Split(string(doc[start:]), "\n")
	if _, err := fmt.Sscanf(table[1], "0 %d", &size); err != nil || table[0] != "xref" {
		t.Fatalf("%q: %v", table[:2], err)
	}
	if n := len(objectStart.FindAll(doc, -1)); n != size-1 {
		t.Errorf("got %d objects, but the table has %d", n, size-1)
	}
	for number, line := range table[2 : 2+size] {
		offset, err := strconv.Atoi(line[:10])
		if err != nil || len(line) != 19 {
			t.Fatalf("%q: %v", line, err)
		}
		if number > 0 && !bytes.HasPrefix(doc[offset:], fmt.Appendf(nil, "%d 0 obj\n", number)) {
			t.Errorf("object %d is not at %d", number, offset)
		}
	}
	for _, m := range streamStart.FindAllSubmatchIndex(doc, -1) {
		length, err := strconv.Atoi(string(doc[m[2]:m[3]]))
		if err != nil || !bytes.HasPrefix(doc[m[1]+length:], []byte("\nendstream")) {
			t.Fatalf("a stream of length %d: %v", length, err)
		}
		z, err := zlib.NewReader(bytes.NewReader(doc[m[1]:][:length]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

// text returns the pieces of text on the pages.
func text(t *testing.T, doc []byte) (all []string) {
	var maps []map[string]rune // of the regular and the bold font
	contents := streams(t, doc)
	for _, s := range contents {
		if strings.Contains(s, "begincmap") {
			m := map[string]rune{}
			for _, pair := range toUnicode.FindAllStringSubmatch(s, -1) {
				code, err := strconv.ParseUint(pair[2], 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				m[pair[1]] = rune(code)
			}
			maps = append(maps, m)
		}
	}
	if len(maps) != 2 {
		t.Fatalf("got %d fonts", len(maps))
	}
	for _, s := range contents {
		for _, m := range shown.FindAllStringSubmatch(s, -1) {
			font := maps[strings.Index("rb", m[1])]
			var word []rune
			for i := 0; i < len(m[2]); i += 2 {
				word = append(word, font[m[2][i:i+2]])
			}
			all = append(all, string(word))
		}
	}
	return all
}

func TestPages(t *testing.T) {
	for _, test := range []struct {
		options picture.Options
		puzzles int
		pages   int
	}{
		{picture.Options{}, 0, 1},
		{picture.Options{}, 3, 3},
		{picture.Options{PerPage: 2, Paper: picture.Letter}, 3, 2},
		{picture.Options{PerPage: 4, Solutions: true}, 8, 2 + 1},
		{picture.Options{PerPage: 6, Solutions: true}, 21, 4 + 2},
	} {
		doc := pages(t, test.options, test.puzzles)
		if n := bytes.Count(doc, []byte("/Type /Page ")); n != test.pages {
			t.Errorf("%+v: %d puzzles are on %d pages, want %d", test.options, test.puzzles, n, test.pages)
		}
		words := text(t, doc)
		count := func(word string) (n int) {
			for _, w := range words {
				if w == word {
					n++
				}
			}
			return n
		}
		for i := range test.puzzles {
			if n := count(fmt.Sprintf("%d  <No. 1>", i+1)); n != 1 {
				t.Errorf("%+v: the headline of puzzle %d is there %d times", test.options, i+1, n)
			}
		}
		if test.options.Solutions && (count("Solutions") == 0 || count("no solution") != 1) {
			t.Errorf("%+v: the solutions are missing: %q", test.options, words)
		}
		if again := pages(t, test.options, test.puzzles); !bytes.Equal(doc, again) {
			t.Errorf("%+v: the same puzzles gave another document", test.options)
		}
	}
	for _, o := range []picture.Options{{PerPage: 3}, {PerPage: -1}, {Paper: picture.Paper{Width: 10, Height: 10}}} {
		if _, err := picture.NewPages(io.Discard, o); err == nil {
			t.Errorf("%+v is not an error", o)
		}
	}
}

// A name may have any characters.
func TestNames(t *testing.T) {
	var out bytes.Buffer
	p, err := picture.NewPages(&out, picture.Options{PerPage: 6})
	if err != nil {
		t.Fatal(err)
	}
	g := begun(t)
	for i := range 60 {
		g.Name = ""
		for j := range 5 {
			g.Name += string(rune(0x100 + 5*i + j)) // more characters than a font of a PDF can have
		}
		g.Info.Level = "数独 (a very long word on how difficult it is)"
		if err := p.Add(g, nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	words := text(t, out.Bytes())
	if n := strings.Count(strings.Join(words, ","), ",5,3,4,2,6,7,6,1,9,5,"); n != 60 {
		t.Errorf("the digits of %d boards are there, want 60", n)
	}
	if all := strings.Join(words, "\n"); !strings.Contains(all, "1  ĀāĂăĄ\n") || !strings.Contains(all, "60  ?????") || !strings.Contains(all, "数独 (a v") {
		t.Errorf("got %q", words)
	}
}

func TestWriteErrors(t *testing.T) {
	for limit := range 2000 {
		p, err := picture.NewPages(&limited{limit * 301}, picture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Add(begun(t), nil, "")
		if closed := p.Close(); closed == nil {
			if err != nil {
				t.Error("an error is lost")
			}
			return // there was room for all of it
		}
	}
	t.Error("the document never fits")
}

type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func BenchmarkPNG(b *testing.B) {
	g := &format.Game{Givens: sudoku.Puzzles()[10].Grid}
	b.ReportAllocs()
	for b.Loop() {
		if err := picture.PNG(io.Discard, g, 1, picture.Transparent); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPages(b *testing.B) {
	g := &format.Game{Givens: sudoku.Puzzles()[10].Grid}
	p, err := picture.NewPages(io.Discard, picture.Options{PerPage: 6})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := p.Add(g, nil, ""); err != nil {
			if p, err = picture.NewPages(io.Discard, picture.Options{PerPage: 6}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
