package cells

import (
	"flag"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

var update = flag.Bool("update", false, "rewrite the drawings in testdata; look at them before you commit")

// TestDrawings compares drawings with those in testdata. The name of each says how it is drawn.
func TestDrawings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no drawings: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		chart, err := scxml.Parse(archive.Files[0].Name, archive.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		d := diagram.New(chart)
		for i := range archive.Files[1:] {
			f := &archive.Files[i+1]
			draw, opts := parseName(t, f.Name)
			got := draw(d, opts).String()
			if want := string(f.Data); got != want && !*update {
				t.Errorf("%s: %s\ngot\n%s\nwant\n%s", file, f.Name, got, want)
			}
			f.Data = []byte(got)
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func parseName(t *testing.T, name string) (func(*diagram.Diagram, Options) *Grid, Options) {
	var opts Options
	words := strings.Fields(name)
	for _, word := range words[1:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "ascii":
			opts.ASCII = true
		case "width":
			opts.Width, _ = strconv.Atoi(value)
		case "detail":
			opts.Detail = map[string]Detail{"states": States, "transitions": Transitions}[value]
		case "marks":
			opts.Marks = map[string]diagram.Mark{"work": diagram.Reached, "work/1": diagram.Missed, "work/3": diagram.Highlight, "over": diagram.Active}
		case "active":
			opts.Active = func(n *diagram.Node) bool { return strings.Contains(","+value+",", ","+n.ID+",") }
		default:
			t.Fatalf("%s: unknown word %q", name, word)
		}
	}
	if words[0] == "tree" {
		return Tree, opts
	}
	return Boxes, opts
}

// charts calls f for each valid chart of the project.
func charts(t *testing.T, f func(*testing.T, *diagram.Diagram)) {
	count := 0
	err := filepath.WalkDir("../../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".scxml" {
			return err
		}
		chart, err := scxml.Load(os.DirFS(filepath.Dir(name)), filepath.Base(name))
		if err != nil {
			return nil // a test of diagnostics
		}
		count++
		t.Run(filepath.Base(name), func(t *testing.T) { f(t, diagram.New(chart)) })
		return nil
	})
	if err != nil || count < 200 {
		t.Fatalf("found %d charts: %v", count, err)
	}
}

// What a drawing says about itself is true: how wide it is, where its states are, and what is where.
func TestGrids(t *testing.T) {
	charts(t, func(t *testing.T, d *diagram.Diagram) {
		for _, width := range []int{1, 24, 40, 80, 120} {
			for _, detail := range []Detail{Everything, Transitions, States} {
				opts := Options{Width: width, Detail: detail, ASCII: width == 40}
				boxes := Boxes(d, opts)
				if boxes.Width > max(width, leastBox) {
					t.Errorf("the boxes have %d columns, want at most %d", boxes.Width, width)
				}
				for y := range boxes.Height() {
					if w := widthOf(boxes.Row(y)); w != boxes.Width {
						t.Errorf("row %d of boxes has %d columns, want %d", y, w, boxes.Width)
					}
				}
				checkGrid(t, d, boxes, true)
				checkGrid(t, d, Tree(d, opts), false)
			}
		}
	})
}

// checkGrid checks a grid of a diagram.
func checkGrid(t interface {
	Helper()
	Errorf(string, ...any)
}, d *diagram.Diagram, g *Grid, isBoxes bool) {
	t.Helper()
	hidden := 0
	for _, n := range d.Nodes {
		r := g.Bounds(n)
		if r.Empty() {
			hidden++
			continue
		}
		if n.Parent == nil {
			if r != image.Rect(0, 0, g.Width, g.Height()) {
				t.Errorf("the root is at %v of %d columns and %d rows", r, g.Width, g.Height())
			}
		} else if isBoxes {
			if p := g.Bounds(n.Parent); !r.In(image.Rect(p.Min.X+2, p.Min.Y+1, p.Max.X-2, p.Max.Y-1)) {
				t.Errorf("%s is at %v, which is not inside of its parent at %v", n.ID, r, p)
			}
			for _, other := range n.Parent.Children {
				if other != n && g.Bounds(other).Overlaps(r) {
					t.Errorf("%s at %v and %s at %v overlap", n.ID, r, other.ID, g.Bounds(other))
				}
			}
			for _, corner := range []image.Point{r.Min, {r.Max.X - 1, r.Min.Y}, {r.Min.X, r.Max.Y - 1}, {r.Max.X - 1, r.Max.Y - 1}} {
				if s := g.At(corner.X, corner.Y); s.Node != n || s.Kind != Border {
					t.Errorf("at the corner %v of %s is %+v", corner, n.ID, s)
				}
			}
		}
		named := false
		for _, s := range g.Row(r.Min.Y) {
			named = named || s.Node == n && s.Kind == Name
		}
		if !named {
			t.Errorf("the first row of %s does not have its name", n.ID)
		}
	}
	if hidden != g.Hidden {
		t.Errorf("%d states are hidden, want %d", g.Hidden, hidden)
	}
	for y := range g.Height() {
		x := 0
		for _, s := range g.Row(y) {
			if s.Width != columns(s.Text) || s.Width == 0 || strings.ContainsFunc(s.Text, unicode.IsControl) {
				t.Errorf("row %d has %+v", y, s)
			}
			if s.Edge != nil && s.Edge.Source != s.Node {
				t.Errorf("row %d has a part of a transition of %s that belongs to %s", y, s.Edge.Source.ID, s.Node.ID)
			}
			for i := range s.Width {
				if got := g.At(x+i, y); got != s {
					t.Errorf("at %d, %d is %+v, want %+v", x+i, y, got, s)
				}
			}
			x += s.Width
		}
		if s := g.At(x, y); s != (Span{}) {
			t.Errorf("right of row %d is %+v", y, s)
		}
	}
	for _, at := range []image.Point{{-1, 0}, {0, -1}, {0, g.Height()}} {
		if s := g.At(at.X, at.Y); s != (Span{}) {
			t.Errorf("outside, at %v, is %+v", at, s)
		}
	}
}

// Where there is room, each event, and each target that no mark shows, is in the drawing.
func TestNothingIsMissing(t *testing.T) {
	charts(t, func(t *testing.T, d *diagram.Diagram) {
		for _, g := range []*Grid{Boxes(d, Options{Width: 1000}), Tree(d, Options{})} {
			shown := map[*diagram.Edge]string{}
			for y := range g.Height() {
				for _, s := range g.Row(y) {
					if s.Kind == Event || s.Kind == Target {
						shown[s.Edge] += s.Text
					}
				}
			}
			for _, e := range d.Edges {
				want := strings.ReplaceAll(e.Event, "\u202e", `\u202e`) // does not reach the screen
				for _, target := range e.Targets {
					want += " " + target.ID
				}
				initial := e.Kind == diagram.Initial && shown[e] == "" && isInitial(e.Targets[0])
				if got := strings.Fields(shown[e]); !initial && fmt.Sprint(got) != fmt.Sprint(strings.Fields(want)) {
					t.Errorf("%s shows %q, want %q", e.ID, got, want)
				}
			}
		}
	})
}

// A chart that is nested more deeply than there is room for is drawn without its depths.
func TestNestingIsBounded(t *testing.T) {
	const depth = 900
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`)
	for i := range depth {
		fmt.Fprintf(&b, `<state id="s%d">`, i)
	}
	b.WriteString(strings.Repeat("</state>", depth) + "</scxml>")
	chart, err := scxml.Parse("deep.scxml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	g := Boxes(diagram.New(chart), Options{Width: 80})
	if g.Width > 80 || g.Height() > 100 || g.Hidden < 800 {
		t.Errorf("%d states are hidden, and %d columns and %d rows are drawn", g.Hidden, g.Width, g.Height())
	}
	if text := g.String(); !strings.Contains(text, fmt.Sprintf("… %d states", g.Hidden)) {
		t.Errorf("nothing says how many states are hidden:\n%s", text)
	}
}

// Steady boxes are where they are, whichever states are active.
func TestSteadyBoxes(t *testing.T) {
	charts(t, func(t *testing.T, d *diagram.Diagram) {
		opts := Options{Width: 60, Detail: States, Steady: true}
		before := Boxes(d, opts)
		for _, parity := range []int{0, 1} {
			opts.Active = func(n *diagram.Node) bool { return n.Parent != nil && n.Index%2 == parity }
			after := Boxes(d, opts)
			for _, n := range d.Nodes {
				if before.Bounds(n) != after.Bounds(n) {
					t.Fatalf("%s moves from %v to %v", n.ID, before.Bounds(n), after.Bounds(n))
				}
			}
		}
	})
}
