package js

import (
	"math"
	"strings"
	"unicode/utf16"
)

// ObjectKeys is Object.keys.
func ObjectKeys(v Value) Value {
	return fromOwn(v, func(_ Value, name string) Value { return String(name) })
}

// ObjectValues is Object.values.
func ObjectValues(v Value) Value { return fromOwn(v, Get) }

// ObjectEntries is Object.entries.
func ObjectEntries(v Value) Value {
	return fromOwn(v, func(v Value, name string) Value { return Array(String(name), Get(v, name)) })
}

func fromOwn(v Value, f func(v Value, name string) Value) Value {
	checkObject(v)
	names := Keys(v)
	all := make([]Value, len(names))
	for i, name := range names {
		all[i] = f(v, name)
	}
	return list(all)
}

// checkObject throws if v cannot be made an object.
func checkObject(v Value) {
	if v.IsNullish() {
		throwText("TypeError: Cannot convert undefined or null to object")
	}
}

// ObjectAssign is Object.assign.
func ObjectAssign(to Value, from ...Value) Value {
	checkObject(to)
	if to.object() == nil {
		throwText("TypeError: Object.assign to a " + to.TypeOf() + " is not compiled")
	}
	for _, v := range from {
		for _, name := range Keys(v) {
			Set(to, name, Get(v, name))
		}
	}
	return to
}

// ObjectFromEntries is Object.fromEntries.
func ObjectFromEntries(v Value) Value {
	if v.IsNullish() {
		throwText("TypeError: Value is not object coercible")
	}
	v = Iterable(v)
	made := NewObject()
	for i := 0; ; i++ {
		entry, more := Items(v, i)
		if !more {
			return made.Value()
		}
		if entry.object() == nil {
			throwText("TypeError: Value is not an object: " + entry.ToText())
		}
		made.put(propertyName(At(entry, 0)), At(entry, 1))
	}
}

// ObjectIs is Object.is.
func ObjectIs(a, b Value) bool {
	if a.typ() == TypeNumber && b.typ() == TypeNumber && a.Number() == 0 {
		return math.Float64bits(a.number) == math.Float64bits(b.number)
	}
	return sameValueZero(a, b)
}

// ObjectHasOwn is Object.hasOwn.
func ObjectHasOwn(v, name Value) bool {
	checkObject(v)
	return hasOwn(v, propertyName(name))
}

// Iterable returns v as [Items] goes through it: the characters of a string as an array, and every other value as it is.
func Iterable(v Value) Value {
	if v.typ() != TypeString {
		return v
	}
	var all []Value
	for _, r := range v.Text() {
		all = append(all, String(string(r)))
	}
	return list(all)
}

// ArrayFrom is Array.from with two arguments.
func ArrayFrom(v, mapping Value) Value {
	var f Func
	if o := mapping.object(); o != nil && o.class == function {
		f = o.more.call
	} else if !mapping.IsUndefined() {
		throwText("TypeError: " + mapping.ToText() + " is not a function")
	}
	checkObject(v)
	var all []Value
	item := func(v Value) {
		checkItems(len(all) + 1)
		if f != nil {
			v = f([]Value{v, Number(float64(len(all)))})
		}
		all = append(all, v)
	}
	switch o := v.object(); {
	case o != nil && o.class == array, v.typ() == TypeString:
		v = Iterable(v)
		for i := 0; ; i++ {
			x, more := Items(v, i)
			if !more {
				break
			}
			item(x)
		}
	case o != nil:
		n := int(min(max(integer(o.get("length").ToNumber()), 0), maxItems+1))
		checkItems(n)
		for i := range n {
			item(At(v, float64(i)))
		}
	}
	return list(all)
}

// FromCharCode is String.fromCharCode.
func FromCharCode(codes ...Value) string {
	units := make([]uint16, len(codes))
	for i, c := range codes {
		units[i] = uint16(Uint32(c.ToNumber()))
	}
	return string(utf16.Decode(units))
}

// FromCodePoint is String.fromCodePoint.
func FromCodePoint(points ...Value) string {
	var b strings.Builder
	for _, p := range points {
		n := p.ToNumber()
		if !(n >= 0 && n <= 0x10ffff && n == math.Trunc(n)) {
			throwText("RangeError: Invalid code point " + NumberText(n))
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}
