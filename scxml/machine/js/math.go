package js

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// These are functions of ECMAScript's library on numbers.

// Round is Math.round: halves become larger.
func Round(x float64) float64 {
	n := math.Floor(x)
	if x-n >= 0.5 {
		n++
	}
	return math.Copysign(n, x)
}

// Sign is Math.sign.
func Sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// IsInteger is Number.isInteger.
func IsInteger(x float64) bool { return x == math.Trunc(x) && !math.IsInf(x, 0) }

// IsFinite is isFinite.
func IsFinite(x float64) bool { return x-x == 0 }

// ParseFloat is parseFloat.
func ParseFloat(s string) float64 {
	s = Trim(s)
	n := decimalPrefix(s)
	if n == 0 {
		return NaN()
	}
	return parseDecimal(s[:n])
}

// ParseInt is parseInt.
func ParseInt(s string, radix float64) float64 {
	s = Trim(s)
	sign := 1.0
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	base := int(Int32(radix))
	hex := base == 0 || base == 16
	if base == 0 {
		base = 10
	}
	if base < 2 || base > 36 {
		return NaN()
	}
	if hex && (strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")) {
		s, base = s[2:], 16
	}
	end := 0
	for end < len(s) && digit(s[end]) < base {
		end++
	}
	switch s = s[:end]; {
	case s == "":
		return NaN()
	case base == 10:
		return sign * parseDecimal(s)
	case len(s) <= 10: // below 2⁵³
		n := 0.0
		for i := range len(s) {
			n = n*float64(base) + float64(digit(s[i]))
		}
		return sign * n
	case len(s) > 1100: // larger than any number, but for zeros
		if s = strings.TrimLeft(s, "0"); len(s) > 1100 {
			return sign * Infinity()
		}
	}
	n, ok := new(big.Int).SetString("0"+s, base)
	if !ok {
		return NaN()
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return sign * f
}

// IsNaN is isNaN.
func IsNaN(x float64) bool { return x != x }

// These are the functions of Math of the same names.
func Abs(x float64) float64   { return math.Abs(x) }
func Ceil(x float64) float64  { return math.Ceil(x) }
func Floor(x float64) float64 { return math.Floor(x) }
func Sqrt(x float64) float64  { return math.Sqrt(x) }
func Trunc(x float64) float64 { return math.Trunc(x) }

// Max is Math.max.
func Max(x, y float64, more ...float64) float64 {
	x = max(x, y)
	for _, y := range more {
		x = max(x, y)
	}
	return x
}

// Min is Math.min.
func Min(x, y float64, more ...float64) float64 {
	x = min(x, y)
	for _, y := range more {
		x = min(x, y)
	}
	return x
}

// These are the functions of Math of the same names, in whose last digit ECMAScript lets engines differ: it is Go's.
func Acos(x float64) float64     { return math.Acos(x) }
func Acosh(x float64) float64    { return math.Acosh(x) }
func Asin(x float64) float64     { return math.Asin(x) }
func Asinh(x float64) float64    { return math.Asinh(x) }
func Atan(x float64) float64     { return math.Atan(x) }
func Atan2(y, x float64) float64 { return math.Atan2(y, x) }
func Atanh(x float64) float64    { return math.Atanh(x) }
func Cbrt(x float64) float64     { return math.Cbrt(x) }
func Cos(x float64) float64      { return math.Cos(x) }
func Cosh(x float64) float64     { return math.Cosh(x) }
func Exp(x float64) float64      { return math.Exp(x) }
func Expm1(x float64) float64    { return math.Expm1(x) }
func Log(x float64) float64      { return math.Log(x) }
func Log10(x float64) float64    { return math.Log10(x) }
func Log1p(x float64) float64    { return math.Log1p(x) }
func Log2(x float64) float64     { return math.Log2(x) }
func Sin(x float64) float64      { return math.Sin(x) }
func Sinh(x float64) float64     { return math.Sinh(x) }
func Tan(x float64) float64      { return math.Tan(x) }
func Tanh(x float64) float64     { return math.Tanh(x) }

// Clz32 is Math.clz32.
func Clz32(x float64) float64 { return float64(bits.LeadingZeros32(Uint32(x))) }

// Fround is Math.fround.
func Fround(x float64) float64 { return float64(float32(x)) }

// Imul is Math.imul.
func Imul(x, y float64) float64 { return float64(Int32(x) * Int32(y)) }

// Hypot is Math.hypot. It adds squares as the interpreter does, with what rounding has lost.
func Hypot(numbers ...float64) float64 {
	largest, isNaN := 0.0, false
	for _, n := range numbers {
		if isNaN = isNaN || IsNaN(n); !IsNaN(n) {
			largest = max(largest, math.Abs(n))
		}
	}
	switch {
	case math.IsInf(largest, 0):
		return largest
	case isNaN:
		return NaN()
	case largest == 0:
		return 0
	}
	sum, lost := 0.0, 0.0
	for _, n := range numbers {
		n = math.Abs(n) / largest
		square := float64(n*n) - lost
		next := sum + square
		lost = (next - sum) - square
		sum = next
	}
	return math.Sqrt(sum) * largest
}

// IsSafeInteger is Number.isSafeInteger.
func IsSafeInteger(x float64) bool { return IsInteger(x) && math.Abs(x) < 1<<53 }
