package js

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// AcceptAny is the method Accept of machines whose expressions do not read the data of events: they only pass them on, to
// what they invoke. Scalars and maps have the form that [AcceptScalars] gives them. Everything else, such as an array or
// a struct, is passed on as it is, and is not copied. Functions and channels are not data.
func AcceptAny(data any) (any, error) {
	accepted, err := AcceptScalars(data, nil)
	if err == nil {
		return accepted, nil
	}
	if k := reflect.TypeOf(data).Kind(); k == reflect.Func || k == reflect.Chan {
		return nil, fmt.Errorf("a %T is not data", data)
	}
	return data, nil
}

// AcceptScalars is the method Accept of machines whose expressions have scalars only: they read the members of objects
// that are named. An object is no more than passed on, see [Kept].
func AcceptScalars(data any, members []string) (any, error) {
	if m, ok := data.(map[string]any); ok {
		fields := Fields{}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			fields.Set(name, m[name])
		}
		data = fields
	}
	if v, ok := ValueOf(data); ok && v.typ != TypeObject {
		return v.Any(), nil
	}
	object, ok := data.(interface{ Get(name string) (any, bool) })
	if !ok {
		return nil, fmt.Errorf("the data are a %T, which a compiled chart cannot hold", data)
	}
	for _, name := range members {
		member, _ := object.Get(name)
		if v, ok := ValueOf(member); !ok || v.typ == TypeObject {
			return nil, fmt.Errorf("the member %q of the data is a %T, which a compiled chart cannot hold", name, member)
		}
	}
	return data, nil
}

// MemberValue returns a member of an event's data, or undefined. What cannot be a Value is an object, see [Member].
func MemberValue(data any, name string) Value {
	v, ok := ValueOf(MemberAny(data, name))
	if !ok {
		return ObjectValue()
	}
	return v
}

// MemberAny returns a member of an event's data, or nil.
func MemberAny(data any, name string) any {
	if object, ok := data.(interface{ Get(name string) (any, bool) }); ok {
		member, _ := object.Get(name)
		return member
	}
	return nil
}

// Given returns a value from outside as one of the given types, a set of 1 << [Type].
func Given(x any, types int) (v Value, ok bool) {
	v, ok = ValueOf(x)
	return v, ok && types&(1<<v.typ) != 0
}

// Scalar returns data as a Value, or fails, see [Throw].
func Scalar(err *string, data any) Value {
	v, ok := ValueOf(data)
	if !ok || v.typ == TypeObject {
		return Throw[Value](err, fmt.Sprintf("the value is a %T, which a compiled chart cannot hold", data))
	}
	return v
}

// Of returns data from a host as a Value: undefined, if they cannot be one.
func Of(x any) Value {
	if n, ok := x.(float64); ok {
		return Value{number: n, typ: TypeNumber}
	}
	return otherValue(x)
}

// otherValue is a function of its own so that Go can inline Of.
//
//go:noinline
func otherValue(x any) Value {
	v, _ := ValueOf(x)
	return v
}

// NullType is the type of [Null].
type NullType struct{}

// Null is the null of ECMAScript, where nil is undefined.
var Null NullType

// Fields are the members of an object, in order.
type Fields []Field

// A Field is one member.
type Field struct {
	Name  string
	Value any
}

// Get returns the value of a member.
func (f Fields) Get(name string) (value any, ok bool) {
	for i := range f {
		if f[i].Name == name {
			return f[i].Value, true
		}
	}
	return nil, false
}

// Set sets the value of a member.
func (f *Fields) Set(name string, value any) {
	for i := range *f {
		if (*f)[i].Name == name {
			(*f)[i].Value = value
			return
		}
	}
	*f = append(*f, Field{name, value})
}
