package fast

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// An Expr is an expression as closures, which report whether they know the answer. The zero Expr is
// for an expression that needs the runtime. Closures may panic if there is a runtime, see
// [Unknown].
type Expr struct {
	Value func(*Env) (v Operand, ok bool)
	Truth func(*Env) (b, ok bool) // ToBoolean of it

	// number knows the value only if it is a number. It is nil unless it is shorter: made of
	// closures of its kind alone. Otherwise trying it first could double the time at each level of
	// an expression.
	number numberFunc

	constant *float64 // what number returns, if that is always the same
}

type (
	valueFunc  func(*Env) (v Operand, ok bool)
	truthFunc  func(*Env) (b, ok bool)
	numberFunc func(*Env) (n float64, ok bool)
)

// ofValue makes an Expr of its value.
func ofValue(value valueFunc) Expr {
	return Expr{
		Value: value,
		Truth: func(e *Env) (bool, bool) {
			v, ok := value(e)
			return v.truth(), ok
		},
	}
}

// ofTruth makes an Expr of an expression that is true or false.
func ofTruth(truth truthFunc) Expr {
	return Expr{
		Value: func(e *Env) (Operand, bool) {
			b, ok := truth(e)
			return boolOperand(b), ok
		},
		Truth: truth,
	}
}

// always makes an Expr of a constant.
func always(v Operand) Expr {
	f := ofValue(func(*Env) (Operand, bool) { return v, true })
	if n := v.number; v.kind == kindNumber {
		f.number, f.constant = func(*Env) (float64, bool) { return n, true }, &n
	}
	return f
}

// Constant makes an Expr of a constant.
func Constant(v datamodel.Value) (x Expr) {
	if v, ok := FromValue(v); ok {
		x = always(v)
	}
	return x
}

// indexNames are the names of the first items of an array.
var indexNames = func() (names [64]string) {
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}()

// Compile returns an expression as closures, if it is simple enough.
func Compile(x ast.Expression) Expr {
	switch x := x.(type) {
	case *ast.NumberLiteral:
		switch n := x.Value.(type) {
		case int64:
			return always(numberOperand(float64(n)))
		case float64:
			return always(numberOperand(n))
		}
	case *ast.StringLiteral:
		if s := x.Value.String(); !strings.ContainsRune(s, utf8.RuneError) { // which half a surrogate pair becomes
			return Constant(s)
		}
	case *ast.BooleanLiteral:
		return always(boolOperand(x.Value))
	case *ast.NullLiteral:
		return always(Operand{kind: kindNull})
	case *ast.Identifier:
		return compileName(x.Name.String())
	case *ast.DotExpression, *ast.BracketExpression:
		return compileProperty(x)
	case *ast.OptionalChain:
		return Compile(x.Expression)
	case *ast.UnaryExpression:
		return compileUnary(x)
	case *ast.BinaryExpression:
		return compileBinary(x)
	case *ast.ConditionalExpression:
		return compileConditional(x)
	case *ast.CallExpression:
		return compileCall(x)
	case *ast.ObjectLiteral, *ast.ArrayLiteral:
		if v, ok := literal(x); ok {
			return Constant(v)
		}
	}
	return Expr{}
}

// Sequence returns expressions as closures that evaluate them in order, and yield no value.
func Sequence(list []ast.Expression) Expr {
	all := make([]truthFunc, len(list)) // which are faster than the values
	for i, x := range list {
		if all[i] = Compile(x).Truth; all[i] == nil {
			return Expr{}
		}
	}
	if len(all) == 0 {
		return Expr{}
	}
	return ofTruth(func(e *Env) (bool, bool) {
		for _, f := range all {
			if _, ok := f(e); !ok {
				return false, false
			}
		}
		return false, true
	})
}

// literal returns the value of an expression that consists of literals.
func literal(x ast.Expression) (datamodel.Value, bool) {
	switch x := x.(type) {
	case *ast.ArrayLiteral:
		list := make([]datamodel.Value, len(x.Value))
		for i, item := range x.Value {
			var ok bool
			if list[i], ok = literal(item); !ok {
				return nil, false
			}
		}
		return list, true
	case *ast.ObjectLiteral:
		o := new(datamodel.Object)
		for _, p := range x.Value {
			keyed, ok := p.(*ast.PropertyKeyed)
			if !ok || keyed.Kind != ast.PropertyKindValue || keyed.Computed {
				return nil, false
			}
			key, ok := keyed.Key.(*ast.StringLiteral)
			if !ok {
				return nil, false
			}
			name, ok := asciiText(key.Value)
			if !ok || name == "__proto__" {
				return nil, false
			}
			v, ok := literal(keyed.Value)
			if !ok {
				return nil, false
			}
			o.Set(name, v)
		}
		return o, true
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		value := Compile(x).Value
		if value == nil { // a text that Go does not have
			return nil, false
		}
		v, _ := value(nil)
		return v.Neutral(), true
	case *ast.UnaryExpression:
		n, ok := x.Operand.(*ast.NumberLiteral)
		if !ok || x.Operator != token.MINUS {
			return nil, false
		}
		v, _ := Compile(n).Value(nil)
		return datamodel.Number(-v.number), true
	}
	return nil, false
}

// asciiText returns a string of the parser's, if it is ASCII.
func asciiText(s unistring.String) (string, bool) {
	return string(s), s.AsUtf16() == nil
}

// compileName compiles a name.
func compileName(name string) Expr {
	switch name {
	case "undefined": // these three are read-only
		return always(Operand{})
	case "NaN":
		return always(numberOperand(math.NaN()))
	case "Infinity":
		return always(numberOperand(math.Inf(1)))
	case syntax.SysEvent:
		return ofValue(func(e *Env) (Operand, bool) {
			e.Looks |= datamodel.LookEvent
			if e.Event == nil {
				return Operand{}, true
			}
			return Operand{kind: kindEvent}, true
		})
	case syntax.SysName:
		return ofValue(func(e *Env) (Operand, bool) { return FromValue(e.Host.Name()) })
	case syntax.SysSessionID:
		return ofValue(func(e *Env) (Operand, bool) {
			e.Looks |= datamodel.LookSession
			return FromValue(e.Host.SessionID())
		})
	case syntax.SysIO, syntax.SysPlatform, syntax.PredicateIn:
		return Expr{}
	}
	f := ofValue(func(e *Env) (Operand, bool) { return e.variable(name) })
	f.number = func(e *Env) (float64, bool) { return e.numberVariable(name) }
	return f
}

// A propertyKey is the name of a property. Index is its value if it is a small number, otherwise
// -1.
type propertyKey struct {
	name     string
	index    int
	optional bool // it follows ?.
}

// takeApart splits an access to a property, if its name is a constant.
func takeApart(x ast.Expression) (of ast.Expression, key propertyKey, ok bool) {
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

// compileProperty compiles a property of something.
func compileProperty(x ast.Expression) Expr {
	of, key, ok := takeApart(x)
	if !ok {
		return Expr{}
	}
	left := Compile(of)
	if left.Value == nil {
		return Expr{}
	}
	f := ofValue(func(e *Env) (Operand, bool) {
		v, ok := left.Value(e)
		switch {
		case !ok:
			return v, false
		case key.optional && v.kind <= kindNull: // the rest of the chain does not know this, and gives up
			return Operand{}, true
		}
		return e.property(&v, key)
	})
	if keys := eventPath(x); keys != nil {
		f.number = func(e *Env) (float64, bool) { return e.eventNumber(keys) }
	}
	return f
}

// eventPath returns the keys that lead from _event.data to a property, or nil.
func eventPath(x ast.Expression) []propertyKey {
	of, key, ok := takeApart(x)
	if !ok {
		return nil
	}
	if keys := eventPath(of); keys != nil {
		return append(keys, key)
	}
	if event, field, ok := takeApart(of); ok && field.name == "data" {
		if id, ok := event.(*ast.Identifier); ok && id.Name == syntax.SysEvent {
			return []propertyKey{key}
		}
	}
	return nil
}
