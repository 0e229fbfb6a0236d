package ecmascript

import (
	"math"
	"slices"

	"github.com/dop251/goja/ast"
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
	value valueFunc
	truth truthFunc // ToBoolean of it

	// number knows the value only if it is a number. It is there where it is the
	// shorter way: nil, or made of closures of its kind alone. Otherwise to try it
	// first could double the time at each level of an expression.
	number numberFunc
}

type (
	valueFunc  func(*store) (v operand, ok bool)
	truthFunc  func(*store) (b, ok bool)
	numberFunc func(*store) (n float64, ok bool)
)

// fastValue makes a fast of its value.
func fastValue(value valueFunc) fast {
	return fast{
		value: value,
		truth: func(st *store) (bool, bool) {
			v, ok := value(st)
			return v.truth(), ok
		},
	}
}

// fastTruth makes a fast of what is always true or false.
func fastTruth(truth truthFunc) fast {
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

// fastProperty is for a property of something.
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
