package syntax

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Globals returns the places where the code names global variables, those that declare them
// included, in their order. What is in a with statement is left out.
func (t *Tree) Globals() []datamodel.Occurrence {
	var found []datamodel.Occurrence
	short := false
	add := func(id *ast.Identifier) {
		found = append(found, datamodel.Occurrence{Name: id.Name.String(), Offset: int(id.Idx) - 1 - t.prefix, Short: short})
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
	slices.SortStableFunc(found, func(a, b datamodel.Occurrence) int { return cmp.Compare(a.Offset, b.Offset) })
	return slices.Compact(found)
}
