package editor

import (
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// TestVocabulary compares the descriptions with what the parser knows.
func TestVocabulary(t *testing.T) {
	for _, name := range doc.ElementNames() {
		term, ok := vocabulary[name]
		if !ok || term.text == "" || term.section == "" {
			t.Errorf("<%s> is not described", name)
		}
		attrs, _ := doc.Attributes(name)
		for _, a := range attrs {
			if term.attrs[a].text == "" {
				t.Errorf("%s of <%s> is not described", a, name)
			}
		}
		for a := range term.attrs {
			if !slices.Contains(attrs, a) {
				t.Errorf("%s of <%s> is described and does not exist", a, name)
			}
		}
	}
	if len(vocabulary) != len(doc.ElementNames()) {
		t.Errorf("%d elements are described, of %d", len(vocabulary), len(doc.ElementNames()))
	}
}

func TestHover(t *testing.T) {
	const chart = `<datamodel><data id="n" expr="1 &lt; 2"/></datamodel>
<state id="out" initial="in"><state id="in"><onentry><raise event="go"/><log expr="n"/></onentry>
<transition event="go other" cond="n &gt; 0" target="out"/></state></state>`
	for _, test := range []struct{ place, span, want string }{
		{"<tran|sition", "transition", "**`<transition>`** Where an event leads."},
		{"<state id=\"in\"><on|entry", "onentry", "SCXML 3.8"},
		{`co|nd="n`, "cond", "**cond** of `<transition>`."},
		{`target="o|ut"`, "out", "state `out`"},
		{`initial="i|n"`, "in", "state `out` › `in`"},
		{`initial="i|n"`, "in", "entered by\n\n- the start of `out`"},
		{`initial="i|n"`, "in", "left by\n\n- `go other` if `n > 0` → `out`"},
		{`raise event="|go"`, "go", "taken by\n\n- `go other` if `n > 0` → `out` in `in`"},
		{`transition event="|go`, "go", "sent by\n\n- `<raise>` in `in`"},
		{`other|"`, "other", "not sent in this document"},
		{`cond="|n`, "n", "data item `n`, at first `1 < 2`"},
	} {
		place := strings.Replace(test.place, "|", "", 1)
		i := strings.Index(chart, place)
		if i < 0 {
			t.Fatalf("%s is not in the chart", place)
		}
		d := Analyse("t.scxml", head+chart+"</scxml>", Options{})
		h, ok := d.Hover(len(head) + i + strings.Index(test.place, "|"))
		if !ok || !strings.Contains(h.Text, test.want) || d.at(h.Span) != test.span {
			t.Errorf("%s: the hover of %q is %q, want %q of %q", test.place, d.at(h.Span), h.Text, test.want, test.span)
		}
	}
}

// TestHoverTypes: what is known of types is shown with names, and asked for once.
func TestHoverTypes(t *testing.T) {
	const chart = `<datamodel><data id="n" expr="1"/><data id="other" expr="2"/></datamodel><script>var v = 1; function f(x) { return x.n; }</script>
<state id="a"><transition event="e" cond="f(v) &gt; _event.data.m.k + n"/><transition event="e" cond="x._event.data.m"/>
<invoke><content><scxml version="1.0"><state id="b"><onentry><log expr="_event.data.m"/></onentry></state></scxml></content></invoke></state>`
	asked := 0
	d := Analyse("t.scxml", head+chart+"</scxml>", Options{Types: func(text string) []Type {
		if asked++; text != head+chart+"</scxml>" {
			t.Errorf("asked for the types of %q", text)
		}
		return []Type{{"data", "n", "DATA"}, {"variable", "v", "VARIABLE"}, {"function", "f", "FUNCTION"}, {"member", "m", "MEMBER"}}
	}})
	for _, test := range []struct{ place, span, want string }{
		{`data id="|n`, "n", "data item `n`, at first `1`\n\nDATA"},
		{`k + |n`, "n", "data item `n`, at first `1`\n\nDATA"},
		{`id="|other`, "other", "data item `other`, at first `2`"},
		{`cond="|f(`, "f", "function `f`: FUNCTION"},
		{`f(|v)`, "v", "variable `v`: VARIABLE"},
		{`data.|m.k`, "m", "member `m`: MEMBER"},
		{`data.m.|k`, "", "**cond** of `<transition>`"},
		{`x._event.data.|m`, "", "**cond** of `<transition>`"},
		{`log expr="_event.data.|m`, "", "**expr** of `<log>`"},
	} {
		i := strings.Index(chart, strings.Replace(test.place, "|", "", 1))
		h, _ := d.Hover(len(head) + i + strings.Index(test.place, "|"))
		if got := d.at(h.Span); !strings.HasPrefix(h.Text, test.want) || test.span != "" && got != test.span {
			t.Errorf("%s: the hover of %q is %q, want %q of %q", test.place, got, h.Text, test.want, test.span)
		}
	}
	if asked != 1 {
		t.Errorf("asked for types %d times, want 1", asked)
	}
}

// TestDefinition goes from the "|" to the definitions, which are followed by a "^".
func TestDefinition(t *testing.T) {
	for _, text := range []string{
		`<state id="a^"><transition target="|a"/></state>`,
		`<state id="a^"><transition cond="x &amp;&amp; In('|a')"/></state>`,
		`<state id="a^"><final id="f"/><transition event="done.state.|a"/></state>`,
		`<datamodel><data id="n^"/></datamodel><state id="a"><onentry><log expr="2 + |n.n"/></onentry></state>`,
		`<state id="a"><onentry><raise event="x.y^"/><send event="x^"/><raise event="z"/></onentry><transition event="|x"/></state>`,
		`<state id="a"><onentry><raise event="|x.y"/></onentry><transition event="x^"/><transition event="z x.y^"/><transition event="x.z"/></state>`,
		`<state id="a"><onentry><send id="t^" event="e"/><cancel sendid="|t"/></onentry></state>`,
		`<state id="a"><invoke id="i^" src="x"/><onentry><send event="e" target="#_|i"/></onentry></state>`,
		`<state id="a"><invoke><content><scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a^"><transition target="|a"/></state></scxml></content></invoke></state>`,
	} {
		text = head + text
		plain := strings.NewReplacer("|", "", "^", "").Replace(text)
		offset := strings.Index(strings.ReplaceAll(text, "^", ""), "|")
		var want []int
		for rest := strings.ReplaceAll(text, "|", ""); ; {
			i := strings.Index(rest, "^")
			if i < 0 {
				break
			}
			want = append(want, i)
			rest = rest[:i] + rest[i+1:]
		}
		var got []int
		for _, p := range Analyse("t.scxml", plain, Options{}).Definition(offset) {
			got = append(got, p.Span.End)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the definitions end at %v, want %v", text, got, want)
		}
	}
	d, offset := at(t, head+`<script src="lib/|x.js"/>`)
	if p := d.Definition(offset); len(p) != 1 || p[0].File != "lib/x.js" {
		t.Errorf("src leads to %v", p)
	}
}

func TestReferences(t *testing.T) {
	for _, test := range []struct {
		text string
		want string // the elements of the references
	}{
		{`<state id="|a" initial="b"><state id="b"/><transition event="done.state.a" cond="In('a')" target="a b"/></state>`, "state transition transition transition"},
		{`<datamodel><data id="|n"/></datamodel><state id="a"><onentry><foreach array="n" item="i"><assign location="m.n" expr="n + 'n'"/></foreach></onentry></state>`, "data foreach assign"},
		{`<state id="a"><onentry><raise event="|e.f"/><send event="e"/><raise event="e.f"/></onentry><transition event="e"/><transition event="e.f.g"/></state>`, "raise raise transition"},
		{`<state id="a"><onentry><log expr="In('|"/><log expr="1"/></onentry></state>`, ""},
	} {
		d, offset := at(t, head+test.text+"</scxml>")
		var got []string
		for _, p := range d.References(offset, true) {
			got = append(got, d.nodeAt(p.Span.Start+1).tag)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: the references are in %s, want %s", test.text, got, test.want)
		}
		if declared := len(d.References(offset, true)) - len(d.References(offset, false)); strings.Contains(test.text, `id="|`) && declared != 1 {
			t.Errorf("%s: %d references are declarations", test.text, declared)
		}
	}
}

func TestOutline(t *testing.T) {
	text := strings.Replace(head, ">", ` name="light">`, 1) + `
  <!-- two
       lines -->
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="on">
    <transition event="off" target="out"/>
    <transition cond="n &gt; 1" target="out"/>
  </state>
  <final id="out"/>
</scxml>`
	d := Analyse("t.scxml", text, Options{})
	var lines []string
	var visit func(all []Symbol, indent string)
	visit = func(all []Symbol, indent string) {
		for _, s := range all {
			lines = append(lines, strings.TrimRight(indent+s.Name+" "+s.Detail, " "))
			visit(s.Children, indent+"  ")
		}
	}
	visit(d.Symbols(), "")
	want := "light\n  n 0\n  on\n    off → out\n    if n > 1 → out\n  out"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the outline is\n%s\nwant\n%s", got, want)
	}
	var folds []int
	for _, f := range d.Folds() {
		folds = append(folds, d.LineAt(f.Span.Start), d.LineAt(f.Span.End))
	}
	if want := []int{0, 9, 1, 2, 4, 7}; !slices.Equal(folds, want) {
		t.Errorf("the folds are from and to lines %v, want %v", folds, want)
	}
	var lenses []string
	for _, l := range d.Lenses() {
		lenses = append(lenses, l.Title)
	}
	if want := []string{"draw", "explore", "2 transitions lead here"}; !slices.Equal(lenses, want) {
		t.Errorf("the lenses are %v, want %v", lenses, want)
	}
}
