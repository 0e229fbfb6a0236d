package syntax

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Findings returns the assignments of an expression and uses of In() with a
// constant, see [datamodel.Checker].
//
// What is inside a function is no assignment of the expression: who calls it,
// and whether what it changes is its own, cannot be told from the text.
func (t *Tree) Findings() []datamodel.Finding {
	c := &checker{tree: t}
	c.visit = c.look
	c.node(t.program.Body)
	return c.found
}

// A checker looks for findings.
type checker struct {
	walker
	tree       *Tree
	inFunction bool
	found      []datamodel.Finding
}

func (c *checker) look(n any, _ reflect.Type) (done bool) {
	switch n := n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		before := c.inFunction
		c.inFunction = true
		c.fields(reflect.ValueOf(n).Elem())
		c.inFunction = before
		return true
	case *ast.AssignExpression:
		c.assignment(n)
	case *ast.UnaryExpression:
		if n.Operator == token.INCREMENT || n.Operator == token.DECREMENT || n.Operator == token.DELETE {
			c.assignment(n)
		}
	case *ast.CallExpression:
		callee, ok := n.Callee.(*ast.Identifier)
		if !ok || callee.Name.String() != PredicateIn || len(n.ArgumentList) != 1 {
			break
		}
		if id, ok := n.ArgumentList[0].(*ast.StringLiteral); ok {
			c.add(datamodel.StatePredicate, int(id.Idx0())+1, id.Value.String())
		}
	}
	return false
}

func (c *checker) assignment(n ast.Node) {
	if !c.inFunction {
		c.add(datamodel.Assignment, int(n.Idx0()), c.cut(int(n.Idx0()), int(n.Idx1())))
	}
}

// add notes a finding at an index of goja's, which counts from 1.
func (c *checker) add(kind datamodel.FindingKind, at int, text string) {
	src := c.tree.Source
	offset := min(max(at-1-c.tree.prefix, 0), len(src.Text))
	c.found = append(c.found, datamodel.Finding{Kind: kind, Pos: src.Position(offset), Text: text})
}

// cut returns a part of the text.
func (c *checker) cut(from, to int) string {
	from, to = max(from-1, c.tree.prefix), min(to-1, len(c.tree.text))
	if from >= to {
		return strings.TrimSpace(c.tree.Source.Text)
	}
	return strings.TrimSpace(c.tree.text[from:to])
}
