package ecmascript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// frames writes the place and the stack of an error in one line.
func frames(e *datamodel.EvalError) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s |", e.Pos, e.Msg)
	for _, f := range e.Stack {
		fmt.Fprintf(&b, " %s@%v", f.Func, f.Pos)
	}
	return b.String()
}

func TestErrorPositions(t *testing.T) {
	st := newStore(t)
	lib := datamodel.Source{Text: "function outer(x) {\n  return inner(x);\n}\nfunction inner(x) {\n  if (x > 1) throw new RangeError('too big: ' + x);\n  return x.y.z;\n}\nvar thrower = { toString() { throw 1 } };",
		Pos: datamodel.Position{File: "lib.js", Line: 1, Col: 1}}
	script, err := ecmascript.New().Compile(datamodel.Script, lib)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Run(script); err != nil {
		t.Fatal(err)
	}
	at := func(line, col int, text, raw string) datamodel.Source {
		return datamodel.Source{Text: text, Raw: raw, Pos: datamodel.Position{File: "c.scxml", Line: line, Col: col}}
	}
	for _, tt := range []struct {
		src  datamodel.Source
		want string
	}{
		{at(7, 20, "nope", ""), "c.scxml:7:20 ReferenceError: nope is not defined | @c.scxml:7:20"},
		{at(7, 20, "1 +\n nope", ""), "c.scxml:8:2 ReferenceError: nope is not defined | @c.scxml:8:2"},
		{at(7, 20, "1 < 2 && nope", "1 &lt; 2 &amp;&amp; nope"), "c.scxml:7:40 ReferenceError: nope is not defined | @c.scxml:7:40"},
		{at(9, 1, "outer(5)", ""), "lib.js:5:20 RangeError: too big: 5 | inner@lib.js:5:20 outer@lib.js:2:15 @c.scxml:9:6"},
		{at(9, 1, "outer(0)", ""), "lib.js:6:14 TypeError: Cannot read property 'z' of undefined | inner@lib.js:6:14 outer@lib.js:2:15 @c.scxml:9:6"},
		{at(9, 1, "[1].map(function(){ return outer(7) })", ""),
			"lib.js:5:20 RangeError: too big: 7 | inner@lib.js:5:20 outer@lib.js:2:15 @c.scxml:9:33 @c.scxml:9:8"},
		{at(9, 1, "eval('nope2')", ""), "c.scxml:9:5 ReferenceError: nope2 is not defined | @c.scxml:9:5"},
		{at(9, 1, "eval('1 +')", ""), "c.scxml:9:5 SyntaxError: unexpected end of input | @c.scxml:9:5 @c.scxml:9:5"},
		{at(9, 1, "(function(){ throw 'text' })()", ""), "c.scxml:9:14 uncaught exception: text | @c.scxml:9:14 @c.scxml:9:29"},
		{at(9, 1, "(function(){ throw {a: 1} })()", ""), `c.scxml:9:14 uncaught exception: {"a":1} | @c.scxml:9:14 @c.scxml:9:29`},
		{at(9, 1, "(function(){ throw undefined })()", ""), `c.scxml:9:14 uncaught exception: undefined | @c.scxml:9:14 @c.scxml:9:32`},
		{at(9, 1, "(function(){ var e = new Error(); e.toString = null; e.message = thrower; throw e })()", ""), ""},
		{at(9, 1, "{get a() { return nope3 }}", ""), "c.scxml:9:19 ReferenceError: nope3 is not defined | a@c.scxml:9:19"},
	} {
		e, _ := ecmascript.New().Compile(datamodel.ValueExpr, tt.src)
		_, err := st.Value(e)
		got := frames(fails(t, err, ""))
		if tt.want != "" && got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src.Text, got, tt.want)
		}
	}
	st.want("1 + 1", "2")

	loc, _ := ecmascript.New().Compile(datamodel.Location, at(3, 9, "o.p.q", ""))
	err = st.Assign(loc, expr(datamodel.ValueExpr, "1"))
	if got, want := frames(fails(t, err, "")), "c.scxml:3:9 ReferenceError: o is not defined | @c.scxml:3:9"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestCallDepth(t *testing.T) {
	st := newStore(t)
	e := fails(t, st.Run(expr(datamodel.Script, "function f() { return 1 + f() }\nf()")), "nested deeper than 200 levels")
	if len(e.Stack) < 10 || len(e.Stack) > 60 {
		t.Errorf("%d frames", len(e.Stack))
	}
	if got := e.Stack[0].Pos.String(); got != "chart.scxml:10:32" {
		t.Errorf("at %s", got)
	}
	st.want("1 + 1", "2")
	// It cannot be caught.
	fails(t, st.Run(expr(datamodel.Script, "try { f() } catch (e) { } finally { }")), "nested deeper")
}

// Messages do not show how the script engine is made.
func TestErrorsOfTexts(t *testing.T) {
	st := newStore(t)
	for script, want := range map[string]string{
		"/(?<=a/":               "SyntaxError: invalid regular expression: missing closing ) in `(?<=a`",
		"new RegExp('(?<=a)(')": "SyntaxError: invalid regular expression: missing closing ) in `(?<=a)(`",
		"JSON.parse('[')":       "SyntaxError: unexpected end of JSON input",
		"JSON.parse('nul')":     "SyntaxError: unexpected end of JSON input",
	} {
		if got := fails(t, st.Run(expr(datamodel.Script, script)), "").Msg; got != want {
			t.Errorf("%s: got %s\nwant %s", script, got, want)
		}
	}
}

// goja prints the Go value of an object that is not convertible to a primitive value.
func TestUnconvertibleObject(t *testing.T) {
	b := newStore(t)
	const want = "cannot convert the object to a primitive value"
	b.want("String(Object.create(null))", "! TypeError: "+want)
	b.want("+Object.create(null)", "! TypeError: "+want)
	b.run("try { +Object.create(null) } catch (e) { caught = e }")
	b.want("caught", `{"name":"TypeError","message":"`+want+`"}`)
}
