package ecmascript_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func TestExpressionIsOneExpression(t *testing.T) {
	for text, want := range map[string]string{
		"1 // c":                       "1",
		"1 /* ) */":                    "1",
		"{a:1}":                        `{"a":1}`,
		"{}":                           "{}",
		"function(){}":                 `{"$function":""}`,
		"function(a){ return (a) }(3)": "3",
		"1, 2":                         "2",
		"(1), (2)":                     "2",
		"1;":                           "1",
		" 1 ; ":                        "1",
		"new Object();":                "{}",
		"'a;b'":                        `"a;b"`,
		"'use strict'":                 `"use strict"`,
		"x => (x)":                     `{"$function":""}`,
		"(1)+(2)":                      "3",
		"\n1\n":                        "1",
		"`)${1}(`":                     `")1("`,
		"/[)(]/.test(')')":             "true",
		"typeof nope":                  `"undefined"`,
		"this === globalThis":          "true",

		"1);(2":       "!",
		"1) + (2":     "!",
		"1)(2":        "!",
		"a) => (1":    "!",
		"1)\n(2":      "!",
		"1)\n++\n(b":  "!",
		"1).x(2":      "!",
		"x)`a`+(1":    "!",
		"...[1]":      "!",
		"1; 2":        "!",
		"1;;":         "!",
		"var a = 1":   "!",
		"if (1) 2":    "!",
		"return":      "!",
		"":            "!",
		"  ":          "!",
		";":           "!",
		"// c":        "!",
		"/*":          "!",
		"1 /*":        "!",
		"'":           "!",
		"`":           "!",
		"1 +":         "!",
		"await 1":     "!",
		"yield 1":     "!",
		"import('x')": "!",
		"super.x":     "!",
		"new.target":  "!",
		"a ? b":       "!",
		"1 2":         "!",
	} {
		got := newStore(t).get(text)
		switch {
		case want != "!" && got != want:
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		case want == "!" && !strings.HasPrefix(got, "! SyntaxError: "):
			t.Errorf("%q\n got %s\nwant a syntax error", text, got)
		}
	}
}

func TestSyntaxErrorPositions(t *testing.T) {
	for _, tt := range []struct {
		kind datamodel.Kind
		text string
		want string
	}{
		{datamodel.ValueExpr, "return", `chart.scxml:10:5: SyntaxError: unexpected token "return": this is an expression, statements belong in <script>`},
		{datamodel.ValueExpr, "a = 1; b = 2", `chart.scxml:10:10: SyntaxError: unexpected token ";": this is an expression, statements belong in <script>`},
		{datamodel.ValueExpr, "Hello, my World!", `chart.scxml:10:15: SyntaxError: unexpected token "World": a text needs quotes, as in 'Hello, my World!'`},
		{datamodel.ValueExpr, "new World order", `chart.scxml:10:15: SyntaxError: unexpected token "order"`},
		{datamodel.Condition, "a and b", `chart.scxml:10:7: SyntaxError: unexpected token "and": write "&&", in XML "&amp;&amp;"`},
		{datamodel.Condition, "a or b", `chart.scxml:10:7: SyntaxError: unexpected token "or": write "||"`},
		{datamodel.Condition, "not a", `chart.scxml:10:9: SyntaxError: unexpected token "a": write "!" instead of "not"`},
		{datamodel.Condition, "a b", `chart.scxml:10:7: SyntaxError: unexpected token "b"`},
		{datamodel.Condition, "a +\n  + * b", `chart.scxml:11:5: SyntaxError: unexpected token "*"`},
		{datamodel.ValueExpr, "é 'x'", `chart.scxml:10:7: SyntaxError: unexpected token "'x'"`},
		{datamodel.ValueExpr, "f(1", `chart.scxml:10:8: SyntaxError: unexpected end of input`},
		{datamodel.ValueExpr, "", `chart.scxml:10:5: SyntaxError: the expression is empty`},
		{datamodel.ValueExpr, "1);(2", `chart.scxml:10:5: SyntaxError: not one expression: the parentheses do not match`},
		{datamodel.Script, "var a = 1;\nvar = 2;", `chart.scxml:11:5: SyntaxError: unexpected token "="`},
		{datamodel.Script, "let a; let a;", `chart.scxml:10:16: SyntaxError: identifier 'a' has already been declared`},
		{datamodel.Script, "return", `chart.scxml:10:5: SyntaxError: illegal return statement`},
		{datamodel.Location, " 1 + 2", `chart.scxml:10:6: SyntaxError: not a location: it cannot be assigned to`},
		{datamodel.Location, "f()", `chart.scxml:10:5: SyntaxError: not a location: it cannot be assigned to`},
		{datamodel.Location, `"foo`, `chart.scxml:10:5: SyntaxError: unexpected token "\""`},
		{datamodel.Location, "'continue'", `chart.scxml:10:5: SyntaxError: not a location: it cannot be assigned to`},
		{datamodel.Location, "a?.b", `chart.scxml:10:5: SyntaxError: not a location: it cannot be assigned to`},
		{datamodel.Location, "[a, b]", `chart.scxml:10:5: SyntaxError: not a location: it cannot be assigned to`},
		{datamodel.Location, "eval", `chart.scxml:10:5: SyntaxError: assignment to eval or arguments is not allowed in strict mode`},
	} {
		_, err := ecmascript.New().Compile(tt.kind, source(tt.text))
		e := fails(t, err, "")
		if got := e.Pos.String() + ": " + e.Msg; got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestSyntaxErrorIsRaisedByEvaluation(t *testing.T) {
	st := newStore(t)
	st.set("x", "1")
	bad, badScript := expr(datamodel.ValueExpr, "return"), expr(datamodel.Script, "}")
	_, err := st.Condition(bad)
	fails(t, err, "SyntaxError")
	_, err = st.Value(bad)
	fails(t, err, "SyntaxError")
	fails(t, st.Init("y", bad), "SyntaxError")
	fails(t, st.Assign(expr(datamodel.Location, "x"), bad), "SyntaxError")
	fails(t, st.Assign(expr(datamodel.Location, "1"), expr(datamodel.ValueExpr, "2")), "SyntaxError")
	fails(t, st.Run(badScript), "SyntaxError")
	fails(t, st.Foreach(bad, "a", "", nil), "SyntaxError")
	st.want("x", "1")
}

func TestTextsThatWouldEndTheProcess(t *testing.T) {
	const n = 100_000
	repeat := strings.Repeat
	for _, tt := range []struct {
		kind datamodel.Kind
		text string
		want string
	}{
		{datamodel.ValueExpr, repeat("(", n) + "1" + repeat(")", n), "nested deeper than 1000 levels"},
		{datamodel.ValueExpr, repeat("[", n), "nested deeper than 1000 levels"},
		{datamodel.ValueExpr, repeat("`${", n), "nested deeper than 1000 levels"},
		{datamodel.Script, repeat("{", n), "nested deeper than 1000 levels"},
		{datamodel.ValueExpr, repeat(`")"+(`, n), "unexpected end of input"},
		{datamodel.ValueExpr, repeat("!", n) + "1", "the syntax tree is deeper than 2000 levels"},
		{datamodel.ValueExpr, repeat("1+", n) + "1", "the syntax tree is deeper than 2000 levels"},
		{datamodel.ValueExpr, repeat("1**", n) + "1", "the syntax tree is deeper than 2000 levels"},
		{datamodel.ValueExpr, repeat("a=>", n) + "1", "functions are nested deeper than 2000 levels"},
		{datamodel.ValueExpr, repeat("(a)=>", n) + "1", "functions are nested deeper than 2000 levels"},
		{datamodel.ValueExpr, repeat("a=>[a=>", n/2) + "1", "functions are nested deeper than 2000 levels"},
		{datamodel.ValueExpr, "a" + repeat("()", n), "the syntax tree is deeper than 2000 levels"},
		{datamodel.Location, "a" + repeat(".a", n), "the syntax tree is deeper than 2000 levels"},
		{datamodel.Script, repeat("if (1) ", n/2) + ";", "the syntax tree is deeper than 2000 levels"},
		{datamodel.Script, repeat("(a=", 25) + "1" + repeat(")=>1", 25), "functions are nested in parameter lists deeper than 6 levels"},
		{datamodel.Script, repeat(`(a=")",b=`, 25) + "1" + repeat(")/**/ =>1", 25), "functions are nested in parameter lists deeper than 6 levels"},
		{datamodel.Script, repeat("a;", 300_000), "the script has more than 524288 bytes"},
		{datamodel.Script, repeat("a;", n), ""},
		{datamodel.Script, repeat("f((a) => g((b) => { h(b) }));", 1000), ""},
		{datamodel.ValueExpr, "[" + repeat("'a' + 'b', ", 10_000) + "]", ""},
	} {
		_, err := ecmascript.New().Compile(tt.kind, source(tt.text))
		if tt.want != "" {
			fails(t, err, tt.want)
		} else if err != nil {
			t.Errorf("%.30s: %v", tt.text, err)
		}
	}
	_, err := ecmascript.New(ecmascript.WithMaxScript(10)).Compile(datamodel.ValueExpr, source("'1234567890'"))
	fails(t, err, "the script has more than 10 bytes")
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"1);(2", "a.b[0]", "function(){}", "`${x}`", "{a:1}", "x=>({})", "1 // c", "/[(]/", "var a; let b = a", "class A { #p = 1 }", "async () => { await 1 }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []datamodel.Kind{datamodel.Condition, datamodel.ValueExpr, datamodel.Location, datamodel.Script, datamodel.Content} {
			e, err := ecmascript.New().Compile(kind, source(text))
			if e == nil {
				t.Fatal("no Expr")
			}
			// An expression stays one when it is an item of an array.
			if err == nil && kind == datamodel.ValueExpr {
				list := "[0,(" + strings.TrimSuffix(strings.TrimRight(text, " \t\v\f\r\n\u00a0\u2028\u2029\ufeff"), ";") + "\n)]"
				if _, err := ecmascript.New().Compile(kind, source(list)); err != nil {
					t.Errorf("%q is an expression, but %q is not: %v", text, list, err)
				}
			}
		}
	})
}
