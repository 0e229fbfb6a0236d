package datamodel

import (
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// AppendJSON appends v as JSON to dst, in one line of valid UTF-8, and returns
// the longer slice. Control characters are escaped in strings, those of C1 and the
// bidirectional ones too, so that the text can be shown in a terminal. What JSON lacks is written as an object with one key that
// begins with $:
//
//	{"$undefined":true}            undefined, and a hole in an array
//	{"$number":"NaN"}              also "Infinity", "-Infinity" and "-0"
//	{"$date":"2026-01-31T12:00:00Z"}
//	{"$bigint":"12345678901234567890"}
//	{"$xml":"<a/>"}
//	{"$function":"name"}
//
// and a key that itself begins with $ is written with one more $. [ParseJSON]
// is the inverse.
func AppendJSON(dst []byte, v Value) []byte {
	return appendValue(dst, v, jsonForm, 0)
}

// A form is a way of writing what JSON lacks.
type form uint8

const (
	jsonForm form = iota // for machines: AppendJSON
	textForm             // for people: Text
)

// Text returns v for people to read, as in a log: a string as it is, anything
// else like JSON, with undefined, NaN, dates, XML and functions written plainly.
func Text(v Value) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Time:
		return formatDate(v)
	}
	return string(appendValue(nil, v, textForm, 0))
}

func appendValue(dst []byte, v Value, form form, depth int) []byte {
	if depth > 2*MaxDepth { // no Value is that deep, unless made by hand
		v = nil
	}
	switch v := v.(type) {
	case nil:
		if form == textForm {
			return append(dst, "undefined"...)
		}
		return append(dst, `{"$undefined":true}`...)
	case NullType:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return appendNumber(dst, v, form)
	case string:
		return jsontext.AppendString(dst, v)
	case []Value:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item, form, depth+1)
		}
		return append(dst, ']')
	case *Object:
		dst = append(dst, '{')
		first := true
		for k, item := range v.All() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if form == jsonForm && k != "" && k[0] == '$' {
				k = "$" + k
			}
			dst = jsontext.AppendString(dst, k)
			dst = append(dst, ':')
			dst = appendValue(dst, item, form, depth+1)
		}
		return append(dst, '}')
	case *big.Int:
		if form == textForm {
			return append(v.Append(dst, 10), 'n')
		}
		return appendSpecial(dst, "$bigint", v.String())
	case time.Time:
		if form == textForm {
			return jsontext.AppendString(dst, formatDate(v))
		}
		return appendSpecial(dst, "$date", formatDate(v))
	case *Node:
		if form == textForm {
			return append(dst, v.XML()...)
		}
		return appendSpecial(dst, "$xml", v.XML())
	case Function:
		if form == textForm {
			return append(append(append(dst, "function "...), v...), "()"...)
		}
		return appendSpecial(dst, "$function", string(v))
	}
	neutral, err := From(v) // plain Go data where a Value was wanted
	if err != nil {
		neutral = nil
	}
	return appendValue(dst, neutral, form, depth)
}

func appendSpecial(dst []byte, key, text string) []byte {
	dst = append(dst, '{')
	dst = jsontext.AppendString(dst, key)
	dst = append(dst, ':')
	dst = jsontext.AppendString(dst, text)
	return append(dst, '}')
}

func appendNumber(dst []byte, f float64, form form) []byte {
	name := ""
	switch {
	case f != f:
		name = "NaN"
	case math.IsInf(f, 1):
		name = "Infinity"
	case math.IsInf(f, -1):
		name = "-Infinity"
	case f == 0 && math.Signbit(f):
		name = "-0"
	default:
		return appendFloat(dst, f)
	}
	if form == textForm {
		return append(dst, name...)
	}
	return appendSpecial(dst, "$number", name)
}
