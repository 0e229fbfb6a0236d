package machine

import (
	"cmp"
	"strings"
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
