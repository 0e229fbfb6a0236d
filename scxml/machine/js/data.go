package js

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// AcceptAny is the method Accept of machines whose expressions do not read the data of events: they only pass them on, to
// what they invoke. Maps become [Fields], with [Null] for nil; everything else, such as an array or a struct, is passed on as it is, and is
// not copied. Functions and channels are not data.
func AcceptAny(data any) (any, error) {
	data = withFields(data)
	if v, ok := ValueOf(data); ok && v.typ() != TypeObject {
		return v.Any(), nil
	}
	if k := reflect.TypeOf(data).Kind(); k == reflect.Func || k == reflect.Chan {
		return nil, fmt.Errorf("a %T is not data", data)
	}
	return data, nil
}

// withFields returns data with Fields instead of a map.
func withFields(data any) any {
	if m, ok := data.(map[string]any); ok {
		return mapFields(m, 0)
	}
	return data
}

func mapFields(m map[string]any, depth int) Fields {
	fields := Fields{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fields = append(fields, Field{name, ofMap(m[name], depth+1)})
	}
	return fields
}

// ofMap returns a part of a map, in which nil is null, as a part of Fields, in which it is undefined. What is nested too
// deeply, or contains itself, remains as it is, for [From] to refuse.
func ofMap(x any, depth int) any {
	if depth > maxDepth {
		return x
	}
	switch x := x.(type) {
	case nil:
		return Null
	case map[string]any:
		return mapFields(x, depth)
	case []any:
		list := make([]any, len(x))
		for i, item := range x {
			list[i] = ofMap(item, depth+1)
		}
		return list
	}
	return x
}

// AcceptMembers is the method Accept of machines whose expressions read no more of an object than the members that are
// named, of which it copies objects and arrays.
func AcceptMembers(data any, members []string) (any, error) {
	data = withFields(data)
	if v, ok := ValueOf(data); ok && v.typ() != TypeObject {
		return v.Any(), nil
	}
	object, ok := data.(interface{ Get(name string) (any, bool) })
	if !ok {
		return Accept(data)
	}
	var own Fields
	for _, name := range members {
		member, _ := object.Get(name)
		if v, ok := ValueOf(member); ok && v.typ() != TypeObject {
			continue
		}
		v, err := From(member)
		if err != nil {
			return nil, fmt.Errorf("the member %q of the data: %w", name, err)
		}
		if fields, ok := data.(Fields); ok {
			if own == nil {
				own = slices.Clone(fields)
			}
			own.Set(name, v.Any())
		}
	}
	if own != nil {
		return own, nil
	}
	return data, nil
}

// MemberValue returns a member of an event's data, or undefined.
func MemberValue(data any, name string) Value {
	v, _ := From(MemberAny(data, name))
	return v
}

// MemberAs returns a member of an event's data, or the zero value if it is missing or is something else.
func MemberAs[T float64 | string | bool](data any, name string) T {
	v, _ := MemberAny(data, name).(T)
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

// Given returns a value from outside as one of the given types, a set of 1 << [Type]; 1 << 6 are arrays.
func Given(x any, types int) (v Value, ok bool) {
	v, err := From(x)
	typ := v.typ()
	if IsArray(v) {
		typ = 6
	}
	return v, err == nil && types&(1<<typ) != 0
}

// Of returns data from a host as a Value: undefined, if they cannot be one. In shape it keeps that of the last data, which
// most often are like those before.
func Of(x any, shape **Shape) Value {
	v, _ := FromLike(x, shape)
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

// Last returns f without names that are there several times: the last value is that of the first place.
func (f Fields) Last() (last Fields) {
	for _, field := range f {
		last.Set(field.Name, field.Value)
	}
	return last
}

// Form returns f as a form does, with names that are there several times.
func (f Fields) Form() string {
	var b strings.Builder
	for i, field := range f {
		if i > 0 {
			b.WriteByte('&')
		}
		v, _ := From(field.Value) // of a chart: it does not fail
		text := v.String()
		if v.typ() == TypeString {
			text = v.Text()
		}
		escapeQuery(&b, field.Name)
		b.WriteByte('=')
		escapeQuery(&b, text)
	}
	return b.String()
}

// escapeQuery is url.QueryEscape: package net/url would be 70 KB of each program with a machine, used or not.
func escapeQuery(b *strings.Builder, s string) {
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}
