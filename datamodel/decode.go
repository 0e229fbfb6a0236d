package datamodel

import (
	"encoding"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// Decode stores v in the variable that into points to.
//
// Objects are stored in structs (fields by their json names, as encoding/json finds them; unknown
// keys are ignored) and in maps with keys of a string or integer kind; arrays in slices and in Go
// arrays of exactly their length; numbers in every numeric kind that can hold them without loss of
// integer digits; strings also in []byte (base64), [time.Time] (RFC 3339) and types with
// [encoding.TextUnmarshaler], which can be keys of maps too; everything in a [json.RawMessage].
// Undefined and null make a pointer, interface, map or slice nil and leave other variables alone.
// No other method of the target is called.
//
// An any receives plain Go data: nil for undefined and null, bool, float64 for every number,
// string, []any and map[string]any; a [time.Time], *[big.Int], *[Node] or [Function] as it is.
//
// An error names the place: `at [3].x: cannot put 1.5 into int`. What was decoded before stays.
func Decode(v Value, into any) error {
	rv := reflect.ValueOf(into)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return fmt.Errorf("datamodel.Decode: the target must be a non-nil pointer, not %T", into)
	}
	if err := decode(v, rv.Elem()); err != nil {
		return err
	}
	return nil
}

func decode(v Value, into reflect.Value) *path.Error {
	switch into.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if i, ok := v.(int64); ok && !into.OverflowInt(i) {
			into.SetInt(i)
			return nil
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if i, ok := v.(int64); ok && i >= 0 && !into.OverflowUint(uint64(i)) {
			into.SetUint(uint64(i))
			return nil
		}
	case reflect.Slice, reflect.Array:
		if v != nil && into.Type() == typeRawJSON {
			into.SetBytes(AppendJSON(nil, v))
			return nil
		}
		if list, ok := v.([]Value); ok {
			return decodeList(list, into)
		}
	case reflect.Interface:
		if into.NumMethod() == 0 {
			if p := plain(v); p == nil {
				into.SetZero()
			} else {
				into.Set(reflect.ValueOf(p))
			}
			return nil
		}
	case reflect.Pointer:
		return decodePointer(v, into)
	}
	switch v := v.(type) {
	case nil, NullType:
		switch into.Kind() {
		case reflect.Interface, reflect.Map, reflect.Slice:
			into.SetZero()
		}
		return nil
	case bool:
		if into.Kind() == reflect.Bool {
			into.SetBool(v)
			return nil
		}
	case int64, float64, *big.Int:
		return decodeNumber(v, into)
	case string:
		return decodeString(v, into)
	case time.Time:
		if into.Type() == typeTime {
			into.Set(reflect.ValueOf(v))
			return nil
		}
	case *Object:
		switch {
		case into.Type() == typeObject:
			into.Set(reflect.ValueOf(*v))
			return nil
		case into.Kind() == reflect.Struct && !isLeaf(into.Type()):
			return decodeStruct(v, into)
		case into.Kind() == reflect.Map:
			return decodeMap(v, into)
		}
	case *Node:
		if into.Type() == typeNode {
			into.Set(reflect.ValueOf(*v))
			return nil
		}
	case Function:
		if into.Type() == typeFunc {
			into.SetString(string(v))
			return nil
		}
	}
	return misfit(v, into, "")
}

const outOfRange = ": out of range"

func misfit(v Value, into reflect.Value, why string) *path.Error {
	return path.New("cannot put " + describe(v) + " into " + into.Type().String() + why)
}

// describe says in a few characters what v is.
func describe(v Value) string {
	const most = 40
	switch v := v.(type) {
	case nil:
		return "undefined"
	case string:
		if len(v) > most {
			return "a string of " + strconv.Itoa(len(v)) + " bytes"
		}
		return strconv.Quote(v)
	case []Value:
		return "an array of " + strconv.Itoa(len(v))
	case *Object:
		return "an object"
	case *Node:
		return "XML"
	case time.Time:
		return "a date"
	case Function:
		return "a function"
	case NullType, bool, int64, float64, *big.Int:
		return Text(v)
	}
	return fmt.Sprintf("a Go %T, which is not a Value: convert it with From", v)
}

func decodePointer(v Value, into reflect.Value) *path.Error {
	switch v := v.(type) {
	case nil, NullType:
		into.SetZero()
		return nil
	case *Object, *Node, *big.Int:
		if rv := reflect.ValueOf(v); rv.Type() == into.Type() {
			into.Set(rv)
			return nil
		}
	}
	if into.IsNil() {
		into.Set(reflect.New(into.Type().Elem()))
	}
	return decode(v, into.Elem())
}

// decodeNumber puts a number into anything that can hold it.
func decodeNumber(v Value, into reflect.Value) *path.Error {
	switch {
	case into.CanInt() || into.CanUint():
		switch i := whole(v); {
		case i == nil:
			return misfit(v, into, "")
		case into.CanInt() && i.IsInt64() && !into.OverflowInt(i.Int64()):
			into.SetInt(i.Int64())
		case into.CanUint() && i.IsUint64() && !into.OverflowUint(i.Uint64()):
			into.SetUint(i.Uint64())
		default:
			return misfit(v, into, outOfRange)
		}
		return nil
	case into.CanFloat():
		f := toFloat(v)
		if into.OverflowFloat(f) && !math.IsInf(f, 0) {
			return misfit(v, into, outOfRange)
		}
		into.SetFloat(f)
		return nil
	case into.Type() == typeJSONNum:
		if b, ok := v.(*big.Int); ok {
			into.SetString(b.String())
			return nil
		}
		if f := toFloat(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			into.SetString(Text(v))
			return nil
		}
	case into.Type() == typeBigInt:
		if _, isFloat := v.(float64); !isFloat {
			into.Addr().Interface().(*big.Int).Set(whole(v))
			return nil
		}
	}
	return misfit(v, into, "")
}

// whole returns a number as an integer, or nil if it is not one.
func whole(v Value) *big.Int {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case *big.Int:
		return v
	case float64:
		if v == math.Trunc(v) && !math.IsInf(v, 0) {
			i, _ := big.NewFloat(v).Int(nil)
			return i
		}
	}
	return nil
}

func toFloat(v Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	f, _ := new(big.Float).SetInt(v.(*big.Int)).Float64()
	return f
}

func decodeString(s string, into reflect.Value) *path.Error {
	if infoOf(into.Type()).unmarshals {
		if err := into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			return misfit(s, into, ": "+err.Error())
		}
		return nil
	}
	switch into.Kind() {
	case reflect.String:
		if into.Type() == typeJSONNum || into.Type() == typeFunc {
			break
		}
		into.SetString(s)
		return nil
	case reflect.Slice:
		if into.Type().Elem().Kind() != reflect.Uint8 {
			break
		}
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return misfit(s, into, ": not base64")
		}
		into.SetBytes(b)
		return nil
	case reflect.Struct:
		if into.Type() != typeTime {
			break
		}
		t, err := parseDate(s)
		if err != nil {
			return misfit(s, into, ": not a date of RFC 3339")
		}
		into.Set(reflect.ValueOf(t))
		return nil
	}
	return misfit(s, into, "")
}

func decodeList(list []Value, into reflect.Value) *path.Error {
	if into.Kind() == reflect.Slice {
		if into.IsNil() || into.Cap() < len(list) {
			into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		} else {
			into.SetLen(len(list))
			into.Clear()
		}
	} else if into.Len() != len(list) {
		return misfit(list, into, "")
	}
	for i, v := range list {
		if err := decode(v, into.Index(i)); err != nil {
			return err.Index(i)
		}
	}
	return nil
}

func decodeStruct(o *Object, into reflect.Value) *path.Error {
	info := fieldsOf(into.Type())
	if info.opaque {
		return misfit(o, into, ": it has no exported fields")
	}
	for k, v := range o.All() {
		f := info.find(k)
		if f == nil {
			continue
		}
		if err := decode(v, f.in(into, true)); err != nil {
			return err.Key(k)
		}
	}
	return nil
}

func decodeMap(o *Object, into reflect.Value) *path.Error {
	t := into.Type()
	if into.IsNil() {
		into.Set(reflect.MakeMapWithSize(t, o.Len()))
	}
	for k, v := range o.All() {
		key := reflect.New(t.Key()).Elem()
		if err := decodeKey(k, key); err != nil {
			return path.New(fmt.Sprintf("cannot use %q as a key of %s: %v", k, t, err))
		}
		item := reflect.New(t.Elem()).Elem()
		if err := decode(v, item); err != nil {
			return err.Key(k)
		}
		into.SetMapIndex(key, item)
	}
	return nil
}

func decodeKey(k string, into reflect.Value) error {
	if into.Kind() != reflect.String && infoOf(into.Type()).unmarshals {
		return into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(k))
	}
	switch into.Kind() {
	case reflect.String:
		into.SetString(k)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(k, 10, into.Type().Bits())
		into.SetInt(i)
		return errors.Unwrap(err)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		u, err := strconv.ParseUint(k, 10, into.Type().Bits())
		into.SetUint(u)
		return errors.Unwrap(err)
	}
	return errors.New("neither a string nor an integer kind")
}

// plain returns v as the plain Go data that Decode stores in an any.
func plain(v Value) any {
	switch v := v.(type) {
	case NullType:
		return nil
	case int64:
		return float64(v)
	case []Value:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plain(item)
		}
		return out
	case *Object:
		out := make(map[string]any, v.Len())
		for k, item := range v.All() {
			out[k] = plain(item)
		}
		return out
	}
	return v
}
