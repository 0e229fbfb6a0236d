package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var update = flag.Bool("update", false, "rewrite the page in testdata; read it before you commit")

// written returns what a method of a page writes.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdown(t *testing.T, p *Page) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return p.WriteMarkdown(w, "") })
}

func lamp(t *testing.T) (*txtar.Archive, *Page) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/lamp.txtar")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := scxml.Parse("lamp.scxml", archive.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return archive, New(chart, nil)
}

func TestMarkdown(t *testing.T) {
	archive, page := lamp(t)
	got := markdown(t, page)
	if want := string(archive.Files[1].Data); got != want && !*update {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if *update {
		archive.Files[1].Data = []byte(got)
		if err := os.WriteFile("testdata/lamp.txtar", txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMarkdownShowsThePicture(t *testing.T) {
	_, page := lamp(t)
	got := written(t, func(w io.Writer) error { return page.WriteMarkdown(w, "a b>.svg") })
	if !strings.Contains(got, "\n![Picture of the chart](<a b%3E.svg>)\n") || strings.Contains(got, "└") {
		t.Errorf("got\n%s", got)
	}
}

// What the page says comes from the chart and is not markup.
func TestHTMLEscapesTheChart(t *testing.T) {
	_, page := lamp(t)
	got := written(t, page.WriteHTML)
	if strings.Contains(got, "<script>") || strings.Contains(got, "<b>Markdown") || !strings.Contains(got, "<title>Lamp &lt;script&gt;</title>") {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{"Nothing is lit.", "from 0 to 3", "The level must be one", "The screen goes dark too.", "#_scxml_screen", "after 600s", "sensor.cfg", "text: low, high", "unreachable"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// Texts that turn others round or are too long are in neither kind of page.
func TestPagesShowAndCutHostileTexts(t *testing.T) {
	long := strings.Repeat("long", 25_000)
	source := strings.ReplaceAll(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="LONG">
<!-- LONG -->
<datamodel><data id="d" expr="'LONG'"/></datamodel>
<script>var x = 'LONG';</script>
<state id="LONG"><onentry><log label="LONG"/><send event="x" target="LONG"/></onentry><invoke id="LONG" src="LONG"/>
<transition event="a" cond="'LONG'" target="LONG"/></state></scxml>`, "LONG", "\u202e"+long)
	source = strings.ReplaceAll(strings.ReplaceAll(source, "id=\"\u202e", "id=\""), "target=\"\u202elong", "target=\"long") // are names of XML
	chart, err := scxml.Parse("\u202e"+long+".scxml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	page := New(chart, nil)
	for name, text := range map[string]string{"HTML": written(t, page.WriteHTML), "Markdown": markdown(t, page)} {
		if strings.Contains(text, "\u202e") || !strings.Contains(text, `\u202e`) {
			t.Errorf("%s: U+202E is not escaped", name)
		}
		text = regexp.MustCompile(` data-\w+="[^"]*"`).ReplaceAllString(text, "") // for programs
		if strings.Contains(text, strings.Repeat("long", 2010)) {                 // the titles of the picture have 8000 bytes
			t.Errorf("%s: a text is not cut", name)
		}
	}
	checkPolicy(t, written(t, page.WriteHTML))
}

// checkPolicy checks that a page has a policy that allows its own styles, and nothing else.
func checkPolicy(t *testing.T, page string) {
	t.Helper()
	meta := html.UnescapeString(regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).FindString(page))
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
	for _, style := range styles {
		hash := sha256.Sum256([]byte(style[1]))
		meta = strings.Replace(meta, " 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'", "", 1)
	}
	if want := `content="default-src 'none'; style-src; base-uri 'none'; form-action 'none'">`; len(styles) < 2 || !strings.HasSuffix(meta, want) {
		t.Errorf("without the hashes of %d styles the page has %s, want %s", len(styles), meta, want)
	}
	if inline := regexp.MustCompile(`<[^>]* (style|on[a-z]+)=`).FindString(page); inline != "" {
		t.Errorf("the policy forbids %s", inline)
	}
}

// The pages of all charts of the project, those with errors included, load nothing, and their links lead
// somewhere.
func TestPages(t *testing.T) {
	count, damaged := 0, 0
	err := filepath.WalkDir("../../../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".scxml" {
			return err
		}
		folder := os.DirFS(filepath.Dir(name))
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		chart, refused := scxml.Sketch(filepath.Base(name), source, scxml.WithLoader(folder))
		if chart == nil {
			return nil
		}
		if count++; refused != nil {
			damaged++
		}
		page := New(chart, folder)
		html, md := written(t, page.WriteHTML), markdown(t, page)
		if count%10 == 0 {
			if again := New(chart, folder); written(t, again.WriteHTML) != html || markdown(t, again) != md {
				t.Errorf("%s: a second page differs from the first", name)
			}
		}
		checkLinks(t, name, html, `href="#([^"]*)"`, ` id="([^"]*)"`)
		checkLinks(t, name, md, `\]\(#([^)]*)\)`, `<a id="([^"]*)"></a>`)
		if loads := regexp.MustCompile(`(?i)<(script|link|img|iframe|object)|url\(|@import| src=`).FindString(html); loads != "" {
			t.Errorf("%s: the page has %s", name, loads)
		}
		return nil
	})
	if err != nil || count < 200 || damaged < 30 {
		t.Fatalf("found %d charts, %d with errors: %v", count, damaged, err)
	}
}

func checkLinks(t *testing.T, name, page, link, anchor string) {
	t.Helper()
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(anchor).FindAllStringSubmatch(page, -1) {
		if anchors[m[1]] {
			t.Errorf("%s: two places have the id %s", name, m[1])
		}
		anchors[m[1]] = true
	}
	for _, m := range regexp.MustCompile(link).FindAllStringSubmatch(page, -1) {
		if !anchors[m[1]] {
			t.Errorf("%s: a link to #%s leads nowhere", name, m[1])
		}
	}
}

func TestBlocks(t *testing.T) {
	got := blocks(" One sentence\n     in two lines. End.  Next.\n\n     It takes\n       press  {x}\n       off\n     or not.\n\n     a   table\n")
	want := []Block{{"One sentence in two lines. End.  Next.", false}, {"It takes", false}, {"press  {x}\noff", true}, {"or not.", false}, {"a   table", true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// A comment after an element on its line is about that element, not about the next one.
func TestCommentsAfterElements(t *testing.T) {
	chart, err := scxml.Parse("x.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel>
  <data id="a"/> <!-- of a -->
  <!-- of b -->
  <data id="b"/>
  <data id="ä"/><!-- of ä -->   <!-- more -->
  <data id="c"/>
</datamodel><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range New(chart, nil).Data {
		got = append(got, d.Name+": "+d.Note)
	}
	want := []string{"a: of a", "b: of b", "ä: of ä", "c: more"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlainAndCode(t *testing.T) {
	for text, want := range map[string]string{
		"a_b *c* <d>":    `a\_b \*c\* \<d\>`,
		"- x":            `\- x`,
		"a | b":          `a \| b`,
		"[x](y) & `z`":   "\\[x\\]\\(y\\) \\& \\`z\\`",
		"1 < 2 \\ \"q\"": `1 \< 2 \\ "q"`,
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "", "a`b": "``a`b``", "`": "`` ` ``", "a\n  b": "`a b`"} {
		if got := code(text); got != want {
			t.Errorf("code(%q) = %s, want %s", text, got, want)
		}
	}
	var b bytes.Buffer
	writeTable(&b, [][]string{{"A", "B", "C"}, {code("a || b"), "", plain("c|d")}})
	if got, want := b.String(), "| A | C |\n|---|---|\n| `a \\|\\| b` | c\\|d |\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTypes: a page tells the types of data, variables and functions, and without them the rest.
func TestTypes(t *testing.T) {
	page := func(more string) (md, html string) {
		t.Helper()
		chart, err := scxml.Parse("x.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
<datamodel><data id="n" expr="1"/><data id="u"/></datamodel>`+more+`</scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		p := New(chart, nil)
		return markdown(t, p), written(t, p.WriteHTML)
	}
	md, html := page(`<state id="s"><onentry><script>var v = n;</script></onentry></state><script>function f() { return 'a'; }</script>`)
	for _, want := range []string{"| `n` | `1` | `number` | `float64` |", "| `u` |  | `undefined` | `js.Value` |", "| `v` | `number\\|undefined` | `js.Value` |", "| `f` |  | `() string` |"} {
		if !strings.Contains(md, want) {
			t.Errorf("the page has no %s:\n%s", want, md)
		}
	}
	for _, want := range []string{"<code>n</code><br><small><code>number</code>, in Go <code>float64</code></small>", "<code>f</code></th><td>in Go <code>() string</code>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s:\n%s", want, html)
		}
	}
	if md, _ := page(`<state id="s"><invoke src="nowhere.scxml"/><onentry><log expr="/re/"/></onentry></state>`); !strings.Contains(md, "| `n` | `1` | `number` |") {
		t.Errorf("the page of a chart that cannot be compiled has no types:\n%s", md)
	}
}
