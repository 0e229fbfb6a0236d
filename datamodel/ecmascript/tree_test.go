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
	if reflect.ValueOf(n).IsNil() {
		return "nil"
	}
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
				if x == nil {
					parts = append(parts, "hole")
				} else {
					parts = append(parts, sketch(x))
				}
			}
		case []tree.Prop:
			for _, p := range f {
				parts = append(parts, sketch(p.Key)+":"+sketch(p.Value))
			}
		case []tree.Param:
			for _, p := range f {
				parts = append(parts, fmt.Sprintf("%s@%d", p.Name, p.Offset()))
				if p.Default != nil {
					parts = append(parts, "= "+sketch(p.Default))
				}
			}
		case []tree.Case:
			for _, c := range f {
				test := "default"
				if c.Test != nil {
					test = sketch(c.Test)
				}
				parts = append(parts, "case "+test)
				for _, s := range c.Body {
					parts = append(parts, sketch(s))
				}
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
		{datamodel.ValueExpr, "[1] + {} + f`x` + 1n", "Binary@0(+ Binary@0(+ Binary@0(+ Array@0(Number@1(1)) Object@6()) Other@11(a template with a tag)) Other@18(a BigInt))"},
		{datamodel.ValueExpr, "eval('1')", "Sequence@0(Other@0(code with eval, a BigInt or ...) Call@0(Name@0(eval) Other@0(code with eval, a BigInt or ...)))"},
		{datamodel.Location, "a.b", "Member@0(Name@0(a) b)"},
		{datamodel.Location, "a + b", ""},
		{datamodel.Script, "var a = 1, b; let c = a\nif (a) { b++ } else ;", "Var@4(var a Number@8(1)) Var@11(var b) Var@18(let c Name@22(a)) If@28(Name@28(a) Block@31(ExprStmt@33(Update@33(++ Name@33(b)))) Empty@44())"},
		{datamodel.Script, "for (;;) {} function f() {} x", "For@0(Block@9()) FuncDecl@12(Func@12(f)) ExprStmt@28(Name@28(x))"},
		{datamodel.Script, "x; if (a) b", "ExprStmt@0(Name@0(x)) If@7(Name@7(a) ExprStmt@10(Name@10(b)))"},
		{datamodel.Script, "x; for (;;) break; for (a in b); for (a of b); while (a);", "ExprStmt@0(Name@0(x)) For@3(Jump@12()) ForIn@19( a Name@29(b) Empty@31()) ForIn@33(Each  a Name@43(b) Empty@45()) While@47(Name@54(a) Empty@56())"},
		{datamodel.Script, "x; do y; while (a); switch (a) {} try {} finally {} throw a; debugger; a: ; with (a);", "ExprStmt@0(Name@0(x)) While@3(Do Name@16(a) ExprStmt@6(Name@6(y))) Switch@20(Name@28(a)) Try@34( nil Block@49()) Throw@52(Name@58(a)) Other@61(a statement debugger) Labelled@71(a Empty@74()) Other@76(a statement with)"},
		{datamodel.ValueExpr, "[1, , a]", "Array@0(Number@1(1) hole Name@6(a))"},
		{datamodel.ValueExpr, "{a: 1, 'b': a, [c]: 2, a, 1.50: f}", "Object@0(String@1(a):Number@4(1) String@7(b):Name@12(a) Name@16(c):Number@20(2) String@23(a):Name@23(a) String@26(1.5):Name@32(f))"},
		{datamodel.ValueExpr, "{get a() { return 1 }}", "Other@0(an object with a getter or setter)"},
		{datamodel.ValueExpr, "{...a}", "Other@0(an object with the spread syntax ...)"},
		{datamodel.ValueExpr, "{__proto__: a}", "Other@0(an object with a prototype)"},
		{datamodel.ValueExpr, "(a, b = 1) => a + b", "Func@0( a@1 b@4 = Number@8(1) Return@14(Binary@14(+ Name@14(a) Name@18(b))) Arrow)"},
		{datamodel.ValueExpr, "a => { return }", "Func@0( a@0 Return@7() Arrow)"},
		{datamodel.ValueExpr, "function f(...x) {}", "Other@0(a function with a rest parameter)"},
		{datamodel.ValueExpr, "function* f() {}", "Other@0(a generator)"},
		{datamodel.ValueExpr, "async () => 1", "Other@0(an async function)"},
		{datamodel.ValueExpr, "function f([a]) {}", "Other@0(a function with a destructuring pattern)"},
		{datamodel.ValueExpr, "new Error('x') instanceof Error && 'a' in b && delete b.a", "Binary@0(&& Binary@0(&& Binary@0(instanceof New@0(Name@4(Error) String@10(x)) Name@26(Error)) Binary@35(in String@35(a) Name@42(b))) Unary@47(delete Member@54(Name@54(b) a)))"},
		{datamodel.Script, "x; for (var i = 0, n = 2; i < n; i++) continue; for (let k of a) ; for (const k in a) ;", "ExprStmt@0(Name@0(x)) For@3(Var@12(var i Number@16(0)) Var@19(var n Number@23(2)) Binary@26(< Name@26(i) Name@30(n)) Update@33(++ Name@33(i)) Jump@38(Continue )) ForIn@48(Each let k Name@62(a) Empty@65()) ForIn@67(const k Name@83(a) Empty@86())"},
		{datamodel.Script, "switch (a) { case 1: b; break; default: c }", "Switch@0(Name@8(a) case Number@18(1) ExprStmt@21(Name@21(b)) Jump@24() case default ExprStmt@40(Name@40(c)))"},
		{datamodel.Script, "try { a } catch (e) { b } finally { c }", "Try@0(ExprStmt@6(Name@6(a)) e Block@10(ExprStmt@22(Name@22(b))) Block@34(ExprStmt@36(Name@36(c))))"},
		{datamodel.Script, "l: while (a) break l; throw [x]", "Labelled@0(l While@3(Name@10(a) Jump@13(l))) Throw@22(Array@28(Name@29(x)))"},
		{datamodel.Script, "", ""},
		{datamodel.Content, " 12.5 ", "Number@0(12.5)"},
		{datamodel.Content, "a  b", "String@0(a b)"},
		{datamodel.Content, "[1]", "Array@0(Number@0(1))"},
		{datamodel.Content, "{\"a\": null}", "Object@0(String@0(a):Null@0())"},
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
