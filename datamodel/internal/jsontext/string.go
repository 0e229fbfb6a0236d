// Package jsontext reads and writes JSON. What it writes can be shown to people as it is: it does
// not move a cursor, split a line or change the direction of writing.
package jsontext

import (
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// Numbers are those that JSON lacks, by the names that they are written with.
var Numbers = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0": math.Copysign(0, -1)}

// NumberName returns the name of such a number, or "".
func NumberName(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return ""
}

const hexDigits = "0123456789abcdef"

// AppendString appends s in quotes. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != 0x7F {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, n, hidden := hiddenAt(s, i)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[start:i]...), "\uFFFD"...)
			start = i + n
		case hidden:
			dst = append(dst, s[start:i]...)
			for _, u := range utf16.AppendRune(nil, r) {
				dst = append(dst, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
			}
			start = i + n
		}
		i += n
	}
	return append(append(dst, s[start:]...), '"')
}
