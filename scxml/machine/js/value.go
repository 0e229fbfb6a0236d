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
	ref    unsafe.Pointer // an Object, the bytes of a string or, for other types, the address in kinds; nil of undefined
	number float64        // 1 or 0 of a boolean; its bits are stringBit and the length of a string, and 0 of an object
}

// kinds are the addresses that stand for types, so that a Value is two words.
var kinds [8]byte

// noText is the address of the empty string.
var noText byte

const stringBit = 1 << 63

func ofKind(t Type, number float64) Value {
	return Value{ref: unsafe.Pointer(&kinds[t]), number: number}
}

func (v Value) typ() Type {
	if v.ref == nil {
		return TypeUndefined
	}
	if at := uintptr(v.ref) - uintptr(unsafe.Pointer(&kinds)); at < uintptr(len(kinds)) {
		return Type(at)
	}
	if math.Float64bits(v.number) != 0 {
		return TypeString
	}
	return TypeObject
}

func (v Value) isHole() bool   { return v.ref == unsafe.Pointer(&kinds[typeHole]) }
func (v Value) isNumber() bool { return v.ref == unsafe.Pointer(&kinds[TypeNumber]) }

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
func Number(n float64) Value { return ofKind(TypeNumber, n) }

// String returns the Value of a string.
func String(s string) Value {
	if s == "" {
		return Value{ref: unsafe.Pointer(&noText), number: math.Float64frombits(stringBit)}
	}
	return Value{ref: unsafe.Pointer(unsafe.StringData(s)), number: math.Float64frombits(stringBit | uint64(len(s)))}
}

// Bool returns the Value of a boolean.
func Bool(b bool) Value {
	if b {
		return ofKind(TypeBool, 1)
	}
	return ofKind(TypeBool, 0)
}

// NullValue returns the Value null.
func NullValue() Value { return ofKind(TypeNull, 0) }

// ObjectValue returns a Value that stands for the data of an event that is an object, of which nothing is known but that.
func ObjectValue() Value { return ofKind(TypeObject, 0) }

// Value returns o as a Value.
func (o *Object) Value() Value { return Value{ref: unsafe.Pointer(o)} }

// Object returns the object that v is known to be.
func (v Value) Object() *Object {
	if v.ref == unsafe.Pointer(&kinds[TypeObject]) {
		return nil
	}
	return (*Object)(v.ref)
}

// object returns the object that v is, or nil.
func (v Value) object() *Object {
	if v.ref == nil || math.Float64bits(v.number) != 0 || uintptr(v.ref)-uintptr(unsafe.Pointer(&kinds)) < uintptr(len(kinds)) {
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
	switch v.typ() {
	case TypeNull:
		return Null
	case TypeBool:
		return v.Bool()
	case TypeNumber:
		return v.Number()
	case TypeString:
		return v.Text()
	case TypeObject:
		if o := v.Object(); o != nil {
			return o
		}
	}
	return nil
}

// Type returns the type of v.
func (v Value) Type() Type { return v.typ() }

// Number returns the number that v is known to be.
func (v Value) Number() float64 { return v.number }

// Text returns the string that v is known to be.
func (v Value) Text() string {
	return unsafe.String((*byte)(v.ref), int(math.Float64bits(v.number)&^stringBit))
}

// Bool returns the boolean that v is known to be.
func (v Value) Bool() bool { return v.number != 0 }

// IsUndefined reports whether v is undefined.
func (v Value) IsUndefined() bool { return v.ref == nil }

// Undeclared returns undefined as that of a variable that does not exist before [Declare].
func Undeclared() Value { return Value{number: 1} }

// Declare makes a variable exist. It is undefined if it did not.
func Declare(v *Value) {
	if !v.IsDeclared() {
		*v = Value{}
	}
}

// IsDeclared reports whether a variable exists: whether v is not [Undeclared].
func (v Value) IsDeclared() bool { return v.ref != nil || v.number == 0 }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.ref == unsafe.Pointer(&kinds[TypeNull]) }

// IsNullish reports whether v is undefined or null.
func (v Value) IsNullish() bool { return v.ref == nil || v.IsNull() }

// Truth is the operation ToBoolean.
func (v Value) Truth() bool {
	switch v.typ() {
	case TypeNumber:
		return NumberTruth(v.Number())
	case TypeBool, TypeString:
		return math.Float64bits(v.number)&^stringBit != 0
	}
	return v.typ() == TypeObject
}

// ToNumber is the operation of that name.
func (v Value) ToNumber() float64 {
	if v.isNumber() {
		return v.number
	}
	return v.toNumber()
}

func (v Value) toNumber() float64 {
	switch v.typ() {
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
	if v.typ() == TypeString {
		return v.Text()
	}
	return v.toText()
}

func (v Value) toText() string {
	switch v.typ() {
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
	return [...]string{"undefined", "object", "boolean", "number", "string", "object"}[v.typ()]
}

// primitive is the operation ToPrimitive: objects become texts.
func (v Value) primitive() Value {
	if v.typ() != TypeObject {
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
