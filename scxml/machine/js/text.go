package js

import (
	"cmp"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Length returns the length of a string in UTF-16 code units.
func Length(s string) float64 {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			n++
			continue
		}
		return float64(n + units(s[i:]))
	}
	return float64(n)
}

func units(s string) (n int) {
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// CompareText compares two strings by their UTF-16 code units, as the operators < and > do. The result is
// that of [cmp.Compare].
func CompareText(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		// The bytes of UTF-8 have the order of code points. The units of UTF-16 have it too, but surrogates,
		// which are characters of four bytes, come before U+E000 to U+FFFF.
		const fourBytes, private = 0xf0, 0xee
		switch {
		case x >= fourBytes && y >= private && y < fourBytes:
			return -1
		case y >= fourBytes && x >= private && x < fourBytes:
			return 1
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

// Trim removes ECMAScript's white space and line ends from both ends.
func Trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff':
		return true
	}
	return r >= '\u2000' && r <= '\u200a'
}

// These are the functions of ECMAScript's strings. Places and lengths are UTF-16 code units.

// Includes is the function includes.
func Includes(s, part string) bool { return strings.Contains(s, part) }

// StartsWith is the function startsWith.
func StartsWith(s, part string) bool { return strings.HasPrefix(s, part) }

// EndsWith is the function endsWith.
func EndsWith(s, part string) bool { return strings.HasSuffix(s, part) }

// IndexOf is the function indexOf.
func IndexOf(s, part string) float64 {
	i := strings.Index(s, part)
	if i < 0 {
		return -1
	}
	return Length(s[:i])
}

// CharAt is the function charAt.
func CharAt(s string, at float64) string {
	at = integer(at)
	if at < 0 || at >= float64(len(s)) { // which is not less than its length
		return ""
	}
	i := int(at)
	if isASCII(s[:i+1]) {
		return s[i : i+1]
	}
	return cut(s, at, min(at+1, Length(s)))
}

// CharCodeAt is the function charCodeAt.
func CharCodeAt(s string, at float64) float64 {
	unit, _ := unitAt(s, integer(at))
	return unit
}

// unitAt returns the code unit at a place of s, or NaN, and the character that it is of.
func unitAt(s string, at float64) (unit float64, point rune) {
	if !(at >= 0 && at < float64(len(s))) {
		return NaN(), 0
	}
	if i := int(at); isASCII(s[:i+1]) {
		return float64(s[i]), rune(s[i])
	}
	offset, half := offset(s, int(at))
	if offset == len(s) {
		return NaN(), 0
	}
	point, _ = utf8.DecodeRuneInString(s[offset:])
	switch first, second := utf16.EncodeRune(point); {
	case half:
		return float64(second), point
	case point > 0xffff:
		return float64(first), point
	}
	return float64(point), point
}

// Slice is the function slice.
func Slice(s string, from, to float64) string {
	n := Length(s)
	place := func(x float64) float64 {
		if x = integer(x); x < 0 {
			return max(n+x, 0)
		}
		return min(x, n)
	}
	if from, to = place(from), place(to); from >= to {
		return ""
	}
	return cut(s, from, to)
}

// Substring is the function substring.
func Substring(s string, from, to float64) string {
	n := Length(s)
	from, to = min(max(integer(from), 0), n), min(max(integer(to), 0), n)
	return cut(s, min(from, to), max(from, to))
}

// integer is the operation ToIntegerOrInfinity.
func integer(x float64) float64 {
	if x != x {
		return 0
	}
	return math.Trunc(x)
}

// cut returns a part of s, which is not empty unless from is to. Half of a surrogate pair becomes U+FFFD.
func cut(s string, from, to float64) string {
	if isASCII(s[:min(int(to), len(s))]) {
		return s[int(from):int(to)]
	}
	begin, second := offset(s, int(from))
	end, first := offset(s, int(to))
	part, half := s[begin:end], string(utf8.RuneError)
	switch {
	case from >= to:
		return ""
	case second && first:
		return half + part[4:] + half
	case second:
		return half + part[4:]
	case first:
		return part + half
	}
	return part
}

// offset returns where in s the character begins that a code unit is of, or the length of s, and whether the unit is the
// second of a surrogate pair.
func offset(s string, unit int) (at int, second bool) {
	for at < len(s) && unit > 0 {
		_, n := utf8.DecodeRuneInString(s[at:])
		if unit--; n == 4 {
			if unit == 0 {
				return at, true
			}
			unit--
		}
		at += n
	}
	return at, false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
