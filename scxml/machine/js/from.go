package js

import (
	"cmp"
	"encoding"
	"encoding/base64"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// From returns a deep copy of data from outside of a machine as a Value. As the interpreter does, it takes what encoding/json
// would make of Go data: structs, maps, slices, pointers, json.Number and json.RawMessage, and texts of what is an
// [encoding.TextMarshaler]; the keys of a map are sorted. No other method is called. Besides it takes [Fields], a Value
// and an [*Object], and objects that have a method All which yields names and values.
//
// A nil is undefined, and null inside Go data: in Fields and objects with All, however deep, nil stays undefined.
//
// The error names the place of what cannot be a Value: "items[2].f is a func(), which a compiled chart cannot hold". That
// are functions, channels, complex numbers, errors, dates, BigInts, integers beyond 2⁵³, properties that all objects
// inherit, data that are nested deeper than 500 levels or contain themselves, and more than ten million parts.
func From(x any) (Value, error) {
	return FromLike(x, new(*Shape))
}

// FromLike is From for data that most often are like those before: it keeps their shape in *shape.
func FromLike(x any, shape **Shape) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Value{}, nil
	case Fields:
		if v, ok := flat(x, shape); ok {
			return v, nil
		}
	case map[string]any:
		if v, ok := flatMap(x, shape); ok {
			return v, nil
		}
	}
	var t taker
	v, err := t.take(x)
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// flat is From for a few fields with scalars, as most events have. It uses *shape if that has the names, and sets it.
func flat(fields Fields, shape **Shape) (v Value, ok bool) {
	if len(fields) == 0 || len(fields) >= manyKeys {
		return v, false
	}
	known := *shape != nil && len((*shape).keys) == len(fields)
	o := sized(len(fields))
	for i, f := range fields {
		if known = known && (*shape).keys[i] == f.Name; !known && (inherited(f.Name) || arrayIndex(f.Name) >= 0) {
			return v, false
		}
		switch x := f.Value.(type) {
		case nil:
		case NullType:
			o.values[i] = NullValue()
		case bool:
			o.values[i] = Bool(x)
		case float64:
			o.values[i] = Number(x)
		case string:
			o.values[i] = String(validText(x))
		default:
			return v, false
		}
	}
	if !known {
		made := &Shape{keys: make([]string, len(fields))}
		for i, f := range fields {
			if slices.Contains(made.keys[:i], f.Name) {
				return v, false
			}
			made.keys[i] = f.Name
		}
		*shape = made
	}
	o.shape = *shape
	return o.Value(), true
}

// flatMap is flat for a map.
func flatMap(x map[string]any, shape **Shape) (v Value, ok bool) {
	if len(x) == 0 || len(x) >= manyKeys {
		return v, false
	}
	if s := *shape; s != nil && len(s.keys) == len(x) && slices.IsSorted(s.keys) {
		if v, named, ok := s.flat(x); named {
			return v, ok
		}
	}
	s := &Shape{keys: slices.Sorted(maps.Keys(x))}
	for _, name := range s.keys {
		if inherited(name) || arrayIndex(name) >= 0 || !utf8.ValidString(name) {
			return v, false
		}
	}
	if v, _, ok = s.flat(x); ok {
		*shape = s
	}
	return v, ok
}

// flat returns an object with the items of a map. It reports whether the map has all names, and whether they are scalars.
func (s *Shape) flat(x map[string]any) (v Value, named, ok bool) {
	o := sized(len(s.keys))
	o.shape = s
	for i, name := range s.keys {
		x, has := x[name]
		switch x := x.(type) {
		case nil:
			if !has {
				return v, false, false
			}
			o.values[i] = NullValue()
		case bool:
			o.values[i] = Bool(x)
		case float64:
			o.values[i] = Number(x)
		case int:
			n, err := takeInt(int64(x))
			if err != nil {
				return v, true, false
			}
			o.values[i] = n
		case string:
			o.values[i] = String(validText(x))
		default:
			return v, true, false
		}
	}
	return o.Value(), true, true
}

// FromString is From for a string.
func FromString(s string) Value { return String(validText(s)) }

// A taker is one run of From.
type taker struct {
	neutral bool // inside Fields and the like
	depth   int
	open    []uintptr // addresses of what contains the present part, as far as it has one
	parts   int
	shapes  shapes
}

// enter begins with n parts of what is at an address, or does not have one that could be met again.
func (t *taker) enter(at uintptr, n int) *fault {
	switch {
	case t.depth >= maxDepth:
		return &fault{msg: "data is nested deeper than 500 levels"}
	case at != 0 && n > 0 && slices.Contains(t.open, at): // what is empty does not contain itself
		return &fault{msg: "data contains itself"}
	}
	if t.parts += n; t.parts > maxParts {
		return &fault{msg: "data has more than 10000000 items"}
	}
	t.depth++
	t.open = append(t.open, at)
	return nil
}

func (t *taker) leave() {
	t.depth--
	t.open = t.open[:len(t.open)-1]
}

func (t *taker) take(x any) (Value, *fault) {
	switch x := x.(type) {
	case nil:
		return t.nothing(), nil
	case NullType:
		return NullValue(), nil
	case bool:
		return Bool(x), nil
	case float64:
		return Number(x), nil
	case string:
		return String(validText(x)), nil
	case int:
		return takeInt(int64(x))
	case Value:
		w := walk{parts: t.parts}
		return w.copy(x)
	case *Object:
		if x == nil {
			return NullValue(), nil
		}
		return t.take(x.Value())
	case Fields:
		return t.fields(x)
	case []any:
		if x == nil && !t.neutral {
			return NullValue(), nil
		}
		return t.list(x)
	case map[string]any:
		return t.stringMap(x)
	case interface{ All() iter.Seq2[string, any] }:
		if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
			return NullValue(), nil
		}
		return t.all(x.All())
	}
	return t.reflect(reflect.ValueOf(x))
}

// nothing is what nil is.
func (t *taker) nothing() Value {
	if t.neutral {
		return Value{}
	}
	return NullValue()
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// maxSafe is the magnitude up to which every integer is a number.
const maxSafe = 1 << 53

func takeInt(i int64) (Value, *fault) {
	if i < -maxSafe || i > maxSafe {
		return Value{}, largeInteger(strconv.FormatInt(i, 10))
	}
	return Number(float64(i)), nil
}

func largeInteger(text string) *fault {
	return &fault{what: "the integer " + text + " beyond 2^53"}
}

// list takes the items of an array.
func (t *taker) list(x []any) (Value, *fault) {
	if err := t.enter(reflect.ValueOf(x).Pointer(), len(x)); err != nil {
		return Value{}, err
	}
	made := sized(len(x))
	made.class = array
	for i := range x {
		v, err := t.take(x[i])
		if err != nil {
			return Value{}, err.in(stepToItem(i))
		}
		made.values[i] = v
	}
	t.leave()
	return made.Value(), nil
}

// fields takes an object in which nil is undefined.
func (t *taker) fields(x Fields) (Value, *fault) {
	outer := t.neutral
	t.neutral = true
	if err := t.enter(0, len(x)); err != nil {
		return Value{}, err
	}
	b := builder{shapes: &t.shapes}
	for i := range x {
		v, err := t.take(x[i].Value)
		if err == nil {
			err = b.add(validText(x[i].Name), v)
		}
		if err != nil {
			return Value{}, err.in(stepTo(x[i].Name))
		}
	}
	t.leave()
	t.neutral = outer
	return b.done(), nil
}

// all takes an object of a data model.
func (t *taker) all(x iter.Seq2[string, any]) (Value, *fault) {
	var fields Fields
	for name, value := range x {
		fields = append(fields, Field{name, value})
	}
	return t.fields(fields)
}

func (t *taker) stringMap(x map[string]any) (Value, *fault) {
	if x == nil {
		return NullValue(), nil
	}
	var space [16]string
	names := space[:0]
	for name := range x {
		names = append(names, name)
	}
	slices.Sort(names)
	if err := t.enter(reflect.ValueOf(x).Pointer(), len(x)); err != nil {
		return Value{}, err
	}
	b := builder{shapes: &t.shapes}
	for _, name := range names {
		v, err := t.take(x[name])
		if err == nil {
			err = b.add(validText(name), v)
		}
		if err != nil {
			return Value{}, err.in(stepTo(name))
		}
	}
	t.leave()
	return b.done(), nil
}

// members takes an object with the names and values of a map or a struct.
func (t *taker) members(at uintptr, names []string, values []reflect.Value) (Value, *fault) {
	if err := t.enter(at, len(names)); err != nil {
		return Value{}, err
	}
	b := builder{shapes: &t.shapes}
	for i, name := range names {
		v, err := t.element(values[i])
		if err == nil {
			err = b.add(validText(name), v)
		}
		if err != nil {
			return Value{}, err.in(stepTo(name))
		}
	}
	t.leave()
	return b.done(), nil
}

func (t *taker) reflect(v reflect.Value) (Value, *fault) {
	typ := v.Type()
	if typ.PkgPath() != "" && v.Kind() != reflect.Interface {
		if out, ok, err := t.special(v, typ); ok {
			return out, err
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return takeInt(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > maxSafe {
			return Value{}, largeInteger(strconv.FormatUint(v.Uint(), 10))
		}
		return Number(float64(v.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return Number(v.Float()), nil
	case reflect.String:
		return String(validText(v.String())), nil
	case reflect.Pointer, reflect.Interface:
		return t.pointer(v)
	case reflect.Array, reflect.Slice:
		return t.slice(v)
	case reflect.Map:
		return t.mapOf(v)
	case reflect.Struct:
		return t.structOf(v)
	}
	return Value{}, &fault{what: "a " + typ.String()}
}

// element takes a part, without reflection if that is possible.
func (t *taker) element(v reflect.Value) (Value, *fault) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return NullValue(), nil
		}
		return t.take(v.Interface())
	case reflect.Map, reflect.Slice:
		return t.take(v.Interface())
	}
	return t.reflect(v)
}

func (t *taker) pointer(v reflect.Value) (Value, *fault) {
	if v.IsNil() {
		return NullValue(), nil
	}
	if err := t.enter(v.Pointer(), 1); err != nil {
		return Value{}, err
	}
	defer t.leave()
	return t.element(v.Elem())
}

func (t *taker) slice(v reflect.Value) (Value, *fault) {
	at := uintptr(0)
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return NullValue(), nil
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return String(base64.StdEncoding.EncodeToString(v.Bytes())), nil
		}
		at = v.Pointer()
	}
	if err := t.enter(at, v.Len()); err != nil {
		return Value{}, err
	}
	made := sized(v.Len())
	made.class = array
	for i := range made.values {
		item, err := t.element(v.Index(i))
		if err != nil {
			return Value{}, err.in(stepToItem(i))
		}
		made.values[i] = item
	}
	t.leave()
	return made.Value(), nil
}

func (t *taker) mapOf(v reflect.Value) (Value, *fault) {
	if v.IsNil() {
		return NullValue(), nil
	}
	type entry struct {
		name  string
		value reflect.Value
	}
	entries, numbers := make([]entry, 0, v.Len()), false
	for all := v.MapRange(); all.Next(); {
		key, name := all.Key(), ""
		text, isText := key.Interface().(encoding.TextMarshaler)
		switch {
		case key.Kind() == reflect.String:
			name = key.String()
		case isText:
			b, err := text.MarshalText()
			if err != nil {
				return Value{}, &fault{what: fmt.Sprintf("a %v (%v)", key.Type(), err)}
			}
			name = string(b)
		case key.CanInt():
			name, numbers = strconv.FormatInt(key.Int(), 10), true
		case key.CanUint():
			name, numbers = strconv.FormatUint(key.Uint(), 10), true
		default:
			return Value{}, &fault{what: "a " + v.Type().String() + " with keys that are neither strings nor integers"}
		}
		entries = append(entries, entry{validText(name), all.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if numbers {
			return compareIntegers(a.name, b.name)
		}
		return strings.Compare(a.name, b.name)
	})
	names, values := make([]string, len(entries)), make([]reflect.Value, len(entries))
	for i, e := range entries {
		names[i], values[i] = e.name, e.value
	}
	return t.members(v.Pointer(), names, values)
}

// compareIntegers compares two integers by their texts.
func compareIntegers(a, b string) int {
	negative := strings.HasPrefix(a, "-")
	if negative != strings.HasPrefix(b, "-") {
		return strings.Compare(a, b) // "-" comes before all digits
	}
	order := cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	if negative {
		return -order
	}
	return order
}

// special takes a value of a type with a name that means something of its own.
func (t *taker) special(v reflect.Value, typ reflect.Type) (out Value, ok bool, err *fault) {
	pointer := v
	if v.Kind() != reflect.Pointer {
		pointer = reflect.New(typ)
		pointer.Elem().Set(v)
	}
	switch x := pointer.Interface().(type) {
	case *NullType:
		return NullValue(), true, nil
	case *Value:
		out, err = t.take(*x)
		return out, true, err
	case *Fields:
		out, err = t.take(*x)
		return out, true, err
	case *time.Time, *big.Int:
		return Value{}, true, &fault{what: "a " + typ.String()}
	case encoding.TextMarshaler:
		text, failed := x.MarshalText()
		if failed != nil {
			return Value{}, true, &fault{what: fmt.Sprintf("a %v (%v)", typ, failed)}
		}
		return String(validText(string(text))), true, nil
	case error:
		return Value{}, true, &fault{what: "the error " + typ.String()}
	}
	switch typ.String() {
	case "json.Number":
		out, err = takeNumber(v.String())
		return out, true, err
	case "json.RawMessage":
		out, err = takeJSON(v.Bytes())
		return out, true, err
	}
	if typ.Kind() == reflect.Struct && typ.NumField() == 0 && typ.Name() == "NullType" { // of a data model
		return NullValue(), true, nil
	}
	return Value{}, false, nil
}
