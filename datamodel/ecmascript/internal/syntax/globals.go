package syntax

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// A Global is a place where code names a global variable.
type Global struct {
	Name   string
	Offset int  // in the source
	Short  bool // it stands for a property and its value: {x}
}

// Globals returns the places where the code names global variables, those that declare them
// included. What is in a with statement is left out.
func (t *Tree) Globals() []Global {
	var found []Global
	short := false
	add := func(id *ast.Identifier) {
		found = append(found, Global{id.Name.String(), int(id.Idx) - 1 - t.prefix, short})
	}
	x := &surveyor{}
	x.resolved = func(id *ast.Identifier, _, local bool) {
		if !local {
			add(id)
		}
	}
	x.visit = func(n any, at reflect.Value) (done bool) {
		switch n := n.(type) {
		case *ast.PropertyShort:
			short = true
			x.use(&n.Name, false)
			short = false
			x.node(n.Initializer)
			return true
		case *ast.FunctionDeclaration:
			if x.scope.level == 0 {
				add(n.Function.Name)
			}
		case *ast.ClassDeclaration:
			if x.scope.level == 0 {
				add(n.Class.Name)
			}
		}
		return x.look(n, at)
	}
	x.survey(t)
	return found
}
