package randomchart

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// This file makes charts for their scripts: a state whose transitions run them, one after the other.

// A sort is what the value of an expression, or of a variable, nearly always is.
type sort int

const (
	aNumber sort = iota
	aText
	aTruth
	numberList
	aList    // of anything
	anObject // with some of the members n, s, b, a, o of the sorts that shape has
	sorts    // of data
	aFunction
	anything
)

var shape = map[string]sort{"n": aNumber, "s": aText, "b": aTruth, "a": numberList, "o": anObject}

// A named is a variable or a function that a script can use.
type named struct {
	name   string
	sort   sort
	fixed  bool   // nothing is assigned to it
	params []sort // of a function of the chart
	result sort
}

// A scripter makes scripts.
type scripter struct {
	*chartMaker
	b      strings.Builder
	indent int
	items  []named   // data items, and variables of global scripts
	funcs  []*named  // functions of the chart
	scopes [][]named // of local variables
	event  bool      // there is one
	in     int       // functions, inside of each other
	result sort      // of the innermost function
	loops  []string  // labels of the loops around, in the function
	deep   int       // statements inside of each other
	calls  int       // callbacks inside of each other
}

// Scripts makes a chart with scripts, and a stimulus for each of its transitions. Its scripts end: each has fuel, of which
// loops and functions take some.
func Scripts(rng *rand.Rand) *Trial {
	g := &chartMaker{Rand: rng, script: true, files: map[string]*Element{}}
	s := &scripter{chartMaker: g}
	t := &Trial{Files: g.files}
	kid := g.maybe(20)
	if kid {
		g.files["kid.scxml"] = s.document(3, true, false)
		s = &scripter{chartMaker: g}
	}
	n := 5 + g.IntN(8)
	t.Chart = s.document(n, false, kid)
	for i := range n {
		st := Stimulus{Event: "e" + strconv.Itoa(i)}
		if g.maybe(60) {
			st.Data = s.eventData(0)
		}
		t.Stimuli = append(t.Stimuli, st)
		if g.maybe(10) {
			t.Stimuli = append(t.Stimuli, st)
		}
	}
	return t
}

// eventData is an object like those of scripts, or another value.
func (s *scripter) eventData(depth int) datamodel.Value {
	if s.maybe(15) {
		return []datamodel.Value{nil, datamodel.Null, int64(2), "text", []datamodel.Value{int64(1), "two", datamodel.NewObject("n", int64(3))}}[s.IntN(5)]
	}
	o := datamodel.NewObject("n", int64(s.IntN(4)))
	if s.maybe(60) {
		o.Set("s", s.pick("", "a", "bc"))
	}
	if s.maybe(50) {
		o.Set("a", []datamodel.Value{int64(3), int64(1), 0.5}[:s.IntN(4)])
	}
	if s.maybe(40) && depth < 2 {
		o.Set("o", s.eventData(depth+1))
	}
	return o
}

// document makes a chart with n transitions for events.
func (s *scripter) document(n int, kid, hasKid bool) *Element {
	e := elem("scxml", "version", "1.0", "datamodel", "ecmascript")
	if !kid {
		e.Attrs = append([]string{"xmlns", "http://www.w3.org/2005/07/scxml"}, e.Attrs...)
	}
	dm := elem("datamodel")
	e.add(dm)
	dm.add(elem("data", "id", "fuel", "expr", "0"), elem("data", "id", "out", "expr", "[]"))
	for k := range sorts {
		for i := range 2 {
			d := elem("data", "id", fmt.Sprintf("%s%d", []string{"num", "str", "flag", "nums", "list", "obj"}[k], i))
			switch {
			case k == anObject && s.maybe(30):
				d.Text = s.pick(`{"n": 1, "s": "é", "a": [1, 2], "o": {"n": 5}}`, `{"n": 0.5}`, `{"b": true, "2": 1, "x": null, "1": "one"}`)
			case i == 1 && s.maybe(15) && k >= numberList:
				d.set("expr", fmt.Sprintf("%s0", []string{"num", "str", "flag", "nums", "list", "obj"}[k])) // the same one
			default:
				d.set("expr", s.literal(k, 1))
			}
			dm.add(d)
			s.items = append(s.items, named{name: d.attr("id"), sort: k})
		}
	}
	dm.add(elem("data", "id", "any0"))
	s.items = append(s.items, named{name: "any0", sort: anything})
	trace := elem("script")
	trace.Text = "function t(x) { if (out.length &lt; 90) out.push(x); return x } function tn(x) { out.push(x); return x }"
	trace.Text = strings.ReplaceAll(trace.Text, "&lt;", "<")
	e.add(trace)
	s.funcs = []*named{{name: "tn", params: []sort{aNumber}, result: aNumber}}
	for i := range 1 + s.IntN(4) {
		f := &named{name: "f" + strconv.Itoa(i), result: sort(s.IntN(int(sorts)))}
		for range s.IntN(4) {
			f.params = append(f.params, sort(s.IntN(int(sorts)+1))) // functions, too
		}
		s.funcs = append(s.funcs, f)
	}
	if s.maybe(20) { // more calls than there can be
		deep := elem("script")
		deep.Text = "function deep(n) { return n < " + s.pick("500", "1900", "5000") + " ? deep(n + 1) + 1 : 0 }"
		e.add(deep)
		s.funcs = append(s.funcs, &named{name: "deep", params: []sort{aNumber}, result: aNumber})
	}
	for _, f := range s.funcs[1:] {
		if f.name != "deep" {
			e.add(s.element(func() { s.function(f) }))
		}
	}
	for range s.IntN(3) {
		kind, k := s.pick("var", "var", "let", "const"), s.sort()
		v := named{name: "g" + strconv.Itoa(len(s.items)), sort: k, fixed: kind == "const"}
		value := s.expr(k, 2)
		if kind != "var" { // which could not be read if its value failed
			value = s.literal(k, 1)
		}
		e.add(s.element(func() { s.line("%s %s = %s", kind, v.name, value) }))
		s.items = append(s.items, v)
	}
	if s.maybe(30) {
		e.add(s.element(s.snippet))
	}
	state := elem("state", "id", "s")
	e.add(state)
	if hasKid {
		inv := elem("invoke", "id", "kid", "src", "kid.scxml")
		for range s.IntN(3) {
			k := s.sort()
			inv.add(elem("param", "name", s.item(k), "expr", s.expr(k, 1)))
		}
		state.add(inv)
	}
	s.event = true
	for i := range n {
		tr := elem("transition", "event", "e"+strconv.Itoa(i))
		for range 1 + s.IntN(2) {
			tr.add(s.element(s.snippet))
			for range s.IntN(3) {
				tr.add(s.content(0, kid, hasKid))
			}
		}
		tr.add(elem("log", "expr", "out"))
		state.add(tr)
	}
	failed := elem("transition", "event", "error")
	failed.add(elem("log", "expr", s.pick("_event.data.message", "_event.data", "_event")))
	other := elem("transition", "event", "*")
	other.add(elem("log", "label", "got", "expr", s.pick("_event.data", "[_event.name, _event.data]", "_event.data.n")))
	state.add(failed, other)
	return e
}

// element returns a script.
func (s *scripter) element(write func()) *Element {
	s.b.Reset()
	write()
	e := elem("script")
	e.Text = "\n" + s.b.String()
	return e
}

// content is executable content other than a script.
func (s *scripter) content(depth int, kid, hasKid bool) *Element {
	defer func(n int) { s.calls = n }(s.calls)
	k := s.sort()
	switch n := s.IntN(12); {
	case n < 3:
		to := s.place(k)
		for strings.Contains(to, "=") || strings.Contains(to, "++") || strings.Contains(to, "--") { // the interpreter is strict in locations
			to = s.place(k)
		}
		return elem("assign", "location", to, "expr", s.expr(k, 2))
	case n < 4 && depth < 2:
		e := elem("foreach", "array", s.expr([]sort{numberList, aList}[s.IntN(2)], 1), "item", s.pick("it", "it", s.item(aNumber)))
		if s.maybe(40) {
			e.set("index", "at")
		}
		for range 1 + s.IntN(2) {
			e.add(s.content(depth+1, kid, hasKid))
		}
		return e
	case n < 5 && depth < 2:
		e := elem("if", "cond", s.expr(aTruth, 2))
		e.add(s.content(depth+1, kid, hasKid), elem("else"), s.content(depth+1, kid, hasKid))
		return e
	case n < 8:
		e := elem("send", "event", s.pick("x", "x.y"))
		switch {
		case kid && s.maybe(60):
			e.set("target", "#_parent")
		case hasKid && s.maybe(60):
			e.set("target", "#_kid")
			e.Attrs[1] = "e" + strconv.Itoa(s.IntN(3))
		case s.maybe(60):
			e.set("target", "#_internal")
		}
		if s.maybe(30) {
			c := elem("content", "expr", s.expr(s.sort(), 1))
			e.add(c)
			return e
		}
		for range 1 + s.IntN(2) {
			k := s.sort()
			name := s.pick("n", "s", "a", "o")
			if s.maybe(80) {
				k = shape[name]
			}
			e.add(elem("param", "name", name, "expr", s.expr(k, 1)))
		}
		return e
	}
	return elem("log", "expr", s.expr(k, 2))
}

// snippet writes the statements of a script.
func (s *scripter) snippet() {
	s.line("fuel = 40; out = [];")
	s.scopes, s.loops, s.in, s.calls = nil, nil, 0, 0
	open, end := "{", "}"
	if s.maybe(30) {
		open, end = "(function () {", "})();"
		s.in, s.result = 1, anything
	}
	s.line("%s", open)
	s.block(2 + s.IntN(5))
	s.line("%s", end)
	s.in = 0
}

func (s *scripter) sort() sort { return sort(s.IntN(int(sorts))) }

// line writes a line.
func (s *scripter) line(format string, args ...any) {
	s.b.WriteString(strings.Repeat(" ", s.indent) + fmt.Sprintf(format, args...) + "\n")
}

// function writes a function of the chart.
func (s *scripter) function(f *named) {
	var scope []named
	var list []string
	for i, k := range f.params {
		p := named{name: s.pick("p", "q", "num0", "r", "x") + strconv.Itoa(i), sort: k}
		scope = append(scope, p)
		if s.maybe(20) {
			list = append(list, p.name+" = "+s.literal(k, 0))
		} else {
			list = append(list, p.name)
		}
	}
	s.scopes, s.loops, s.in, s.result, s.calls = [][]named{scope}, nil, 1, f.result, 0
	s.line("function %s(%s) {", f.name, strings.Join(list, ", "))
	s.body()
	s.line("}")
	s.scopes, s.in = nil, 0
}

// body writes the statements of a function.
func (s *scripter) body() {
	s.line(" if (fuel-- < 0) return %s", s.literal(s.result, 0))
	s.inside(1+s.IntN(4), false)
	if s.maybe(90) {
		s.line(" return %s", s.expr(s.result, 2))
	}
}

// Drop takes out what is at a line of a document: the innermost of its scripts, and other elements. It reports
// whether there was any.
func Drop(document *Element, line int) bool { return document.drop(line, 1) }

func (e *Element) drop(line, at int) bool {
	at++ // the tag
	for i, c := range e.Children {
		n := strings.Count(c.String(), "\n")
		if line >= at && line < at+n {
			switch {
			case c.drop(line, at):
			case c.Name == "data":
				c.Attrs, c.Text = []string{"id", c.attr("id"), "expr", "0"}, ""
			case c.Name == "script":
				c.Empty()
			default:
				e.Children = append(e.Children[:i:i], e.Children[i+1:]...)
			}
			return true
		}
		at += n
	}
	return false
}

// Empty takes the code out of a script. A function stays, as others call it: goja evaluates the arguments of a call before
// it notices that the function is missing.
func (e *Element) Empty() {
	if name, _, ok := strings.Cut(strings.TrimSpace(e.Text), "("); ok && strings.HasPrefix(name, "function ") {
		e.Text = name + "() {}"
	} else {
		e.Text = "0"
	}
}
