package picture

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

// stepAt returns a position and the step of a technique there.
func stepAt(t *testing.T, line string, technique human.Technique) (*human.Position, *human.Step) {
	t.Helper()
	library, err := human.ParseLibraryLine(line)
	if err != nil {
		t.Fatal(err)
	}
	var f human.Finder
	step, ok := f.Next(library.Position, technique)
	if !ok {
		t.Fatalf("%s: no %v", line, technique)
	}
	return library.Position, &step
}

const (
	xWing = ":::..4.+8...69..7+6.8.+4.86..4.5+2..9.+23.7+8...8..2..2.8..6.4..1...8.....5.....9.+9.2.....:777 787 797:::"
	kite  = ":::..3...6.......1.9..7..5....+718....5..2..7.1..6.9....72...83..1....2.....4...673..::354::"
)

// A drawing is what a test reads of an SVG.
type drawing struct {
	Title string `xml:"title"`
	Desc  string `xml:"desc"`
	Paths []struct {
		D      string `xml:"d,attr"`
		Fill   string `xml:"fill,attr"`
		Stroke string `xml:"stroke,attr"`
		Dash   string `xml:"stroke-dasharray,attr"`
	} `xml:"path"`
	Circles []struct {
		Stroke string `xml:"stroke,attr"`
	} `xml:"circle"`
}

func drawn(t *testing.T, p *human.Position, step *human.Step, o StepOptions) (d drawing, source string) {
	t.Helper()
	var out bytes.Buffer
	if err := StepSVG(&out, p, step, o); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	return d, out.String()
}

// A fish has circles, frames of two kinds, and strokes through what is eliminated.
func TestStepSVGShowsTheStep(t *testing.T) {
	p, step := stepAt(t, xWing, human.XWing)
	d, _ := drawn(t, p, step, StepOptions{})
	if d.Title != "X-Wing" || !strings.HasSuffix(d.Desc, "r1c47, r5c5<>9") {
		t.Errorf("got %q, %q", d.Title, d.Desc)
	}
	var circles, frames, covers, strokes int
	for _, c := range d.Circles {
		if c.Stroke == onLine.hex() {
			circles++
		}
	}
	for _, path := range d.Paths {
		switch {
		case path.Stroke == houseLine.hex() && path.Dash == "":
			frames++
		case path.Stroke == coverLine.hex() && path.Dash != "":
			covers++
		case path.Stroke == loseLine.hex():
			strokes++
		}
	}
	if circles != 4 || frames != 2 || covers != 2 || strokes != 3 {
		t.Errorf("got %d circles, %d frames, %d dashed ones, %d strokes, want 4, 2, 2, 3", circles, frames, covers, strokes)
	}
}

// Links are solid when one end is right, and dashed when one is wrong; each ends with an
// arrowhead.
func TestStepSVGShowsLinks(t *testing.T) {
	p, step := stepAt(t, kite, human.TwoStringKite)
	d, _ := drawn(t, p, step, StepOptions{})
	var solid, dashed, heads int
	for _, path := range d.Paths {
		switch {
		case path.Fill == linkLine.hex():
			heads++
		case path.Stroke != linkLine.hex():
		case path.Dash == "":
			solid++
		default:
			dashed++
		}
	}
	if solid != 2 || dashed != 1 || heads != 3 {
		t.Errorf("got %d solid links, %d dashed, %d arrowheads, want 2, 1, 3", solid, dashed, heads)
	}
}

// Few leaves out what the step is not about, and Text makes digits text.
func TestStepOptions(t *testing.T) {
	p, step := stepAt(t, xWing, human.XWing)
	_, all := drawn(t, p, step, StepOptions{})
	_, few := drawn(t, p, step, StepOptions{Few: true})
	if !strings.Contains(all, `id="n135"`) || strings.Contains(few, `id="n135"`) || !strings.Contains(few, `id="n125"`) {
		t.Error("want r2c3 with 1, 2 and 3 only if all are wanted, and r1c6 in both")
	}
	_, text := drawn(t, p, step, StepOptions{Text: true, Ground: White})
	if !strings.Contains(text, ">4</text>") || strings.Contains(text, `id="b34"`) || len(text) > len(all)*2/3 {
		t.Errorf("%d bytes with text, %d without", len(text), len(all))
	}
	if !strings.Contains(text, `fill="#fff"`) || strings.Contains(all, `fill="#fff"`) {
		t.Error("want a white ground only when it is asked for")
	}
}

// pixel returns the colour of a place of a picture.
func pixel(img image.Image, p point) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(int(p.x), int(p.y))).(color.NRGBA)
}

// The PNG has the same layout as the SVG, at each scale and on both grounds.
func TestStepPNGShowsTheStep(t *testing.T) {
	p, step := stepAt(t, xWing, human.XWing)
	for _, o := range []StepOptions{{}, {Scale: 3}, {Scale: 2, Ground: White}} {
		var out bytes.Buffer
		if err := StepPNG(&out, p, step, o); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		scale := max(o.Scale, 1)
		if size := img.Bounds().Dx(); size != 447*scale {
			t.Errorf("scale %d: %d pixels", scale, size)
		}
		b := newStepBoard(nil, p, step, o)
		b.x, b.y, b.cell = float64(marginPixels*scale), float64(marginPixels*scale), float64(cellPixels*scale)
		if got := pixel(img, b.centre(human.At(1, 6)).plus(point{0.2 * b.cell, 0})); got != color.NRGBA(patternFill.opaque()) {
			t.Errorf("scale %d: a cell of the pattern is %v", scale, got)
		}
		if got := pixel(img, b.candidate(human.At(1, 4), 9)); got.R < 150 || got.G > 130 {
			t.Errorf("scale %d: the stroke is %v", scale, got)
		}
		if got, want := pixel(img, point{1, 1}).A, uint8(0); o.Ground == White && got != 255 || o.Ground == Transparent && got != want {
			t.Errorf("scale %d: the ground has alpha %d", scale, got)
		}
	}
	if err := StepPNG(io.Discard, p, step, StepOptions{Scale: 5}); err == nil {
		t.Error("scale 5 is not an error")
	}
}

// A link is straight where nothing is in its way, and otherwise goes around candidates.
func TestLinksBendAwayFromCandidates(t *testing.T) {
	p, step := stepAt(t, kite, human.TwoStringKite)
	b := newStepBoard(nil, p, step, StepOptions{})
	b.cell = cellPixels
	bend := func(from, to human.Candidate) (bend, cost float64) {
		l := link{from: from, to: to}
		_, control, _ := b.curve(l)
		a, z := b.candidate(from.Cell, from.Digit), b.candidate(to.Cell, to.Digit)
		return control.minus(a.plus(z).times(0.5)).length(), b.crossed(a, control, z, l)
	}
	at := func(r, c, d int) human.Candidate { return human.Candidate{Cell: human.At(r, c), Digit: d} }
	if got, _ := bend(at(3, 8, 3), at(5, 8, 3)); got != 0 {
		t.Errorf("a link with nothing in its way is bent by %v", got)
	}
	got, cost := bend(at(2, 4, 3), at(2, 9, 3))
	straight := b.crossed(b.candidate(human.At(2, 4), 3), b.centre(human.At(2, 6)), b.candidate(human.At(2, 9), 3), link{from: at(2, 4, 3), to: at(2, 9, 3)})
	if got == 0 || cost >= straight {
		t.Errorf("a link over candidates is bent by %v and hides %v, a straight one %v", got, cost, straight)
	}
}

// A stroked line has the width that is asked for, and gaps if it is dashed.
func TestStrokedLines(t *testing.T) {
	var o outline
	o.move(point{0, 10})
	o.line(point{100, 10})
	inside := func(area outline, q point) bool {
		for _, part := range area.flat() {
			low, high := part[0], part[0]
			for _, p := range part {
				low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
			}
			if q.x >= low.x && q.x <= high.x && q.y >= low.y && q.y <= high.y {
				return true
			}
		}
		return false
	}
	solid, dashed := o.stroked(4, 0), o.stroked(4, 10)
	for x := 5.0; x < 100; x += 10 {
		if !inside(solid, point{x, 11.9}) || inside(solid, point{x, 12.1}) {
			t.Errorf("at %v the line does not have the width 4", x)
		}
		if want := math.Mod(x, 20) < 10; inside(dashed, point{x, 10}) != want {
			t.Errorf("at %v the dashed line is there: %v, want %v", x, !want, want)
		}
	}
}

// Every technique that does not branch is drawn, and each eliminated candidate struck.
func TestEveryTechniqueIsDrawn(t *testing.T) {
	source, err := os.ReadFile("../human/testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[human.Technique]bool{}
	for line := range strings.Lines(string(source)) {
		name, rest, _ := strings.Cut(line[1:], ":")
		technique, err := human.ParseTechnique(name)
		if err != nil || seen[technique] || technique >= human.NishioForcingChains && technique < human.DirectPointing {
			continue
		}
		seen[technique] = true
		p, step := stepAt(t, ":"+name+":"+rest, technique)
		d, source := drawn(t, p, step, StepOptions{})
		strokes := 0
		for _, path := range d.Paths {
			if path.Stroke == loseLine.hex() {
				strokes++
			}
		}
		if strokes != len(step.Eliminate) {
			t.Errorf("%v: %d strokes, want %d", technique, strokes, len(step.Eliminate))
		}
		checkUses(t, technique.String(), source)
	}
	if len(seen) < 60 {
		t.Errorf("only %d techniques are drawn", len(seen))
	}
}

var (
	defined  = regexp.MustCompile(` id="([^"]+)"`)
	used     = regexp.MustCompile(` href="#([^"]+)"`)
	coloured = regexp.MustCompile(`var\(--([0-9a-f]{6})\)`)
)

// checkUses checks that ids are unique, and that what is used is defined.
func checkUses(t *testing.T, name, source string) {
	t.Helper()
	ids := map[string]bool{}
	for _, m := range defined.FindAllStringSubmatch(source, -1) {
		if ids[m[1]] {
			t.Errorf("%s: the id %s is there twice", name, m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range used.FindAllStringSubmatch(source, -1) {
		if !ids[m[1]] {
			t.Errorf("%s: %s is not defined", name, m[1])
		}
	}
}

// The page has everything in it, for both themes, and escapes the title.
func TestWalk(t *testing.T) {
	library, err := human.ParseLibraryLine(xWing)
	if err != nil {
		t.Fatal(err)
	}
	var f human.Finder
	path, _ := f.Solve(library.Position, human.Order()[:human.NishioForcingChains]...)
	var out strings.Builder
	walk := Walk{Title: "<script>alert(1)</script>", Facts: []Fact{{"Level", "4 & more"}}, Start: library.Position, Path: path}
	if err := walk.Write(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	checkUses(t, "page", page)
	if n := strings.Count(page, "<article "); n != len(path)+1 {
		t.Errorf("%d articles for %d steps", n, len(path))
	}
	for _, outside := range []string{"http:", "https:", "//", "url(", "src=", "@import", "<script>alert"} {
		if body := strings.ReplaceAll(page, "</", ""); strings.Contains(body, outside) {
			t.Errorf("the page has %q", outside)
		}
	}
	if !strings.Contains(page, "4 &amp; more") || !strings.Contains(page, "<h2>1. X-Wing</h2>") || !strings.Contains(page, "r1c47, r5c5≠9") {
		t.Error("the fact or the first step is missing")
	}
	var colours []string
	for _, m := range coloured.FindAllStringSubmatch(page, -1) {
		colours = append(colours, m[1])
	}
	slices.Sort(colours)
	for _, c := range slices.Compact(colours) {
		if n := strings.Count(page, "--"+c+":"); n != 3 { // light, dark, and paper
			t.Errorf("the colour %s is defined %d times, want 3", c, n)
		}
	}

	walk.Path = slices.Concat(path[:1], path[:1])
	if err := walk.Write(io.Discard); err == nil {
		t.Error("a step that does not fit is not an error")
	}
}

// Every colour of a step has one on a dark ground.
func TestColoursHaveDarkOnes(t *testing.T) {
	all := []colour{ink, hair, pen, pencil, patternFill, placeFill, onLine, onFill, offLine, offFill, finLine, finFill, placeLine, loseLine, loseFill, houseLine, coverLine}
	all = append(append(append(all, setFills[:]...), setLines[:]...), linkLines[:]...)
	for _, c := range all {
		if _, ok := darkColours[c]; !ok {
			t.Errorf("%s has no dark colour", c.hex())
		}
	}
}
