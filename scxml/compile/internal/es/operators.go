package es

import (
	"fmt"
	"strconv"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// binary is an operator of two operands.
func (m emitter) binary(x *tree.Binary) code {
	switch x.Op {
	case "&&", "||", "??":
		return m.choice(x)
	case "in", "instanceof":
		if m.needsRich() {
			return constant(js.Value{})
		}
		return m.relation(x)
	}
	return operate(x.Op, m.value(x.X), m.value(x.Y))
}

// operate is an operator that evaluates both operands.
func operate(op string, l, r code) code {
	switch op {
	case "+":
		return add(l, r)
	case "-":
		return arithmetic(l, "-", precAdd, r, func(x, y float64) float64 { return x - y })
	case "*":
		return arithmetic(l, "*", precMul, r, func(x, y float64) float64 { return x * y })
	case "/":
		return arithmetic(l, "/", precMul, r, func(x, y float64) float64 { return x / y })
	case "%":
		return numeric(l, "js.Mod", r, js.Mod)
	case "**":
		return numeric(l, "js.Pow", r, js.Pow)
	case "&", "|", "^", "<<", ">>", ">>>":
		return bits(op, l, r)
	case "===":
		return equal(l, r, true, false)
	case "!==":
		return equal(l, r, true, true)
	case "==":
		return equal(l, r, false, false)
	case "!=":
		return equal(l, r, false, true)
	case "<", "<=", ">", ">=":
		return order(op, l, r)
	}
	panic("es: unknown operator " + op)
}

func arithmetic(l code, op string, prec int, r code, fold func(x, y float64) float64) code {
	l, r = l.asNumber(), r.asNumber()
	if l.konst != nil && r.konst != nil {
		return numberConst(fold(l.konst.Number(), r.konst.Number()))
	}
	if prec == precAdd {
		l, r = l.rounded(), r.rounded()
	}
	out := infix(repNumber, Number, l, op, prec, r)
	out.product = op == "*"
	return out
}

func numeric(l code, function string, r code, fold func(x, y float64) float64) code {
	l, r = l.asNumber(), r.asNumber()
	if l.konst != nil && r.konst != nil {
		return numberConst(fold(l.konst.Number(), r.konst.Number()))
	}
	return call(repNumber, Number, function, l.rounded(), r.rounded())
}

// add is the operator +.
func add(l, r code) code {
	switch {
	case l.konst != nil && r.konst != nil:
		return constant(js.Add(*l.konst, *r.konst))
	case l.typ == String || r.typ == String:
		return concat(l.asText(), r.asText())
	case (l.typ|r.typ)&(String|objects) == 0 && l.typ != 0 && r.typ != 0:
		return arithmetic(l, "+", precAdd, r, nil)
	}
	out := call(repValue, Number|String, "js.Add", l.asValue(), r.asValue())
	out.costly = true
	return out
}

// bits is an operator on integers of 32 bits.
func bits(op string, l, r code) code {
	l, r = l.asNumber(), r.asNumber()
	if l.konst != nil && r.konst != nil {
		return numberConst(foldBits(op, l.konst.Number(), r.konst.Number()))
	}
	int32Of := func(c code) code {
		if c.konst != nil {
			return code{text: strconv.Itoa(int(js.Int32(c.konst.Number()))), prec: precUnary, called: true}
		}
		return call(repNumber, Number, "js.Int32", c)
	}
	var out code
	switch op {
	case "&", "|", "^":
		zero := func(c code) bool { return c.konst != nil && js.Int32(c.konst.Number()) == 0 }
		if zero(l) {
			l, r = r, l
		}
		switch {
		case zero(r) && op == "&":
			return after(numberConst(0), l)
		case zero(r), l.text == r.text && op != "^" && !l.effects: // x | 0 is how scripts truncate
			out = int32Of(l)
		case l.text == r.text && !l.effects:
			return after(numberConst(0), l)
		case op == "&":
			out = infix(repNumber, Number, int32Of(l), op, precMul, int32Of(r))
		default:
			out = infix(repNumber, Number, int32Of(l), op, precAdd, int32Of(r))
		}
	default:
		typ, function := "int32", "js.Int32"
		if op == ">>>" {
			typ, function, op = "uint32", "js.Uint32", ">>"
		}
		left := call(repNumber, Number, function, l)
		if l.konst != nil {
			left.text = fmt.Sprintf("%s(%d)", typ, js.Int32(l.konst.Number()))
			if typ == "uint32" {
				left.text = fmt.Sprintf("uint32(%d)", js.Uint32(l.konst.Number()))
			}
		}
		count := code{text: "(js.Uint32(" + r.text + ") & 31)", prec: precOperand}.with(r)
		if r.konst != nil {
			count.text = strconv.Itoa(int(js.Uint32(r.konst.Number()) & 31))
		}
		out = infix(repNumber, Number, left, op, precMul, count)
	}
	return out.convert(repNumber, Number, "float64("+out.text+")")
}

func foldBits(op string, x, y float64) float64 {
	switch a, b, n := js.Int32(x), js.Int32(y), js.Uint32(y)&31; op {
	case "&":
		return float64(a & b)
	case "|":
		return float64(a | b)
	case "^":
		return float64(a ^ b)
	case "<<":
		return float64(a << n)
	case ">>":
		return float64(a >> n)
	}
	return float64(js.Uint32(x) >> (js.Uint32(y) & 31))
}

// equal is the operator === or, if not strict, ==; negated, !== or !=.
func equal(l, r code, strict, negated bool) code {
	sign := "=="
	if negated {
		sign = "!="
	}
	result := func(c code) code {
		if negated {
			return not(c)
		}
		return c
	}
	function, fold := "js.Equal", js.Equal
	if strict {
		function, fold = "js.StrictEqual", js.StrictEqual
	}
	if l.konst != nil && r.konst != nil {
		return result(boolConst(fold(*l.konst, *r.konst)))
	}
	if l.konst != nil {
		l, r = r, l
	}
	pure := !l.fails && !r.fails && l.typ != 0 && r.typ != 0
	if r.konst != nil && r.konst.IsNullish() {
		wants, method := nullish, "IsNullish"
		if strict {
			wants, method = r.typ, "IsNull"
			if r.typ == Undefined {
				method = "IsUndefined"
			}
		}
		if l.typ&wants == 0 && pure {
			return result(boolConst(false))
		}
		return result(l.asValue().method(repBool, Bool, method))
	}
	switch {
	case l.rep == r.rep && l.rep != repValue:
		switch {
		case l.rep == repBool && r.konst != nil && r.konst.Bool():
			return result(l)
		case l.rep == repBool && r.konst != nil:
			return result(not(l))
		case l.text == r.text && l.rep != repNumber && !l.effects:
			return result(after(boolConst(true), l))
		}
		return infix(repBool, Bool, l, sign, precCompare, r)
	case l.typ&r.typ == 0 && pure && strict:
		return result(boolConst(false))
	case !strict && l.rep != repValue && r.rep != repValue: // two of boolean, number and string
		return infix(repBool, Bool, l.asNumber(), sign, precCompare, r.asNumber())
	}
	if strict && l.rep != repValue && r.rep == repValue && !l.effects && !r.effects && !(l.fails && r.fails) {
		l, r = r, l
	}
	if strict && l.member != "" && r.rep == repNumber {
		return result(call(repBool, Bool, "js.MemberIsNumber", code{text: l.member, fails: true, called: true}, r))
	}
	if strict && l.rep == repValue && r.rep != repValue {
		name := map[rep]string{repNumber: "IsNumber", repString: "IsString", repBool: "IsBool"}[r.rep]
		both := inOrder([]code{l, r})
		return result(call(repBool, Bool, both[0].operand(precOperand)+"."+name, r).with(l))
	}
	return result(call(repBool, Bool, function, l.asValue(), r.asValue()))
}

// order is a comparison.
func order(op string, l, r code) code {
	names := map[string]string{"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual"}
	switch texts := String | objects; {
	case l.konst != nil && r.konst != nil:
		fold := map[string]func(a, b js.Value) bool{"<": js.Less, "<=": js.LessOrEqual, ">": js.Greater, ">=": js.GreaterOrEqual}
		return boolConst(fold[op](*l.konst, *r.konst))
	case l.rep == repString && r.rep == repString:
		return infix(repBool, Bool, call(repNumber, Number, "js.CompareText", l, r), op, precCompare, code{text: "0", prec: precOperand})
	case l.typ&texts == 0 && l.typ != 0, r.typ&texts == 0 && r.typ != 0: // one is not a string, so both become numbers
		return infix(repBool, Bool, l.asNumber(), op, precCompare, r.asNumber())
	}
	return call(repBool, Bool, "js."+names[op], l.asValue(), r.asValue())
}
