package ecmascript

import (
	"math"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Most expressions of charts are as simple as count < 10 && _event.data.ok. To
// run a program costs more than to compute them, so they are compiled to Go
// closures as well: that saves nine tenths of the time, and a session whose
// expressions are all of that kind needs no runtime, see items.
//
// The closures know less than the runtime, but what they know they do as it
// does, and they change nothing. Whenever they meet what they do not know, also
// when it is an error, they give up, and the program is run instead: that is
// why no closure has an error to report. FuzzFast compares the two.

// A fast is an expression as closures, which report whether they know the
// answer. The zero fast stands for an expression that takes the runtime.
type fast struct {
	value func(*store) (v operand, ok bool)
	truth func(*store) (b, ok bool) // ToBoolean of it

	// number knows the value only if it is a number. It is there where it is the
	// shorter way: nil, or made of closures of its kind alone. Otherwise to try it
	// first could double the time at each level of an expression.
	number func(*store) (n float64, ok bool)
}

// fastValue makes a fast of its value.
func fastValue(value func(*store) (operand, bool)) fast {
	return fast{
		value: value,
		truth: func(st *store) (bool, bool) {
			v, ok := value(st)
			return v.truth(), ok
		},
	}
}

// fastTruth makes a fast of what is always true or false.
func fastTruth(truth func(*store) (b, ok bool)) fast {
	return fast{
		value: func(st *store) (operand, bool) {
			b, ok := truth(st)
			return boolOperand(b), ok
		},
		truth: truth,
	}
}

// always is for what always has the same value.
func always(v operand) fast {
	f := fastValue(func(*store) (operand, bool) { return v, true })
	if n := v.number; v.kind == kindNumber {
		f.number = func(*store) (float64, bool) { return n, true }
	}
	return f
}

// compileFast returns an expression as closures, if it is simple enough.
func compileFast(x ast.Expression) fast {
	switch x := x.(type) {
	case *ast.NumberLiteral:
		switch n := x.Value.(type) {
		case int64:
			return always(numberOperand(float64(n)))
		case float64:
			return always(numberOperand(n))
		}
	case *ast.StringLiteral:
		if s, ok := asciiText(x.Value); ok {
			return always(textOperand(s))
		}
	case *ast.BooleanLiteral:
		return always(boolOperand(x.Value))
	case *ast.NullLiteral:
		return always(operand{kind: kindNull})
	case *ast.Identifier:
		return fastName(x.Name.String())
	case *ast.DotExpression, *ast.BracketExpression:
		return fastProperty(x)
	case *ast.OptionalChain:
		return compileFast(x.Expression)
	case *ast.UnaryExpression:
		return fastUnary(x)
	case *ast.BinaryExpression:
		return fastBinary(x)
	case *ast.ConditionalExpression:
		return fastConditional(x)
	case *ast.CallExpression:
		return fastIn(x)
	}
	return fast{}
}

// asciiText returns a string of the parser's, if it is ASCII.
func asciiText(s unistring.String) (string, bool) {
	return string(s), s.AsUtf16() == nil
}

// fastName is for a name that stands alone.
func fastName(name string) fast {
	switch name {
	case "undefined": // nobody can change these three
		return always(operand{})
	case "NaN":
		return always(numberOperand(math.NaN()))
	case "Infinity":
		return always(numberOperand(math.Inf(1)))
	case sysEvent:
		return fastValue(func(st *store) (operand, bool) {
			if st.event == nil {
				return operand{}, true
			}
			return operand{kind: kindEvent}, true
		})
	case sysName:
		return fastValue(func(st *store) (operand, bool) { return neutralOperand(st.host.Name()) })
	case sysSessionID:
		return fastValue(func(st *store) (operand, bool) { return neutralOperand(st.host.SessionID()) })
	case sysIO, sysPlatform, predicateIn:
		return fast{}
	}
	f := fastValue(func(st *store) (operand, bool) { return st.variable(name) })
	f.number = func(st *store) (float64, bool) { return st.numberVariable(name) }
	return f
}

// A fastKey is the name of a property. Index is the number that it is, if that
// is small, and otherwise -1.
type fastKey struct {
	name     string
	index    int
	optional bool // it stands behind ?.
}

// propertyKey takes an access to a property apart, if its name is a constant.
func propertyKey(x ast.Expression) (of ast.Expression, key fastKey, ok bool) {
	var name unistring.String
	switch x := x.(type) {
	case *ast.DotExpression:
		of, name = x.Left, x.Identifier.Name
	case *ast.BracketExpression:
		of = x.Left
		switch member := x.Member.(type) {
		case *ast.StringLiteral:
			name = member.Value
		case *ast.NumberLiteral:
			i, ok := member.Value.(int64)
			if !ok || i < 0 || i >= int64(len(indexNames)) {
				return nil, key, false
			}
			name = unistring.String(indexNames[i])
		default:
			return nil, key, false
		}
	default:
		return nil, key, false
	}
	if optional, yes := of.(*ast.Optional); yes {
		of, key.optional = optional.Expression, true
	}
	key.name, ok = asciiText(name)
	key.index = slices.Index(indexNames[:], key.name)
	return of, key, ok
}

func fastProperty(x ast.Expression) fast {
	of, key, ok := propertyKey(x)
	if !ok {
		return fast{}
	}
	left := compileFast(of)
	if left.value == nil {
		return fast{}
	}
	f := fastValue(func(st *store) (operand, bool) {
		v, ok := left.value(st)
		switch {
		case !ok:
			return v, false
		case key.optional && v.kind <= kindNull: // what follows in the chain does not know that, and gives up
			return operand{}, true
		}
		return st.property(&v, key)
	})
	if keys := eventPath(x); keys != nil {
		f.number = func(st *store) (float64, bool) { return st.eventNumber(keys) }
	}
	return f
}

// eventPath returns the keys that lead from _event.data to a property, or nil.
func eventPath(x ast.Expression) []fastKey {
	of, key, ok := propertyKey(x)
	if !ok {
		return nil
	}
	if keys := eventPath(of); keys != nil {
		return append(keys, key)
	}
	if event, field, ok := propertyKey(of); ok && field.name == "data" {
		if id, ok := event.(*ast.Identifier); ok && id.Name == sysEvent {
			return []fastKey{key}
		}
	}
	return nil
}

// fastUnary is for an operator that stands before its operand.
func fastUnary(x *ast.UnaryExpression) fast {
	of := compileFast(x.Operand)
	if of.value == nil {
		return fast{}
	}
	switch x.Operator {
	case token.NOT:
		return fastTruth(func(st *store) (bool, bool) {
			b, ok := of.truth(st)
			return !b, ok
		})
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

type (
	numberFunc func(*store) (n float64, ok bool)
	valueFunc  func(*store) (v operand, ok bool)
)

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

// fastIn is for the predicate In(), which nobody can replace.
func fastIn(x *ast.CallExpression) fast {
	if id, ok := x.Callee.(*ast.Identifier); !ok || id.Name != predicateIn || len(x.ArgumentList) != 1 {
		return fast{}
	}
	state := compileFast(x.ArgumentList[0])
	if state.value == nil {
		return fast{}
	}
	return fastTruth(func(st *store) (bool, bool) {
		v, ok := state.value(st)
		if !ok || v.kind != kindText {
			return false, false
		}
		return st.host.In(v.text), true
	})
}
