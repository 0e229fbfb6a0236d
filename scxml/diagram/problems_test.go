package diagram

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestProblems: which states and transitions are marked, what they say, and where wrong transitions lead.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`<state id="a"/>`, ``},
		{`<script src="x.js"/><state id="a"/>`, `scxml#0: error: <script> cannot be loaded: "x.js": files are not read without a loader`},
		{`<state id="a"><transition event="e" target="z"/></state><state id="b"/>`, `a; a/1 → z: error: target "z" not found`},
		{`<state id="a"><state id="b"><transition event="e" target="a c"/></state></state><state id="c"/>`, `b; b/1 → a → c: error: targets "a" and "c" cannot be entered together: they are not in different regions of a <parallel>`},
		{`<state id="a" initial="z"><state id="b"/></state>`, `a: error: initial state "z" not found; a/initial → z`},
		{`<state id="a"><onentry><send event="e" delay="1x"/></onentry></state>`, `a: error: "1x" is not a delay: unknown unit "x", want "s" or "ms"`},
		{`<state id="a"><transition event="e" target="b"><send event="e" delay="1x"/></transition></state><state id="b"/>`, `a/1: error: "1x" is not a delay: unknown unit "x", want "s" or "ms"`},
		{`<state id="a"><state id="b"><onentry></state></state>`, `b: error: end tag </state> does not close <onentry>, which was opened at 1:90: write </onentry> before it`},
		{`<state id="a"><history id="h"><transition target="h"/></history><state id="b"/></state>`, `h; h/initial → h: error: its default leads back to itself`},
		{`<state id="a"/><state id="a"/>`, `state#2: error: id "a" is already taken by the <state> at 1:62`},
	} {
		chart, _ := scxml.Sketch("chart.scxml", []byte(`<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml">`+test.body+`</scxml>`))
		d := New(chart)
		marks := d.Marks()
		var got []string
		say := func(id string, lines []Line, beyond []*Node) {
			text := id
			for _, n := range beyond {
				text += " → " + n.ID
			}
			for _, l := range problems(lines) {
				text += ": " + l.Whole
			}
			if marks[id] == Wrong || text != id {
				got = append(got, text)
			}
		}
		for _, n := range d.Nodes {
			say(n.ID, n.Lines, nil)
		}
		for _, e := range d.Edges {
			say(e.ID, e.Actions, e.Beyond)
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.body, got, test.want)
		}
	}
}

// TestProblemsOfPart: a state whose states are not shown has their errors.
func TestProblemsOfPart(t *testing.T) {
	chart, _ := scxml.Sketch("chart.scxml", []byte(`<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml"><state id="a" initial="y"><state id="b"><transition target="z"/></state></state></scxml>`))
	d := New(chart)
	p := d.Part(d.Root, 1)
	var got []string
	for _, l := range p.Nodes[1].Lines {
		got = append(got, l.Short)
	}
	const want = `error: initial state "y" not found; error: target "z" not found; … 1 state`
	if got := strings.Join(got, "; "); got != want || p.Marks()["a"] != Wrong {
		t.Errorf("got  %s\nwant %s, marked: %v", got, want, p.Marks())
	}
}

// TestDrawsDamaged: what is read of documents with errors, or that end in the middle, is drawn.
func TestDrawsDamaged(t *testing.T) {
	drawn := 0
	for _, pattern := range []string{"../testdata/diagnostics/*.scxml", "../internal/doc/testdata/*.scxml", "../internal/doc/testdata/diagnostics/*.scxml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for end := len(source); end > 0; end -= 1 + len(source)/8 {
				chart, _ := scxml.Sketch(file, source[:end])
				if chart == nil {
					continue
				}
				d := New(chart)
				l, err := d.Layout(t.Context())
				if err == nil {
					err = l.WriteSVG(io.Discard, SVGOptions{Marks: d.Marks()})
				}
				if err != nil {
					t.Fatalf("%s, %d bytes: %v", file, end, err)
				}
				if len(chart.Errors()) > 0 && len(d.Marks()) == 0 {
					t.Errorf("%s, %d bytes: nothing is marked", file, end)
				}
				if problem := l.check(); problem != "" {
					t.Errorf("%s, %d bytes: %s", file, end, problem)
				}
				drawn++
			}
		}
	}
	if drawn < 300 {
		t.Errorf("only %d pictures", drawn)
	}
}
