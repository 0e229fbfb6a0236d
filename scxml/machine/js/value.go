package js

import (
	"math"
	"unsafe"
)

// A Value is any value of ECMAScript. The zero Value is undefined. Its strings are UTF-8: half a surrogate pair,
// which ECMAScript's strings can have, is U+FFFD in them. Objects are shared, as they are in ECMAScript.
//
// [StrictEqual] and [Equal] compare Values; Go's == does not.
type Value struct {
	_      [0]func()      // no ==
	ref    unsafe.Pointer // the bytes of a string, or an Object
	number float64        // 1 or 0 of a boolean; of a string, the length in its bits
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
func String(s string) Value {
	return Value{ref: unsafe.Pointer(unsafe.StringData(s)), number: math.Float64frombits(uint64(len(s))), typ: TypeString}
}

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

// ObjectValue returns a Value that stands for the data of an event that is an object, of which nothing is known but that.
func ObjectValue() Value { return Value{typ: TypeObject} }

// Value returns o as a Value.
func (o *Object) Value() Value { return Value{ref: unsafe.Pointer(o), typ: TypeObject} }

// Object returns the object that v is known to be.
func (v Value) Object() *Object { return (*Object)(v.ref) }

// object returns the object that v is, or nil.
func (v Value) object() *Object {
	if v.typ != TypeObject {
		return nil
	}
	return (*Object)(v.ref)
}

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

// Any returns a scalar in the form that [ValueOf] takes, and an object or array as an *[Object].
func (v Value) Any() any {
	switch v.typ {
	case TypeNull:
		return Null
	case TypeBool:
		return v.Bool()
	case TypeNumber:
		return v.Number()
	case TypeString:
		return v.Text()
	case TypeObject:
		if v.ref != nil {
			return v.Object()
		}
	}
	return nil
}

// Type returns the type of v.
func (v Value) Type() Type { return v.typ }

// Number returns the number that v is known to be.
func (v Value) Number() float64 { return v.number }

// Text returns the string that v is known to be.
func (v Value) Text() string { return unsafe.String((*byte)(v.ref), int(math.Float64bits(v.number))) }

// Bool returns the boolean that v is known to be.
func (v Value) Bool() bool { return v.number != 0 }

// IsUndefined reports whether v is undefined.
func (v Value) IsUndefined() bool { return v.typ == TypeUndefined }

// Undeclared returns undefined as that of a variable that does not exist before [Declare].
func Undeclared() Value { return Value{number: 1} }

// Declare makes a variable exist. It is undefined if it did not.
func Declare(v *Value) {
	if !v.IsDeclared() {
		*v = Value{}
	}
}

// IsDeclared reports whether a variable exists: whether v is not [Undeclared].
func (v Value) IsDeclared() bool { return v.typ != TypeUndefined || v.number == 0 }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.typ == TypeNull }

// IsNullish reports whether v is undefined or null.
func (v Value) IsNullish() bool { return v.typ <= TypeNull }

// Truth is the operation ToBoolean.
func (v Value) Truth() bool {
	switch v.typ {
	case TypeNumber:
		return NumberTruth(v.Number())
	case TypeBool, TypeString:
		return math.Float64bits(v.number) != 0
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
		return ParseNumber(v.Text())
	case TypeObject:
		return v.primitive().toNumber()
	}
	return NaN()
}

// ToText is the operation ToString.
func (v Value) ToText() string {
	if v.typ == TypeString {
		return v.Text()
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
		return BoolText(v.Bool())
	case TypeNumber:
		return NumberText(v.Number())
	}
	return v.primitive().Text()
}

// TypeOf is the operator typeof.
func (v Value) TypeOf() string {
	if o := v.object(); o != nil && o.class == function {
		return "function"
	}
	return [...]string{"undefined", "object", "boolean", "number", "string", "object"}[v.typ]
}

// primitive is the operation ToPrimitive: objects become texts.
func (v Value) primitive() Value {
	if v.typ != TypeObject {
		return v
	}
	switch o := v.Object(); {
	case o == nil || o.class == plain:
		return String("[object Object]")
	case o.class == array:
		return String(o.join(","))
	case o.class == errorObject:
		return String(o.errorText())
	}
	throwText("TypeError: the text of a function is not compiled")
	return Value{}
}
