package syntax

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Findings returns the assignments of an expression, the uses of In() with a constant, and the
// global variables that the code uses and declares, see [datamodel.Checker].
//
// Assignments inside a function do not count: the text does not tell who calls it, and whether what
// it changes is its own.
func (t *Tree) Findings() []datamodel.Finding {
	r := &referrer{declared: map[string]bool{}}
	r.visit, r.resolved = r.look, r.use
	r.survey(t)
	for name := range r.found.Vars {
		r.declared[name] = true
	}
	for _, l := range r.found.Lexical {
		r.declared[l.Name] = true
	}
	found := append(r.direct, slices.DeleteFunc(r.uses, func(use datamodel.Finding) bool { return r.declared[use.Text] })...)
	for _, name := range slices.Sorted(maps.Keys(r.declared)) {
		found = append(found, t.finding(datamodel.Declaration, 0, name))
	}
	if r.loose {
		found = append(found, t.finding(datamodel.OpenDeclaration, 0, ""))
	}
	return found
}

// finding returns a finding at an index of goja's, which counts from 1.
func (t *Tree) finding(kind datamodel.FindingKind, at int, text string) datamodel.Finding {
	offset := min(max(at-1-t.prefix, 0), len(t.Source.Text))
	return datamodel.Finding{Kind: kind, Pos: t.Source.Position(offset), Text: text}
}

// A referrer resolves names as a surveyor does, and looks at the global ones.
type referrer struct {
	surveyor
	direct   []datamodel.Finding // assignments and uses of In
	uses     []datamodel.Finding // of global variables
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
	EachName(target, func(name string) {
		if r.scope.lookup(name) == nil {
			r.declared[name] = true
		}
	})
}

// assignment notes a part of an expression that changes data.
func (r *referrer) assignment(n ast.Node) {
	if len(r.open) > 0 {
		return
	}
	from, to := max(int(n.Idx0())-1, r.tree.prefix), min(int(n.Idx1())-1, len(r.tree.text))
	text := r.tree.Source.Text
	if from < to {
		text = r.tree.text[from:to]
	}
	r.direct = append(r.direct, r.tree.finding(datamodel.Assignment, int(n.Idx0()), strings.TrimSpace(text)))
}

// use is told of the uses of variables.
func (r *referrer) use(id *ast.Identifier, called, local bool) {
	name := id.Name.String()
	switch {
	case local:
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
		if changes(n) {
			r.assignment(n)
		}
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
	case *ast.CallExpression:
		callee, ok := n.Callee.(*ast.Identifier)
		if !ok || callee.Name.String() != PredicateIn || len(n.ArgumentList) != 1 {
			break
		}
		if id, ok := n.ArgumentList[0].(*ast.StringLiteral); ok {
			r.direct = append(r.direct, r.tree.finding(datamodel.StatePredicate, int(id.Idx0())+1, id.Value.String()))
		}
	case *ast.AssignExpression:
		r.assignment(n)
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
