package editor

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestRenameKeepsCharts renames every name of every chart that can be renamed. Afterwards the chart
// has the same diagnostics, and a second renaming gives back its text.
func TestRenameKeepsCharts(t *testing.T) {
	renamed, refused := map[wordKind]int{}, map[wordKind]int{}
	for _, s := range corpus(t) {
		d := s.analyse(s.text)
		before := codesOf(d)
		for _, c := range d.charts {
			done := map[string]bool{}
			for i := range c.words {
				w := &c.words[i]
				key := fmt.Sprint(w.kind, w.name)
				if done[key] || w.name == "" {
					continue
				}
				done[key] = true
				to := "fresh_" + strings.Map(func(r rune) rune {
					if r < 128 && !isNameByte(byte(r)) && !isDigit(byte(r)) {
						return '_'
					}
					return r
				}, w.name)
				edits, err := d.Rename(w.span.Start, to)
				if err != nil {
					refused[w.kind]++
					continue
				}
				renamed[w.kind]++
				text, err := apply(s.text, edits)
				if err != nil {
					t.Fatal(err)
				}
				after := s.analyse(text)
				for code, n := range codesOf(after) {
					if n > before[code] {
						t.Errorf("%s: after %s is renamed there are %d diagnostics %s, before %d\n%s", s.file, w.name, n, code, before[code], strings.Join(messagesOf(after), "\n"))
					}
				}
				back, err := after.Rename(placeOf(after, w.kind, to), w.name)
				if err != nil && (strings.Contains(err.Error(), "use letters") || strings.Contains(err.Error(), "name of the data model")) {
					continue // the name was legal, but is not one to choose
				}
				short := slices.ContainsFunc(edits, func(e Edit) bool { return strings.Contains(e.Text, ": ") })
				if again, _ := apply(text, back); err != nil || again != s.text && !short {
					t.Errorf("%s: renaming %q back gives %v, and another text", s.file, w.name, err)
				}
			}
		}
	}
	t.Log(renamed, refused)
	for kind := stateWord; kind <= invokeWord; kind++ {
		if renamed[kind] < 5 || refused[kind] < 1 {
			t.Errorf("of the words of kind %d, %d were renamed and %d refused", kind, renamed[kind], refused[kind])
		}
	}
}

// placeOf returns where a name is.
func placeOf(d *Document, kind wordKind, name string) int {
	for _, c := range d.charts {
		for _, w := range c.words {
			if w.kind == kind && w.name == name {
				return w.span.Start
			}
		}
	}
	return -1
}

// codesOf counts the diagnostics by code.
func codesOf(d *Document) map[string]int {
	codes := map[string]int{}
	for _, p := range d.Problems() {
		codes[p.Code]++
	}
	return codes
}

func messagesOf(d *Document) []string {
	var all []string
	for _, p := range d.Problems() {
		all = append(all, p.Message)
	}
	return all
}

const head = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">`

// at returns a document and the offset of the "|" in its text, which is removed.
func at(t *testing.T, text string) (*Document, int) {
	t.Helper()
	offset := strings.Index(text, "|")
	if offset < 0 {
		t.Fatalf("there is no | in %s", text)
	}
	return Analyse("t.scxml", text[:offset]+text[offset+1:], Options{}), offset
}

func TestRename(t *testing.T) {
	for _, test := range []struct{ name, text, to, want string }{
		{
			"a state, everywhere",
			`<state id="a" initial="b"><state id="b|"><transition event="done.state.b" cond="In('b') &amp;&amp; !In(&quot;b&quot;)" target="b a"/></state></state>`, "z",
			`<state id="a" initial="z"><state id="z"><transition event="done.state.z" cond="In('z') &amp;&amp; !In(&quot;z&quot;)" target="z a"/></state></state>`,
		},
		{
			"a state, from In()",
			`<state id="a"><transition cond="In('|a')" target="a"/></state>`, "z",
			`<state id="z"><transition cond="In('z')" target="z"/></state>`,
		},
		{
			"an event with its wildcard",
			`<state id="a"><onentry><raise event="go"/></onentry><transition event="|go.* x"/></state>`, "run",
			`<state id="a"><onentry><raise event="run"/></onentry><transition event="run.* x"/></state>`,
		},
		{
			"an event with those below it",
			`<state id="a"><onentry><raise event="go.now"/></onentry><transition event="go|"/></state>`, "run",
			`<state id="a"><onentry><raise event="run.now"/></onentry><transition event="run"/></state>`,
		},
		{
			"a data item in code",
			`<datamodel><data id="n" expr="1"/></datamodel><state id="a"><onentry><script><![CDATA[ if (n < 2 && o.n) { n++; f({n, m: n}) } function f(o) { return o.n } var o = {n: 1}; ]]></script><assign location="|n" expr="'n' + n"/></onentry></state>`, "count",
			`<datamodel><data id="count" expr="1"/></datamodel><state id="a"><onentry><script><![CDATA[ if (count < 2 && o.n) { count++; f({n: count, m: count}) } function f(o) { return o.n } var o = {n: 1}; ]]></script><assign location="count" expr="'n' + count"/></onentry></state>`,
		},
		{
			"a state whose invocation has no id",
			`<state id="a"><invoke src="x.scxml"/><transition event="done.invoke.|a" target="a"/></state>`, "z",
			`<state id="z"><invoke src="x.scxml"/><transition event="done.invoke.z" target="z"/></state>`,
		},
		{
			"the id of a send",
			`<state id="a"><onentry><send event="e" id="t1" delay="1s"/></onentry><onexit><cancel sendid="t|1"/></onexit></state>`, "timer",
			`<state id="a"><onentry><send event="e" id="timer" delay="1s"/></onentry><onexit><cancel sendid="timer"/></onexit></state>`,
		},
		{
			"the id of an invoke",
			`<state id="a"><invoke id="|i" src="x.scxml"/><onentry><send event="e" target="#_i"/></onentry><transition event="done.invoke.i"/></state>`, "child",
			`<state id="a"><invoke id="child" src="x.scxml"/><onentry><send event="e" target="#_child"/></onentry><transition event="done.invoke.child"/></state>`,
		},
	} {
		d, offset := at(t, head+test.text+"</scxml>")
		edits, err := d.Rename(offset, test.to)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got, _ := apply(d.Text(), edits); got != head+test.want+"</scxml>" {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, head+test.want+"</scxml>")
		}
	}
}

func TestRenameRefuses(t *testing.T) {
	for _, test := range []struct{ text, to, want string }{
		{`<state id="|a"/><state id="b"/>`, "b", `"b" is already used at 1:111`},
		{`<state id="|a"/>`, "a b", `"a b" is not an id: use letters`},
		{`<state id="|a"><transition cond="In(x)"/></state>`, "b", `the argument of In() at 1:117 is computed, and may be "a"`},
		{`<state id="|a"><transition cond="_event.data == 'a'"/></state>`, "b", `the code at 1:133 has "a" as a text`},
		{`<state id="a"><transition event="|e"/></state>`, "b", `"e" comes from outside of this document`},
		{`<state id="a"><onentry><raise event="|e"/></onentry></state>`, "b", `"e" is taken outside of this document`},
		{`<state id="a"><onentry><send event="|e" target="#_parent"/></onentry><transition event="e"/></state>`, "b", `the event goes to another session`},
		{`<state id="a"><onentry><raise event="|e"/><raise event="f"/></onentry><transition event="e"/></state>`, "f", `"f" is already used at`},
		{`<state id="a"><onentry><raise event="|e"/><raise event="f.g"/></onentry><transition event="e"/></state>`, "f", `would also take "f.g"`},
		{`<state id="a"><transition event="|error.execution"/></state>`, "f", `the engine raises "error.execution"`},
		{`<state id="a"><transition event="|*"/></state>`, "f", `there is no name here`},
		{`<datamodel><data id="|n"/></datamodel><script src="x.js"/><state id="a"/>`, "m", `x.js may use "n" and cannot be read: there is no folder to read it from`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"><onentry><send event="e" namelist="n"/></onentry></state>`, "m", `the namelist at 1:171 hands "n" over under that name`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"><onentry><script>function f(n) { return n }</script></onentry></state>`, "m", `"n" at 1:164 may be another variable`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"><onentry><script>eval('n')</script></onentry></state>`, "m", `may use "n" with eval`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"><onentry><log expr="n +"/></onentry></state>`, "m", `has a syntax error`},
		{`<datamodel><data id="|n"/><data id="m"/></datamodel><state id="a"/>`, "m", `"m" is already used at`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"/>`, "Math", `"Math" is a name of the data model`},
		{`<datamodel><data id="|n"/></datamodel><state id="a"/>`, "if", `"if" is not the name of a variable`},
	} {
		d, offset := at(t, head+test.text+"</scxml>")
		if _, err := d.Rename(offset, test.to); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %q: %v, want %s", test.text, test.to, err, test.want)
		}
	}
}
