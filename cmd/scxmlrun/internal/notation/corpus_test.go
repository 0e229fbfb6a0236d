package notation

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// A sample is a chart that tests write in all notations.
type sample struct {
	name string
	d    *diagram.Diagram
}

// corpus returns the charts of the command, documents with errors, those of the W3C's suite where it is
// present, and random charts with odd texts.
func corpus(t *testing.T) []sample {
	t.Helper()
	var all []sample
	roots := []string{filepath.Join("..", ".."), filepath.Join("..", "..", "..", "..", "scxml", "testdata", "diagnostics")}
	if suite := os.Getenv("SCXML_W3C_SUITE"); suite != "" {
		roots = append(roots, suite)
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".scxml" {
				return err
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if chart, _ := scxml.Sketch(file, source, scxml.WithLoader(os.DirFS(filepath.Dir(file)))); chart != nil {
				all = append(all, sample{filepath.ToSlash(file), diagram.New(chart)})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 5 {
		t.Fatalf("there are only %d charts", len(all))
	}
	for seed := range uint64(60) {
		source := randomChart(rand.New(rand.NewPCG(seed, 1)))
		chart, err := scxml.Parse(fmt.Sprintf("random-%d.scxml", seed), []byte(source))
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		all = append(all, sample{chart.File(), diagram.New(chart)})
	}
	return all
}

// shapes leaves out charts for tools that are slow: the many small ones of the suites, and those that
// differ from others only in their texts.
func shapes(all []sample) []sample {
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(s sample) bool {
		if strings.HasPrefix(s.name, "random") {
			return false
		}
		shape := ""
		for _, n := range s.d.Nodes {
			shape += fmt.Sprint(n.Kind, len(n.Children))
		}
		for _, e := range s.d.Edges {
			shape += fmt.Sprint(e.Source.Index)
			for _, t := range e.Targets {
				shape += fmt.Sprint(" ", t.Index)
			}
		}
		known := seen[shape]
		seen[shape] = true
		return known || len(s.d.Nodes) < 8
	})
}

// fileName returns a name for a sample that a file can have.
func (s sample) fileName(i int) string {
	return fmt.Sprintf("%03d-%s", i, strings.TrimSuffix(path.Base(s.name), ".scxml"))
}

// odd are texts that are something else in one notation or another.
var odd = []string{
	`"quoted"`, `a 'b' c`, `x < y && y > z`, `#35;`, `;`, `a;b`, `back\slash`, `\n`, `end\`, `{braces}`, `[brackets]`, `]`, `{{x}}`, `]]>`,
	`**bold** //italic// __under__ --strike-- ~~wave~~ ==h==`, `<b>bold</b>`, `&lt;&amp;&#65;`, `%date% %newline()`, `$var`, `@enduml`, `'comment`, `/' x '/`,
	`/* x */`, `// x`, `#note`, `a => b`, `a --> b : c`, `end`, `state`, `note`, `[*]`, `<<fork>>`, `H*`, `--`, `::`, `a:b`, `|`, "line\nbreak", "tab\ttab", "äöü ß € 漢字 🙂",
	"x\u0301", "\u200b", "\u2028", ``, ` `, `~`, "`tick`", `%%{init: {}}%%`, `%% x`, `click x`, `---`, `...`, `@startuml`, `!include x`, `<U+0041>`, `[[link]]`, `:)`, `<&icon>`,
	strings.Repeat("long ", 30), `\"`, `x == "\""`, `a[0] == ']'`, `fo"r`, `graph`, `\l\r\G\N`, `&quot;`, `initial`, `final history deep parallel`,
}

// randomChart returns a chart with all kinds of states and transitions, whose texts are odd.
func randomChart(r *rand.Rand) string {
	g := &generator{Rand: r}
	var b strings.Builder
	b.WriteString(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="` + g.text() + `">` + g.datamodel())
	for range 1 + r.IntN(3) {
		g.plan("scxml", 0)
	}
	for i, s := range g.all {
		if s.depth == 0 {
			b.WriteString(g.write(i))
		}
	}
	return b.String() + "</scxml>"
}

type generator struct {
	*rand.Rand
	all []*planned
}

type planned struct {
	kind, id string
	depth    int
	parent   int
	children []int
}

func (g *generator) plan(parentKind string, depth int, parent ...int) {
	kinds := []string{"state", "state", "state", "parallel", "final", "history"}
	switch parentKind {
	case "parallel":
		kinds = []string{"state", "state", "parallel", "history"}
	case "scxml":
		kinds = kinds[:5]
	}
	s := &planned{kind: kinds[g.IntN(len(kinds))], depth: depth, parent: -1}
	ids := []string{"s", "end", "note", "initial", "final", "h.history", "a-b", "ä", "state", "parallel", "x.deep.history", "class"}
	s.id = fmt.Sprintf("%s%d", ids[g.IntN(len(ids))], len(g.all))
	if i := g.IntN(30); len(g.all) == i {
		s.id = ids[g.IntN(len(ids))]
	}
	me := len(g.all)
	g.all = append(g.all, s)
	if len(parent) > 0 {
		s.parent = parent[0]
		g.all[s.parent].children = append(g.all[s.parent].children, me)
	}
	if depth < 3 && (s.kind == "parallel" || s.kind == "state" && g.IntN(2) == 0) {
		for range g.IntN(4) {
			g.plan(s.kind, depth+1, me)
		}
	}
}

func (g *generator) write(i int) string {
	s := g.all[i]
	body := ""
	switch s.kind {
	case "history":
		siblings := g.all[s.parent].children
		target := siblings[g.IntN(len(siblings))]
		if g.all[target].kind == "history" {
			return "" // it has no place to lead to
		}
		return fmt.Sprintf(`<history id="%s" type="%s"><transition target="%s"/></history>`, s.id, []string{"deep", "shallow"}[g.IntN(2)], g.all[target].id)
	case "final":
		body = `<donedata><param name="x" expr="` + g.text() + `"/></donedata>`
	default:
		for range g.IntN(4) {
			body += g.transition(s)
		}
		if g.IntN(3) == 0 {
			body = g.datamodel() + body
		}
		if g.IntN(4) == 0 {
			body += `<invoke type="x" src="` + g.text() + `"/>`
		}
	}
	for range g.IntN(3) {
		body += "<onentry>" + g.action() + "</onentry><onexit>" + g.action() + "</onexit>"
	}
	for _, c := range s.children {
		body += g.write(c)
	}
	return fmt.Sprintf(`<%s id="%s">%s</%s>`, s.kind, s.id, body, s.kind)
}

func (g *generator) transition(s *planned) string {
	text := "<transition"
	if g.IntN(5) > 0 {
		text += ` event="` + []string{"e", "e.*", "*", "tick tock", "ä.b", "a-b"}[g.IntN(6)] + `"`
	} else {
		text += ` cond="In('nowhere')"`
	}
	if g.IntN(2) == 0 && !strings.Contains(text, "cond") {
		text += ` cond="` + g.text() + `"`
	}
	if target := g.all[g.IntN(len(g.all))]; g.IntN(4) > 0 && target.kind != "history" {
		text += ` target="` + target.id
		if p := target.parent; p >= 0 && g.all[p].kind == "parallel" {
			for _, c := range g.all[p].children {
				if other := g.all[c]; other != target && other.kind != "history" && g.IntN(2) == 0 {
					text += " " + other.id
				}
			}
		}
		text += `"`
	}
	if g.IntN(3) == 0 {
		text += ` type="internal"`
	}
	text += ">"
	for range g.IntN(3) {
		text += g.action()
	}
	return text + "</transition>"
}

func (g *generator) action() string {
	switch g.IntN(6) {
	case 0:
		return `<raise event="e"/>`
	case 1:
		return `<send event="e" delay="3s" id="x"><param name="p" expr="` + g.text() + `"/></send>`
	case 2:
		return `<log label="` + g.text() + `" expr="` + g.text() + `"/>`
	case 3:
		return `<script>` + g.text() + `</script>`
	case 4:
		return `<assign location="x" expr="` + g.text() + `"/>`
	}
	return `<if cond="` + g.text() + `"><raise event="e"/><else/>` + "<cancel sendid=\"x\"/></if>"
}

func (g *generator) datamodel() string {
	return fmt.Sprintf(`<datamodel><data id="d%d" expr="%s"/></datamodel>`, g.IntN(1000), g.text())
}

// text returns an odd text, or two, as it is written in XML.
func (g *generator) text() string {
	text := odd[g.IntN(len(odd))]
	if g.IntN(2) == 0 {
		text += odd[g.IntN(len(odd))]
	}
	if strings.TrimSpace(text) == "" {
		text = "1"
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;").Replace(text)
}
