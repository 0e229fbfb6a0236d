package graph

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// How values are written that JSON has nothing for: as objects whose first key
// begins with a dollar sign. Keys of the data that begin so get one more.
const (
	textUndefined = `{"$undefined":true}`
	textNaN       = `{"$number":"NaN"}`
	textInfinity  = `{"$number":"Infinity"}`
	textMinus     = `{"$number":"-Infinity"}`
	textZero      = `{"$number":"-0"}`
)

const hexDigits = "0123456789abcdef"

// appendString appends a string of the runtime, which is UTF-16 and may have
// halves of surrogate pairs.
func appendString(b []byte, s goja.String) []byte {
	text := s.String()
	if !strings.ContainsRune(text, utf8.RuneError) {
		return jsontext.AppendString(b, text)
	}
	b = append(b, '"')
	for i := 0; i < s.Length(); i++ {
		c := s.CharAt(i)
		if utf16.IsSurrogate(rune(c)) {
			if i+1 < s.Length() {
				if r := utf16.DecodeRune(rune(c), rune(s.CharAt(i+1))); r != utf8.RuneError {
					b = utf8.AppendRune(b, r)
					i++
					continue
				}
			}
			b = append(b, '\\', 'u', hexDigits[c>>12], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15])
			continue
		}
		one := jsontext.AppendString(nil, string(rune(c)))
		b = append(b, one[1:len(one)-1]...)
	}
	return append(b, '"')
}

// appendKey appends the key of a property, with the colon.
func appendKey(b []byte, key string) []byte {
	if strings.HasPrefix(key, "$") {
		b = append(b, `"$`...)
		rest := jsontext.AppendString(b, key)
		// The quotation mark that it began with is not wanted.
		copy(rest[len(b):], rest[len(b)+1:])
		return append(rest[:len(rest)-1], ':')
	}
	return append(jsontext.AppendString(b, key), ':')
}

func appendNumber(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, textNaN...)
	case math.IsInf(f, 1):
		return append(b, textInfinity...)
	case math.IsInf(f, -1):
		return append(b, textMinus...)
	case f == 0 && math.Signbit(f):
		return append(b, textZero...)
	case f == math.Trunc(f) && math.Abs(f) <= 1<<53:
		return strconv.AppendInt(b, int64(f), 10)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}
