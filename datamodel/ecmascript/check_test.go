package ecmascript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		kind datamodel.Kind
		text string
		want string // column and text of each finding
	}{
		{datamodel.Condition, "x == 1 && y >= 2", ""},
		{datamodel.Condition, "x = 1", "5 x = 1"},
		{datamodel.Condition, "  (a.b[0] = 1) && y", "8 a.b[0] = 1"},
		{datamodel.Condition, "x += 1", "5 x += 1"},
		{datamodel.Condition, "a==b||a<=b||a>=b||a!=b||a!==b||a===b||(a=b)", "44 a=b"},
		{datamodel.Condition, "x <<= 1", "5 x <<= 1"},
		{datamodel.Condition, "x>>>=1", "5 x>>>=1"},
		{datamodel.Condition, "x=>1", ""},
		{datamodel.Condition, "x==(y=1)", "9 y=1"},
		{datamodel.Condition, "n++ < 3", "5 n++"},
		{datamodel.Condition, "--n > 3", "5 --n"},
		{datamodel.Condition, "delete a.b", "5 delete a.b"},
		{datamodel.Condition, "'é' + (x = 1)", "12 x = 1"},
		{datamodel.Condition, "list.some(i => { let y = 1; y = 2; return y == i })", ""},
		{datamodel.Condition, "(x = )", ""},
		{datamodel.Condition, "1) + (x = 1", ""},
		{datamodel.Condition, "In('s1')", "9 In s1"},
		{datamodel.Condition, "!In(\"a\") && In('b') && In(c) && In() && In('d', 1)", "10 In a, 21 In b"},
		{datamodel.Condition, "list.some(i => In('s1'))", "24 In s1"},
		{datamodel.Condition, "a.In('s1')", ""},
		{datamodel.ValueExpr, "In('s1') ? 1 : 2;", "9 In s1"},
		{datamodel.Script, "var a = 1; if (In('s1')) { b = 2 }", "24 In s1, 32 b = 2"},
		{datamodel.Script, "function f() { return In('s1') } var g = f", "31 In s1"},
		{datamodel.Script, "class A { f() { return In('s1') } }", "32 In s1"},
		{datamodel.Content, "In('s1')", ""},
		{datamodel.Condition, strings.Repeat("(", 5000) + "x = 1" + strings.Repeat(")", 5000), ""},
	} {
		var got []string
		for _, f := range ecmascript.New().(datamodel.Checker).Check(tt.kind, source(tt.text)) {
			if f.Kind > datamodel.StatePredicate {
				continue // see TestCheckNames
			}
			in := ""
			if f.Kind == datamodel.StatePredicate {
				in = "In "
			}
			got = append(got, fmt.Sprintf("%d %s%s", f.Pos.Col, in, f.Text))
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestCheckNames(t *testing.T) {
	known := ecmascript.New().(datamodel.Checker).Names()
	for _, tt := range []struct {
		kind datamodel.Kind
		text string
		want string // column and name of each use, "+" and name of each declaration, "?" if there may be more
	}{
		{datamodel.ValueExpr, "a.b + c[d]", "5 a, 11 c, 13 d"},
		{datamodel.ValueExpr, "Math.max(1, undefined, NaN) + _event.data + JSON.x + In('a') + _x", ""},
		{datamodel.ValueExpr, "{a: 1, b, [c]: d}", "12 b, 16 c, 20 d"},
		{datamodel.ValueExpr, "'é' + x", "11 x"},
		{datamodel.ValueExpr, "list.map(function f(i, ...r) { var v = i; return f + v + r + w + arguments })", "5 list, 66 w*"},
		{datamodel.ValueExpr, "({a, b: [c], ...d}) => a + c + d + e", "40 e*"},
		{datamodel.Location, "a.b", "5 a"},
		{datamodel.Location, "a", "5 a"},
		{datamodel.ValueExpr, "a = b", "9 b, +a"},
		{datamodel.ValueExpr, "a += 1", "5 a"},
		{datamodel.ValueExpr, "typeof a == 'string' && a.b", "+a"},
		{datamodel.Script, "var a = 1, [b] = c; let d = 2; const e = 3; function f() {} class G {}", "22 c, +G, +a, +b, +d, +e, +f"},
		{datamodel.Script, "a = 1; b++; [c, d.e] = f; for (g of h) ;", "12 b, 21 d, 28 f, 41 h, +a, +c, +g"},
		{datamodel.Script, "'use strict'; a = 1", "19 a"},
		{datamodel.Script, "this.a = 1; globalThis.b = this.c", "+a, +b"},
		{datamodel.Script, "(function (root) { root.a = 1 })(this)", "?"},
		{datamodel.Script, "class A { constructor() { this.x = 1; f(this) } }", "43 f*(), +A, +x"},
		{datamodel.Script, "eval('var a')", "?"},
		{datamodel.Script, "new Function('a = 1')()", "?"},
		{datamodel.Script, "try { a } catch (e) { b(e) }", "27 b()"},
		{datamodel.Script, "try { a } finally { b }", "11 a, 25 b"},
		{datamodel.Script, "with (a) { b }", "11 a"},
		{datamodel.Script, "if (a) { function f() {} } f()", "9 a, +f"},
		{datamodel.Script, "out: for (let i = 0; i < n; i++) { break out }", "30 n"},
		{datamodel.Script, "function f() { g() } function g() { h() }", "41 h*(), +f, +g"},
		{datamodel.Script, "for (const k in o) { k } for (const v of p) { v }", "21 o, 46 p"},
		{datamodel.Script, "switch (a) { case b: let c; c }", "13 a, 23 b"},
		{datamodel.ValueExpr, "`${a}` + b?.c + new D(...e)", "8 a, 14 b, 25 D, 30 e"},
		{datamodel.ValueExpr, "a b", ""},
		{datamodel.Content, "a", ""},
	} {
		var got []string
		for _, f := range ecmascript.New().(datamodel.Checker).Check(tt.kind, source(tt.text)) {
			switch {
			case f.Kind == datamodel.Declaration:
				got = append(got, "+"+f.Text)
			case f.Kind == datamodel.OpenDeclaration:
				got = append(got, "?")
			case f.Kind == datamodel.Reference && !slices.Contains(known, f.Text):
				later := ""
				if f.Deferred {
					later = "*"
				}
				if f.Called {
					later += "()"
				}
				got = append(got, fmt.Sprintf("%d %s%s", f.Pos.Col, f.Text, later))
			}
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// Content that looks like JSON and is not becomes a text, which is hardly meant.
func TestCheckContent(t *testing.T) {
	for text, want := range map[string]string{
		` {"a": [1, 2]} `: "",
		`hello`:           "",
		`[1, 2] and more`: "",
		` {a: 1}`:         "7",
		`[1, 2,]`:         "11",
		`{'a': 1}`:        "6",
	} {
		got := ""
		for _, f := range ecmascript.New().(datamodel.Checker).Check(datamodel.Content, source(text)) {
			if f.Kind != datamodel.PlainText || f.Text == "" {
				t.Errorf("%q: %+v", text, f)
			}
			got += fmt.Sprint(f.Pos.Col)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Check does not panic, and finds nothing in what does not compile.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"x = 1", "In('a')", "`${x = 1}`", "[a, b] = [1, 2]", "async () => { for await (x of y) ; }", "({a = 1} = {})", "a?.b?.(c = 1)", "class A { #p = 1; static { x = 2 } }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := ecmascript.New()
		for _, kind := range []datamodel.Kind{datamodel.Condition, datamodel.Script} {
			found := l.(datamodel.Checker).Check(kind, source(text))
			_, err := l.Compile(kind, source(text))
			for _, f := range found {
				if err != nil || !f.Pos.IsValid() {
					t.Errorf("%q: %v, but found %+v", text, err, f)
				}
			}
		}
	})
}
