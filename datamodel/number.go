package datamodel

import (
	"math"
	"strconv"
)

// maxSafe is the magnitude up to which every integer is a float64.
const maxSafe = 1 << 53

// Number returns f in the form that numbers have among Values: an int64 if it
// is an integer of at most 2⁵³ in magnitude and not −0, else a float64.
func Number(f float64) Value {
	if f >= -maxSafe && f <= maxSafe {
		if i := int64(f); float64(i) == f && (i != 0 || !math.Signbit(f)) {
			return i
		}
	}
	return f
}

// integer returns the Value of an integer of Go.
func integer(i int64) Value {
	if i < -maxSafe || i > maxSafe {
		return float64(i)
	}
	return i
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
