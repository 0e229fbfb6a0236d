package syntax

import (
	"math/big"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// The functions of package guard that code calls where the language sets no bounds. No script can
// spell their names.
const (
	BoundItems  = "bound items"  // of what is iterated and, in new C(x), of C: an iterable that ends
	BoundPower  = "bound power"  // of two operands: **
	BoundShift  = "bound shift"  // of two operands: <<
	BoundEval   = "bound eval"   // makes the name eval mean the function of the library, and with an argument its guard again
	BoundText   = "bound text"   // of nothing and arguments of eval: the first one, which may be parsed
	BoundChange = "bound change" // of an object that is about to be changed: the object
)

// IsBound reports whether name is that of such a function.
func IsBound(name string) bool {
	switch name {
	case BoundItems, BoundPower, BoundShift, BoundEval, BoundText, BoundChange:
		return true
	}
	return false
}

func bound(name string, args ...ast.Expression) *ast.CallExpression {
	return boundAt(args[0].Idx0(), args[len(args)-1].Idx1()-1, name, args...)
}

func boundAt(begin, end file.Idx, name string, args ...ast.Expression) *ast.CallExpression {
	return &ast.CallExpression{Callee: &ast.Identifier{Name: unistring.String(name), Idx: begin}, LeftParenthesis: begin, ArgumentList: args, RightParenthesis: end}
}

// boundItems returns an expression that is iterated with a bound.
func boundItems(e ast.Expression, class ...ast.Expression) ast.Expression {
	switch e.(type) {
	case *ast.ArrayLiteral, *ast.StringLiteral:
		return e
	}
	return bound(BoundItems, append([]ast.Expression{e}, class...)...)
}

// boundEval returns an expression for a call of eval: in the scope of the call if eval is the function of
// the library. It becomes that one while its name is looked up, which comes before the arguments.
//
//	"bound eval"(), eval("bound text"("bound eval"(0), text))
func (x *explorer) boundEval(n *ast.CallExpression) ast.Expression {
	begin, end := n.Idx0(), n.Idx1()-1
	closing := boundAt(begin, end, BoundEval, &ast.NumberLiteral{Idx: begin, Literal: "0", Value: int64(0)})
	text := boundAt(begin, end, BoundText, append([]ast.Expression{closing}, n.ArgumentList...)...)
	x.node(text.ArgumentList[1:])
	call := *n
	call.ArgumentList = []ast.Expression{text}
	return &ast.SequenceExpression{Sequence: []ast.Expression{boundAt(begin, end, BoundEval), &call}}
}

// operator notes an operator whose result may have many more digits than its operands, if they are
// BigInts. Whether the code has any is known when all of it has been seen.
func (x *explorer) operator(op token.Token, left, right *ast.Expression, replace func(by ast.Expression)) {
	name := BoundPower
	switch {
	case op != token.EXPONENT && op != token.SHIFT_LEFT, isNumber(*left), isNumber(*right):
		return
	case op == token.SHIFT_LEFT:
		name = BoundShift
	}
	x.operators = append(x.operators, func() {
		x.name(name)
		replace(bound(name, *left, *right))
	})
}

// boundOperators replaces those operators, the inner ones first.
func (x *explorer) boundOperators() {
	for i := len(x.operators) - 1; i >= 0 && x.bigints; i-- {
		x.operators[i]()
	}
}

// isNumber reports whether an operand is a Number. Then the other one cannot be a BigInt either.
func isNumber(e ast.Expression) bool {
	n, ok := e.(*ast.NumberLiteral)
	return ok && !isBigInt(n)
}

func isBigInt(n *ast.NumberLiteral) bool {
	_, ok := n.Value.(*big.Int)
	return ok
}
