package editor

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestFixes applies every fix for every chart of the repository: afterwards the problem is gone. Each
// message that says what was probably meant has a fix.
func TestFixes(t *testing.T) {
	place := regexp.MustCompile(`; also at .*|\d+:\d+`)
	count := func(d *Document, of Problem) int {
		n := 0
		for _, p := range d.Problems() {
			if p.Code == of.Code && place.ReplaceAllString(p.Message, "") == place.ReplaceAllString(of.Message, "") {
				n++
			}
		}
		return n
	}
	fixes := map[string]int{}
	for _, s := range corpus(t) {
		d := s.analyse(s.text)
		for _, p := range d.Problems() {
			if len(p.Fixes) == 0 && strings.Contains(p.Message, "did you mean") && !strings.Contains(p.Message, "…") {
				t.Errorf("%s: there is no fix for: %s", s.file, p.Message)
			}
			for _, f := range p.Fixes {
				fixes[p.Code]++
				text, err := apply(s.text, f.Edits)
				if err != nil {
					t.Fatalf("%s: %s: %v", s.file, f.Title, err)
				}
				if before, after := count(d, p), count(s.analyse(text), p); after >= before && !(strings.Contains(p.Message, "; also at") && strings.HasPrefix(f.Title, "write '")) {
					t.Errorf("%s: after %s there is still: %s", s.file, f.Title, p.Message)
				}
			}
		}
	}
	t.Log(fixes)
	for _, code := range []string{
		"unknown-target", "unknown-element", "unknown-attribute", "unknown-in", "undeclared-name", "event-not-taken", "event-never-raised", "unknown-sendid", "unknown-send-target",
		"missing-attribute", "missing-version", "wrong-namespace", "illegal-value", "unknown-datamodel", "delay-unit", "odd-event", "bad-entity", "bad-character", "empty-attribute", "data-name", "mismatched-tag", "unknown-type",
	} {
		if fixes[code] == 0 {
			t.Errorf("nothing is fixed with the code %s", code)
		}
	}
}

// TestProblemSpans checks what is underlined: between « and » in the texts.
func TestProblemSpans(t *testing.T) {
	for code, text := range map[string]string{
		"unknown-element":     `«<statee» id="a"/><state id="b"/>`,
		"unknown-target":      `<state id="abc"><transition event="e" target="abc «abd»"/></state>`,
		"unknown-in":          `<state id="abc"><transition event="e" cond="1 &lt; 2 &amp;&amp; In('«abd»')"/></state>`,
		"undeclared-name":     `<state id="a"><onentry><log expr="1 + «total» * 2"/></onentry></state>`,
		"unknown-attribute":   `<state id="a" «tpye»="x"/>`,
		"illegal-value":       `<state id="a"><transition event="e" type="«inner»"/></state>`,
		"illegal-event":       `<state id="a"><transition event="a «b.*.c» d"/></state>`,
		"unknown-send-target": `<state id="a"><onentry><send event="e" target="«#_parant»"/></onentry></state>`,
		"expression-syntax":   `<state id="a"><onentry><log expr="«1 +»"/></onentry></state>`,
	} {
		text = head + text + "</scxml>"
		start := strings.Index(text, "«")
		end := strings.Index(text, "»") - len("«")
		d := Analyse("t.scxml", strings.NewReplacer("«", "", "»", "").Replace(text), Options{})
		found := false
		for _, p := range d.Problems() {
			if p.Code != code {
				continue
			}
			found = true
			if got := d.at(p.Span); p.Span != (Span{start, end}) {
				t.Errorf("%s: %q is underlined, want %q", code, got, d.text[start:end])
			}
			if p.Explanation.Title == "" {
				t.Errorf("%s has no explanation", code)
			}
		}
		if !found {
			t.Errorf("%s is not found, only %v", code, messagesOf(d))
		}
	}
}

// TestFixUnclosed closes what is open, one element after the other.
func TestFixUnclosed(t *testing.T) {
	d := Analyse("t.scxml", head+"<state id=\"a\"><onentry>\n", Options{})
	for range 3 {
		p := d.Problems()[0]
		if p.Code != "unclosed-element" || len(p.Fixes) != 1 {
			t.Fatalf("the problem is %+v", p)
		}
		text, _ := apply(d.Text(), p.Fixes[0].Edits)
		d = d.Change(text)
	}
	if p := d.Problems(); len(p) != 0 {
		t.Errorf("there is still %+v in\n%s", p, d.Text())
	}
}

// TestFixWritten applies fixes where characters must be written in another way.
func TestFixWritten(t *testing.T) {
	for _, test := range []struct{ code, text, want string }{
		{"undeclared-name", `<state id='a'><onentry><log expr='red'/></onentry></state>`, `<state id='a'><onentry><log expr='"red"'/></onentry></state>`},
		{"undeclared-name", `<state id='a'><onentry><log expr="red"/></onentry></state>`, `<state id='a'><onentry><log expr="'red'"/></onentry></state>`},
		{"unknown-target", `<state id="a&apos;b"><transition target='a"b'/></state>`, `<state id="a&apos;b"><transition target='a&apos;b'/></state>`},
		{"unknown-in", `<state id="a&lt;b"><onentry><script><![CDATA[In('a<c')]]></script></onentry></state>`, `<state id="a&lt;b"><onentry><script><![CDATA[In('a<b')]]></script></onentry></state>`},
		{"unknown-in", `<state id="a&lt;b"><onentry><script>In('a&lt;c')</script></onentry></state>`, `<state id="a&lt;b"><onentry><script>In('a&lt;b')</script></onentry></state>`},
		{"malformed-xml", `<state id="a"><onentry><script>var n = 1; n < 3</script></onentry></state>`, `<state id="a"><onentry><script>var n = 1; n &lt; 3</script></onentry></state>`},
	} {
		d := Analyse("t.scxml", head+test.text+"</scxml>", Options{})
		i := slices.IndexFunc(d.Problems(), func(p Problem) bool { return p.Code == test.code })
		if i < 0 || len(d.Problems()[i].Fixes) == 0 {
			t.Errorf("%s: %s has no fix, only %v", test.text, test.code, messagesOf(d))
			continue
		}
		if got, _ := apply(d.Text(), d.Problems()[i].Fixes[0].Edits); got != head+test.want+"</scxml>" {
			t.Errorf("got  %s\nwant %s", strings.TrimPrefix(got, head), test.want)
		}
	}
}

// TestFixMismatched changes the tag that is misspelt.
func TestFixMismatched(t *testing.T) {
	for _, text := range []string{
		`<stat id="a"><transition event="e"/></state>`,
		`<state id="a"><transition event="e"/></stat>`,
		`<state id="a"><transition event="e"/></final>`,
	} {
		d := Analyse("t.scxml", head+text+"</scxml>", Options{})
		if got := d.Symbols()[0].Span; got.End != len(d.Text()) {
			t.Errorf("%s: the chart is at %v, want all of the text", text, got)
		}
		p := d.Problems()[0]
		if len(p.Fixes) == 0 {
			t.Errorf("%s: %s has no fix", text, p.Message)
			continue
		}
		fixed, _ := apply(d.Text(), p.Fixes[0].Edits)
		if want := head + `<state id="a"><transition event="e"/></state></scxml>`; fixed != want {
			t.Errorf("%s becomes %s", text, fixed)
		}
	}
}

// TestPlaces checks that the place of every diagnostic leads to the right byte.
func TestPlaces(t *testing.T) {
	for _, s := range corpus(t) {
		d := s.analyse(s.text)
		for _, f := range scxml.Lint(d.name, []byte(s.text), scxml.LintOptions{}, d.opts.Chart...) {
			if f.Pos.File != d.name {
				continue
			}
			at := d.offset(f.Pos)
			line := d.LineAt(at)
			col := utf8.RuneCountInString(strings.TrimPrefix(s.text[d.LineStart(line):at], "\ufeff")) + 1
			if line+1 != f.Pos.Line && at < len(s.text) || col != f.Pos.Col && at < len(s.text) {
				t.Errorf("%s: %v is taken for %d:%d", s.file, f, line+1, col)
			}
		}
	}
}

// TestRelated checks that places in messages become places.
func TestRelated(t *testing.T) {
	d := Analyse("t.scxml", head+"\n<state id=\"a\"/>\n<state id=\"a\"/></scxml>", Options{})
	p := d.Problems()[0]
	if p.Code != "duplicate-id" || len(p.Related) != 1 || d.at(p.Related[0].Span) != "<state" || d.LineAt(p.Related[0].Span.Start) != 1 {
		t.Errorf("the problem is %+v", p)
	}
}

// TestEncoding checks that a declared encoding does not matter: the text is UTF-8.
func TestEncoding(t *testing.T) {
	text := `<?xml version="1.0" encoding="ISO-8859-1"?>` + head + `<state id="ä"><transition event="ü" target="ö"/></state></scxml>`
	d := Analyse("t.scxml", text, Options{})
	if p := d.Problems(); len(p) != 1 || d.at(p[0].Span) != "ö" {
		t.Errorf("the problems are %+v", p)
	}
}

// TestChange checks that what is kept of the last version does not show.
func TestChange(t *testing.T) {
	for _, s := range corpus(t) {
		d := s.analyse(s.text)
		d.Problems()
		if i := strings.Index(s.text, "<scxml"); i >= 0 {
			text := s.text[:i] + "\n  " + s.text[i:]
			got, want := d.Change(text).Problems(), s.analyse(text).Problems()
			if len(got) != len(want) {
				t.Fatalf("%s: there are %d problems, want %d", s.file, len(got), len(want))
			}
			for i := range got {
				if got[i].Span != want[i].Span || got[i].Message != want[i].Message {
					t.Errorf("%s: %v %s, want %v %s", s.file, got[i].Span, got[i].Message, want[i].Span, want[i].Message)
				}
			}
		}
	}
}

// An abandoner abandons a document when some of its code was compiled.
type abandoner struct {
	datamodel.Language
	document *Document
	compiled int
}

func (a *abandoner) Compile(kind datamodel.Kind, src datamodel.Source) (datamodel.Expr, error) {
	if a.compiled++; a.compiled == 20 {
		a.document.Abandon()
	}
	return a.Language.Compile(kind, src)
}

// A document of which there is a later version is not checked to the end. What is known of its code is
// not forgotten.
func TestAbandon(t *testing.T) {
	a := &abandoner{Language: ecmascript.New()}
	a.document = Analyse("large.scxml", largeChart(1000), Options{Chart: []scxml.ChartOption{scxml.WithLanguage(a)}})
	if a.document.Problems(); a.compiled < 20 || a.compiled > 40 {
		t.Errorf("%d pieces of code were compiled, want 20 and the rest of a state", a.compiled)
	}
	d := Analyse("large.scxml", largeChart(100), Options{})
	d.Problems()
	known := len(d.memo.next)
	d = d.Change(d.Text() + "\n")
	d.Abandon()
	if got := d.Problems(); len(got) != 0 || len(d.memo.next) != known {
		t.Errorf("%d problems, and the code of %d pieces is known, want %d", len(got), len(d.memo.next), known)
	}
}
