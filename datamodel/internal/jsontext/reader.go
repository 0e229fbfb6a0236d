package jsontext

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Reader reads JSON piece by piece. It throws errors as panics with an *Error, see [Catch].
type Reader struct {
	Text string
	At   int // what is read next, in bytes
}

// An Error says what is wrong with a text, and where.
type Error struct {
	At  int
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Catch stores an error that was thrown. Defer it.
func Catch(err **Error) {
	switch x := recover().(type) {
	case nil:
	case *Error:
		*err = x
	default:
		panic(x)
	}
}

// Fail throws an error at the present place.
func (r *Reader) Fail(format string, args ...any) { r.FailAt(r.At, format, args...) }

// FailAt throws an error at another place.
func (r *Reader) FailAt(at int, format string, args ...any) {
	panic(&Error{min(at, len(r.Text)), fmt.Sprintf(format, args...)})
}

// Unexpected throws an error that names the next character.
func (r *Reader) Unexpected(format string, args ...any) {
	here := "end of text"
	if r.At < len(r.Text) {
		c, _ := utf8.DecodeRuneInString(r.Text[r.At:])
		here = strconv.QuoteRune(c)
	}
	r.Fail("unexpected %s%s", here, fmt.Sprintf(format, args...))
}

// Peek returns the next byte that is not white space, or 0 at the end.
func (r *Reader) Peek() byte {
	for r.At < len(r.Text) {
		switch c := r.Text[r.At]; c {
		case ' ', '\t', '\n', '\r':
			r.At++
		default:
			return c
		}
	}
	return 0
}

// Take reads c if it is next.
func (r *Reader) Take(c byte) bool {
	if r.Peek() != c || r.At >= len(r.Text) {
		return false
	}
	r.At++
	return true
}

// Expect reads c, which has to be next.
func (r *Reader) Expect(c byte) {
	if !r.Take(c) {
		r.Unexpected(", %q expected", c)
	}
}

// Each calls read for each of what is in brackets, separated by commas.
func (r *Reader) Each(open, close byte, read func()) {
	r.Expect(open)
	if r.Take(close) {
		return
	}
	for read(); r.Take(','); read() {
	}
	if !r.Take(close) {
		r.Unexpected(`, "," or %q was expected`, string(close))
	}
}

// Word reads a word such as null if it is next.
func (r *Reader) Word(w string) bool {
	if r.Peek(); strings.HasPrefix(r.Text[r.At:], w) {
		r.At += len(w)
		return true
	}
	return false
}

// Number reads a number. It is an integer if it has fewer than 16 digits and no fraction or
// exponent; one that is too large is infinite.
func (r *Reader) Number() (n int64, f float64, isInt bool) {
	start := r.At
	negative := r.Take('-')
	first := r.At
	digits := func() (n int64) {
		from := r.At
		for ; r.At < len(r.Text) && r.Text[r.At]-'0' <= 9; r.At++ {
			n = n*10 + int64(r.Text[r.At]-'0')
		}
		if r.At == from {
			r.Unexpected(", a digit was expected")
		}
		return n
	}
	n = digits()
	end := r.At
	if r.Text[first] == '0' && end-first > 1 {
		r.FailAt(start, "a number must not begin with 0")
	}
	if r.At < len(r.Text) && r.Text[r.At] == '.' {
		r.At++
		digits()
	}
	if r.At < len(r.Text) && r.Text[r.At]|0x20 == 'e' {
		r.At++
		if r.At < len(r.Text) && (r.Text[r.At] == '+' || r.Text[r.At] == '-') {
			r.At++
		}
		digits()
	}
	if negative {
		n = -n
	}
	if r.At == end && end-first < 16 && !(negative && n == 0) {
		return n, 0, true
	}
	f, _ = strconv.ParseFloat(r.Text[start:r.At], 64)
	return 0, f, false
}

// String reads a string, and keeps bytes that are not UTF-8. A string with half of a surrogate pair
// is returned as wide, in UTF-16.
func (r *Reader) String() (s string, wide []uint16) {
	open := r.At
	r.At++
	start := r.At
	for r.At < len(r.Text) { // the usual case: nothing to rewrite
		c := r.Text[r.At]
		if c == '"' {
			r.At++
			return r.Text[start : r.At-1], nil
		}
		if c == '\\' || c < ' ' {
			break
		}
		r.At++
	}
	b := []byte(r.Text[start:r.At])
	flush := func() {
		for _, c := range string(b) {
			wide = utf16.AppendRune(wide, c)
		}
		b = b[:0]
	}
	for r.At < len(r.Text) {
		switch c := r.Text[r.At]; {
		case c == '"':
			r.At++
			if wide == nil {
				return string(b), nil
			}
			flush()
			return "", wide
		case c < ' ':
			r.Fail("control character %#02x in a string", c)
		case c != '\\':
			b = append(b, c)
			r.At++
		default:
			if c := r.escape(); utf16.IsSurrogate(c) {
				flush()
				wide = append(wide, uint16(c))
			} else {
				b = utf8.AppendRune(b, c)
			}
		}
	}
	r.FailAt(open, "string without end")
	return "", nil
}

// escape reads an escape.
func (r *Reader) escape() rune {
	if r.At+1 >= len(r.Text) {
		r.Fail("string without end")
	}
	c := r.Text[r.At+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		r.At += 2
		return rune("\"\\/\b\f\n\r\t"[i])
	}
	if c != 'u' {
		r.Fail("unknown escape in a string")
	}
	unit := r.unit()
	if unit < 0 {
		r.Fail(`\u must be followed by four hexadecimal digits`)
	}
	r.At += 6
	if utf16.IsSurrogate(unit) {
		if pair := utf16.DecodeRune(unit, r.unit()); pair != utf8.RuneError {
			r.At += 6
			return pair
		}
	}
	return unit
}

// unit returns the code unit of the escape \uXXXX at the present place, or -1.
func (r *Reader) unit() rune {
	if len(r.Text) < r.At+6 || r.Text[r.At:r.At+2] != `\u` {
		return -1
	}
	n, err := strconv.ParseUint(r.Text[r.At+2:r.At+6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// MaxBigInt is how many bits a BigInt may have.
const MaxBigInt = 1 << 18

// ErrBigInt is what is wrong with a BigInt that has more than MaxBigInt bits.
var ErrBigInt = fmt.Errorf("has more than %d bits", MaxBigInt)

// ParseBigInt reads a decimal integer. It checks the length first, since reading takes quadratic
// time.
func ParseBigInt(text string) (*big.Int, error) {
	if len(text) > MaxBigInt/3 { // a digit has 3.3 bits
		return nil, ErrBigInt
	}
	b, ok := new(big.Int).SetString(text, 10)
	switch {
	case !ok:
		return nil, errors.New("must be an integer in quotes")
	case b.BitLen() > MaxBigInt:
		return nil, ErrBigInt
	}
	return b, nil
}
