package datamodel

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// ParseJSON reads what [AppendJSON] writes: JSON, with the objects named there
// for what JSON lacks. An object with another key that begins with a single $
// is an error.
//
// The order of keys is kept; of equal keys the last one counts. Bytes that are
// no UTF-8 and lone surrogates become U+FFFD. The error is a *[JSONError].
func ParseJSON(data []byte) (Value, error) { return parseJSON(string(data), false) }

// ParsePlainJSON reads JSON in which a key that begins with $ is a key like
// any other: the content of documents and messages. Otherwise it is like [ParseJSON].
func ParsePlainJSON(text string) (Value, error) { return parseJSON(text, true) }

// A JSONError says what is wrong with a JSON text, and where.
type JSONError struct {
	Offset    int // in bytes
	Line, Col int // Col in characters; 1 is the first
	Msg       string
}

// Error returns line, column and message.
func (e *JSONError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

func parseJSON(text string, plain bool) (v Value, err error) {
	p := jsonParser{s: text, plain: plain}
	defer func() {
		if x := recover(); x != nil {
			msg, ok := x.(jsonFailure)
			if !ok {
				panic(x)
			}
			pos := advance(Position{Line: 1, Col: 1}, text[:p.i])
			v, err = nil, &JSONError{Offset: p.i, Line: pos.Line, Col: pos.Col, Msg: string(msg)}
		}
	}()
	v = p.value(0)
	if p.space(); p.i < len(p.s) {
		p.fail("unexpected " + p.here() + " after the value")
	}
	return v, nil
}

// A jsonFailure travels up as a panic and never leaves this file.
type jsonFailure string

type jsonParser struct {
	s     string
	i     int
	plain bool
}

func (p *jsonParser) fail(msg string) { panic(jsonFailure(msg)) }

func (p *jsonParser) failAt(i int, msg string) {
	p.i = i
	p.fail(msg)
}

// here names what stands at the present place.
func (p *jsonParser) here() string {
	if p.i >= len(p.s) {
		return "end of text"
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return strconv.QuoteRune(r)
}

func (p *jsonParser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *jsonParser) peek() byte {
	if p.space(); p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *jsonParser) value(depth int) Value {
	if depth > MaxDepth {
		p.fail(fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.word("true"):
		return true
	case p.word("false"):
		return false
	case p.word("null"):
		return Null
	}
	p.fail("unexpected " + p.here() + ", a value was expected")
	return nil
}

func (p *jsonParser) word(w string) bool {
	if strings.HasPrefix(p.s[p.i:], w) {
		p.i += len(w)
		return true
	}
	return false
}

func (p *jsonParser) array(depth int) Value {
	p.i++
	list := []Value{}
	if p.peek() == ']' {
		p.i++
		return list
	}
	for {
		list = append(list, p.value(depth+1))
		switch p.peek() {
		case ',':
			p.i++
		case ']':
			p.i++
			return list
		default:
			p.fail("unexpected " + p.here() + `, "," or "]" was expected`)
		}
	}
}

func (p *jsonParser) object(depth int) Value {
	p.i++
	o := &Object{}
	special, specialAt := "", 0 // a key that begins with a single $
	if p.peek() == '}' {
		p.i++
		return o
	}
	for {
		if p.peek() != '"' {
			p.fail("unexpected " + p.here() + ", a key in quotes was expected")
		}
		at := p.i
		key := p.string()
		if !p.plain && strings.HasPrefix(key, "$") {
			if strings.HasPrefix(key, "$$") {
				key = key[1:]
			} else {
				special, specialAt = key, at
			}
		}
		if p.peek() != ':' {
			p.fail("unexpected " + p.here() + `, ":" was expected`)
		}
		p.i++
		o.Set(key, p.value(depth+1))
		switch p.peek() {
		case ',':
			p.i++
		case '}':
			end := p.i + 1
			p.i = end
			if special == "" {
				return o
			}
			v, problem := specialValue(special, o)
			if problem != "" {
				p.failAt(specialAt, problem)
			}
			return v
		default:
			p.fail("unexpected " + p.here() + `, "," or "}" was expected`)
		}
	}
}

// specialValue returns what an object with the key $… stands for, or what is wrong with it.
func specialValue(key string, o *Object) (v Value, problem string) {
	v, _ = o.Get(key)
	text, isText := v.(string)
	switch key {
	case "$undefined":
		if v != true {
			return nil, "$undefined must be true"
		}
		v = nil
	case "$number":
		switch text {
		case "NaN":
			v = math.NaN()
		case "Infinity":
			v = math.Inf(1)
		case "-Infinity":
			v = math.Inf(-1)
		case "-0":
			v = math.Copysign(0, -1)
		default:
			return nil, `$number must be "NaN", "Infinity", "-Infinity" or "-0"`
		}
	case "$date":
		t, err := parseDate(text)
		if err != nil {
			return nil, "$date must be a date of RFC 3339"
		}
		v = t
	case "$bigint":
		b, err := jsontext.ParseBigInt(text)
		if err != nil {
			return nil, "$bigint " + err.Error()
		}
		v = b
	case "$xml":
		n, err := ParseXML(text)
		if err != nil {
			return nil, "$xml: " + err.Error()
		}
		v = n
	case "$function":
		if !isText {
			return nil, "$function must be a string"
		}
		v = Function(text)
	default:
		return nil, fmt.Sprintf("unknown key %q (a key that begins with $ is written with one more $)", key)
	}
	if o.Len() != 1 {
		return nil, fmt.Sprintf("an object with the key %q must have no other", key)
	}
	return v, ""
}

func (p *jsonParser) number() Value {
	start := p.i
	digits := func() int {
		n := 0
		for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
			p.i++
			n++
		}
		return n
	}
	if p.s[p.i] == '-' {
		p.i++
	}
	zero := p.i < len(p.s) && p.s[p.i] == '0'
	if n := digits(); n == 0 {
		p.fail("unexpected " + p.here() + ", a digit was expected")
	} else if zero && n > 1 {
		p.failAt(start, "a number must not begin with 0")
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		p.i++
		if digits() == 0 {
			p.fail("unexpected " + p.here() + ", a digit was expected")
		}
	}
	if p.i < len(p.s) && p.s[p.i]|0x20 == 'e' {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if digits() == 0 {
			p.fail("unexpected " + p.here() + ", a digit was expected")
		}
	}
	v, _ := parseNumber(p.s[start:p.i])
	return v
}

// parseNumber returns the Value of a decimal number; what is too large is infinite, as in JSON.parse.
func parseNumber(s string) (Value, bool) {
	if len(s) < 16 {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil && (i != 0 || s[0] != '-') {
			return i, true
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return nil, false
	}
	return Number(f), true
}

func (p *jsonParser) string() string {
	open := p.i
	p.i++
	start := p.i
	for p.i < len(p.s) { // the usual case: nothing to rewrite
		c := p.s[p.i]
		if c == '"' {
			s := p.s[start:p.i]
			p.i++
			return validString(s)
		}
		if c == '\\' || c < ' ' {
			break
		}
		p.i++
	}
	b := []byte(p.s[start:p.i])
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return validString(string(b))
		case c < ' ':
			p.fail(fmt.Sprintf("control character %#02x in a string", c))
		case c == '\\':
			b = p.escape(b)
		default:
			b = append(b, c)
			p.i++
		}
	}
	p.failAt(open, "string without end")
	return ""
}

func (p *jsonParser) escape(b []byte) []byte {
	if p.i+1 >= len(p.s) {
		p.fail("string without end")
	}
	c := p.s[p.i+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		p.i += 2
		return append(b, "\"\\/\b\f\n\r\t"[i])
	}
	if c != 'u' {
		p.fail("unknown escape in a string")
	}
	r := p.hex(p.i)
	if r < 0 {
		p.fail(`\u must be followed by four hexadecimal digits`)
	}
	p.i += 6
	if utf16.IsSurrogate(r) {
		low := p.hex(p.i)
		pair := utf16.DecodeRune(r, low)
		if r = pair; pair != utf8.RuneError {
			p.i += 6
		}
	}
	return utf8.AppendRune(b, r)
}

// hex returns the code unit of the escape \uXXXX at i, or -1.
func (p *jsonParser) hex(i int) rune {
	if i+6 > len(p.s) || p.s[i] != '\\' || p.s[i+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range []byte(p.s[i+2 : i+6]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if c >= '0' && c <= '9' {
			d = int(c - '0')
		}
		if d < 0 {
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}
