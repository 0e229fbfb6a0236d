package syntax

import (
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
)

// The names of what prepared uses of eval refer to. No script can spell them.
const (
	GuardedEval = "eval guarded" // the function that checks its argument and calls eval
	CheckedText = "eval check"   // a function that checks its argument and returns it
)

// prepareEval makes the uses of eval in a tree safe. In a call, which is to see the
// variables around it, the arguments go through the function that checks them;
// everywhere else the name is replaced by that of the guarded function. It returns
// the place of a use that it cannot handle: one that gives the name eval to something.
func (t *Tree) prepareEval() (at file.Idx) {
	var w walker
	refuse := func(e ast.Node) {
		if at == 0 {
			at = e.Idx0()
		}
	}
	w.visit = func(n any, in reflect.Type) (done bool) {
		switch n := n.(type) {
		case *ast.Identifier:
			switch {
			case n.Name != "eval":
			case in == expressionType:
				n.Name = GuardedEval
			default:
				refuse(n)
			}
			return true
		case *ast.PropertyShort:
			if n.Name.Name == "eval" {
				refuse(&n.Name)
			}
		case *ast.CallExpression:
			if isEval(n.Callee) {
				w.node(n.ArgumentList)
				check := *n
				check.Callee = &ast.Identifier{Name: CheckedText, Idx: n.Callee.Idx0()}
				n.ArgumentList = []ast.Expression{&check}
				return true
			}
		case *ast.AssignExpression:
			if n.Operator == token.ASSIGN && isEval(n.Left) {
				w.node([]ast.Expression{n.Right})
				return true
			}
		case *ast.ArrayPattern:
			for _, e := range append(n.Elements, n.Rest) {
				if isEval(e) {
					refuse(e)
				}
			}
		}
		return false
	}
	w.node(t.program.Body)
	return at
}

func isEval(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && id.Name == "eval"
}
