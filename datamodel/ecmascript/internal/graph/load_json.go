package graph

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// A scanner reads JSON, piece by piece.
type scanner struct {
	data []byte
	at   int
}

// A damage is what is wrong with saved data. It is thrown as a panic.
type damage struct{ error }

// damaged reports that the data cannot be read.
func (sc *scanner) damaged(format string, args ...any) {
	panic(damage{fmt.Errorf("saved data, offset %d: "+format, append([]any{min(sc.at, len(sc.data))}, args...)...)})
}

// peek returns the next byte that is no white space, or 0 at the end.
func (sc *scanner) peek() byte {
	for sc.at < len(sc.data) {
		switch c := sc.data[sc.at]; c {
		case ' ', '\t', '\n', '\r':
			sc.at++
		default:
			return c
		}
	}
	return 0
}

// take reads c if it is next.
func (sc *scanner) take(c byte) bool {
	if sc.peek() == c {
		sc.at++
		return true
	}
	return false
}

func (sc *scanner) expect(c byte) {
	if !sc.take(c) {
		sc.damaged("%q expected", c)
	}
}

// word reads a word such as null if it is next.
func (sc *scanner) word(w string) bool {
	sc.peek()
	if len(sc.data)-sc.at < len(w) || string(sc.data[sc.at:sc.at+len(w)]) != w {
		return false
	}
	sc.at += len(w)
	return true
}

// number reads a number: an integer if isInt.
func (sc *scanner) number() (n int64, f float64, isInt bool) {
	c := sc.peek()
	from := sc.at
	negative := c == '-'
	if negative {
		sc.at++
	}
	first := sc.at
	for sc.at < len(sc.data) && sc.data[sc.at]-'0' <= 9 {
		if sc.at-first > 15 {
			break
		}
		n = n*10 + int64(sc.data[sc.at]-'0')
		sc.at++
	}
	digits := sc.at - first
	plain := sc.at == len(sc.data)
	if !plain {
		switch sc.data[sc.at] {
		case '.', 'e', 'E', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			plain = true
		}
	}
	if digits == 0 || sc.data[first] == '0' && digits > 1 {
		sc.damaged("a number is not well-formed")
	}
	if plain && !(negative && n == 0) {
		if negative {
			n = -n
		}
		return n, 0, true
	}
	for sc.at < len(sc.data) && (sc.data[sc.at]-'0' <= 9 || sc.data[sc.at] == '.' || sc.data[sc.at]|0x20 == 'e' || sc.data[sc.at] == '+' || sc.data[sc.at] == '-') {
		sc.at++
	}
	f, err := strconv.ParseFloat(string(sc.data[from:sc.at]), 64)
	if err != nil || math.IsInf(f, 0) {
		sc.damaged("a number is not well-formed")
	}
	return 0, f, false
}

// integer reads a number that has to be an integer in [0, most].
func (sc *scanner) integer(most int64) int64 {
	if c := sc.peek(); c-'0' > 9 && c != '-' {
		sc.damaged("a number expected")
	}
	n, _, ok := sc.number()
	if !ok || n < 0 || n > most {
		sc.damaged("an integer from 0 to %d expected", most)
	}
	return n
}

// text reads a string that has no halves of surrogate pairs.
func (sc *scanner) text() string {
	s, wide := sc.stringOf()
	if wide != nil {
		sc.damaged("a string has half of a surrogate pair where that cannot be")
	}
	return s
}

// stringOf reads a string; one with half of a surrogate pair is wide.
func (sc *scanner) stringOf() (s string, wide []uint16) {
	sc.expect('"')
	from := sc.at
	for ; sc.at < len(sc.data); sc.at++ {
		switch c := sc.data[sc.at]; {
		case c == '"':
			s := string(sc.data[from:sc.at])
			sc.at++
			if !utf8.ValidString(s) {
				sc.damaged("a string is not UTF-8")
			}
			return s, nil
		case c == '\\':
			return sc.escaped(from)
		case c < 0x20:
			sc.damaged("a control character in a string")
		}
	}
	sc.damaged("a string has no end")
	return "", nil
}

// escaped reads on in a string that began at from, with an escape.
func (sc *scanner) escaped(from int) (string, []uint16) {
	b := append([]byte(nil), sc.data[from:sc.at]...)
	var halves bool
	var wide []uint16 // all of it, once there is half of a pair
	rune_ := func(r rune) {
		if utf16.IsSurrogate(r) && !halves {
			halves, wide = true, utf16.Encode([]rune(string(b)))
		}
		if !halves {
			b = utf8.AppendRune(b, r)
		} else if utf16.IsSurrogate(r) {
			wide = append(wide, uint16(r))
		} else {
			wide = utf16.AppendRune(wide, r)
		}
	}
	for sc.at < len(sc.data) {
		c := sc.data[sc.at]
		switch {
		case c == '"':
			sc.at++
			if halves {
				return "", wide
			}
			if !utf8.Valid(b) {
				sc.damaged("a string is not UTF-8")
			}
			return string(b), nil
		case c < 0x20:
			sc.damaged("a control character in a string")
		case c != '\\':
			r, n := utf8.DecodeRune(sc.data[sc.at:])
			if r == utf8.RuneError && n < 2 {
				sc.damaged("a string is not UTF-8")
			}
			rune_(r)
			sc.at += n
			continue
		}
		sc.at++
		if sc.at >= len(sc.data) {
			break
		}
		c = sc.data[sc.at]
		sc.at++
		switch c {
		case '"', '\\', '/':
			rune_(rune(c))
		case 'b':
			rune_('\b')
		case 'f':
			rune_('\f')
		case 'n':
			rune_('\n')
		case 'r':
			rune_('\r')
		case 't':
			rune_('\t')
		case 'u':
			r := sc.hex()
			if utf16.IsSurrogate(r) && sc.at+1 < len(sc.data) && sc.data[sc.at] == '\\' && sc.data[sc.at+1] == 'u' {
				back := sc.at
				sc.at += 2
				if pair := utf16.DecodeRune(r, sc.hex()); pair != utf8.RuneError {
					r = pair
				} else {
					sc.at = back
				}
			}
			rune_(r)
		default:
			sc.damaged("an unknown escape in a string")
		}
	}
	sc.damaged("a string has no end")
	return "", nil
}

func (sc *scanner) hex() rune {
	if len(sc.data)-sc.at < 4 {
		sc.damaged("an escape in a string is cut off")
	}
	n, err := strconv.ParseUint(string(sc.data[sc.at:sc.at+4]), 16, 16)
	if err != nil {
		sc.damaged("an escape in a string is not well-formed")
	}
	sc.at += 4
	return rune(n)
}

// stringValue reads a string as a value of the runtime.
func (sc *scanner) stringValue(vm *goja.Runtime) goja.Value {
	s, wide := sc.stringOf()
	if wide != nil {
		return goja.StringFromUTF16(wide)
	}
	return vm.ToValue(s)
}
