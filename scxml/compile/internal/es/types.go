package es

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A Type is a set of the types of ECMAScript that a value can have.
type Type uint8

const (
	Undefined Type = 1 << iota
	Null
	Bool
	Number
	String
	Object   // but for arrays and functions
	Array    //
	Function // which local variables and arguments can be, but neither data nor a part of them

	nullish = Undefined | Null
	objects = Object | Array | Function
	// Scalar are the types without parts.
	Scalar = nullish | Bool | Number | String
	// Any are the types of data.
	Any = Scalar | Object | Array
)

// Go returns the Go type of a variable with values of these types.
func (t Type) Go() string { return t.rep().String() }

// A rep is a Go type.
type rep uint8

const (
	repValue rep = iota
	repBool
	repNumber
	repString
)

func (r rep) String() string {
	return [...]string{"js.Value", "bool", "float64", "string"}[r]
}

func (t Type) rep() rep {
	switch t {
	case Bool:
		return repBool
	case Number:
		return repNumber
	case String:
		return repString
	}
	return repValue
}

// typeOf returns the type of a constant.
func typeOf(v js.Value) Type { return 1 << v.Type() }

// The precedences of Go's operators, and of what is not one.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precAdd
	precMul
	precUnary
	precOperand
)

// A code is a Go expression that is being put together.
type code struct {
	text    string
	prec    int
	typ     Type
	rep     rep       // of the text
	fails   bool      // it can fail
	costly  bool      // it takes an allocation
	effects bool      // it can change what another expression reads
	called  bool      // the text is a call of a Go function: Go evaluates it in its turn
	product bool      // a product that Go may compute with the sum around it, without rounding it
	konst   *js.Value // its value, if it is a constant
	negates *code     // it is !negates
	member  string    // the arguments of js.Member, if it is a call of that
}

// operand returns the text for where Go wants an operand of at least that precedence.
func (c code) operand(prec int) string {
	if c.prec < prec {
		return "(" + c.text + ")"
	}
	return c.text
}

// constant returns the code of a constant.
func constant(v js.Value) code {
	c := code{typ: typeOf(v), prec: precOperand, konst: &v}
	c.rep = c.typ.rep()
	switch v.Type() {
	case js.TypeUndefined:
		c.text = "js.Value{}"
	case js.TypeNull:
		c.text = "js.NullValue()"
	case js.TypeBool:
		c.text = strconv.FormatBool(v.Bool())
	case js.TypeNumber:
		c.text = numberText(v.Number())
		if c.text[0] == '-' {
			c.prec = precUnary
		}
	case js.TypeString:
		c.text = strconv.Quote(v.Text())
	default:
		panic("es: an object is not a constant")
	}
	return c
}

func numberConst(n float64) code { return constant(js.Number(n)) }
func boolConst(b bool) code      { return constant(js.Bool(b)) }
func textConst(s string) code    { return constant(js.String(s)) }

// numberText returns a number as Go writes it.
func numberText(n float64) string {
	switch {
	case n != n:
		return "js.NaN()"
	case math.IsInf(n, 1):
		return "js.Infinity()"
	case math.IsInf(n, -1):
		return "-js.Infinity()"
	case n == 0 && math.Signbit(n):
		return "js.NegativeZero()"
	case n == math.Trunc(n) && math.Abs(n) < 1e15:
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

// call returns a call of a Go function.
func call(r rep, typ Type, function string, args ...code) code {
	out := code{prec: precOperand, rep: r, typ: typ, called: true}
	texts := make([]string, len(args))
	for i, a := range inOrder(args) {
		texts[i] = a.rounded().text
		out = out.with(a)
	}
	out.text = function + "(" + strings.Join(texts, ", ") + ")"
	return out
}

// inOrder returns operands so that Go evaluates them in their order. It does so with calls; of a variable Go may
// read the value after the calls of operands that follow.
func inOrder(operands []code) []code {
	var out []code
	for i := len(operands) - 1; i > 0; i-- {
		if !operands[i].effects {
			continue
		}
		out = slices.Clone(operands)
		for k, c := range out[:i] {
			if c.konst == nil && !c.called && c.text != "nil" && c.text[0] != '&' {
				c = c.rounded()
				c.text, c.prec, c.called = "js.Now("+c.text+")", precOperand, true
				out[k] = c
			}
		}
		return out
	}
	return operands
}

// convert returns the text after a change, with another representation.
func (c code) convert(r rep, typ Type, text string) code {
	return code{text: text, prec: precOperand, rep: r, typ: typ, fails: c.fails, costly: c.costly, effects: c.effects}
}

// method returns a call of a method of a Value.
func (c code) method(r rep, typ Type, name string) code {
	out := c.convert(r, typ, c.operand(precOperand)+"."+name+"()")
	out.called = true
	return out
}

// with returns c, which has another code as a part of its text.
func (c code) with(part code) code {
	c.fails, c.costly, c.effects = c.fails || part.fails, c.costly || part.costly, c.effects || part.effects
	return c
}

// asValue returns c as a js.Value.
func (c code) asValue() code {
	out := c
	switch c.rep {
	case repBool:
		out = c.convert(repValue, c.typ, "js.Bool("+c.text+")")
	case repNumber:
		out = c.convert(repValue, c.typ, "js.Number("+c.rounded().text+")")
	case repString:
		out = c.convert(repValue, c.typ, "js.String("+c.text+")")
	}
	out.konst = c.konst
	return out
}

// asNumber is the operation ToNumber.
func (c code) asNumber() code {
	switch {
	case c.konst != nil:
		return numberConst(c.konst.ToNumber())
	case c.rep == repNumber:
		return c
	case c.rep == repBool:
		return call(repNumber, Number, "js.BoolNumber", c)
	case c.rep == repString:
		return call(repNumber, Number, "js.ParseNumber", c)
	case c.typ == Number:
		return c.method(repNumber, Number, "Number")
	case c.member != "":
		return c.convert(repNumber, Number, "js.MemberNumber("+c.member+")")
	}
	return c.method(repNumber, Number, "ToNumber")
}

// asText is the operation ToString.
func (c code) asText() code {
	switch {
	case c.konst != nil:
		return textConst(c.konst.ToText())
	case c.rep == repString:
		return c
	case c.rep == repBool:
		return call(repString, String, "js.BoolText", c)
	case c.typ == String:
		return c.method(repString, String, "Text")
	}
	out := c.method(repString, String, "ToText")
	if c.rep == repNumber {
		out = call(repString, String, "js.NumberText", c)
	}
	out.costly = true
	return out
}

// asTruth is the operation ToBoolean.
func (c code) asTruth() code {
	switch {
	case c.konst != nil:
		return boolConst(c.konst.Truth())
	case c.rep == repBool:
		return c
	case c.rep == repNumber:
		return call(repBool, Bool, "js.NumberTruth", c)
	case c.rep == repString:
		out := c.convert(repBool, Bool, c.operand(precAdd)+` != ""`)
		out.prec = precCompare
		return out
	case c.typ == Bool:
		return c.method(repBool, Bool, "Bool")
	}
	return c.method(repBool, Bool, "Truth")
}

// as returns c as a Go type of which it is known to be.
func (c code) as(r rep) code {
	switch {
	case r == c.rep:
		return c
	case r == repValue:
		return c.asValue()
	case r == repNumber:
		return c.asNumber()
	case r == repString:
		return c.asText()
	}
	return c.asTruth()
}

// rounded returns a product so that Go does not compute it with a sum around it, or a later one, without
// rounding it first.
func (c code) rounded() code {
	if c.product {
		c.text, c.prec, c.product = "float64("+c.text+")", precOperand, false
	}
	return c
}

// Literal returns Go code for a scalar, of the type [js.Value].
func Literal(v js.Value) string { return constant(v).asValue().text }

// String returns the types, separated by "|", or "any".
func (t Type) String() string {
	if t == Any {
		return "any"
	}
	var list []string
	for i, name := range []string{"array", "bool", "function", "null", "number", "object", "string", "undefined"} {
		if t&[]Type{Array, Bool, Function, Null, Number, Object, String, Undefined}[i] != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, "|")
}

// Words returns the types as a message has them: "a number or null".
func (t Type) Words() string {
	list := strings.Split(t.String(), "|")
	for i, name := range list {
		switch name {
		case "any":
			return "anything"
		case "array", "object":
			list[i] = "an " + name
		case "bool":
			list[i] = "a boolean"
		case "function", "number", "string":
			list[i] = "a " + name
		}
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// named returns a variable with the value of c.
func (c code) named(name string) code {
	return code{text: name, prec: precOperand, typ: c.typ, rep: c.rep}
}

// to returns c for a variable of these types. What always fails has none.
func (c code) to(typ Type) code {
	if c.rep == repValue && c.typ == 0 && typ.rep() != repValue {
		c.typ = typ
	}
	return c.as(typ.rep())
}

// CanBeProperty reports whether objects of compiled charts can have a property of their own with a name.
func CanBeProperty(name string) bool { return js.Allows(name) }
