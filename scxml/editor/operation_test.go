package editor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// plainDocument is the document that the others in the tests are other writings of.
const plainDocument = `<?xml version="1.0" encoding="UTF-8"?>
<!-- A lamp -->
<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml" name="lamp" initial="off">
  <datamodel>
    <data id="n" expr="0"/> <!-- how often -->
    <data id="text"><![CDATA[<kept>
  as it is]]></data>
  </datamodel>
  <script>var limit = 3;</script>

  <!-- nobody home -->
  <state id="off">
    <onexit>
      <assign location="n" expr="n + 1"/>
    </onexit>
    <transition event="press" cond="n &lt; limit" target="on"/> <!-- the usual way -->
    <transition event="press" target="broken"/>
    <transition event="tick"><!-- nothing yet --></transition>
  </state>

  <state id="on" initial="bright">
    <onentry>
      <log label="on" expr="n"/>
      <raise event="warm"/>
    </onentry>
    <transition event="press" target="off"/>
    <transition event="done.state.on" target="off"/>
    <history id="last">
      <transition target="bright"/>
    </history>
    <state id="bright"><transition event="dim" target="dimmed"/></state>
    <state id="dimmed">
      <transition event="warm" cond="In('on')" target="burnt"/>
    </state>
    <final id="burnt"/>
  </state>

  <state id="broken">
    <initial>
      <transition target="dark"/>
    </initial>
    <transition event="mend" target="last"/>
    <state id="dark"/>
    <state id="smoke">
      <invoke id="alarm" src="alarm.scxml"/>
    </state>
  </state>

  <parallel id="both">
    <state id="left">
      <state id="l1"/>
      <state id="l2"/>
    </state>
    <state id="right"/>
  </parallel>
  <final id="end"><donedata><param name="n" expr="n"/></donedata></final>
</scxml>
<!-- the end -->
`

// ofEachKind has operations of all kinds, each on plainDocument.
var ofEachKind = []string{
	`{"op":"add-state","in":"on","id":"new"}`,
	`{"op":"add-state","in":"bright","id":"new"}`,
	`{"op":"add-state","in":"dark","id":"new","kind":"parallel"}`,
	`{"op":"add-state","id":"new","kind":"final","after":"off"}`,
	`{"op":"add-state","in":"broken","id":"new","kind":"deep-history"}`,
	`{"op":"add-state-beside","state":"off","id":"new"}`,
	`{"op":"add-region","state":"both","id":"new"}`,
	`{"op":"add-region","state":"left","id":"new","rest":"old"}`,
	`{"op":"add-region","state":"right","id":"new"}`,
	`{"op":"group-states","states":"bright dimmed","id":"new"}`,
	`{"op":"ungroup-state","state":"new"}`,
	`{"op":"paste-states","in":"on","text":"<state id=\"off\">\n  <transition event=\"x\" target=\"off\" cond=\"In('off')\"/>\n</state>\n<final id=\"y\"/>"}`,
	`{"op":"duplicate-state","state":"on"}`,
	`{"op":"move-state","state":"off","in":"right"}`,
	`{"op":"move-state","state":"left","in":"broken","after":"dark"}`,
	`{"op":"move-state","state":"dimmed"}`,
	`{"op":"order-state","state":"broken","before":"off"}`,
	`{"op":"order-state","state":"off"}`,
	`{"op":"rename-state","state":"on","to":"lit"}`,
	`{"op":"set-kind","state":"smoke","kind":"parallel"}`,
	`{"op":"set-kind","state":"right","kind":"history"}`,
	`{"op":"set-kind","state":"dark","kind":"final"}`,
	`{"op":"make-initial","state":"dimmed"}`,
	`{"op":"make-initial","state":"smoke"}`,
	`{"op":"make-initial","state":"broken"}`,
	`{"op":"set-initial","to":"l2"}`,
	`{"op":"set-initial","state":"left","to":"l2"}`,
	`{"op":"set-initial-actions","state":"left","actions":"<log expr=\"n &amp;&amp; 1\"/>"}`,
	`{"op":"set-initial-actions","state":"broken","actions":"<log expr=\"1\"/>\n<log expr=\"2\"/>"}`,
	`{"op":"delete-state","state":"on","uses":"keep"}`,
	`{"op":"delete-state","state":"broken","uses":"delete"}`,
	`{"op":"delete-state","state":"both"}`,
	`{"op":"set-onentry","state":"on","actions":"<log label=\"on\" expr=\"n\"/>\n<if cond=\"n\">\n  <raise event=\"cold\"/>\n</if>"}`,
	`{"op":"set-onentry","state":"bright","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"set-onexit","state":"off","actions":""}`,
	`{"op":"set-onexit","state":"l1","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"add-onentry","state":"on","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"add-onexit","state":"off","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"add-comment","state":"off","text":"dark"}`,
	`{"op":"add-transition","from":"dark","to":"smoke","event":"burn fire.*","cond":"n < 2 && \"x\""}`,
	`{"op":"add-transition","from":"off","event":"stop","to":"end","actions":"<log expr=\"1\"/>"}`,
	`{"op":"set-event","transition":"off/1","event":"push"}`,
	`{"op":"set-event","transition":"off/2","event":""}`,
	`{"op":"set-cond","transition":"off/2","cond":"n > 3 && n < 9"}`,
	`{"op":"set-cond","transition":"dimmed/1","cond":""}`,
	`{"op":"set-target","transition":"bright/1","to":"burnt"}`,
	`{"op":"set-target","transition":"last/initial","to":"dimmed"}`,
	`{"op":"set-target","transition":"off/3","to":"end"}`,
	`{"op":"set-type","transition":"on/1","type":"internal"}`,
	`{"op":"set-actions","transition":"bright/1","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"set-actions","transition":"off/3","actions":"<raise event=\"cold\"/>"}`,
	`{"op":"move-transition","transition":"off/2","from":"dark"}`,
	`{"op":"order-transition","transition":"off/2","before":"1"}`,
	`{"op":"order-transition","transition":"off/1"}`,
	`{"op":"duplicate-transition","transition":"dimmed/1"}`,
	`{"op":"paste-transitions","from":"dark","text":"<transition event=\"x\" target=\"off\">\n  <raise event=\"cold\"/>\n</transition>"}`,
	`{"op":"delete-transition","transition":"off/2"}`,
	`{"op":"delete-transition","transition":"bright/1"}`,
	`{"op":"rename-event","event":"warm","to":"hot"}`,
	`{"op":"add-data","id":"m","expr":"'a' + \"b\""}`,
	`{"op":"add-data","in":"dark","id":"m","expr":"1"}`,
	`{"op":"set-data","id":"n","expr":"1 < 2"}`,
	`{"op":"rename-data","id":"n","to":"count"}`,
	`{"op":"delete-data","id":"text"}`,
	`{"op":"delete-data","id":"n","uses":"keep"}`,
	`{"op":"add-invoke","state":"dark","id":"bell","src":"bell.scxml","content":"<param name=\"x\" expr=\"n\"/>"}`,
	`{"op":"delete-invoke","state":"smoke"}`,
	`{"op":"set-donedata","state":"end","content":"<content expr=\"n\"/>"}`,
	`{"op":"set-donedata","state":"burnt","content":"<param name=\"n\" expr=\"n\"/>"}`,
	`{"op":"set-name","name":"light"}`,
	`{"op":"set-datamodel","datamodel":"null"}`,
	`{"op":"set-script","script":"var limit = 4 < 5 ? 4 : 5;"}`,
	`{"op":"format","indent":"\t"}`,
}

func operation(t testing.TB, text string) Operation {
	t.Helper()
	var op Operation
	if err := json.Unmarshal([]byte(text), &op); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return op
}

// start returns the document for an operation of ofEachKind.
func start(text string) string {
	if strings.Contains(text, `"ungroup-state"`) {
		return strings.Replace(strings.Replace(plainDocument, `    <state id="dark"/>`, "    <state id=\"new\">\n      <!-- both -->\n      <state id=\"dark\"/>", 1), `<invoke id="alarm" src="alarm.scxml"/>
    </state>
`, `<invoke id="alarm" src="alarm.scxml"/>
      </state>
    </state>
`, 1)
	}
	return plainDocument
}

// writings are other ways to write a document.
var writings = []struct {
	name  string
	write func(string) []byte
}{
	{"plain", func(s string) []byte { return []byte(s) }},
	{"CRLF", func(s string) []byte { return []byte(strings.ReplaceAll(s, "\n", "\r\n")) }},
	{"BOM", func(s string) []byte { return []byte("\ufeff" + s) }},
	{"UTF-16", func(s string) []byte { return wide("\ufeff"+strings.Replace(s, "UTF-8", "UTF-16", 1), false) }},
	{"UTF-16BE with CRLF", func(s string) []byte {
		return wide("\ufeff"+strings.Replace(strings.ReplaceAll(s, "\n", "\r\n"), "UTF-8", "UTF-16", 1), true)
	}},
	{"Latin-1", func(s string) []byte {
		return bytes.Replace([]byte(strings.Replace(s, "UTF-8", "ISO-8859-1", 1)), []byte("A lamp"), []byte("L\xe4mp"), 1)
	}},
	{"prefix", func(s string) []byte { return []byte(prefixed(s)) }},
	{"tabs", func(s string) []byte {
		s = regexp.MustCompile(`(?m)^(  )+`).ReplaceAllStringFunc(s, func(blanks string) string { return strings.Repeat("\t", len(blanks)/2) })
		return []byte(strings.Replace(s, "\tas it is", "  as it is", 1)) // it is data
	}},
	{"DOCTYPE", func(s string) []byte {
		return []byte(strings.Replace(s, "<!-- A lamp -->", "<!DOCTYPE scxml>\n<?style a=\"<x>\"?>\n<!-- A <state id=\"off\"> -->", 1))
	}},
	{"comments", func(s string) []byte {
		return []byte(strings.NewReplacer("<onentry>", "<onentry><!-- <state> -->", "  <final", "  <!-- > --> <!-- a\n b --><final", "</state>", "<!-- c --></state>").Replace(s))
	}},
	{"one line", func(s string) []byte {
		return []byte(regexp.MustCompile(`\n\s*`).ReplaceAllString(strings.Replace(s, "<kept>\n  as", "<kept>as", 1), ""))
	}},
	{"self-closing and single quotes", func(s string) []byte {
		s = strings.ReplaceAll(s, "In('on')", "In(&quot;on&quot;)")
		return []byte(strings.NewReplacer("/>", " />", `="`, ` = '`, `"/>`, `' />`, `" `, `' `, `">`, `'>`, `"?>`, `'?>`).Replace(s))
	}},
}

func wide(s string, big bool) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// prefixed gives the elements of a document a namespace prefix.
func prefixed(s string) string {
	s = regexp.MustCompile(`<(/?)([a-z])`).ReplaceAllString(s, "<${1}sc:$2")
	return strings.NewReplacer("xmlns=", "xmlns:sc=", "<sc:kept>", "<kept>").Replace(s)
}

// Each kind of operation is in the list.
func TestEachOperationIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, text := range ofEachKind {
		tried[operation(t, text).Op] = true
	}
	for _, k := range Operations() {
		if !tried[k.Name] {
			t.Errorf("%s is not tried", k.Name)
		}
	}
	if len(tried) < 30 {
		t.Errorf("there are %d kinds", len(tried))
	}
}

// An operation does the same to a document however that is written: the bytes that it does not change
// stay, and new ones are written like the others.
func TestOperationsKeepTheWriting(t *testing.T) {
	same := []string{"plain", "CRLF", "BOM", "UTF-16", "UTF-16BE with CRLF", "Latin-1", "prefix", "tabs"}
	for _, text := range ofEachKind {
		op := operation(t, text)
		plain, err := Operate("lamp.scxml", []byte(start(text)), []Operation{op}, Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, writing := range writings {
			source := writing.write(start(text))
			got := checkOperation(t, writing.name, source, op)
			if want := writing.write(string(plain)); slices.Contains(same, writing.name) && op.Op != "format" && !bytes.Equal(got, want) {
				t.Errorf("%s: %s: got\n%s\nwant\n%s", writing.name, text, got, want)
			}
			if before, after := kept(t, source), kept(t, got); !keepsAll(before, after, op.Op) {
				t.Errorf("%s: %s: comments, CDATA sections or instructions were lost: %q, before %q", writing.name, text, after, before)
			}
			if strings.Contains(text, `"keep"`) {
				continue
			}
			want, err1 := chartText("plain", plain)
			have, err2 := chartText(writing.name, got)
			if err1 != nil || err2 != nil || want != have {
				t.Errorf("%s: %s: the chart is %v\n%s\nnot %v\n%s", writing.name, text, err2, have, err1, want)
			}
		}
	}
}

// kept returns the comments, CDATA sections, instructions and declarations of a document.
func kept(t *testing.T, source []byte) []string {
	text, _, err := Decode(source)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>]*>`).FindAllString(text, -1)
}

// keepsAll reports whether nothing was lost, unless the operation deletes or replaces elements.
func keepsAll(before, after []string, op string) bool {
	if strings.HasPrefix(op, "delete-") || op == "set-actions" || strings.HasPrefix(op, "set-on") {
		for _, s := range after {
			if !slices.Contains(before, s) {
				return false
			}
		}
		return true
	}
	for _, s := range before {
		i := slices.Index(after, s)
		if i < 0 && op != "format" {
			return false
		}
		if i >= 0 {
			after = slices.Delete(slices.Clone(after), i, i+1)
		}
	}
	return true
}

// checkOperation returns the document after an operation. It checks that the edits lead there and back.
func checkOperation(t *testing.T, name string, source []byte, op Operation) []byte {
	t.Helper()
	text, encode, err := Decode(source)
	if err != nil {
		t.Fatal(err)
	}
	after, edits, err := Analyse("lamp.scxml", text, Options{}).Operate(op)
	if err != nil {
		t.Fatalf("%s: %v: %v", name, op, err)
	}
	if got := ApplyEdits(text, edits); got != after.Text() {
		t.Errorf("%s: %v: the edits lead to\n%s\nnot to\n%s", name, op, got, after.Text())
	}
	back, err := encode(ApplyEdits(after.Text(), UndoEdits(text, edits)))
	if err != nil || !bytes.Equal(back, source) {
		t.Errorf("%s: %v: %v: undone, the document is\n%s\nnot\n%s", name, op, err, back, source)
	}
	got, err := encode(after.Text())
	if err != nil {
		t.Errorf("%s: %v: %v", name, op, err)
	}
	return got
}

// chartText returns what a chart is: the states with what they have.
func chartText(name string, source []byte) (string, error) {
	chart, err := scxml.Parse(name, source)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var write func(s scxml.State, depth int)
	actions := func(e *scxml.Element) string {
		var text strings.Builder
		var add func(e *scxml.Element)
		add = func(e *scxml.Element) {
			for _, c := range e.Children {
				fmt.Fprintf(&text, "<%s%v%s", c.Name, attrsOf(c), strings.TrimSpace(c.Text))
				add(c)
				text.WriteString(">")
			}
		}
		if e != nil {
			add(e)
		}
		return text.String()
	}
	transition := func(kind string, t scxml.Transition, depth int) {
		var targets []string
		for _, s := range t.Targets() {
			targets = append(targets, s.Name())
		}
		fmt.Fprintf(&b, "%s%s %q [%s] %v internal=%v %s\n", strings.Repeat(" ", depth+1), kind, t.Events(), t.Cond(), targets, t.Internal(), actions(t.Element()))
	}
	write = func(s scxml.State, depth int) {
		fmt.Fprintf(&b, "%s%v %s deep=%v\n", strings.Repeat(" ", depth), s.Kind(), s.Name(), s.Deep())
		for _, e := range s.Element().Children {
			if e.Name == "onentry" || e.Name == "onexit" || e.Name == "datamodel" || e.Name == "donedata" || e.Name == "script" {
				fmt.Fprintf(&b, "%s%s %s %s\n", strings.Repeat(" ", depth+1), e.Name, actions(e), strings.TrimSpace(e.Text))
			}
			if e.Name == "invoke" {
				fmt.Fprintf(&b, "%sinvoke %v %s\n", strings.Repeat(" ", depth+1), attrsOf(e), actions(e))
			}
		}
		if t, ok := s.Initial(); ok {
			transition("initial", t, depth)
		}
		for _, t := range s.Transitions() {
			transition("transition", t, depth)
		}
		for _, c := range s.Children() {
			write(c, depth+1)
		}
	}
	write(chart.Root(), 0)
	// One line has no line ends in its data, and other quotes mean the same.
	return regexp.MustCompile(`\n  (as it is)|In\("(\w+)"\)`).ReplaceAllStringFunc(b.String(), func(s string) string {
		return strings.TrimPrefix(strings.ReplaceAll(s, `"`, "'"), "\n  ")
	}), nil
}

func attrsOf(e *scxml.Element) string {
	var all []string
	for _, a := range e.Attrs {
		all = append(all, a.Name+"="+a.Value)
	}
	slices.Sort(all)
	return fmt.Sprint(all)
}

// What is wrong with an operation is said with what to write instead, and the document stays.
func TestWrongOperations(t *testing.T) {
	for text, want := range map[string]string{
		`{"op":"add-stat","id":"x"}`:                                                      `"add-stat" is not an operation (did you mean "add-state"?)`,
		`{"op":"add-state","inn":"on","id":"x"}`:                                          `add-state has no argument "inn": want in, id, kind, to, after`,
		`{"op":"add-state","in":"om","id":"x"}`:                                           `add-state: in: "om" is not a state (did you mean "on"?)`,
		`{"op":"add-state","in":"on"}`:                                                    `add-state needs the argument "id": the id of the new state, which no other has`,
		`{"op":"add-state","id":"off"}`:                                                   `add-state: id: the state at 12:3 has the id "off": use another`,
		`{"op":"add-state","id":"a b"}`:                                                   `"a b" is not an id`,
		`{"op":"add-state","id":"x","kind":"paralel"}`:                                    `kind: "paralel" is not one of state, parallel, final, history, deep-history (did you mean "parallel"?)`,
		`{"op":"add-state","in":"end","id":"x"}`:                                          `in: a <final> has no child states`,
		`{"op":"add-state","in":"both","id":"x","kind":"final"}`:                          `<final>`,
		`{"op":"move-state","state":"on","in":"bright"}`:                                  `in: "bright" is "on" or in it`,
		`{"op":"set-kind","state":"on","kind":"final"}`:                                   `state: "on" cannot become a <final>: the <transition> at 26:5 is in it: move or delete that first`,
		`{"op":"set-kind","state":"on","kind":"parallel"}`:                                `state: "on" cannot become a <parallel>: the <final> at 35:5 is in it`,
		`{"op":"make-initial","state":"left"}`:                                            `"left" is a region of a parallel`,
		`{"op":"set-initial","state":"on","to":"off"}`:                                    `to: "off" is not in "on"`,
		`{"op":"delete-state","state":"on"}`:                                              `state "on" is used at 16:59 (target of <transition>), 42:38 (target of <transition>): change that first`,
		`{"op":"delete-state","state":"off","uses":"delete"}`:                             `code refers to it, at 33:`,
		`{"op":"delete-state","state":"last","uses":"refuse"}`:                            `state "last" is used at 42:`,
		`{"op":"delete-data","id":"n"}`:                                                   `data "n" is used at 14:25 (location of <assign>), 14:34`,
		`{"op":"set-target","transition":"off/1","to":"om"}`:                              `set-target: to: "om" is not a state (did you mean "on"?)`,
		`{"op":"set-target","transition":"off/9","to":"on"}`:                              `transition: "off" has 3 transitions, and none with the number "9"`,
		`{"op":"set-target","transition":"off/1","to":"off on"}`:                          `at 16:`,
		`{"op":"set-event","transition":"off/1","event":"a,b"}`:                           `"a,b" is not an event descriptor`,
		`{"op":"set-event","transition":"last/initial","event":"a"}`:                      `"last/initial" is the default transition of a <history>`,
		`{"op":"set-actions","transition":"off/1","actions":"<log expr='1'>"}`:            `actions: element <log> is not closed`,
		`{"op":"set-actions","transition":"off/1","actions":"</transition><transition>"}`: `actions: 1:`,
		`{"op":"set-actions","transition":"off/1","actions":"<lo expr='1'/>"}`:            `did you mean <log>?`,
		`{"op":"set-actions","transition":"off/1","actions":"<log expr='&x;'/>"}`:         `actions: 1:`,
		`{"op":"paste-states","text":"<transition/>"}`:                                    `<transition> is not a state`,
		`{"op":"paste-transitions","from":"off","text":"<state/>"}`:                       `<state> is not a transition`,
		`{"op":"paste-transitions","from":"off","text":"<!-- none -->"}`:                  `there is no transition in it`,
		`{"op":"paste-transitions","from":"end","text":"<transition/>"}`:                  `a <final> has no transitions`,
		`{"op":"ungroup-state","state":"on"}`:                                             `belongs to "on": move or delete it first`,
		`{"op":"group-states","states":"off broken","id":"x"}`:                            `is between them: move it first`,
		`{"op":"add-comment","state":"off","text":"a -- b"}`:                              `a comment cannot contain "--"`,
		`{"op":"rename-state","state":"off","to":"on"}`:                                   `"on" is already used at`,
		`{"op":"set-datamodel","datamodel":"ecmascrip"}`:                                  `unknown data model "ecmascrip"`,
	} {
		source := strings.Replace(plainDocument, "In('on')", "In('off')", 1)
		after, _, err := Analyse("lamp.scxml", source, Options{}).Operate(operation(t, text))
		switch {
		case err == nil:
			t.Errorf("%s: done:\n%s", text, after.Text())
		case !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	_, _, err := Analyse("lamp.scxml", plainDocument, Options{}).Operate(operation(t, `{"op":"delete-state","state":"on"}`))
	if e, ok := errors.AsType[*DanglingError](err); !ok || len(e.Places) != 2 {
		t.Errorf("the places are %+v", e)
	}
	for _, broken := range []string{"", "<a/>", `<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="off">`, `<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="off" x=">`} {
		if _, _, err := Analyse("x", broken, Options{}).Operate(operation(t, `{"op":"add-state","id":"x"}`)); err == nil {
			t.Errorf("%s: done", broken)
		}
	}
}

// What was copied is pasted as it was, with the prefix and the indentation of where it goes.
func TestCopyTransition(t *testing.T) {
	d := Analyse("lamp.scxml", prefixed(plainDocument), Options{})
	for _, name := range []string{"off/1", "dimmed/1", "broken/initial", "last/initial"} {
		text, err := d.Copy(name)
		if err != nil || strings.Contains(text, "sc:") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		after, _, err := d.Operate(Operation{"paste-transitions", map[string]string{"from": "l1", "text": text}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if pasted, err := after.Copy("l1/1"); err != nil || pasted != text {
			t.Errorf("%s: %v, %s\nwant %s", name, err, pasted, text)
		}
	}
	for name, want := range map[string]string{"off/9": "none with the number", "nowhere/1": `"nowhere" is not a state`, "nowhere": `"nowhere" is not a state`} {
		if text, err := d.Copy(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
}

// A history that comes first is not what a state enters by default.
func TestHistoryIsNotTheDefault(t *testing.T) {
	const document = `<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml"><state id="a"><history id="h"><transition target="c"/></history><state id="b"/><state id="c"/></state></scxml>`
	for text, want := range map[string]string{
		`{"op":"make-initial","state":"b"}`:                           document,
		`{"op":"make-initial","state":"h"}`:                           strings.Replace(document, `id="a"`, `id="a" initial="h"`, 1),
		`{"op":"set-initial-actions","state":"a","actions":"<log/>"}`: strings.Replace(document, `<history`, `<initial><transition target="b"><log/></transition></initial><history`, 1),
	} {
		after, _, err := Analyse("a.scxml", document, Options{}).Operate(operation(t, text))
		if err != nil || after.Text() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", text, err, after.Text(), want)
		}
	}
}
