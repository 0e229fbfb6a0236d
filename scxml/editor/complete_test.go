package editor

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestComplete asks at the "|" of a text, in a chart unless it has its own root. Of what is wanted, a
// label is offered, one after "!" is not, and one after "=" is what the text becomes when the first
// item is taken, with the cursor at its "|".
func TestComplete(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{`|<?xml version="1.0"?>`, []string{"scxml"}},
		{`<sc|`, []string{"scxml", "!state"}},
		{`<state id="a"><|</state>`, []string{"onentry", "transition", "state", "!raise", "!data", "!scxml"}},
		{"<state id=\"a\">\n  <|\n</state>", []string{"onentry", "transition"}},
		{"<state id=\"a\">\n  tr|\n</state>", []string{"=<state id=\"a\">\n  <transition event=\"|\" target=\"\"/>\n</state>"}},
		{`<state id="a"><onen|</state>`, []string{`=<state id="a"><onentry>|</onentry></state>`}},
		{`<state id="a"><trans|ition event="e"/></state>`, []string{`=<state id="a"><transition| event="e"/></state>`}},
		{`<state id="a"><onentry><|</onentry></state>`, []string{"raise", "send", "log", "!transition", "!elseif"}},
		{`<state id="a"><onentry><if cond="x"><|`, []string{"elseif", "else", "/if"}},
		{`<state id="a"><onentry></|`, []string{`=<state id="a"><onentry></onentry>|`}},
		{`<state id="a"></st|ate>`, []string{`state`}},
		{`<state | id="a"/>`, []string{"initial", "!id", "!event"}},
		{`<transition ta|`, []string{`=<transition target="|"`}},
		{`<transition ta|="a"/>`, []string{`=<transition target|="a"/>`}},
		{`<transition target="a"|/>`, nil},
		{`<history type="|"/>`, []string{"shallow", "deep", "!internal"}},
		{`<state id="one"/><state id="two"><transition target="t|"/></state>`, []string{`=<state id="one"/><state id="two"><transition target="two|"/></state>`, "!one"}},
		{`<state id="one"/><state id="two"><transition target="one |"/></state>`, []string{"one", "two"}},
		{`<state id="one" initial="|"><state id="in"/></state><state id="two"/>`, []string{"in", "!one", "!two"}},
		{`<state id="one"><initial><transition target="|"/></initial><state id="in"/></state>`, []string{"in", "!one"}},
		{`<state id="one"/><state id="two"><transition target="|` + "\n  <transition event=\"e\"/></state>", []string{"one", "two"}},
		{`<state id="a"><onentry><raise event="ping"/></onentry><transition event="|"/></state>`, []string{"ping", "error.execution", "*"}},
		{`<state id="a"><transition event="pong.x"/><transition event="e"><raise event="|"/></transition></state>`, []string{"pong.x", "e", "!error.execution"}},
		{`<state id="a"><final id="f"/><transition event="done|"/></state>`, []string{"done.state.a", "!done.state.f"}},
		{`<state id="a"><invoke id="i" src="x"/><transition event="|"/></state>`, []string{"done.invoke.i"}},
		{`<state id="a"><invoke id="i" src="x"/><onentry><send target="#|"/></onentry></state>`, []string{"#_internal", "#_parent", "#_i"}},
		{`<state id="a"><onentry><send id="t" event="e"/><cancel sendid="|"/></onentry></state>`, []string{"t", "!a"}},
		{`<state id="a"><transition cond="I|"/></state>`, []string{`=<state id="a"><transition cond="In('|')"/></state>`}},
		{`<state id="abc"><transition cond="x &amp;&amp; In('|"/></state>`, []string{`=<state id="abc"><transition cond="x &amp;&amp; In('abc|"/></state>`}},
		{`<state id="abc"><transition cond='x &lt; 1 &amp;&amp; In("a|b")'/></state>`, []string{`=<state id="abc"><transition cond='x &lt; 1 &amp;&amp; In("abc|")'/></state>`}},
		{`<datamodel><data id="count" expr="1"/></datamodel><state id="a"><onentry><assign location="c|"/></onentry></state>`, []string{"count", "!In"}},
		{`<datamodel><data id="count" expr="1"/></datamodel><state id="a"><onentry><log expr="1 + c|"/></onentry></state>`, []string{"count"}},
		{`<datamodel><data id="count" expr="1"/></datamodel><state id="a"><onentry><log expr="o.c|"/></onentry></state>`, []string{"!count"}},
		{`<datamodel><data id="count" expr="1"/></datamodel><state id="a"><onentry><script>if (1 &lt; co|</script></onentry></state>`, []string{"count"}},
		{`<state id="a"><onentry><log expr="_event.|"/></onentry></state>`, []string{"data", "name", "!In"}},
		{`<state id="a"><onentry><raise event="hello"/></onentry><transition event="*" cond="_event.name == '|'"/></state>`, []string{"hello"}},
		{`<state id="a"><!-- < | --></state>`, nil},
		{`<state id="a"><transition event="` + "x\" | target=\"a\"/></state>", []string{"cond", "type", "!target"}},
	} {
		text := test.text
		if !strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "<sc") {
			text = head + text
		}
		d, offset := at(t, text)
		c := d.Complete(offset)
		if test.want == nil && len(c.Items) > 0 {
			t.Errorf("%s: %v is offered", test.text, c.labels())
		}
		for _, want := range test.want {
			label, not := strings.CutPrefix(want, "!")
			after, taken := strings.CutPrefix(want, "=")
			switch {
			case taken && len(c.Items) == 0:
				t.Errorf("%s: nothing is offered", test.text)
			case taken:
				it := c.Items[0]
				got := d.Text()[:c.Replace.Start] + it.Insert[:it.Cursor] + "|" + it.Insert[it.Cursor:] + d.Text()[c.Replace.End:]
				if got != head+after {
					t.Errorf("%s: taking %s gives\n%s\nwant\n%s", test.text, it.Label, strings.TrimPrefix(got, head), after)
				}
			case slices.Contains(c.labels(), label) == not:
				t.Errorf("%s: %s; all that is offered is %v", test.text, want, c.labels())
			}
		}
	}
}

func TestCompleteFiles(t *testing.T) {
	files := fstest.MapFS{"main.js": {}, "child.scxml": {}, "lib/more.js": {}, ".git/x": {}}
	for text, want := range map[string][]string{
		`<script src="|"/>`:      {"lib/", "main.js"},
		`<script src="lib/m|"/>`: {"lib/more.js"},
		`<script src="../|"/>`:   nil,
		`<invoke src="|"/>`:      {"child.scxml", "lib/"},
	} {
		d, offset := at(t, head+text)
		if got := Analyse("t.scxml", d.Text(), Options{Files: files}).Complete(offset); !slices.Equal(got.labels(), want) {
			t.Errorf("%s: %v is offered, want %v", text, got.labels(), want)
		}
	}
}

func TestCompletionIsBounded(t *testing.T) {
	text := largeChart(2000)
	offset := strings.Index(text, `target="s`) + len(`target="`)
	d := Analyse("large.scxml", text, Options{})
	if c := d.Complete(offset); len(c.Items) != maxItems || !c.Incomplete {
		t.Errorf("there are %d items, incomplete %v", len(c.Items), c.Incomplete)
	}
	d = d.Change(text[:offset] + "s1987" + text[offset:])
	if c := d.Complete(offset + len("s1987")); !c.offers("s1987") || c.Items[0].Label != "s1987" {
		t.Errorf("the state is not offered first, only %v", c.labels())
	}
}
