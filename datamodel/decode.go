package datamodel

import (
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

// Decode stores v in what into points to, which must be a non-nil pointer.
//
// Objects go into structs (fields by their json names, as encoding/json finds
// them; unknown keys are ignored) and into maps with keys of a string or
// integer kind; arrays into slices and into Go arrays of exactly their length;
// numbers into every numeric kind that can hold them without loss of integer
// digits; strings also into []byte (base64) and [time.Time] (RFC 3339).
// Undefined and null make a pointer, interface, map or slice nil and leave
// everything else as it was. No method of the target is ever called.
//
// An any receives plain Go data: nil for undefined and null, bool, float64 for
// every number, string, []any, map[string]any, and as they are [time.Time],
// *[big.Int], *[Node] and [Function].
//
// An error names the place: `at [3].x: cannot put 1.5 into int`. What was
// decoded up to there stays.
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
		return decodeInt(v, into)
	case reflect.Slice, reflect.Array:
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
	return misfit(v, into)
}

func misfit(v Value, into reflect.Value) *path.Error {
	return path.New("cannot put " + describe(v) + " into " + into.Type().String())
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
	return fmt.Sprintf("a Go %T (no Value; From makes one)", v)
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

// decodeInt puts a number that is no plain fitting int64 into a signed integer.
func decodeInt(v Value, into reflect.Value) *path.Error {
	switch v := v.(type) {
	case nil, NullType:
		return nil
	case int64:
		return outOfRange(v, into)
	case float64:
		if v != math.Trunc(v) || math.IsInf(v, 0) {
			return misfit(v, into)
		}
		if v < -(1<<63) || v >= 1<<63 || into.OverflowInt(int64(v)) {
			return outOfRange(v, into)
		}
		into.SetInt(int64(v))
		return nil
	case *big.Int:
		if !v.IsInt64() || into.OverflowInt(v.Int64()) {
			return outOfRange(v, into)
		}
		into.SetInt(v.Int64())
		return nil
	}
	return misfit(v, into)
}

func outOfRange(v Value, into reflect.Value) *path.Error {
	e := misfit(v, into)
	e.Msg += ": out of range"
	return e
}

// decodeNumber puts a number into anything but a signed integer.
func decodeNumber(v Value, into reflect.Value) *path.Error {
	switch into.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		var u uint64
		switch v := v.(type) {
		case int64:
			if v < 0 {
				return outOfRange(v, into)
			}
			u = uint64(v)
		case float64:
			if v != math.Trunc(v) || math.IsInf(v, 0) {
				return misfit(v, into)
			}
			if v < 0 || v >= 1<<64 {
				return outOfRange(v, into)
			}
			u = uint64(v)
		case *big.Int:
			if !v.IsUint64() {
				return outOfRange(v, into)
			}
			u = v.Uint64()
		}
		if into.OverflowUint(u) {
			return outOfRange(v, into)
		}
		into.SetUint(u)
		return nil
	case reflect.Float32, reflect.Float64:
		f := toFloat(v)
		if into.OverflowFloat(f) && !math.IsInf(f, 0) {
			return outOfRange(v, into)
		}
		into.SetFloat(f)
		return nil
	case reflect.String:
		if into.Type() == typeJSONNum {
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				break
			}
			into.SetString(numberText(v))
			return nil
		}
	case reflect.Struct:
		if into.Type() == typeBigInt {
			b := into.Addr().Interface().(*big.Int)
			switch v := v.(type) {
			case *big.Int:
				b.Set(v)
				return nil
			case int64:
				b.SetInt64(v)
				return nil
			}
		}
	}
	return misfit(v, into)
}

func toFloat(v Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	}
	return math.NaN()
}

func numberText(v Value) string {
	switch v := v.(type) {
	case float64:
		return string(appendFloat(nil, v))
	case *big.Int:
		return v.String()
	}
	return strconv.FormatInt(v.(int64), 10)
}

func decodeString(s string, into reflect.Value) *path.Error {
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
			e := misfit(s, into)
			e.Msg += ": not base64"
			return e
		}
		into.SetBytes(b)
		return nil
	case reflect.Struct:
		if into.Type() != typeTime {
			break
		}
		t, err := parseDate(s)
		if err != nil {
			e := misfit(s, into)
			e.Msg += ": not a date of RFC 3339"
			return e
		}
		into.Set(reflect.ValueOf(t))
		return nil
	}
	return misfit(s, into)
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
		return misfit(list, into)
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
	for k, v := range o.All() {
		f := info.find(k)
		if f == nil {
			continue
		}
		if err := decode(v, settableAt(into, f.index)); err != nil {
			return err.Key(k)
		}
	}
	return nil
}

// settableAt returns the field at index and makes the embedded structs on the way.
func settableAt(v reflect.Value, index []int) reflect.Value {
	for i, n := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
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
