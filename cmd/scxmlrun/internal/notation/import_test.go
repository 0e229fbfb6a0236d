package notation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// meaning says what a chart means as far as smcat can express it. A guard that is not an expression
// counts as the data item that it becomes.
func meaning(chart *scxml.Chart) string {
	code := newBuilder(new(source))
	var b strings.Builder
	write := func(t scxml.Transition, initial bool) {
		targets := t.Targets()
		internal := t.Internal() && len(targets) == 1 && targets[0] != t.Source() && !initial
		cond := strings.TrimSpace(t.Cond())
		if cond != "" && !code.compiles(datamodel.Condition, cond) {
			cond = code.identifier(cond)
		}
		fmt.Fprintf(&b, "  %q [%s] -> %v %v\n", t.Events(), cond, targets, internal)
	}
	for _, s := range chart.States() {
		fmt.Fprintf(&b, "%s %s %v\n", s.Kind(), strings.TrimPrefix(s.Name(), "scxml#0"), s.Deep())
		if t, ok := s.Initial(); ok {
			write(t, true)
		}
		for _, t := range s.Transitions() {
			write(t, false)
		}
	}
	return b.String()
}

// A chart that is written for state-machine-cat and read again means the same, unless SMCat says that
// something is lost.
func TestSMCatRoundTrip(t *testing.T) {
	compared := 0
	for _, s := range corpus(t) {
		text, lost := SMCat(s.d)
		imported, err := ReadSMCat(s.name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, text)
			continue
		}
		chart, err := scxml.Parse(s.name, imported.SCXML)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, imported.SCXML)
			continue
		}
		if slices.ContainsFunc(lost, func(l string) bool { return !strings.HasPrefix(l, "the data of") }) || strings.Contains(s.name, "diagnostics") ||
			strings.Contains(s.name, "hostile") { // its ids are not ids
			continue
		}
		compared++
		if got, want := meaning(chart), meaning(s.d.Chart); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s\nnotes %v", s.name, got, want, text, imported.Notes)
		}
	}
	if compared < 10 {
		t.Errorf("only %d charts were compared", compared)
	}
}

func TestSMCatIsEscapedAndCut(t *testing.T) {
	chart, err := scxml.Parse("x", []byte(strings.NewReplacer("RLO", "\u202e", "LONG", strings.Repeat("long", 25_000)).Replace(
		`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><onentry><log label="inRLO"/></onentry>`+
			`<transition event="e" cond="'RLO' == 'x'" target="b"/><transition event="f" cond="'LONG'" target="b"/></state><state id="b"/></scxml>`)))
	if err != nil {
		t.Fatal(err)
	}
	text, lost := SMCat(diagram.New(chart))
	if !strings.Contains(text, `in\u202e`) || !strings.Contains(text, `e ['\u202e' == 'x']`) || strings.Contains(text, "\u202e") || len(text) > 9000 {
		t.Errorf("got %q", text)
	}
	if want := "characters that cannot be seen are escaped, and long texts are shortened: a"; !slices.Contains(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
}

// Each picture that does not show a long text whole says so, with the state.
func TestCutTextsAreLost(t *testing.T) {
	const (
		cut       = "texts of more than 4000 bytes are cut: "
		shortened = "long texts are shortened: "
	)
	long := strings.Repeat("long", 2500)
	for _, test := range []struct{ name, chart, cut, shortened string }{
		{"state", `<state id="LONG"/>`, cut + long[:100] + "…", shortened + long[:100] + "…"},
		{"event", `<state id="a"><transition event="LONG" target="a"/></state>`, cut + "a", shortened + "a"},
		{"target", `<state id="a"><transition event="e" type="internal" target="b"/></state><state id="b"><state id="LONG"/></state>`, cut + long[:100] + "…", shortened + long[:100] + "…"},
		{"condition", `<state id="a"><transition event="e" cond="'LONG'" target="a"/></state>`, "", shortened + "a"},
		{"chart", `<state id="a"/>`, cut + "scxml#0", ""},
		{"short", `<state id="a"><transition event="e" target="a"/></state>`, "", ""},
	} {
		root := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`
		if test.name == "chart" {
			root = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="LONG">`
		}
		chart, err := scxml.Parse("x", []byte(strings.ReplaceAll(root+test.chart+"</scxml>", "LONG", long)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Formats()[:3] { // dot, mermaid and plantuml
			_, lost := f.Write(diagram.New(chart))
			line := func(begin string) string {
				i := slices.IndexFunc(lost, func(l string) bool { return strings.HasPrefix(l, begin) })
				return strings.Join(lost[max(i, 0):i+1], "")
			}
			if got := line(cut); got != test.cut {
				t.Errorf("%s, %s: lost %.200q, want %.200q", test.name, f.Name, got, test.cut)
			}
			if got := line(shortened); f.Name == "dot" && got != test.shortened {
				t.Errorf("%s, %s: lost %.200q, want %.200q", test.name, f.Name, got, test.shortened)
			}
		}
	}
}

// What a picture leaves out is said as it is, and not more.
func TestLostInPictures(t *testing.T) {
	const carried = "the ids and the data of <send> and <invoke> are not written: a"
	for content, want := range map[string]string{
		`<send event="e" delay="1s"/><log label="x" expr="1"/><cancel sendid="q"/>`:      "",
		`<send event="e"><param name="coins" expr="1"/></send>`:                          carried,
		`<send event="e" id="e"/>`:                                                       carried,
		`<if cond="x"><log label="y"/></if>`:                                             "long texts are shortened: a",
		`<log expr="'a text that has more characters than a picture shows of a text'"/>`: "long texts are shortened: a",
	} {
		chart, err := scxml.Parse("x", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><onentry>`+content+`</onentry></state>
			<final id="f"><donedata><param name="x" expr="1"/></donedata></final></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Formats()[1:3] { // mermaid and plantuml
			if _, lost := f.Write(diagram.New(chart)); strings.Join(lost, "\n") != want {
				t.Errorf("%s, %s: lost %q, want %q", content, f.Name, lost, want)
			}
		}
	}
}

// Of two declarations the last one counts, and what the first one says is not lost in silence.
func TestSMCatDeclaredAgain(t *testing.T) {
	imported, err := ReadSMCat("x", []byte("a, b {\n c;\n};\na => b;\nb, a => b: back;\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := `state "b" is declared again on line 5, and what is in this declaration is not kept`
	if n := imported.Notes; len(n) != 1 || n[0].Text != want || n[0].Pos.String() != "x:1:4" {
		t.Errorf("got the notes %v, want %s", n, want)
	}
}

// What cannot be read says where and why.
func TestImportErrors(t *testing.T) {
	for _, test := range []struct{ smcat, want string }{
		{"", "x:1:1: the file has no states: want at least one"},
		{"a", `x:1:2: want , or ; after state "a", or an arrow`},
		{"a => b", `x:1:7: want ; after the transition from "a" to "b"`},
		{"a {\n b;\n", `x:1:1: state "a" is not closed: want }`},
		{"a;\n=> b;", `x:2:1: want the name of a state, got "="; write names with such characters in quotes`},
		{"é: \"x", "x:1:4: the text in quotes does not end: want another quote"},
		{"a [colour=\"red\"];", "x:1:4: want one of the attributes label, color, class, active, type, or ]"},
		{"a [type=finial];", `x:1:9: "finial" is not a type: want one of regular, initial, terminate, final, parallel, history, deephistory, choice, forkjoin, fork, join, junction, internal, external`},
		{"a; /* b", "x:1:4: the comment does not end: want */"},
		{"a\x00;", "x:1:2: character U+0000 cannot be part of an XML document"},
		{"a\xff;", "x:1:2: byte 0xff is not UTF-8"},
		{strings.Repeat("a{", 300), "x:1:401: states are nested more than 200 deep"},
	} {
		if _, err := ReadSMCat("x", []byte(test.smcat)); err == nil || err.Error() != test.want {
			t.Errorf("smcat %.20q: %v, want %s", test.smcat, err, test.want)
		}
	}
	for _, test := range []struct{ xstate, want string }{
		{"", "x:1:1: the JSON text does not end: want a value or a closing bracket"},
		{"[]", "x:1:1: want a machine, which is an object with states"},
		{"{\n  \"a\": tru }", "x:2:8: the file is not JSON: invalid character ' ' in literal true (expecting 'e')"},
		{`{} {}`, "x:1:4: want the end of the file after the value"},
		{`{"id": "m", "id": "n"}`, `x:1:13: key "id" is there twice`},
		{`{"states": {"a": 1}}`, `x:1:18: state "a" is not an object`},
		{`{"states": {"a": {"type": "end"}}}`, `x:1:27: "end" is not a type of state: want atomic, compound, parallel, final or history`},
		{`{"states": {"a": {"on": {"é": [{"target": "b"}]}}}}`, `x:1:43: target "b" is not a state`},
		{`{"states": {"a": {"on": {"E": 1}}}}`, "x:1:31: want a target, an object with one, or a list of them"},
		{`{"id": "\u0007"}`, "x:1:8: character U+0007 cannot be part of an XML document"},
		{strings.Repeat("[", 300), "x:1:202: values are nested more than 200 deep"},
	} {
		if _, err := ReadXState("x", []byte(test.xstate)); err == nil || err.Error() != test.want {
			t.Errorf("xstate %.20q: %v, want %s", test.xstate, err, test.want)
		}
	}
	if _, err := ReadSMCat("x", make([]byte, MaxImport+1)); err == nil || err.Error() != "x: the file has 16777217 bytes: want at most 16777216" {
		t.Errorf("a large file: %v", err)
	}
}

// Pseudostates that SCXML lacks become transitions.
func TestSMCatPseudostates(t *testing.T) {
	imported, err := ReadSMCat("x", []byte(`
initial, p.parallel {
  q { q1 => q2: go; },
  r { r1 => r2: go; };
},
^maybe, over [type=terminate];
initial -> ]split;
]split -> q1;
]split -> r1: / raise begun;
q2 -> ]merge;
r2 -> ]merge;
]merge -> ^maybe: / log 'merged';
^maybe -> over: [x > 1];
^maybe -> p.parallel: [else];
`))
	if err != nil {
		t.Fatal(err)
	}
	chart, err := scxml.Parse("x", imported.SCXML)
	if err != nil {
		t.Fatal(err)
	}
	want := `scxml  false
  [] [] -> [q1 r1] false
parallel p.parallel false
state q false
  [] [] -> [q1] false
state q1 false
  ["go"] [] -> [q2] false
state q2 false
  [] [In('r2')] -> [_maybe] false
state r false
  [] [] -> [r1] false
state r1 false
  ["go"] [] -> [r2] false
state r2 false
  [] [In('q2')] -> [_maybe] false
state _maybe false
  [] [x > 1] -> [over] false
  [] [] -> [p.parallel] false
final over false
`
	if got := meaning(chart); got != want {
		t.Errorf("got\n%s\nwant\n%s\nnotes %v", got, want, imported.Notes)
	}
}
