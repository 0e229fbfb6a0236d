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

// ParseJSON reads what [AppendJSON] writes: JSON, with objects for the values that JSON lacks. An
// object with another key that begins with a single $ is an error.
//
// The order of keys is kept; of equal keys the last counts. Bytes that are not UTF-8 and lone
// surrogates become U+FFFD. The error is a *[JSONError].
func ParseJSON(data []byte) (Value, error) { return parseJSON(string(data), false) }

// ParsePlainJSON is like [ParseJSON] for the content of documents and messages, in which a key that
// begins with $ has no special meaning.
func ParsePlainJSON(text string) (Value, error) { return parseJSON(text, true) }

// ParseStrictJSON is like [ParseJSON] for what a program or a person wrote by hand: what ParseJSON
// would drop or replace is an error. That is a key that an object has twice, text that is not UTF-8,
// half of a surrogate pair, and a number that is too large.
func ParseStrictJSON(data []byte) (Value, error) {
	return parse(&jsonParser{strict: true}, string(data))
}

// CheckJSON returns the error of [ParseStrictJSON], for a text in which a key that begins with $ has
// no special meaning. What it accepts, package encoding/json reads without loss, but for the case of
// names.
func CheckJSON(data []byte) error {
	_, err := parse(&jsonParser{plain: true, strict: true}, string(data))
	return err
}

// A JSONError says what is wrong with a JSON text, and where.
type JSONError struct {
	Offset    int // in bytes
	Line, Col int // Col in characters; 1 is the first
	Msg       string
}

// Error returns line, column and message.
func (e *JSONError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

func parseJSON(text string, plain bool) (Value, error) {
	return parse(&jsonParser{plain: plain}, text)
}

func parse(p *jsonParser, text string) (Value, error) {
	p.Reader = jsontext.Reader{Text: text}
	v, failed := p.parse()
	if failed != nil {
		pos := advance(Position{Line: 1, Col: 1}, text[:failed.At])
		return nil, &JSONError{Offset: failed.At, Line: pos.Line, Col: pos.Col, Msg: failed.Msg}
	}
	return v, nil
}

type jsonParser struct {
	jsontext.Reader
	plain  bool // a key that begins with $ is a key like any other
	exact  bool // an integer that a number cannot hold exactly is an error
	strict bool // what would be dropped or replaced is an error
}

func (p *jsonParser) parse() (v Value, err *jsontext.Error) {
	defer jsontext.Catch(&err)
	v = p.value(0)
	if p.Peek(); p.At < len(p.Text) {
		p.Unexpected(" after the value")
	}
	return v, nil
}

func (p *jsonParser) value(depth int) Value {
	if depth > MaxDepth {
		p.Fail("nested deeper than %d levels", MaxDepth)
	}
	switch c := p.Peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.Word("true"):
		return true
	case p.Word("false"):
		return false
	case p.Word("null"):
		return Null
	}
	p.Unexpected(", a value was expected")
	return nil
}

func (p *jsonParser) array(depth int) Value {
	list := []Value{}
	p.Each('[', ']', func() { list = append(list, p.value(depth+1)) })
	return list
}

func (p *jsonParser) object(depth int) Value {
	o := &Object{}
	special, specialAt := "", 0 // a key that begins with a single $
	p.Each('{', '}', func() {
		if p.Peek() != '"' {
			p.Unexpected(", a key in quotes was expected")
		}
		at := p.At
		key := p.string()
		if !p.plain && strings.HasPrefix(key, "$") {
			if strings.HasPrefix(key, "$$") {
				key = key[1:]
			} else {
				special, specialAt = key, at
			}
		}
		if _, twice := o.Get(key); twice && p.strict {
			p.FailAt(at, "the key %s is there twice", jsontext.AppendString(nil, key))
		}
		if !p.Take(':') {
			p.Unexpected(`, ":" was expected`)
		}
		o.Set(key, p.value(depth+1))
	})
	if special == "" {
		return o
	}
	v, problem := specialValue(special, o)
	if problem != "" {
		p.FailAt(specialAt, "%s", problem)
	}
	return v
}

// specialValue returns the value of an object with the key $…, or what is wrong with it.
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
		f, known := jsontext.Numbers[text]
		if !known {
			return nil, `$number must be "NaN", "Infinity", "-Infinity" or "-0"`
		}
		v = f
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
	start := p.At
	n, f, isInt := p.Number()
	if isInt {
		return n
	}
	text := p.Text[start:p.At]
	if p.exact && isLargeInteger(text) {
		p.FailAt(start, "%s", tooLarge(text))
	}
	if p.strict && math.IsInf(f, 0) {
		p.FailAt(start, "the number %.40s is too large: want at most 1.7976931348623157e308", text)
	}
	return Number(f)
}

// parseNumber returns the Value of a decimal number, which is infinite if it is too large, as in
// JSON.parse.
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
	start := p.At
	s, wide := p.String()
	if p.strict && wide != nil {
		p.FailAt(start, `half of a surrogate pair in a string: want two escapes, such as \ud83d\ude00`)
	}
	if p.strict && !utf8.ValidString(s) {
		p.FailAt(start, "a string is not UTF-8")
	}
	if wide != nil {
		return string(utf16.Decode(wide))
	}
	return validString(s)
}
