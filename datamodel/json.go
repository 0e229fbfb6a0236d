package datamodel

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// AppendJSON appends v as JSON to dst, in one line of valid UTF-8, and returns the longer slice. In
// strings, control characters (those of C1 and the bidirectional ones too) are escaped, so that the
// text can be shown in a terminal. Values that JSON lacks are written as an object with one key
// that begins with $:
//
//	{"$undefined":true}            undefined, and a hole in an array
//	{"$number":"NaN"}              also "Infinity", "-Infinity" and "-0"
//	{"$date":"2026-01-31T12:00:00Z"}
//	{"$bigint":"12345678901234567890"}
//	{"$xml":"<a/>"}
//	{"$function":"name"}
//
// A key that begins with $ is written with one more $. [ParseJSON] is the inverse.
func AppendJSON(dst []byte, v Value) []byte {
	return appendValue(dst, v, jsonForm, 0)
}

// MarshalJSON returns what [AppendJSON] appends.
func (o *Object) MarshalJSON() ([]byte, error) { return AppendJSON(nil, o), nil }

// UnmarshalJSON is the inverse of MarshalJSON.
func (o *Object) UnmarshalJSON(data []byte) error {
	v, err := ParseJSON(data)
	if v == Null {
		return nil // as package encoding/json has it
	}
	object, ok := v.(*Object)
	if err == nil && !ok {
		err = fmt.Errorf("want an object, not %.40s", data)
	}
	if err == nil {
		*o = *object
	}
	return err
}

// MarshalJSON returns what [AppendJSON] appends.
func (NullType) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// MarshalJSON returns what [AppendJSON] appends.
func (n *Node) MarshalJSON() ([]byte, error) { return AppendJSON(nil, n), nil }

// MarshalJSON returns what [AppendJSON] appends.
func (f Function) MarshalJSON() ([]byte, error) { return AppendJSON(nil, f), nil }

// A form is a way of writing what JSON lacks.
type form uint8

const (
	jsonForm form = iota // for machines: AppendJSON
	textForm             // for people: Text
)

// Text returns v for people to read, as in a log: a string as it is, other values like JSON, with
// undefined, NaN, dates, XML and functions written plainly.
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
		text := v.String()
		return appendSpecial(dst, form, "$bigint", text, text+"n")
	case time.Time:
		text := formatDate(v)
		return appendSpecial(dst, form, "$date", text, `"`+text+`"`)
	case *Node:
		text := v.XML()
		return appendSpecial(dst, form, "$xml", text, text)
	case Function:
		return appendSpecial(dst, form, "$function", string(v), "function "+string(v)+"()")
	}
	neutral, err := From(v) // plain Go data where a Value was wanted
	if err != nil {
		neutral = nil
	}
	return appendValue(dst, neutral, form, depth)
}

// appendSpecial appends what JSON lacks: plain in a text for people, otherwise an object.
func appendSpecial(dst []byte, form form, key, text, plain string) []byte {
	if form == textForm {
		return append(dst, plain...)
	}
	dst = append(dst, '{')
	dst = jsontext.AppendString(dst, key)
	dst = append(dst, ':')
	dst = jsontext.AppendString(dst, text)
	return append(dst, '}')
}

func appendNumber(dst []byte, f float64, form form) []byte {
	name := jsontext.NumberName(f)
	if name == "" {
		return appendFloat(dst, f)
	}
	return appendSpecial(dst, form, "$number", name, name)
}

// maxSafe is the magnitude up to which every integer is a float64.
const maxSafe = 1 << 53

// Number returns f in the form that numbers have among Values: an int64 if it is an integer of at
// most 2⁵³ in magnitude and not −0, else a float64.
func Number(f float64) Value {
	if f >= -maxSafe && f <= maxSafe {
		if i := int64(f); float64(i) == f && (i != 0 || !math.Signbit(f)) {
			return i
		}
	}
	return f
}

// appendFloat appends a finite number as JavaScript would write it.
func appendFloat(dst []byte, f float64) []byte {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-07 becomes e-7
		dst = dst[:n-1]
	}
	return dst
}

// formatDate returns t as RFC 3339 in UTC. Like ECMAScript, it writes years that do not have four
// digits with a sign and six digits.
func formatDate(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%+07d%s", y, t.Format("-01-02T15:04:05.999999999Z07:00"))
	}
	return t.Format(time.RFC3339Nano)
}

// parseDate is the inverse of formatDate, and takes every date of RFC 3339.
func parseDate(s string) (time.Time, error) {
	if !strings.HasPrefix(s, "+") && !strings.HasPrefix(s, "-") {
		return time.Parse(time.RFC3339Nano, s)
	}
	var year int
	if len(s) < 8 || s[7] != '-' {
		return time.Time{}, errors.New("no date")
	}
	if _, err := fmt.Sscanf(s[:7], "%d", &year); err != nil {
		return time.Time{}, errors.New("no date")
	}
	// 2000 is a leap year, so that every day of a year can be read.
	t, err := time.Parse(time.RFC3339Nano, "2000"+s[7:])
	if err != nil {
		return time.Time{}, err
	}
	return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location()), nil
}
