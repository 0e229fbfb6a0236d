package syntax

import (
	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// EachName calls f for the names that a binding binds.
func EachName(e any, f func(string)) { eachName(e, f) }

// Node returns the syntax tree of the function, and whether the code around it is strict.
func (f *Function) Node() (x ast.Expression, strict bool) { return f.node, f.strict }

// Closed reports whether the function uses no variable of a function or a block around it.
func (f *Function) Closed() bool { return f.Captures == "" && len(f.uses) == 0 }

// CompileRewritten returns the code of an expression that was made of parts of the tree.
func (t *Tree) CompileRewritten(x ast.Expression, strict bool) (*goja.Program, error) {
	tree := *t.program
	tree.Body, tree.DeclarationList = []ast.Statement{&ast.ExpressionStatement{Expression: x}}, nil
	return goja.CompileAST(&tree, strict)
}
