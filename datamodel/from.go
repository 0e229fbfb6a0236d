package datamodel

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// From returns a copy of v, any piece of Go data, as a [Value].
//
// Structs, maps, slices, arrays and pointers become what encoding/json would make of them, with
// tags named json (omitempty and omitzero included). A type with [encoding.TextMarshaler] becomes
// that text, a [json.RawMessage] what it says; no other method of v is called, so MarshalJSON and
// IsZero have no effect. A map needs keys of a string or integer kind, or with TextMarshaler, and
// is sorted by them; bytes become a base64 string; a [json.Number] becomes a number. A [time.Time],
// a *[big.Int] and the types of this package keep their meaning.
//
// A nil v is undefined. Below the top, a nil pointer, interface, map or slice is null, also among
// the items of a []any, because that is what Go data means by it. Inside an [*Object], which is
// neutral already, a nil stays undefined. A complete Value need not pass through From, and should
// not.
//
// The error names the place of what cannot be data, such as a function, a channel, an error or a
// struct without exported fields: `at a.b[3]: cannot use a func() as data`. From also refuses data
// that is nested deeper than [MaxDepth] or contains itself, an integer beyond 2⁵³ that is not a
// *big.Int, and a *big.Int larger than [MaxBigInt] allows.
func From(v any) (Value, error) {
	if v == nil {
		return nil, nil
	}
	var f from
	out, err := f.any(v, 0)
	if err != nil {
		return nil, err // not a typed nil
	}
	return out, nil
}

// A from is one run of From. With neutral set, it copies inside an Object.
type from struct {
	neutral bool
	seen    []uintptr // addresses on the way down, from seenFrom levels on
}

// seenFrom is the depth from which on From looks for cycles.
const seenFrom = 32

var (
	typeTime    = reflect.TypeFor[time.Time]()
	typeBigInt  = reflect.TypeFor[big.Int]()
	typeObject  = reflect.TypeFor[Object]()
	typeNode    = reflect.TypeFor[Node]()
	typeNull    = reflect.TypeFor[NullType]()
	typeFunc    = reflect.TypeFor[Function]()
	typeJSONNum = reflect.TypeFor[json.Number]()
)

// isLeaf reports whether t is a struct that is a Value of its own.
func isLeaf(t reflect.Type) bool {
	return t == typeTime || t == typeBigInt || t == typeObject || t == typeNode || t == typeNull
}

// any handles the types that need no reflection.
func (f *from) any(in any, depth int) (Value, *path.Error) {
	switch v := in.(type) {
	case nil:
		if f.neutral {
			return nil, nil
		}
		return Null, nil
	case bool, NullType, Function, time.Time:
		return v, nil
	case string:
		return validString(v), nil
	case int:
		return fromInt(int64(v))
	case int64:
		if v < -maxSafe || v > maxSafe {
			return fromInt(v)
		}
		return in, nil // v would be copied to the heap again
	case float64:
		return Number(v), nil
	case *big.Int:
		if v == nil {
			return Null, nil
		}
		if v.BitLen() > MaxBigInt {
			return nil, path.New("a BigInt " + jsontext.ErrBigInt.Error())
		}
		return new(big.Int).Set(v), nil
	case *Object:
		return f.object(v, depth)
	case *Node:
		if v == nil {
			return Null, nil
		}
		return v.clone(depth)
	case []any:
		if v == nil && !f.neutral {
			return Null, nil
		}
		return f.slice(v, depth)
	case map[string]any:
		if v == nil {
			return Null, nil
		}
		return f.stringMap(v, depth)
	}
	return f.reflect(reflect.ValueOf(in), depth)
}

func validString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// enter guards the way down into the container at address p.
func (f *from) enter(p uintptr, depth int) *path.Error {
	if depth >= MaxDepth {
		return path.New(fmt.Sprintf("data is nested deeper than %d levels", MaxDepth))
	}
	if depth < seenFrom || p == 0 {
		return nil
	}
	f.seen = f.seen[:min(len(f.seen), depth-seenFrom)]
	if slices.Contains(f.seen, p) {
		return path.New("data contains itself")
	}
	for len(f.seen) < depth-seenFrom {
		f.seen = append(f.seen, 0) // levels without an address
	}
	f.seen = append(f.seen, p)
	return nil
}

func (f *from) object(o *Object, depth int) (Value, *path.Error) {
	if o == nil {
		return Null, nil
	}
	if depth >= seenFrom {
		if err := f.enter(reflect.ValueOf(o).Pointer(), depth); err != nil {
			return nil, err
		}
	}
	outer := f.neutral
	f.neutral = true
	out, err := f.members(o, depth)
	f.neutral = outer
	return out, err
}

func (f *from) members(o *Object, depth int) (Value, *path.Error) {
	if o.index == nil && !slices.ContainsFunc(o.keys, func(k string) bool { return !utf8.ValidString(k) }) {
		return f.fewKeys(o, depth)
	}
	out := sized(o.Len())
	for k, v := range o.All() {
		item, err := f.any(v, depth+1)
		if err != nil {
			return nil, err.Key(k)
		}
		out.Set(validString(k), item)
	}
	return out, nil
}

// fewKeys copies an Object without an index. The copy shares the list of keys, which is only ever
// appended to, and appends to a list of its own.
func (f *from) fewKeys(o *Object, depth int) (Value, *path.Error) {
	n := o.Len()
	out := withoutKeys(n)
	out.keys = o.keys[:n:n]
	for i, v := range o.vals {
		if n, ok := v.(int64); ok && -maxSafe <= n && n <= maxSafe { // the most common of all
			out.vals[i] = v
			continue
		}
		item, err := f.any(v, depth+1)
		if err != nil {
			return nil, err.Key(o.keys[i])
		}
		out.vals[i] = item
	}
	return out, nil
}

func (f *from) slice(s []any, depth int) (Value, *path.Error) {
	if err := f.enter(sliceAddr(reflect.ValueOf(s)), depth); err != nil {
		return nil, err
	}
	out := make([]Value, len(s))
	for i, v := range s {
		item, err := f.any(v, depth+1)
		if err != nil {
			return nil, err.Index(i)
		}
		out[i] = item
	}
	return out, nil
}

// sliceAddr returns the address that identifies the slice v. An empty slice does not contain
// itself.
func sliceAddr(v reflect.Value) uintptr {
	if v.Len() == 0 {
		return 0
	}
	return v.Pointer()
}

func (f *from) stringMap(m map[string]any, depth int) (Value, *path.Error) {
	if err := f.enter(reflect.ValueOf(m).Pointer(), depth); err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	out := sized(len(m))
	for _, k := range keys {
		item, err := f.any(m[k], depth+1)
		if err != nil {
			return nil, err.Key(k)
		}
		out.Set(validString(k), item)
	}
	return out, nil
}

func (f *from) reflect(v reflect.Value, depth int) (Value, *path.Error) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Struct && !isLeaf(t):
		info := fieldsOf(t)
		if info.typeInfo != (typeInfo{}) {
			if out, ok, err := special(v, info.typeInfo); ok {
				return out, err
			}
		}
		return f.fields(v, info, depth)
	case !isPlain(t):
		if out, ok, err := special(v, infoOf(t)); ok {
			return out, err
		}
	}
	return f.ofKind(v, depth)
}

// ofKind is reflect for a value of a type that is not special.
func (f *from) ofKind(v reflect.Value, depth int) (Value, *path.Error) {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fromInt(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		u := v.Uint()
		if u > maxSafe {
			return nil, path.New(tooLarge(strconv.FormatUint(u, 10)))
		}
		return int64(u), nil
	case reflect.Float32, reflect.Float64:
		return Number(v.Float()), nil
	case reflect.String:
		switch v.Type() {
		case typeJSONNum:
			return fromJSONNumber(v.String())
		case typeFunc:
			return Function(v.String()), nil
		}
		return validString(v.String()), nil
	case reflect.Pointer:
		return f.pointer(v, depth)
	case reflect.Interface:
		if v.IsNil() {
			return Null, nil
		}
		return f.element(v.Elem(), depth)
	case reflect.Slice, reflect.Array:
		return f.list(v, depth)
	case reflect.Map:
		return f.mapOf(v, depth)
	case reflect.Struct: // a leaf
		switch v.Type() {
		case typeTime:
			return v.Interface(), nil
		case typeNull:
			return Null, nil
		}
		return f.any(pointerTo(v).Interface(), depth)
	}
	return nil, path.New("cannot use a " + v.Type().String() + " as data")
}

// element converts the content of an interface or a container. It prefers the way without
// reflection.
func (f *from) element(v reflect.Value, depth int) (Value, *path.Error) {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface, reflect.Pointer:
		if v.Kind() != reflect.Interface || !v.IsNil() {
			return f.any(v.Interface(), depth)
		}
	}
	return f.reflect(v, depth)
}

func fromJSONNumber(s string) (Value, *path.Error) {
	if s == "" {
		return int64(0), nil // as encoding/json has it
	}
	v, ok := parseNumber(s)
	switch {
	case !ok:
		return nil, path.New("invalid number " + strconv.Quote(s))
	case isLargeInteger(s):
		return nil, path.New(tooLarge(s))
	}
	return v, nil
}

func fromInt(i int64) (Value, *path.Error) {
	if i < -maxSafe || i > maxSafe {
		return nil, path.New(tooLarge(strconv.FormatInt(i, 10)))
	}
	return i, nil
}

func (f *from) pointer(v reflect.Value, depth int) (Value, *path.Error) {
	if v.IsNil() {
		return Null, nil
	}
	if err := f.enter(v.Pointer(), depth); err != nil {
		return nil, err
	}
	return f.element(v.Elem(), depth+1)
}

func (f *from) list(v reflect.Value, depth int) (Value, *path.Error) {
	var at uintptr
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return Null, nil
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(v.Bytes()), nil
		}
		at = sliceAddr(v)
	}
	if err := f.enter(at, depth); err != nil {
		return nil, err
	}
	plain := isPlain(v.Type().Elem())
	out := make([]Value, v.Len())
	for i := range out {
		var item Value
		var err *path.Error
		if plain {
			item, err = f.ofKind(v.Index(i), depth+1)
		} else {
			item, err = f.element(v.Index(i), depth+1)
		}
		if err != nil {
			return nil, err.Index(i)
		}
		out[i] = item
	}
	return out, nil
}

func (f *from) mapOf(v reflect.Value, depth int) (Value, *path.Error) {
	if v.IsNil() {
		return Null, nil
	}
	if err := f.enter(v.Pointer(), depth); err != nil {
		return nil, err
	}
	type entry struct {
		name  string
		value reflect.Value
	}
	numbers := false
	entries := make([]entry, 0, v.Len())
	for items := v.MapRange(); items.Next(); {
		k := items.Key()
		name := ""
		switch {
		case k.Kind() == reflect.String:
			name = validString(k.String())
		case infoOf(k.Type()).marshals:
			text, _, err := special(k, infoOf(k.Type()))
			if err != nil {
				return nil, err
			}
			name, _ = text.(string)
		case k.CanInt():
			name, numbers = strconv.FormatInt(k.Int(), 10), true
		case k.CanUint():
			name, numbers = strconv.FormatUint(k.Uint(), 10), true
		default:
			return nil, path.New("cannot use a " + v.Type().String() + " as data: its keys are neither strings nor integers")
		}
		entries = append(entries, entry{name, items.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if numbers {
			return compareIntegers(a.name, b.name)
		}
		return strings.Compare(a.name, b.name)
	})
	out := sized(len(entries))
	for _, e := range entries {
		item, err := f.element(e.value, depth+1)
		if err != nil {
			return nil, err.Key(e.name)
		}
		out.Set(e.name, item)
	}
	return out, nil
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

// fields makes an object of a struct.
func (f *from) fields(v reflect.Value, info *structInfo, depth int) (Value, *path.Error) {
	if err := f.enter(0, depth); err != nil {
		return nil, err
	}
	if info.opaque {
		return nil, path.New("cannot use a " + v.Type().String() + " as data: it has no exported fields")
	}
	out := sized(len(info.fields))
	for i := range info.fields {
		fld := &info.fields[i]
		fv := fld.in(v, false)
		if !fv.IsValid() || fld.omitEmpty && isEmpty(fv) || fld.omitZero && fv.IsZero() {
			continue
		}
		var item Value
		var err *path.Error
		if fld.plain {
			item, err = f.ofKind(fv, depth+1)
		} else {
			item, err = f.element(fv, depth+1)
		}
		if err != nil {
			return nil, err.Key(fld.name)
		}
		out.Set(fld.name, item)
	}
	return out, nil
}

// isPlain reports whether t is a predeclared type such as int, which takes no closer look.
func isPlain(t reflect.Type) bool { return t == predeclared[t.Kind()] }

// isEmpty is what omitempty of encoding/json means.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
