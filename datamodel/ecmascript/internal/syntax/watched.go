package syntax

import (
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// change makes watched code call BoundChange with the objects that a node changes. It reports whether it has
// walked what is below the node.
func (x *explorer) change(n any, at reflect.Value) (done bool) {
	if n == x.changing {
		return false
	}
	switch n := n.(type) {
	case *ast.AssignExpression:
		return x.superTarget(n, n.Left, at) || x.target(&n.Left)
	case *ast.UnaryExpression:
		return changes(n) && (x.superTarget(n, n.Operand, at) || x.target(&n.Operand))
	case *ast.ForIntoExpression:
		x.target(&n.Expression)
	case *ast.ArrayPattern:
		for i := range n.Elements {
			x.target(&n.Elements[i])
		}
		x.target(&n.Rest)
	case *ast.ObjectPattern:
		for _, p := range n.Properties {
			if keyed, ok := p.(*ast.PropertyKeyed); ok {
				x.target(&keyed.Value)
			}
		}
		x.target(&n.Rest)
	case *ast.WithStatement: // its body may assign to names
		n.Object = x.changed(n.Object)
	case *ast.ClassLiteral:
		x.addedFields(n)
	}
	return false
}

func (x *explorer) changed(e ast.Expression) ast.Expression {
	x.changes = true
	return bound(BoundChange, e)
}

// target watches the object of a property that something is assigned to, or that is deleted.
func (x *explorer) target(e *ast.Expression) (done bool) {
	switch n := (*e).(type) {
	case *ast.OptionalChain: // of delete
		return x.target(&n.Expression)
	case *ast.DotExpression:
		x.object(&n.Left)
	case *ast.BracketExpression:
		x.object(&n.Left)
	}
	return false
}

func (x *explorer) object(e *ast.Expression) {
	switch n := (*e).(type) {
	case *ast.Optional:
		x.object(&n.Expression)
	case *ast.SuperExpression: // see superTarget
	default:
		*e = x.changed(n)
	}
}

// superTarget watches this, before n, whose target is a property of super.
func (x *explorer) superTarget(n, target ast.Expression, at reflect.Value) (done bool) {
	var left ast.Expression
	switch target := target.(type) {
	case *ast.DotExpression:
		left = target.Left
	case *ast.BracketExpression:
		left = target.Left
	}
	if super, ok := left.(*ast.SuperExpression); ok && at.CanSet() {
		x.changing = n
		both := &ast.SequenceExpression{Sequence: []ast.Expression{x.changed(&ast.ThisExpression{Idx: super.Idx}), n}}
		at.Set(reflect.ValueOf(both))
		x.node(both)
		return true
	}
	return false
}

// addedFields watches what the fields of a class are added to: its superclass may return any object as the
// new one.
func (x *explorer) addedFields(n *ast.ClassLiteral) {
	for _, e := range n.Body {
		if f, ok := e.(*ast.FieldDefinition); ok && !f.Static && n.SuperClass != nil {
			value := f.Initializer
			if value == nil {
				value = &ast.UnaryExpression{Operator: token.VOID, Idx: f.Idx, Operand: &ast.NumberLiteral{Idx: f.Idx, Literal: "0", Value: int64(0)}}
			}
			f.Initializer = &ast.SequenceExpression{Sequence: []ast.Expression{x.changed(&ast.ThisExpression{Idx: f.Idx}), value}}
			return // the others are added to the same object
		}
	}
}
