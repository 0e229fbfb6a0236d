package js

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// numberMethod is a method of a number.
func numberMethod(v Value, name string, args []Value) Value {
	switch name {
	case "toExponential", "toFixed", "toLocaleString", "toPrecision", "toString":
	default:
		return objectMethod(v, name, args)
	}
	x, digits := v.Number(), integer(Arg(args, 0).ToNumber())
	switch name {
	case "toExponential":
		switch {
		case !IsFinite(x):
			return String(NumberText(x))
		case Arg(args, 0).IsUndefined():
			digits = -1
		case digits < 0 || digits > 100:
			throwText("RangeError: toExponential() precision must be between 0 and 100")
		}
		return String(toExponential(x, int(digits)+1))
	case "toFixed":
		return String(ToFixed(x, digits))
	case "toPrecision":
		switch {
		case !IsFinite(x) || Arg(args, 0).IsUndefined():
			return String(NumberText(x))
		case digits < 1 || digits > 100:
			throwText("RangeError: toPrecision() precision must be between 1 and 100")
		}
		return String(toPrecision(x, int(digits)))
	}
	switch {
	case Arg(args, 0).IsUndefined():
		return String(NumberText(x))
	case digits < 2 || digits > 36:
		throwText("RangeError: toString() radix argument must be between 2 and 36")
	}
	return String(radixText(x, int(digits)))
}

// decimal returns the exact digits of a number that is not negative, the first of which counts 10^exp. 0 has none.
func decimal(x float64) (digits string, exp int) {
	var space [800]byte // not less than any number has
	mantissa, exponent, _ := strings.Cut(string(strconv.AppendFloat(space[:0], x, 'e', 767, 64)), "e")
	exp, _ = strconv.Atoi(exponent)
	return strings.TrimRight(mantissa[:1]+mantissa[2:], "0"), exp
}

// round returns size of these digits, and 0 for those that are missing; size may be 0 or less. Of two equally near numbers
// it is the larger one. It has one digit more if it is 10^n, and then exp is larger by one.
func round(digits string, exp, size int) (string, int) {
	switch {
	case size < 0:
		return "", exp
	case size >= len(digits):
		return digits + strings.Repeat("0", size-len(digits)), exp
	case digits[size] < '5':
		return digits[:size], exp
	}
	rounded := []byte(digits[:size])
	for i := size - 1; i >= 0; i-- {
		if rounded[i]++; rounded[i] <= '9' {
			return string(rounded), exp
		}
		rounded[i] = '0'
	}
	return "1" + string(rounded), exp + 1
}

var powersOf10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// ToFixed is the method toFixed.
func ToFixed(x, fraction float64) string {
	fraction = integer(fraction)
	switch {
	case fraction < 0 || fraction > 100:
		throwText("RangeError: toFixed() precision must be between 0 and 100")
	case IsNaN(x) || math.Abs(x) >= 1e21:
		return NumberText(x)
	}
	f := int(fraction)
	if f < len(powersOf10) { // it is quicker to do it as Go does, unless there may be two equally near numbers
		if part := math.Abs(x) * powersOf10[f]; part < 1e9 && math.Abs(part-math.Trunc(part)-0.5) > 1e-4 {
			text := strconv.FormatFloat(math.Abs(x), 'f', f, 64)
			if x < 0 {
				text = "-" + text
			}
			return text
		}
	}
	digits, exp := decimal(math.Abs(x))
	text, _ := round(digits, exp, exp+1+f)
	if len(text) <= f {
		text = strings.Repeat("0", f+1-len(text)) + text
	}
	if f > 0 {
		text = text[:len(text)-f] + "." + text[len(text)-f:]
	}
	if x < 0 {
		text = "-" + text
	}
	return text
}

// toExponential writes x with n digits, or with as many as are needed if n is 0.
func toExponential(x float64, n int) string {
	if n == 0 {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', -1, 64), "e")
		exp, _ := strconv.Atoi(exponent)
		return exponential(x, strings.Replace(mantissa, ".", "", 1), exp)
	}
	digits, exp := decimal(math.Abs(x))
	digits, exp = round(digits, exp, n)
	return exponential(x, digits[:n], exp)
}

// exponential writes digits, the first of which counts 10^exp, with the sign of x.
func exponential(x float64, digits string, exp int) string {
	text := digits[:1]
	if x < 0 {
		text = "-" + text
	}
	if len(digits) > 1 {
		text += "." + digits[1:]
	}
	if exp >= 0 {
		return text + "e+" + strconv.Itoa(exp)
	}
	return text + "e" + strconv.Itoa(exp)
}

func toPrecision(x float64, n int) string {
	digits, exp := decimal(math.Abs(x))
	digits, exp = round(digits, exp, n)
	digits = digits[:n]
	if exp < -6 || exp >= n {
		return exponential(x, digits, exp)
	}
	switch {
	case exp < 0:
		digits = "0." + strings.Repeat("0", -exp-1) + digits
	case exp+1 < n:
		digits = digits[:exp+1] + "." + digits[exp+1:]
	}
	if x < 0 {
		return "-" + digits
	}
	return digits
}

// radixText is the method toString with a base.
func radixText(x float64, radix int) string {
	if radix == 10 || !IsFinite(x) {
		return NumberText(x)
	}
	whole, fraction := math.Modf(math.Abs(x))
	n, _ := big.NewFloat(whole).Int(nil)
	text := n.Text(radix)
	if fraction != 0 {
		text += "." + radixFraction(math.Abs(x), fraction, radix)
	}
	if x < 0 {
		text = "-" + text
	}
	return text
}

// radixFraction returns the shortest digits that tell x, whose fraction is given, from its neighbours.
func radixFraction(x, fraction float64, radix int) string {
	below, above := x-math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))-x
	const scale = 1075 // all of these are multiples of 2^-1075, half of the distance of the smallest numbers
	scaled := func(f float64, by int) *big.Int {
		n, _ := new(big.Float).SetMantExp(big.NewFloat(f), by).Int(nil)
		return n
	}
	one, rest, base := new(big.Int).Lsh(big.NewInt(1), scale), scaled(fraction, scale), big.NewInt(int64(radix))
	low, high := scaled(below, scale-1), scaled(above, scale-1) // half of them
	even := math.Float64bits(x)&1 == 0
	var digits []byte
	for {
		rest.Mul(rest, base)
		low.Mul(low, base)
		high.Mul(high, base)
		d := new(big.Int)
		d.DivMod(rest, one, rest)
		digit := int(d.Int64())
		toLow := rest.Cmp(low)
		toHigh := rest.Cmp(new(big.Int).Sub(one, high))
		end := true
		switch {
		case toHigh == 0 && even:
			if toLow > 0 {
				digit++
			}
		case toLow < 0 || toLow == 0 && even:
			if toHigh > 0 && new(big.Int).Lsh(rest, 1).Cmp(one) > 0 {
				digit++
			}
		case toHigh > 0:
			digit++
		default:
			end = false
		}
		digits = append(digits, strconv.FormatInt(int64(digit), 36)...)
		if end {
			return string(digits)
		}
	}
}
