package ecmascript

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Check finds assignments and uses of In() with a constant, see [datamodel.Checker].
//
// What is inside a function is no assignment of the expression: who calls it,
// and whether what it changes is its own, cannot be told from the text.
func (l *language) Check(kind datamodel.Kind, src datamodel.Source) []datamodel.Finding {
	if kind == datamodel.Content || !worthChecking(src.Text) {
		return nil
	}
	// What compiles can be parsed without a second thought about its nesting
	// and its parentheses.
	if _, err := l.Compile(kind, src); err != nil {
		return nil
	}
	c := &checker{src: &src, text: src.Text}
	if kind != datamodel.Script {
		c.text, c.prefix = "("+trimSemicolon(src.Text)+"\n)", 1
	}
	tree, err := parse(&src, c.text, c.prefix)
	if err != nil {
		return nil
	}
	for _, statement := range tree.Body {
		c.walk(reflect.ValueOf(statement), false, 0)
	}
	return c.found
}

// worthChecking reports whether there may be something to find in a text. It
// saves the parsing of most.
func worthChecking(text string) bool {
	if strings.Contains(text, predicateIn) || strings.Contains(text, "++") || strings.Contains(text, "--") || strings.Contains(text, "delete") {
		return true
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '=' {
			continue
		}
		comparison := i+1 < len(text) && text[i+1] == '=' ||
			i > 0 && text[i-1] == '!' || i > 0 && (text[i-1] == '<' || text[i-1] == '>') && (i == 1 || text[i-2] != text[i-1])
		if !comparison {
			return true
		}
		for i+1 < len(text) && text[i+1] == '=' {
			i++
		}
	}
	return false
}

// A checker looks through the syntax tree of one piece of source.
type checker struct {
	src    *datamodel.Source
	text   string // what was parsed
	prefix int    // bytes of text before those of the source
	found  []datamodel.Finding
}

// maxWalk bounds how deep the checker goes down.
const maxWalk = 20_000

var nodeType = reflect.TypeFor[ast.Node]()

// walk looks at all that can be reached from v. goja's syntax trees have no
// walker of their own, and a few dozen kinds of nodes, of which three matter.
func (c *checker) walk(v reflect.Value, inFunction bool, depth int) {
	if depth > maxWalk {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			c.walk(v.Elem(), inFunction, depth+1)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		if v.Type().Implements(nodeType) {
			inFunction = c.node(v.Interface().(ast.Node), inFunction)
		}
		c.walk(v.Elem(), inFunction, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			// A DeclarationList repeats nodes that stand elsewhere in the tree.
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" {
				c.walk(v.Field(i), inFunction, depth+1)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.walk(v.Index(i), inFunction, depth+1)
		}
	}
}

// node looks at one node, and reports whether what is below it is inside a function.
func (c *checker) node(n ast.Node, inFunction bool) bool {
	switch n := n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return true
	case *ast.AssignExpression:
		if !inFunction {
			c.add(datamodel.Assignment, int(n.Idx0()), c.cut(int(n.Idx0()), int(n.Idx1())))
		}
	case *ast.UnaryExpression:
		if !inFunction && (n.Operator == token.INCREMENT || n.Operator == token.DECREMENT || n.Operator == token.DELETE) {
			c.add(datamodel.Assignment, int(n.Idx0()), c.cut(int(n.Idx0()), int(n.Idx1())))
		}
	case *ast.CallExpression:
		callee, ok := n.Callee.(*ast.Identifier)
		if !ok || callee.Name.String() != predicateIn || len(n.ArgumentList) != 1 {
			break
		}
		if id, ok := n.ArgumentList[0].(*ast.StringLiteral); ok {
			c.add(datamodel.StatePredicate, int(id.Idx0())+1, id.Value.String())
		}
	}
	return inFunction
}

// add notes a finding at an index of goja's, which counts from 1.
func (c *checker) add(kind datamodel.FindingKind, at int, text string) {
	offset := min(max(at-1-c.prefix, 0), len(c.src.Text))
	c.found = append(c.found, datamodel.Finding{Kind: kind, Pos: c.src.Position(offset), Text: text})
}

// cut returns a part of the text.
func (c *checker) cut(from, to int) string {
	from, to = max(from-1, c.prefix), min(to-1, len(c.text))
	if from >= to {
		return strings.TrimSpace(c.src.Text)
	}
	return strings.TrimSpace(c.text[from:to])
}
