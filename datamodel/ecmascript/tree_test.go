package ecmascript_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// sketch writes a tree as nested lists, with the offset of each node.
func sketch(n tree.Node) string {
	var parts []string
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case tree.At:
		case tree.Node:
			if f != nil {
				parts = append(parts, sketch(f))
			}
		case []tree.Expr:
			for _, x := range f {
				parts = append(parts, sketch(x))
			}
		case []tree.Stmt:
			for _, s := range f {
				parts = append(parts, sketch(s))
			}
		case nil:
		case bool:
			if f {
				parts = append(parts, v.Type().Field(i).Name)
			}
		default:
			parts = append(parts, fmt.Sprintf("%v", f))
		}
	}
	return fmt.Sprintf("%s@%d(%s)", strings.TrimPrefix(v.Type().String(), "tree."), n.Offset(), strings.Join(parts, " "))
}

func TestTree(t *testing.T) {
	for _, test := range []struct {
		kind       datamodel.Kind
		text, want string
	}{
		{datamodel.ValueExpr, "a + 1.5 * (b)", "Binary@0(+ Name@0(a) Binary@4(* Number@4(1.5) Name@11(b)))"},
		{datamodel.ValueExpr, "(1) + (2)", "Binary@1(+ Number@1(1) Number@7(2))"},
		{datamodel.ValueExpr, " 'é' + x;", "Binary@1(+ String@1(é) Name@8(x))"},
		{datamodel.ValueExpr, "'\\ud83d\\ude00'", "String@0(😀)"},
		{datamodel.ValueExpr, "'\\ud83d' + '\\ude00'", "Binary@0(+ Other@0(a string with half a surrogate pair) Other@11(a string with half a surrogate pair))"},
		{datamodel.ValueExpr, "_event.data['x'].y[0]", "Index@0(Member@0(Member@0(Member@0(Name@0(_event) data) x) y) Number@19(0))"},
		{datamodel.ValueExpr, "a?.b.c", "Chain@0(Member@0(Member@0(Name@0(a) b Optional) c))"},
		{datamodel.ValueExpr, "f?.(1, 'x')", "Chain@0(Call@0(Name@0(f) Number@4(1) String@7(x) Optional))"},
		{datamodel.ValueExpr, "!a ? typeof b : void 0", "Conditional@0(Unary@0(! Name@1(a)) Unary@5(typeof Name@12(b)) Unary@16(void Number@21(0)))"},
		{datamodel.ValueExpr, "a && b || c ?? null", ""}, // a syntax error
		{datamodel.ValueExpr, "(a && true) ?? null", "Binary@1(?? Binary@1(&& Name@1(a) Bool@6(Value)) Null@15())"},
		{datamodel.ValueExpr, "a = b += c++, --d", "Sequence@0(Assign@0( Name@0(a) Assign@4(+ Name@4(b) Update@9(++ Name@9(c)))) Update@14(-- Name@16(d) Prefix))"},
		{datamodel.ValueExpr, "`a${b}c`", "Template@0([a c] Name@4(b))"},
		{datamodel.ValueExpr, "[1] + {} + f`x` + 1n", "Binary@0(+ Binary@0(+ Binary@0(+ Other@0(an array) Other@6(an object)) Other@11(a template with a tag)) Other@18(a BigInt))"},
		{datamodel.ValueExpr, "eval('1')", "Sequence@0(Other@0(code with eval, a BigInt or ...) Call@0(Name@0(eval) Other@0(code with eval, a BigInt or ...)))"},
		{datamodel.Location, "a.b", "Member@0(Name@0(a) b)"},
		{datamodel.Location, "a + b", ""},
		{datamodel.Script, "var a = 1, b; let c = a\nif (a) { b++ } else ;", "Var@4(var a Number@8(1)) Var@11(var b) Var@18(let c Name@22(a)) If@28(Name@28(a) Block@31(ExprStmt@33(Update@33(++ Name@33(b)))) Empty@44())"},
		{datamodel.Script, "for (;;) {} function f() {} x", "Other@0(a loop) Other@12(a function) ExprStmt@28(Name@28(x))"},
		{datamodel.Script, "x; if (a) b", "ExprStmt@0(Name@0(x)) If@7(Name@7(a) ExprStmt@10(Name@10(b)))"},
		{datamodel.Script, "x; for (;;) break; for (a in b); for (a of b); while (a);", "ExprStmt@0(Name@0(x)) Other@3(a loop) Other@19(a loop for … in) Other@33(a loop for … of) Other@47(a loop)"},
		{datamodel.Script, "x; do y; while (a); switch (a) {} try {} finally {} throw a; debugger; a: ; with (a);", "ExprStmt@0(Name@0(x)) Other@3(a loop) Other@20(a statement switch) Other@34(a statement try) Other@52(a statement throw) Other@61(a statement debugger) Other@71(a label) Other@76(a statement with)"},
		{datamodel.Script, "", ""},
		{datamodel.Content, " 12.5 ", "Number@0(12.5)"},
		{datamodel.Content, "a  b", "String@0(a b)"},
		{datamodel.Content, "[1]", "Other@0(an array)"},
	} {
		code, err := ecmascript.Tree(test.kind, source(test.text))
		var got []string
		if err == nil {
			if code.Expr != nil {
				got = append(got, sketch(code.Expr))
			}
			for _, s := range code.Script {
				got = append(got, sketch(s))
			}
		} else if _, want := ecmascript.New().Compile(test.kind, source(test.text)); want == nil || want.Error() != err.Error() {
			t.Errorf("%s: the error is %v, that of Compile %v", test.text, err, want)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, s, test.want)
		}
	}
}

// A place in the text is one in the document, entities and line ends included.
func TestTreePositions(t *testing.T) {
	src := datamodel.Source{Text: "a <\n b", Raw: "a &lt;\n b", Pos: datamodel.Position{File: "c.scxml", Line: 3, Col: 7}}
	code, err := ecmascript.Tree(datamodel.ValueExpr, src)
	if err != nil {
		t.Fatal(err)
	}
	if got := code.Position(code.Expr.(*tree.Binary).Y).String(); got != "c.scxml:4:2" {
		t.Errorf("b is at %s", got)
	}
}

// Each kind of expression and statement that the parser has is in the tree, or is described in words.
func TestTreeHasAllNodes(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/dop251/goja").Output()
	if err != nil || runtime.GOOS == "js" {
		t.Skip("the source of goja is not at hand")
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	nodes := regexp.MustCompile(`(?m)^func \(\*(\w+)\) _(?:expression|statement)Node\(\)`).FindAllStringSubmatch(read(filepath.Join(strings.TrimSpace(string(dir)), "ast", "node.go")), -1)
	if len(nodes) < 50 {
		t.Fatalf("found only %d kinds of nodes", len(nodes))
	}
	ours := read("tree.go")
	for _, n := range nodes {
		switch n[1] {
		case "BadExpression", "BadStatement", "Binding", "PropertyShort", "PropertyKeyed", "CaseStatement", "CatchStatement": // not by themselves in a tree without errors
			continue
		}
		if !strings.Contains(ours, "*ast."+n[1]) {
			t.Errorf("a node of the type %s does not have a translation", n[1])
		}
	}
}
