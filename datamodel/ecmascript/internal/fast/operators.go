package fast

import (
	"math"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// compileUnary compiles a prefix operator.
func compileUnary(x *ast.UnaryExpression) Expr {
	of := Compile(x.Operand)
	if of.Value == nil {
		return Expr{}
	}
	switch x.Operator {
	case token.NOT:
		return not(of)
	case token.MINUS:
		return arithmetic(always(numberOperand(0)), of, func(_, n float64) (float64, bool) { return -n, true })
	case token.PLUS:
		return arithmetic(always(numberOperand(0)), of, func(_, n float64) (float64, bool) { return n, true })
	case token.BITWISE_NOT:
		return bitwise(always(numberOperand(0)), of, func(_, n int32) float64 { return float64(^n) })
	case token.TYPEOF:
		return ofValue(func(e *Env) (Operand, bool) {
			v, ok := of.Value(e)
			if !ok {
				return v, false
			}
			name, ok := v.typeof()
			return textOperand(name), ok
		})
	}
	return Expr{}
}

// compileBinary compiles an infix operator.
func compileBinary(x *ast.BinaryExpression) Expr {
	left, right := Compile(x.Left), Compile(x.Right)
	if left.Value == nil || right.Value == nil {
		return Expr{}
	}
	switch op := x.Operator; op {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return logical(op, left, right)
	case token.STRICT_EQUAL, token.EQUAL:
		return equal(left, right, op == token.STRICT_EQUAL)
	case token.STRICT_NOT_EQUAL, token.NOT_EQUAL:
		return not(equal(left, right, op == token.STRICT_NOT_EQUAL))
	case token.LESS:
		return order(left, right, func(a, b float64) bool { return a < b }, func(a, b string) bool { return a < b })
	case token.LESS_OR_EQUAL:
		return order(left, right, func(a, b float64) bool { return a <= b }, func(a, b string) bool { return a <= b })
	case token.GREATER:
		return order(left, right, func(a, b float64) bool { return a > b }, func(a, b string) bool { return a > b })
	case token.GREATER_OR_EQUAL:
		return order(left, right, func(a, b float64) bool { return a >= b }, func(a, b string) bool { return a >= b })
	case token.PLUS:
		return plus(left, right)
	case token.MINUS:
		return arithmetic(left, right, func(a, b float64) (float64, bool) { return a - b, true })
	case token.SLASH:
		return arithmetic(left, right, func(a, b float64) (float64, bool) { return a / b, true })
	case token.REMAINDER:
		return arithmetic(left, right, func(a, b float64) (float64, bool) { return math.Mod(a, b), true })
	case token.MULTIPLY: // 0 * -1 is -0, and 0 * -2 in goja 0
		return arithmetic(left, right, func(a, b float64) (float64, bool) { return a * b, a*b != 0 })
	case token.EXPONENT:
		return arithmetic(left, right, power)
	case token.AND:
		return bitwise(left, right, func(a, b int32) float64 { return float64(a & b) })
	case token.OR:
		return bitwise(left, right, func(a, b int32) float64 { return float64(a | b) })
	case token.EXCLUSIVE_OR:
		return bitwise(left, right, func(a, b int32) float64 { return float64(a ^ b) })
	case token.SHIFT_LEFT:
		return bitwise(left, right, func(a, b int32) float64 { return float64(a << (b & 31)) })
	case token.SHIFT_RIGHT:
		return bitwise(left, right, func(a, b int32) float64 { return float64(a >> (b & 31)) })
	case token.UNSIGNED_SHIFT_RIGHT:
		return bitwise(left, right, func(a, b int32) float64 { return float64(uint32(a) >> (b & 31)) })
	}
	return Expr{}
}

// power is the operator ** for positive integers, as long as the result is exact.
func power(a, b float64) (float64, bool) {
	if a < 1 || b < 0 || b > 64 || a != math.Trunc(a) || b != math.Trunc(b) {
		return 0, false
	}
	n := math.Pow(a, b)
	return n, n <= 1<<53
}

// bitwise computes a number of two integers of 32 bits.
func bitwise(left, right Expr, compute func(a, b int32) float64) Expr {
	return arithmetic(left, right, func(a, b float64) (float64, bool) {
		m, n := int32(a), int32(b)
		if float64(m) != a || float64(n) != b {
			return 0, false
		}
		return compute(m, n), true
	})
}

// logical is one of && || ??.
func logical(op token.Token, left, right Expr) Expr {
	f := ofValue(func(e *Env) (Operand, bool) {
		v, ok := left.Value(e)
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
		return right.Value(e)
	})
	if op != token.COALESCE {
		f.Truth = func(e *Env) (bool, bool) {
			b, ok := left.Truth(e)
			if !ok || b == (op == token.LOGICAL_OR) {
				return b, ok
			}
			return right.Truth(e)
		}
	}
	return f
}

// not is the operator !.
func not(of Expr) Expr {
	return ofTruth(func(e *Env) (bool, bool) {
		b, ok := of.Truth(e)
		return !b, ok
	})
}

// equal is the operator === or, if not strict, ==.
func equal(left, right Expr, strict bool) Expr {
	return ofTruth(func(e *Env) (bool, bool) {
		if a, b, ok := twoNumbers(e, left.number, right.number, right.constant); ok {
			return a == b, true
		}
		a, b, ok := twoValues(e, left.Value, right.Value)
		if !ok {
			return false, false
		}
		return equalOperands(&a, &b, strict)
	})
}

// order compares two numbers or two strings.
func order(left, right Expr, numbers func(a, b float64) bool, texts func(a, b string) bool) Expr {
	return ofTruth(func(e *Env) (bool, bool) {
		if a, b, ok := twoNumbers(e, left.number, right.number, right.constant); ok {
			return numbers(a, b), true
		}
		a, b, ok := twoValues(e, left.Value, right.Value)
		switch {
		case !ok || a.kind != b.kind:
			return false, false
		case a.kind == kindNumber:
			return numbers(a.number, b.number), true
		}
		return texts(a.text, b.text), a.kind == kindText
	})
}

// plus is the operator +, of numbers or with a string.
func plus(left, right Expr) Expr {
	f := arithmetic(left, right, func(a, b float64) (float64, bool) { return a + b, true })
	f.Value = func(e *Env) (Operand, bool) {
		if a, b, ok := twoNumbers(e, left.number, right.number, right.constant); ok {
			return numberOperand(a + b), true
		}
		a, b, ok := twoValues(e, left.Value, right.Value)
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
	f.Truth = ofValue(f.Value).Truth
	return f
}

// arithmetic computes a number of two numbers.
func arithmetic(left, right Expr, compute func(a, b float64) (float64, bool)) Expr {
	if left.number == nil || right.number == nil {
		return ofValue(func(e *Env) (Operand, bool) {
			a, b, ok := twoValues(e, left.Value, right.Value)
			if !ok || a.kind != kindNumber || b.kind != kindNumber {
				return a, false
			}
			n, ok := compute(a.number, b.number)
			return numberOperand(n), ok
		})
	}
	number := func(e *Env) (float64, bool) {
		a, b, ok := twoNumbers(e, left.number, right.number, right.constant)
		if !ok {
			return 0, false
		}
		return compute(a, b)
	}
	f := ofValue(func(e *Env) (Operand, bool) {
		n, ok := number(e)
		return numberOperand(n), ok
	})
	f.number = number
	return f
}

// twoNumbers returns the values of both, if both have number closures. Most conditions compare with a
// constant, which needs no call.
func twoNumbers(e *Env, left, right numberFunc, constant *float64) (a, b float64, ok bool) {
	if left == nil || right == nil {
		return 0, 0, false
	}
	if a, ok = left(e); !ok {
		return 0, 0, false
	}
	if constant != nil {
		return a, *constant, true
	}
	b, ok = right(e)
	return a, b, ok
}

// twoValues returns the values of both.
func twoValues(e *Env, left, right valueFunc) (a, b Operand, ok bool) {
	if a, ok = left(e); !ok {
		return a, b, false
	}
	b, ok = right(e)
	return a, b, ok
}

// compileConditional is the operator ?:.
func compileConditional(x *ast.ConditionalExpression) Expr {
	test, yes, no := Compile(x.Test), Compile(x.Consequent), Compile(x.Alternate)
	if test.Value == nil || yes.Value == nil || no.Value == nil {
		return Expr{}
	}
	return ofValue(func(e *Env) (Operand, bool) {
		b, ok := test.Truth(e)
		switch {
		case !ok:
			return Operand{}, false
		case b:
			return yes.Value(e)
		}
		return no.Value(e)
	})
}
