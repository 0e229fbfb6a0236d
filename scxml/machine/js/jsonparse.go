package js

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ParseJSON is JSON.parse with two arguments.
func ParseJSON(text, reviver Value) Value {
	s := text.ToText()
	checkNesting(s)
	p := jsonParser{text: s}
	v := p.document()
	if o := reviver.object(); o != nil && o.class == function {
		return revive(o.more.call, "", v, 0)
	}
	return v
}

// checkNesting throws if JSON text is nested deeper than the interpreter parses.
func checkNesting(text string) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxNested {
				throwText("RangeError: the JSON text is nested deeper than 1000 levels")
			}
		case c == ']' || c == '}':
			depth--
		}
	}
}

// revive returns what a function makes of a value and of all that is in it.
func revive(f Func, name string, v Value, depth int) Value {
	if depth > maxNested {
		throwText("RangeError: functions of the library are nested deeper than 1000 levels")
	}
	if o := v.object(); o != nil {
		names := o.names()
		if o.class == array { // with the holes that f makes
			names = make([]string, len(o.values))
			for i := range names {
				names[i] = strconv.Itoa(i)
			}
		}
		for _, name := range names {
			if item := revive(f, name, o.get(name), depth+1); item.IsUndefined() {
				Delete(v, name)
			} else {
				Set(v, name, item)
			}
		}
	}
	return f([]Value{String(name), v})
}

// A jsonParser parses JSON. Its messages are those of Go's encoding/json, token by token, as goja has them.
type jsonParser struct {
	text   string
	at     int
	exact  bool // an integer beyond 2^53 is an error
	shapes shapes
}

func (p *jsonParser) fail(msg string) { throwText("SyntaxError: " + msg) }

// unexpected fails at the character c.
func (p *jsonParser) unexpected(c byte, context string) {
	quoted := strconv.Quote(string(rune(c)))
	switch quoted = quoted[1 : len(quoted)-1]; c {
	case '\'':
		quoted = `\'`
	case '"':
		quoted = `"`
	}
	p.fail("invalid character '" + quoted + "'" + context)
}

// next returns the next character that is not white space, or fails at the end of the text.
func (p *jsonParser) next() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	p.fail("Unexpected end of JSON input (EOF)")
	return 0
}

func (p *jsonParser) document() Value {
	v := p.value()
	rest := strings.TrimLeft(p.text[p.at:], " \t\r\n")
	if rest == "" {
		return v
	}
	p.fail("Unexpected token at the end: " + p.token())
	return v
}

// token returns what follows the value as Go prints a token.
func (p *jsonParser) token() (text string) {
	c := p.next()
	if c == '[' || c == '{' {
		return string(rune(c))
	}
	text = "<nil>" // an error
	_, _ = Try(func() {
		switch v := p.value(); v.typ() {
		case TypeNumber:
			text = fmt.Sprint(v.Number())
		case TypeString, TypeBool:
			text = v.ToText()
		}
	})
	return text
}

func (p *jsonParser) value() Value {
	switch c := p.next(); c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return String(p.string())
	case 't':
		p.word("true")
		return Bool(true)
	case 'f':
		p.word("false")
		return Bool(false)
	case 'n':
		p.word("null")
		return NullValue()
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return Number(p.number())
		}
		p.unexpected(c, " looking for beginning of value")
	}
	return Value{}
}

// char returns the character at p.at inside of a word, a string or a number, or fails at the end of the text.
func (p *jsonParser) char() byte {
	if p.at >= len(p.text) {
		p.fail("unexpected EOF")
	}
	return p.text[p.at]
}

func (p *jsonParser) word(word string) {
	if strings.HasPrefix(p.text[p.at:], word) {
		p.at += len(word)
		return
	}
	for i := range len(word) {
		if c := p.char(); c != word[i] {
			p.unexpected(c, " in literal "+word+" (expecting '"+word[i:i+1]+"')")
		}
		p.at++
	}
}

func (p *jsonParser) number() float64 {
	begin := p.at
	digits := func(context string) {
		if c := p.char(); c < '0' || c > '9' {
			p.unexpected(c, context)
		}
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
	}
	is := func(a, b byte) bool { return p.at < len(p.text) && (p.text[p.at] == a || p.text[p.at] == b) }
	if is('-', '-') {
		p.at++
	}
	if is('0', '0') {
		p.at++
	} else {
		digits(" in numeric literal")
	}
	integer := true
	if is('.', '.') {
		p.at++
		integer = false
		digits(" after decimal point in numeric literal")
	}
	if is('e', 'E') {
		p.at++
		integer = false
		if is('+', '-') {
			p.at++
		}
		digits(" in exponent of numeric literal")
	}
	text := p.text[begin:p.at]
	if integer && len(text) < 16 && text[0] != '-' {
		n := 0
		for i := range len(text) {
			n = 10*n + int(text[i]-'0')
		}
		return float64(n)
	}
	if p.exact && integer && compareIntegers(strings.TrimPrefix(text, "-"), "9007199254740992") > 0 {
		ThrowValue(String(text))
	}
	return parseDecimal(text)
}

// string parses the string that begins at p.at.
func (p *jsonParser) string() string {
	begin := p.at + 1
	for i := begin; i < len(p.text); i++ { // most strings have no escapes
		if c := p.text[i]; c == '"' {
			p.at = i + 1
			return p.text[begin:i]
		} else if c < ' ' || c == '\\' {
			p.at = i
			return p.escaped(begin)
		}
	}
	p.fail("unexpected EOF")
	return ""
}

// escaped parses the rest of a string with an escape at p.at.
func (p *jsonParser) escaped(begin int) string {
	out := []byte(p.text[begin:p.at])
	for {
		c := p.char()
		p.at++
		switch {
		case c == '"':
			return string(out)
		case c < ' ':
			p.unexpected(c, " in string literal")
		case c != '\\':
			out = append(out, c)
			continue
		}
		c = p.char()
		p.at++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := p.unit()
			if utf16.IsSurrogate(r) {
				at := p.at
				second := rune(0)
				if strings.HasPrefix(p.text[at:], `\u`) {
					p.at += 2
					second = p.unit()
				}
				if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
					p.at = at
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			p.unexpected(c, " in string escape code")
		}
	}
}

// unit parses four hexadecimal digits.
func (p *jsonParser) unit() (r rune) {
	for range 4 {
		c := p.char()
		d := digit(c)
		if d > 15 {
			p.unexpected(c, ` in \u hexadecimal character escape`)
		}
		r = r<<4 | rune(d)
		p.at++
	}
	return r
}

func (p *jsonParser) array() Value {
	p.at++
	var items []Value
	if p.next() == ']' {
		p.at++
		return Array()
	}
	for {
		items = append(items, p.value())
		switch c := p.next(); c {
		case ',':
			p.at++
		case ']':
			p.at++
			return list(items)
		default:
			p.unexpected(c, " after array element")
		}
	}
}

func (p *jsonParser) object() Value {
	p.at++
	b := builder{shapes: &p.shapes}
	if p.next() == '}' {
		p.at++
		return b.done()
	}
	context := "" // as encoding/json has it for the first key
	for {
		c := p.next()
		if c != '"' {
			p.unexpected(c, context)
		}
		context = " looking for beginning of object key string"
		name := p.string()
		if c = p.next(); c != ':' {
			p.unexpected(c, " after object key")
		}
		p.at++
		if err := b.add(name, p.value()); err != nil {
			notCompiled(name)
		}
		switch c = p.next(); c {
		case ',':
			p.at++
		case '}':
			p.at++
			return b.done()
		default:
			p.unexpected(c, " after object key:value pair")
		}
	}
}

// takeNumber takes a json.Number.
func takeNumber(text string) (Value, *fault) {
	if text == "" {
		return Number(0), nil // as encoding/json has it
	}
	p := jsonParser{text: text, exact: true}
	v, err := p.try(func() Value { return Number(p.number()) })
	if err == nil && p.at < len(text) || err != nil && err.msg != "" {
		return Value{}, &fault{msg: "invalid number " + strconv.Quote(text)}
	}
	return v, err
}

// takeJSON takes a json.RawMessage.
func takeJSON(text []byte) (Value, *fault) {
	if text == nil {
		return NullValue(), nil
	}
	p := jsonParser{text: validText(string(text)), exact: true}
	return p.try(func() Value {
		checkNesting(p.text)
		return p.document()
	})
}

// try returns what failed in f.
func (p *jsonParser) try(f func() Value) (v Value, err *fault) {
	thrown, failed := Try(func() { v = f() })
	switch {
	case failed && thrown.typ() == TypeString:
		return Value{}, largeInteger(thrown.Text())
	case failed:
		return Value{}, &fault{msg: "cannot read the json.RawMessage: " + thrown.Object().get("message").ToText()}
	}
	return v, nil
}
