package datamodel

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// A typeInfo says what is special about a Go type. For most types nothing is.
type typeInfo struct {
	marshals   bool // it, or a pointer to it, is an encoding.TextMarshaler
	unmarshals bool // a pointer to it is an encoding.TextUnmarshaler
	isError    bool // it, or a pointer to it, is an error
	raw        bool // it is json.RawMessage
}

var (
	typeRawJSON   = reflect.TypeFor[json.RawMessage]()
	typeMarshal   = reflect.TypeFor[encoding.TextMarshaler]()
	typeUnmarshal = reflect.TypeFor[encoding.TextUnmarshaler]()
	typeError     = reflect.TypeFor[error]()

	typeInfos sync.Map // reflect.Type → typeInfo
)

// predeclared are the types of most data by their kinds: nothing is special about them.
var predeclared = [reflect.UnsafePointer + 1]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.String: reflect.TypeFor[string](),
	reflect.Int: reflect.TypeFor[int](), reflect.Int64: reflect.TypeFor[int64](), reflect.Float64: reflect.TypeFor[float64](),
}

// infoOf returns what is special about t. The types that have a meaning of their own here, and
// those without a name, have nothing special.
func infoOf(t reflect.Type) typeInfo {
	if t.PkgPath() == "" || t.Kind() == reflect.Interface {
		return typeInfo{}
	}
	if t.Kind() == reflect.Struct && !isLeaf(t) {
		return fieldsOf(t).typeInfo
	}
	if info, ok := typeInfos.Load(t); ok {
		return info.(typeInfo)
	}
	var info typeInfo
	if !isLeaf(t) && t != typeJSONNum && t != typeFunc {
		info = findInfo(t)
	}
	typeInfos.Store(t, info)
	return info
}

func findInfo(t reflect.Type) typeInfo {
	p := reflect.PointerTo(t) // it has the methods of t, too
	return typeInfo{
		marshals: p.Implements(typeMarshal), unmarshals: p.Implements(typeUnmarshal),
		isError: p.Implements(typeError), raw: t == typeRawJSON,
	}
}

// special converts a value of a type that is special; ok is false for any other.
func special(v reflect.Value, info typeInfo) (out Value, ok bool, err *path.Error) {
	switch {
	case info.raw:
		if v.IsNil() {
			return Null, true, nil
		}
		parsed, failed := parseExactJSON(string(v.Bytes()))
		if failed != nil {
			return nil, true, path.New("cannot read the json.RawMessage: " + failed.Error())
		}
		return parsed, true, nil
	case info.marshals:
		text, failed := pointerTo(v).Interface().(encoding.TextMarshaler).MarshalText()
		if failed != nil {
			return nil, true, path.New(fmt.Sprintf("cannot use a %v as data: %v", v.Type(), failed))
		}
		return validString(string(text)), true, nil
	case info.isError:
		return nil, true, path.New(fmt.Sprintf("cannot use a %v as data: it is an error; use its text", v.Type()))
	}
	return nil, false, nil
}

// pointerTo returns a pointer to v or, if v has no address, to a copy.
func pointerTo(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

func tooLarge(integer string) string {
	return "cannot use the integer " + integer + " as data: numbers are exact up to 2^53 only; use a *big.Int or a string"
}

// isLargeInteger reports whether the text of a number is an integer beyond 2^53.
func isLargeInteger(text string) bool {
	return !strings.ContainsAny(text, ".eE") && compareIntegers(strings.TrimPrefix(text, "-"), "9007199254740992") > 0
}

// parseExactJSON is ParsePlainJSON for text that may not have integers beyond 2^53.
func parseExactJSON(text string) (Value, error) {
	return parse(&jsonParser{plain: true, exact: true}, text)
}

// Decodable returns nil if [Decode] can store data in a variable of type t, and otherwise says why
// not.
func Decodable(t reflect.Type) error { return check(t, true, make(map[reflect.Type]bool)) }

// Encodable returns nil if [From] can make data of values of type t, as far as their type tells,
// and otherwise says why not.
func Encodable(t reflect.Type) error { return check(t, false, make(map[reflect.Type]bool)) }

func check(t reflect.Type, into bool, seen map[reflect.Type]bool) error {
	info := infoOf(t)
	if seen[t] || isLeaf(t) || into && info.unmarshals || !into && info.marshals {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return check(t.Elem(), into, seen)
	case reflect.Map:
		if key := infoOf(t.Key()); !isKey(t.Key()) && !(into && key.unmarshals) && !(!into && key.marshals) {
			return fmt.Errorf("%v has keys that are neither strings nor integers", t)
		}
		return check(t.Elem(), into, seen)
	case reflect.Struct:
		info := fieldsOf(t)
		if info.opaque {
			return fmt.Errorf("%v has no exported fields", t)
		}
		for _, f := range info.fields {
			if err := check(t.FieldByIndex(f.index).Type, into, seen); err != nil {
				return fmt.Errorf("field %s: %w", f.name, err)
			}
		}
	case reflect.Interface:
		if into && t.NumMethod() > 0 {
			return fmt.Errorf("%v is an interface with methods", t)
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return fmt.Errorf("%v is not data", t)
	}
	if !into && (info.isError || t == typeError) {
		return fmt.Errorf("%v is an error", t)
	}
	return nil
}

// isKey reports whether t has a kind that the keys of an object can have.
func isKey(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.String || k >= reflect.Int && k <= reflect.Uintptr
}
