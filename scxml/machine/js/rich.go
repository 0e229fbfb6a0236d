package js

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// This file has what Go code calls for expressions that change something.

// Now returns v. Go calls it in its turn, where it may read a variable after the calls that follow.
func Now[T any](v T) T { return v }

// Assign sets a variable, and returns its value.
func Assign[T any](to *T, v T) T {
	*to = v
	return v
}

// PreAdd is ++x or, with -1, --x; PostAdd is x++ or x--. The others are the same for other variables and for properties.
func PreAdd(to *float64, by float64) float64 {
	*to += by
	return *to
}

func PostAdd(to *float64, by float64) float64 {
	before := *to
	*to += by
	return before
}

func PreAddValue(to *Value, by float64) float64 {
	n := to.ToNumber() + by
	*to = Number(n)
	return n
}

func PostAddValue(to *Value, by float64) float64 {
	before := to.ToNumber()
	*to = Number(before + by)
	return before
}

func PrePart(of, key Value, by float64) float64 { return PostPart(of, key, by) + by }

func PostPart(of, key Value, by float64) float64 {
	n := Index(of, key).ToNumber()
	SetIndex(of, key, Number(n+by))
	return n
}

// SetTo, SetAtTo and SetIndexTo set a property, and return what it is set to.
func SetTo(of Value, name string, v Value) Value {
	Set(of, name, v)
	return v
}

func SetAtTo(of Value, at float64, v Value) Value {
	SetAt(of, at, v)
	return v
}

func SetIndexTo(of, key, v Value) Value {
	SetIndex(of, key, v)
	return v
}

// Assigned is SetIndexTo for <assign>, which fails for a property of a scalar, where a script does nothing.
func Assigned(of, key, v Value) Value {
	name := propertyName(key)
	switch of.typ() {
	case TypeString:
		if hasOwn(of, name) {
			throwText("TypeError: Cannot assign to read only property '" + name + "'")
		}
		fallthrough
	case TypeNumber, TypeBool:
		throwText("TypeError: Receiver is not an object: " + of.ToText())
	}
	return SetIndexTo(of, key, v)
}

// DeleteIndex is the operator delete with a computed name.
func DeleteIndex(v, key Value) bool { return Delete(v, propertyName(key)) }

// OptionalIndex is Index for ?., which does not fail.
func OptionalIndex(v, key Value) Value {
	if v.IsNullish() {
		return Value{}
	}
	return Index(v, key)
}

// WithKey sets a property with a computed name of an object that is being made.
func (o *Object) WithKey(key, v Value) *Object {
	Set(o.Value(), propertyName(key), v)
	return o
}

// IsObject, IsError and IsFunction are the operator instanceof.
func IsObject(v Value) bool   { return v.typ() == TypeObject }
func IsError(v Value) bool    { o := v.object(); return o != nil && o.class == errorObject }
func IsFunction(v Value) bool { o := v.object(); return o != nil && o.class == function }

// Thrown is what a panic has for the statement throw.
func Thrown(v Value) any { return thrown{value: v} }

// NameList are the names that for … in goes through.
type NameList struct {
	of    Value
	names []string
	items bool // the names of properties follow, when those of items are done
}

// Names returns the names of v. Of an array, the holes are among them, since they can be filled on the way, and
// properties that are set on the way follow, as in goja.
func Names(v Value) NameList {
	o := v.object()
	if o == nil || o.class != array {
		return NameList{of: v, names: Keys(v)}
	}
	l := NameList{of: v, names: make([]string, len(o.values)), items: true}
	for i := range l.names {
		l.names[i] = strconv.Itoa(i)
	}
	return l
}

// Name returns the i-th name, and whether it is still there.
func (l *NameList) Name(i int) (name string, there bool) {
	return l.names[i], stillHas(l.of, l.names[i])
}

// More reports whether there is an i-th name; they are asked for in their order.
func (l *NameList) More(i int) bool {
	if i == len(l.names) && l.items {
		l.items = false
		l.names = append(l.names, l.of.Object().properties().enumerable()...)
	}
	return i < len(l.names)
}

// Millis is the value of Date.now() at a time.
func Millis(t time.Time) float64 { return float64(t.UnixMilli()) }

// Random is Math.random().
func Random() float64 { return rand.Float64() }

// Len is the length of what is known to be an array.
func Len(v Value) float64 { return float64(len(v.Object().values)) }
