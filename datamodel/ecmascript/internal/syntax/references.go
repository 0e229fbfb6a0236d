package syntax

import (
	"maps"
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// references returns the global variables that the tree uses and declares.
func (t *Tree) references() []datamodel.Finding {
	r := &referrer{declared: map[string]bool{}}
	r.visit, r.global = r.look, r.use
	r.survey(t)
	for name := range r.found.Vars {
		r.declared[name] = true
	}
	for _, l := range r.found.Lexical {
		r.declared[l.Name] = true
	}
	found := slices.DeleteFunc(r.uses, func(use datamodel.Finding) bool { return r.declared[use.Text] })
	for _, name := range slices.Sorted(maps.Keys(r.declared)) {
		found = append(found, t.finding(datamodel.Declaration, 0, name))
	}
	if r.loose {
		found = append(found, t.finding(datamodel.OpenDeclaration, 0, ""))
	}
	return found
}

// A referrer resolves names as a surveyor does, and looks at the global ones.
type referrer struct {
	surveyor
	uses     []datamodel.Finding
	declared map[string]bool
	guarded  int // blocks of try around the present place whose errors are caught
	classes  int // classes around the present place
}

// assigned notes that sloppy code assigns to what a pattern names, which makes
// global variables of names that are not declared.
func (r *referrer) assigned(target any) {
	if r.strict {
		return
	}
	eachName(target, func(name string) {
		if r.scope.lookup(name) == nil {
			r.declared[name] = true
		}
	})
}

// use is told of the uses of global variables.
func (r *referrer) use(id *ast.Identifier, called bool) {
	name := id.Name.String()
	switch {
	case name == "Function" || name == "globalThis" || name == "eval":
		r.loose = true
	case IsBound(name):
	case r.guarded == 0:
		f := r.tree.finding(datamodel.Reference, int(id.Idx), name)
		f.Called = called
		f.Deferred = len(r.open) > 0
		r.uses = append(r.uses, f)
	}
}

func (r *referrer) look(n any, at reflect.Value) (done bool) {
	switch n := n.(type) {
	case *ast.UnaryExpression:
		if id, ok := n.Operand.(*ast.Identifier); ok && n.Operator == token.TYPEOF {
			r.assigned(id)
			return true
		}
	case *ast.TryStatement:
		if n.Catch != nil {
			r.guarded++
			r.node(n.Body)
			r.guarded--
			r.node(n.Catch)
			r.node(n.Finally)
			return true
		}
	case *ast.AssignExpression:
		if n.Operator != token.ASSIGN {
			break
		}
		if dot, ok := n.Left.(*ast.DotExpression); ok && isGlobal(dot.Left) {
			r.declared[dot.Identifier.Name.String()] = true
		}
		r.assigned(n.Left)
		if _, ok := n.Left.(*ast.Identifier); ok && !r.strict {
			r.node(n.Right)
			return true
		}
	case *ast.ForIntoExpression:
		r.assigned(n.Expression)
	case *ast.DotExpression:
		if isGlobal(n.Left) {
			return true
		}
	case *ast.ThisExpression:
		r.loose = r.loose || r.classes == 0
	case *ast.FunctionDeclaration:
		// In sloppy code it is a variable of the function around the block, too.
		if name := n.Function.Name.Name.String(); !r.scope.callable && r.scope.outer != nil {
			r.declared[name] = true
		}
	case *ast.ClassDeclaration, *ast.ClassLiteral:
		r.classes++
		done = r.surveyor.look(n, at)
		r.classes--
		return done
	}
	return r.surveyor.look(n, at)
}

// isGlobal reports whether an expression can be the global object.
func isGlobal(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ThisExpression:
		return true
	case *ast.Identifier:
		return e.Name == "globalThis"
	}
	return false
}
