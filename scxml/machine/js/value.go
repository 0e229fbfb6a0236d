package js

import "strconv"

// A Value is a scalar of ECMAScript with its type: a data item that can have more than one type, or a
// member of an event's data. The zero Value is undefined. Its strings are UTF-8: half a surrogate pair,
// which ECMAScript's strings can have, is U+FFFD in them.
//
// Expressions also see the data of an event that is an object as a Value, of which they learn that it is
// an object; see [Member] for what it has.
//
// Two Values may be compared with ==, which is not the operator of ECMAScript; see [Equal].
type Value struct {
	text   string
	number float64 // of a boolean: 1 or 0
	typ    Type
}

// A Type is a type of ECMAScript.
type Type uint8

const (
	TypeUndefined Type = iota
	TypeNull
	TypeBool
	TypeNumber
	TypeString
	TypeObject
)

// Number returns the Value of a number.
func Number(n float64) Value { return Value{number: n, typ: TypeNumber} }

// String returns the Value of a string.
func String(s string) Value { return Value{text: s, typ: TypeString} }

// Bool returns the Value of a boolean.
func Bool(b bool) Value {
	v := Value{typ: TypeBool}
	if b {
		v.number = 1
	}
	return v
}

// NullValue returns the Value null.
func NullValue() Value { return Value{typ: TypeNull} }

// ObjectValue returns the Value that stands for the data of an event that is an object.
func ObjectValue() Value { return Value{typ: TypeObject} }

// ValueOf returns the Value of what an event has as data or as a member of it: nil, [Null], a bool, a
// number, a string; [Fields], and others with their method Get, are an object. Others are not ok.
func ValueOf(x any) (v Value, ok bool) {
	switch x := x.(type) {
	case nil:
		return Value{}, true
	case NullType:
		return NullValue(), true
	case bool:
		return Bool(x), true
	case float64:
		return Number(x), true
	case string:
		return String(x), true
	case int:
		return Number(float64(x)), true
	case int64:
		return Number(float64(x)), true
	case interface{ Get(name string) (any, bool) }: // Fields, or an object of a data model
		return ObjectValue(), true
	}
	return Value{}, false
}

// Any returns a scalar in the form that [ValueOf] takes. An object is nil.
func (v Value) Any() any {
	switch v.typ {
	case TypeNull:
		return Null
	case TypeBool:
		return v.number != 0
	case TypeNumber:
		return v.number
	case TypeString:
		return v.text
	}
	return nil
}

// Type returns the type of v.
func (v Value) Type() Type { return v.typ }

// Number returns the number that v is known to be.
func (v Value) Number() float64 { return v.number }

// Text returns the string that v is known to be.
func (v Value) Text() string { return v.text }

// Bool returns the boolean that v is known to be.
func (v Value) Bool() bool { return v.number != 0 }

// IsUndefined reports whether v is undefined.
func (v Value) IsUndefined() bool { return v.typ == TypeUndefined }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.typ == TypeNull }

// IsNullish reports whether v is undefined or null.
func (v Value) IsNullish() bool { return v.typ <= TypeNull }

// Truth is the operation ToBoolean.
func (v Value) Truth() bool {
	switch v.typ {
	case TypeBool, TypeNumber:
		return NumberTruth(v.number)
	case TypeString:
		return v.text != ""
	}
	return v.typ == TypeObject
}

// ToNumber is the operation of that name.
func (v Value) ToNumber() float64 {
	if v.typ == TypeNumber {
		return v.number
	}
	return v.toNumber()
}

func (v Value) toNumber() float64 {
	switch v.typ {
	case TypeNull:
		return 0
	case TypeBool:
		return v.number
	case TypeString:
		return ParseNumber(v.text)
	}
	return NaN()
}

// ToText is the operation ToString.
func (v Value) ToText() string {
	if v.typ == TypeString {
		return v.text
	}
	return v.toText()
}

func (v Value) toText() string {
	switch v.typ {
	case TypeUndefined:
		return "undefined"
	case TypeNull:
		return "null"
	case TypeBool:
		return BoolText(v.number != 0)
	case TypeNumber:
		return NumberText(v.number)
	}
	return "[object Object]"
}

// String returns v for people: a string in quotes.
func (v Value) String() string {
	if v.typ == TypeString {
		return strconv.Quote(v.text)
	}
	return v.ToText()
}

// TypeOf is the operator typeof.
func (v Value) TypeOf() string {
	return [...]string{"undefined", "object", "boolean", "number", "string", "object"}[v.typ]
}
