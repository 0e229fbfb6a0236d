package ecmascript

import (
	"math"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// fastUnary is for an operator that stands before its operand.
func fastUnary(x *ast.UnaryExpression) fast {
	of := compileFast(x.Operand)
	if of.value == nil {
		return fast{}
	}
	switch x.Operator {
	case token.NOT:
		return fastNot(of)
	case token.MINUS:
		return fastArithmetic(always(numberOperand(0)), of, func(_, n float64) (float64, bool) { return -n, true })
	case token.PLUS:
		return fastArithmetic(always(numberOperand(0)), of, func(_, n float64) (float64, bool) { return n, true })
	case token.TYPEOF:
		return fastValue(func(st *store) (operand, bool) {
			v, ok := of.value(st)
			if !ok {
				return v, false
			}
			name, ok := v.typeof()
			return textOperand(name), ok
		})
	}
	return fast{}
}

// fastBinary is for an operator that stands between its operands.
func fastBinary(x *ast.BinaryExpression) fast {
	left, right := compileFast(x.Left), compileFast(x.Right)
	if left.value == nil || right.value == nil {
		return fast{}
	}
	switch x.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return fastLogical(x.Operator, left, right)
	case token.STRICT_EQUAL:
		return fastEqual(left, right, true)
	case token.STRICT_NOT_EQUAL:
		return fastNot(fastEqual(left, right, true))
	case token.EQUAL:
		return fastEqual(left, right, false)
	case token.NOT_EQUAL:
		return fastNot(fastEqual(left, right, false))
	case token.LESS:
		return fastOrder(left, right, func(a, b float64) bool { return a < b }, func(a, b string) bool { return a < b })
	case token.LESS_OR_EQUAL:
		return fastOrder(left, right, func(a, b float64) bool { return a <= b }, func(a, b string) bool { return a <= b })
	case token.GREATER:
		return fastOrder(left, right, func(a, b float64) bool { return a > b }, func(a, b string) bool { return a > b })
	case token.GREATER_OR_EQUAL:
		return fastOrder(left, right, func(a, b float64) bool { return a >= b }, func(a, b string) bool { return a >= b })
	case token.PLUS:
		return fastPlus(left, right)
	case token.MINUS:
		return fastArithmetic(left, right, func(a, b float64) (float64, bool) { return a - b, true })
	case token.SLASH:
		return fastArithmetic(left, right, func(a, b float64) (float64, bool) { return a / b, true })
	case token.REMAINDER:
		return fastArithmetic(left, right, func(a, b float64) (float64, bool) { return math.Mod(a, b), true })
	case token.MULTIPLY: // 0 * -1 is -0, and 0 * -2 in goja 0
		return fastArithmetic(left, right, func(a, b float64) (float64, bool) { return a * b, a*b != 0 })
	}
	return fast{}
}

// fastLogical is one of && || ??.
func fastLogical(op token.Token, left, right fast) fast {
	f := fastValue(func(st *store) (operand, bool) {
		v, ok := left.value(st)
		if !ok {
			return v, false
		}
		var done bool
		switch op {
		case token.LOGICAL_AND:
			done = !v.truth()
		case token.LOGICAL_OR:
			done = v.truth()
		default:
			done = v.kind > kindNull
		}
		if done {
			return v, true
		}
		return right.value(st)
	})
	if op != token.COALESCE {
		f.truth = func(st *store) (bool, bool) {
			b, ok := left.truth(st)
			if !ok || b == (op == token.LOGICAL_OR) {
				return b, ok
			}
			return right.truth(st)
		}
	}
	return f
}

// fastNot is the operator !, of whatever its operand is.
func fastNot(of fast) fast {
	return fastTruth(func(st *store) (bool, bool) {
		b, ok := of.truth(st)
		return !b, ok
	})
}

// fastEqual is === and, not strict, ==.
func fastEqual(left, right fast, strict bool) fast {
	return fastTruth(func(st *store) (bool, bool) {
		if a, b, ok := twoNumbers(st, left.number, right.number); ok {
			return a == b, true
		}
		a, b, ok := twoValues(st, left.value, right.value)
		if !ok {
			return false, false
		}
		return equalOperands(&a, &b, strict)
	})
}

// fastOrder compares two numbers or two strings.
func fastOrder(left, right fast, numbers func(a, b float64) bool, texts func(a, b string) bool) fast {
	return fastTruth(func(st *store) (bool, bool) {
		if a, b, ok := twoNumbers(st, left.number, right.number); ok {
			return numbers(a, b), true
		}
		a, b, ok := twoValues(st, left.value, right.value)
		switch {
		case !ok || a.kind != b.kind:
			return false, false
		case a.kind == kindNumber:
			return numbers(a.number, b.number), true
		}
		return texts(a.text, b.text), a.kind == kindText
	})
}

// fastPlus is the operator +, of numbers or with a string.
func fastPlus(left, right fast) fast {
	f := fastArithmetic(left, right, func(a, b float64) (float64, bool) { return a + b, true })
	f.value = func(st *store) (operand, bool) {
		if a, b, ok := twoNumbers(st, left.number, right.number); ok {
			return numberOperand(a + b), true
		}
		a, b, ok := twoValues(st, left.value, right.value)
		switch {
		case !ok:
			return a, false
		case a.kind == kindNumber && b.kind == kindNumber:
			return numberOperand(a.number + b.number), true
		case a.kind != kindText && b.kind != kindText:
			return a, false
		}
		s, ok := a.string()
		if !ok {
			return a, false
		}
		t, ok := b.string()
		return textOperand(s + t), ok
	}
	f.truth = fastValue(f.value).truth
	return f
}

// fastArithmetic computes a number of two numbers.
func fastArithmetic(left, right fast, compute func(a, b float64) (float64, bool)) fast {
	if left.number == nil || right.number == nil {
		return fastValue(func(st *store) (operand, bool) {
			a, b, ok := twoValues(st, left.value, right.value)
			if !ok || a.kind != kindNumber || b.kind != kindNumber {
				return a, false
			}
			n, ok := compute(a.number, b.number)
			return numberOperand(n), ok
		})
	}
	number := func(st *store) (float64, bool) {
		a, b, ok := twoNumbers(st, left.number, right.number)
		if !ok {
			return 0, false
		}
		return compute(a, b)
	}
	f := fastValue(func(st *store) (operand, bool) {
		n, ok := number(st)
		return numberOperand(n), ok
	})
	f.number = number
	return f
}

// twoNumbers returns the values of both, if there is a short way to them.
func twoNumbers(st *store, left, right numberFunc) (a, b float64, ok bool) {
	if left == nil || right == nil {
		return 0, 0, false
	}
	if a, ok = left(st); !ok {
		return 0, 0, false
	}
	b, ok = right(st)
	return a, b, ok
}

// twoValues returns the values of both.
func twoValues(st *store, left, right valueFunc) (a, b operand, ok bool) {
	if a, ok = left(st); !ok {
		return a, b, false
	}
	b, ok = right(st)
	return a, b, ok
}

// fastConditional is the operator ?:.
func fastConditional(x *ast.ConditionalExpression) fast {
	test, yes, no := compileFast(x.Test), compileFast(x.Consequent), compileFast(x.Alternate)
	if test.value == nil || yes.value == nil || no.value == nil {
		return fast{}
	}
	return fastValue(func(st *store) (operand, bool) {
		b, ok := test.truth(st)
		switch {
		case !ok:
			return operand{}, false
		case b:
			return yes.value(st)
		}
		return no.value(st)
	})
}
