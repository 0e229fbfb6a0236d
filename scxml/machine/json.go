package machine

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// This file is the JSON of snapshots. Package encoding/json would be part of each program with a machine, used or not.

// A problem is what is wrong with a snapshot, or with what is to be saved. It is thrown, see catch.
type problem struct{ error }

func throw(format string, args ...any) { panic(&problem{fmt.Errorf(format, args...)}) }

// catch stores a problem that was thrown. Defer it.
func catch(err *error) {
	switch x := recover().(type) {
	case nil:
	case *problem:
		*err = x.error
	default:
		panic(x)
	}
}

// within says where a problem is. Defer it.
func within(format string, args ...any) {
	switch x := recover().(type) {
	case nil:
	case *problem:
		panic(&problem{fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), x.error)})
	default:
		panic(x)
	}
}

// special are the numbers that JSON lacks.
var special = [...]string{"NaN", "Infinity", "-Infinity", "-0"}

// appendValue appends a value in the form of package datamodel's AppendJSON.
func appendValue(dst []byte, v any) []byte { return appendPart(dst, v, false, 0) }

// AppendData appends data of an event or a <log> in the form of package datamodel's AppendJSON.
func AppendData(dst []byte, v any) (text []byte, err error) {
	defer catch(&err)
	return appendValue(dst, v), nil
}

// appendPart does so for a part, which may be inside of Fields and the like: nil is undefined there, see [js.From].
func appendPart(dst []byte, v any, neutral bool, depth int) []byte {
	if depth > maxDepth { // it may contain itself
		throw("it is nested too deep")
	}
	switch v := v.(type) {
	case Fields:
		dst = append(dst, '{')
		for i, f := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if strings.HasPrefix(f.Name, "$") {
				f.Name = "$" + f.Name
			}
			dst = appendPart(append(appendString(dst, f.Name), ':'), f.Value, true, depth+1)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if item == nil && !neutral {
				item = Null
			}
			dst = appendPart(dst, item, neutral, depth+1)
		}
		return append(dst, ']')
	case *js.Object: // a part of a message, which does not contain itself
		return appendPart(dst, v.Data(), true, depth+1)
	case time.Time:
		return appendSpecial(dst, "$date", formatDate(v))
	case *big.Int:
		return appendSpecial(dst, "$bigint", v.String())
	case interface{ MarshalJSON() ([]byte, error) }: // of a data model: others write something else than AppendJSON
		_, object := v.(interface{ Get(name string) (any, bool) })
		if typ := strings.TrimPrefix(fmt.Sprintf("%T", v), "*"); !object && !strings.HasPrefix(typ, "datamodel.") {
			break
		}
		text, err := v.MarshalJSON()
		if err != nil {
			throw("%w", err)
		}
		return append(dst, text...)
	}
	x, ok := js.ValueOf(v)
	if !ok || x.Type() == js.TypeObject {
		return appendPart(dst, fromHost(v, neutral), true, depth+1)
	}
	switch x.Type() {
	case js.TypeUndefined:
		return append(dst, `{"$undefined":true}`...)
	case js.TypeString:
		return appendString(dst, x.Text())
	case js.TypeNumber:
		name := x.ToText()
		if name == "0" && math.Signbit(x.Number()) {
			name = "-0"
		}
		if slices.Contains(special[:], name) {
			return appendSpecial(dst, "$number", name)
		}
	}
	return append(dst, x.ToText()...)
}

// fromHost returns what js.From makes of what the host has given, which may be inside of Fields and the like.
func fromHost(v any, neutral bool) any {
	if neutral {
		v = Fields{{Value: v}}
	}
	x, err := js.From(v)
	if err != nil {
		throw("%w", err)
	}
	if neutral {
		v, _ = x.Object().Get("")
		return v
	}
	return x.Any()
}

// appendSpecial appends what JSON lacks.
func appendSpecial(dst []byte, key, text string) []byte {
	return append(appendString(append(appendString(append(dst, '{'), key), ':'), text), '}')
}

// formatDate returns t as RFC 3339 in UTC. Years that do not have four digits have a sign and six digits.
func formatDate(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%+07d%s", y, t.Format("-01-02T15:04:05.999999999Z07:00"))
	}
	return t.Format(time.RFC3339Nano)
}

// hidden are the characters that cannot be seen, or that do something to the text around them, as package datamodel has
// them; those that join letters, or choose how one looks, are here in any case.
var hidden = [...][2]rune{
	{0x00, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},
	{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
}

// appendString appends a string in quotes. Hidden characters are escaped, so that the text can be shown in a terminal.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= ' ' && r < 0x7F:
			dst = append(dst, byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case slices.ContainsFunc(hidden[:], func(span [2]rune) bool { return span[0] <= r && r <= span[1] }):
			for _, u := range utf16.AppendRune(nil, r) {
				dst = fmt.Appendf(dst, `\u%04x`, u)
			}
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// A reader reads JSON.
type reader struct {
	text  string
	at    int
	depth int
}

// maxDepth is how deep values may be: sessions save what is deeper in another way.
const maxDepth = 1000

// whole reads a text that is one value.
func whole[T any](text string, read func(*reader) T) T {
	r := &reader{text: text}
	v := read(r)
	if r.peek(); r.at < len(r.text) {
		r.unexpected()
	}
	return v
}

func (r *reader) unexpected() {
	throw("it is not JSON, at %q", r.text[r.at:min(len(r.text), r.at+20)])
}

// peek returns what comes after white space, or 0 at the end.
func (r *reader) peek() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

func (r *reader) take(what string) bool {
	r.peek()
	if !strings.HasPrefix(r.text[r.at:], what) {
		return false
	}
	r.at += len(what)
	return true
}

func (r *reader) expect(what string) {
	if !r.take(what) {
		r.unexpected()
	}
}

// each calls item for each item of an array or an object, which then reads it.
func (r *reader) each(open, end string, item func()) {
	if r.depth++; r.depth > maxDepth {
		throw("it is nested too deep")
	}
	r.expect(open)
	for n := 0; !r.take(end); n++ {
		if n > 0 {
			r.expect(",")
		}
		item()
	}
	r.depth--
}

// members calls member for each member of an object, which then reads its value.
func (r *reader) members(member func(name string)) {
	r.each("{", "}", func() {
		name := r.string()
		r.expect(":")
		member(name)
	})
}

// skip reads a value and returns its text.
func (r *reader) skip() string {
	r.peek()
	start := r.at
	switch c := r.peek(); c {
	case '{':
		r.members(func(string) { r.skip() })
	case '[':
		r.each("[", "]", func() { r.skip() })
	case '"':
		r.quoted()
	default:
		r.scalar()
	}
	return r.text[start:r.at]
}

// quoted reads a string and returns what is between the quotes.
func (r *reader) quoted() string {
	r.expect(`"`)
	for i := r.at; i < len(r.text) && r.text[i] >= ' '; i++ {
		switch r.text[i] {
		case '\\':
			i++
		case '"':
			s := r.text[r.at:i]
			r.at = i + 1
			return s
		}
	}
	r.unexpected()
	return ""
}

// string reads a string. Half of a surrogate pair is a problem.
func (r *reader) string() string {
	start, s := r.at, r.quoted()
	if strings.IndexByte(s, '\\') < 0 && utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			char, n := utf8.DecodeRuneInString(s[i:])
			out = utf8.AppendRune(out, char)
			i += n
			continue
		}
		const names, chars = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
		if at := strings.IndexByte(names, s[i+1]); at >= 0 {
			out = append(out, chars[at])
			i += 2
			continue
		}
		char, n := unit(s[i:]), 6
		if utf16.IsSurrogate(char) {
			if char, n = utf16.DecodeRune(char, unit(s[i+6:])), 12; char == utf8.RuneError {
				throw("it has half of a surrogate pair, %s, which a compiled chart cannot hold", s[i:i+6])
			}
		}
		if char < 0 {
			r.at = start
			r.unexpected()
		}
		out = utf8.AppendRune(out, char)
		i += n
	}
	return string(out)
}

// unit returns the unit of UTF-16 that a text begins with as an escape, or -1.
func unit(s string) rune {
	if len(s) < 6 || !strings.HasPrefix(s, `\u`) {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// scalar reads a number, true, false or null.
func (r *reader) scalar() any {
	switch {
	case r.take("true"):
		return true
	case r.take("false"):
		return false
	case r.take("null"):
		return Null
	}
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	n, err := strconv.ParseFloat(r.text[start:r.at], 64)
	if err != nil {
		r.at = start
		r.unexpected()
	}
	return n
}

// value is the inverse of appendValue: objects are Fields, arrays []any.
func (r *reader) value() any {
	switch r.peek() {
	case '{':
		return r.object()
	case '[':
		return append([]any{}, list((*reader).value)(r)...)
	case '"':
		return r.string()
	}
	return r.scalar()
}

// manyFields is the number of fields from which on they are looked up in a map.
const manyFields = 16

// object reads an object, or a value that JSON lacks.
func (r *reader) object() any {
	fields, key := Fields{}, ""
	var index map[string]int // of many fields
	r.members(func(name string) {
		if strings.HasPrefix(name, "$$") {
			name = name[1:]
		} else if strings.HasPrefix(name, "$") {
			key = name
		}
		value := r.value()
		if len(fields) < manyFields {
			fields.Set(name, value)
			return
		}
		if index == nil {
			index = map[string]int{}
			for i, f := range fields {
				index[f.Name] = i
			}
		}
		if i, ok := index[name]; ok {
			fields[i].Value = value
			return
		}
		index[name] = len(fields)
		fields = append(fields, Field{Name: name, Value: value})
	})
	if key == "" {
		return fields
	}
	value, _ := fields.Get(key)
	switch text, _ := value.(string); {
	case len(fields) > 1:
	case key == "$undefined" && value == true:
		return nil
	case key == "$number" && slices.Contains(special[:], text):
		return js.ParseNumber(text)
	}
	throw("it is a value that a compiled chart cannot hold, with the key %q in the snapshot", key)
	return nil
}

// A saved is an object of a snapshot: the texts of its members, which are taken from it one by one.
type saved map[string]string

func (r *reader) saved() saved {
	o := saved{}
	r.members(func(name string) {
		if o[name] != "" {
			throw("the field %q is there twice", name)
		}
		o[name] = r.skip()
	})
	return o
}

// raw takes a member, which is "" if it is not there.
func (o saved) raw(name string) string {
	text := o[name]
	delete(o, name)
	return text
}

// take takes a member as what read reads, or the zero value if it is not there.
func take[T any](o saved, name string, read func(*reader) T) (v T) {
	if text := o.raw(name); text != "" {
		defer within("the field %q", name)
		v = whole(text, read)
	}
	return v
}

func (o saved) text(name string) string     { return take(o, name, (*reader).string) }
func (o saved) object(name string) saved    { return take(o, name, (*reader).saved) }
func (o saved) texts(name string) []string  { return take(o, name, list((*reader).string)) }
func (o saved) objects(name string) []saved { return take(o, name, list((*reader).saved)) }
func (o saved) int(name string) int         { return int(o.integer(name, strconv.IntSize-1)) }
func (o saved) number(name string) uint64   { return o.integer(name, 63) }
func (o saved) time(name string) (t time.Time) {
	if err := t.UnmarshalText([]byte(o.text(name))); err != nil {
		throw("the field %q: %w", name, err)
	}
	return t
}

// integer takes an integer from 0 on that has room in so many bits.
func (o saved) integer(name string, bits int) (n uint64) {
	if text := o.raw(name); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, bits); err != nil {
			throw("the field %q is %s: want an integer from 0 on, of at most %d bits", name, text, bits)
		}
	}
	return n
}

func (o saved) bool(name string) bool {
	text := o.raw(name)
	if text != "" && text != "true" && text != "false" {
		throw("the field %q is %s: want true or false", name, text)
	}
	return text == "true"
}

// list reads an array.
func list[T any](read func(*reader) T) func(*reader) []T {
	return func(r *reader) (all []T) {
		r.each("[", "]", func() { all = append(all, read(r)) })
		return all
	}
}

// end reports what has not been taken.
func (o saved) end() {
	for name := range o {
		throw("unknown field %q", name)
	}
}
