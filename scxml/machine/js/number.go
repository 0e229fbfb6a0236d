package js

import (
	"math"
	"strconv"
	"strings"
)

// NaN, Infinity and NegativeZero are numbers that Go has no literals for.
func NaN() float64          { return math.NaN() }
func Infinity() float64     { return math.Inf(1) }
func NegativeZero() float64 { return math.Copysign(0, -1) }

// NumberTruth is the operation ToBoolean.
func NumberTruth(n float64) bool { return n != 0 && n == n }

// BoolNumber is the operation ToNumber.
func BoolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Int32 is the operation ToInt32.
func Int32(n float64) int32 {
	if i := int32(n); float64(i) == n {
		return i
	}
	return int32(modulo32(n))
}

// Uint32 is the operation ToUint32.
func Uint32(n float64) uint32 {
	if i := int32(n); float64(i) == n {
		return uint32(i)
	}
	return modulo32(n)
}

// modulo32 truncates n, and returns it modulo 2³². It is not inlined, so that its callers are.
//
//go:noinline
func modulo32(n float64) uint32 {
	bits := math.Float64bits(n)
	exp := int(bits>>52&0x7ff) - 1075 // of the last bit of the mantissa
	mantissa := bits&(1<<52-1) | 1<<52
	switch {
	case exp >= 32: // the infinities and NaN included
		return 0
	case exp >= 0:
		mantissa <<= exp
	case exp > -64:
		mantissa >>= -exp
	default:
		return 0
	}
	if bits>>63 != 0 {
		mantissa = -mantissa
	}
	return uint32(mantissa)
}

// Mod is the operator %.
func Mod(x, y float64) float64 {
	if i, j := int32(x), int32(y); i >= 0 && j > 0 && float64(i) == x && float64(j) == y && math.Float64bits(x)>>63 == 0 {
		return float64(i % j)
	}
	return math.Mod(x, y)
}

// Pow is the operator **. A power of integers below 2⁶³ is exact before it is rounded; others are those of
// Go's math.Pow. ECMAScript leaves the last digits open.
func Pow(x, y float64) float64 {
	const most = 1 << 53
	switch {
	case y != y, math.IsInf(y, 0) && (x == 1 || x == -1):
		return NaN()
	case x == 0, math.Abs(x) > most, y < 0, y >= 63, x != math.Trunc(x), y != math.Trunc(y):
		return math.Pow(x, y)
	}
	n, base := int64(1), int64(x)
	largest := math.MaxInt64 / max(base, -base)
	for range int(y) {
		if n > largest || n < -largest {
			return math.Pow(x, y)
		}
		n *= base
	}
	return float64(n)
}

// NumberText is the operation ToString (Number::toString with radix 10).
func NumberText(n float64) string {
	if i := int64(n); float64(i) == n && i > -1e15 && i < 1e15 {
		return strconv.FormatInt(i, 10)
	}
	switch {
	case n != n:
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	}
	// d.ddde±dd, with as few digits as identify n
	var space [32]byte
	text := strconv.AppendFloat(space[:0], n, 'e', -1, 64)
	out := make([]byte, 0, 32)
	if text[0] == '-' {
		out, text = append(out, '-'), text[1:]
	}
	e := len(text) - 1
	for text[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(text[e+1:]))
	digits := append([]byte{text[0]}, text[min(2, e):e]...)
	switch k, point := len(digits), exp+1; {
	case k <= point && point <= 21:
		out = append(out, digits...)
		out = append(out, strings.Repeat("0", point-k)...)
	case 0 < point && point <= 21:
		out = append(out, digits[:point]...)
		out = append(out, '.')
		out = append(out, digits[point:]...)
	case -6 < point && point <= 0:
		out = append(out, "0."...)
		out = append(out, strings.Repeat("0", -point)...)
		out = append(out, digits...)
	default:
		out = append(out, digits[0])
		if k > 1 {
			out = append(out, '.')
			out = append(out, digits[1:]...)
		}
		out = append(out, 'e')
		if exp >= 0 {
			out = append(out, '+')
		}
		out = strconv.AppendInt(out, int64(exp), 10)
	}
	return string(out)
}

// BoolText is the operation ToString.
func BoolText(b bool) string { return strconv.FormatBool(b) }

// ParseNumber is the operation ToNumber of a string.
func ParseNumber(s string) float64 {
	s = Trim(s)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			return parseBits(s[2:], 4)
		case 'o', 'O':
			return parseBits(s[2:], 3)
		case 'b', 'B':
			return parseBits(s[2:], 1)
		}
	}
	if decimalPrefix(s) != len(s) {
		return NaN()
	}
	return parseDecimal(s)
}

// parseDecimal returns the number of a text that is one.
func parseDecimal(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64) // an infinity if it is out of range
	return n
}

// parseBits returns the number with digits of so many bits.
func parseBits(digits string, bits int) float64 {
	var m uint64
	exp := 0
	for _, c := range []byte(digits) {
		d := digit(c)
		if d >= 1<<bits {
			return NaN()
		}
		if m>>(64-bits) == 0 {
			m = m<<bits | uint64(d)
			continue
		}
		exp += bits
		if d != 0 {
			m |= 1 // far below the last bit of a float64: it is rounded correctly
		}
	}
	return math.Ldexp(float64(m), exp)
}

// digit returns the value of a digit, or 36.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|' ' >= 'a' && c|' ' <= 'z':
		return int(c|' '-'a') + 10
	}
	return 36
}

// decimalPrefix returns the length of the longest beginning of s that is a StrDecimalLiteral, or 0.
func decimalPrefix(s string) int {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if strings.HasPrefix(s[i:], "Infinity") {
		return i + len("Infinity")
	}
	digits := func() (n int) {
		for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			n++
		}
		return n
	}
	n := digits()
	if i < len(s) && s[i] == '.' {
		i++
		fraction := digits()
		if n += fraction; n == 0 {
			return 0
		}
	}
	if n == 0 {
		return 0
	}
	end := i
	if i < len(s) && s[i]|' ' == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if digits() > 0 {
			return i
		}
	}
	return end
}
