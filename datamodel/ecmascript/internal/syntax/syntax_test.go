package syntax

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func source(text string) *datamodel.Source {
	return &datamodel.Source{Text: text, Pos: datamodel.Position{File: "f", Line: 1, Col: 1}}
}

func TestOneExpression(t *testing.T) {
	for text, want := range map[string]bool{
		"1": true, "(1)": true, "(a)(b)": true, "f(a, b), c": true, "{a: (1)}": true, "function () {}": true, "(1) // )": true, "(a, b) => a;": true,
		"": false, ";": false, "1)": false, "1);(2": false, "1) + (2": false, "a)(b": false, "a), f(b": false, "f(a),": false, "...(a)": false, "(1": false, "1; 2": false,
		"f()) // (": false, "f() /* ) */": true, "async () => { await (a) }": true,
	} {
		tree, err := DefaultLimits.Expression(source(text), nil)
		if (err == nil) != want || want && tree.X == nil {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Facts
	}{
		{"1 + a.b", 0},
		{"In('s')", 0},
		{"f(a)", Calls},
		{"a[b]", 0},
		{"a[b]()", Calls | Computes},
		{"x = a[b]", Keeps | Changes | Computes},
		{"this.a", SeesGlobal},
		{"[1, -2, ['x']]", 0},
		{"[a]", Calls},
		{"({get a() { return 1 }})", Keeps | Accessors | Odd},
		{"delete a.b", Changes},
		{"delete a", Changes | Deletes},
		{"n++", Changes},
		{"a?.create", Accessors | Odd},
		{"(function* () { yield* a })", Keeps | Delegates},
		{"a.length = 1", Keeps | Changes | Calls},
		{"Array.isArray(a)", Calls},
		{"'prototype'", Odd | Library},
		{`\u0065val`, SeesGlobal | Computes | Odd | Symbols | Library},
		{"a.constructor", SeesGlobal | Computes},
	} {
		tree, err := DefaultLimits.Expression(source(tt.text), nil)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		} else if tree.Facts != tt.want {
			t.Errorf("%q: got %b, want %b", tt.text, tree.Facts, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	var got []string
	_, err := DefaultLimits.Script(source("var {a: {b}} = c?.d(e['f'], `${g}`, h.i()); l: for (k of [1]) break l; class M { n() { return {o, p: 1} } }"), func(name string) { got = append(got, name) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if got, want := strings.Join(got, " "), "M a b c d e f g h i k o p"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestDeclarations(t *testing.T) {
	tree, err := DefaultLimits.Script(source(`
		var lib = (function () {
			const size = 9; let n = 0;
			function row(c) { return c / size }
			return {row, next() { return n++ }, self() { return this }, outer: () => size};
		})();
		class C { m() { return super.x } static s() {} }
		let l = 1; const k = () => lib;
		Math.two = 2; free = 3;`), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := tree.Declarations()
	got := map[string]string{}
	for _, f := range d.Functions {
		got[f.Name] = f.Captures
		if f.Captures == "" {
			if _, err := f.Code(); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	want := map[string]string{"": "belongs to a class", "row": "", "next": `captures the variable "n"`, "self": "", "outer": "", "C": "", "k": ""}
	for name, captures := range want {
		if c, ok := got[name]; !ok || c != captures {
			t.Errorf("%q: got %q, want %q", name, c, captures)
		}
	}
	var lexical []string
	for _, l := range d.Lexical {
		lexical = append(lexical, l.Name)
		if _, err := l.Code(); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
	if _, ok := d.Vars["lib"]; !ok || !slices.Equal(lexical, []string{"C", "l", "k"}) || !slices.Contains(d.Assigned, "Math.") || !slices.Contains(d.Assigned, "free") {
		t.Errorf("got %v, %v, %v", d.Vars, lexical, d.Assigned)
	}
}

// The text of a tree is not parsed again, however often it is asked.
func TestAssignment(t *testing.T) {
	tree, err := DefaultLimits.Expression(source("a.b[c()]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Compile(); err != nil {
		t.Error(err)
	}
	if _, err := tree.CompileAssignment(); err != nil {
		t.Error(err)
	}
	if tree, _ = DefaultLimits.Expression(source("eval"), nil); tree == nil {
		t.Fatal("no tree")
	}
	if _, err := tree.CompileAssignment(); err == nil {
		t.Error("eval can be assigned to")
	}
}

// Code calls a bound in place of what the language does without one.
func TestBound(t *testing.T) {
	for text, want := range map[string]string{
		"[...a, ...[1], ...'x']": "bound items", "f(...a)": "bound items", "new Set(a)": "bound items", "new Map([[1, 2]])": "", "({...a})": "", "[...a] = b": "",
		"1n << a": "bound shift", "a << b": "", "BigInt(a) ** b": "bound power", "(a **= 2n ** b).c": "bound power bound power", "a ** 2 + 1n": "", "a.b **= 2n": "",
	} {
		var got []string
		_, err := DefaultLimits.Expression(source(text), func(name string) {
			if IsBound(name) {
				got = append(got, name)
			}
		})
		if got := strings.Join(got, " "); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

// An assignment that fails is reported where the location ends.
func TestAssignmentPosition(t *testing.T) {
	tree, err := DefaultLimits.Expression(source(" nowhere ;"), nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := tree.CompileAssignment()
	if err != nil {
		t.Fatal(err)
	}
	vm := goja.New()
	v, failed := vm.RunProgram(code)
	if failed != nil {
		t.Fatal(failed)
	}
	f, _ := goja.AssertFunction(v)
	_, failed = f(goja.Undefined(), vm.ToValue(1))
	var exception *goja.Exception
	if !errors.As(failed, &exception) {
		t.Fatalf("got %v", failed)
	}
	at := exception.Stack()[0].Position()
	if got := tree.Position(at.Line, at.Column); got.Col != 10 {
		t.Errorf("got column %d, want 10", got.Col)
	}
}
