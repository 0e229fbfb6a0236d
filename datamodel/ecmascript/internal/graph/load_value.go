package graph

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// string reads a string. One with half of a surrogate pair is wide.
func (l *loader) string() (s string, wide []uint16) {
	if l.Peek() != '"' {
		l.Expect('"')
	}
	s, wide = l.String()
	if !utf8.ValidString(s) {
		l.Fail("a string is not UTF-8")
	}
	return s, wide
}

// stringValue reads a string as a value of the runtime.
func (l *loader) stringValue() goja.Value {
	s, wide := l.string()
	if wide != nil {
		return goja.StringFromUTF16(wide)
	}
	return l.VM.ToValue(strings.Clone(s))
}

// integer reads an integer from 0 to most.
func (l *loader) integer(most int64) int64 {
	if c := l.Peek(); c-'0' > 9 && c != '-' {
		l.Fail("a number expected")
	}
	n, _, ok := l.Number()
	if !ok || n < 0 || n > most {
		l.Fail("an integer from 0 to %d expected", most)
	}
	return n
}

// index reads an integer below n.
func (l *loader) index(n int) int {
	if n == 0 {
		l.Fail("a reference to what is not there")
	}
	return int(l.integer(int64(n - 1)))
}

// value reads a value with all its parts.
func (l *loader) value() goja.Value {
	switch l.Peek() {
	case '{':
		if l.isSpecial() {
			return l.special()
		}
		o := l.create('{')
		l.properties(o)
		return o
	case '[':
		o := l.create('[')
		l.items(o, '[')
		return o
	}
	l.plain()
	if l.Peek() == '"' {
		return l.stringValue()
	}
	v, ok := l.primitive()
	switch {
	case !ok && v != nil:
		l.Fail("a number is not well-formed")
	case !ok:
		l.Fail("a value expected")
	case v == datamodel.Null:
		return goja.Null()
	}
	return l.VM.ToValue(v)
}

// isSpecial reports whether the next object begins with a key of ours.
func (l *loader) isSpecial() bool {
	at := l.At
	l.At++
	special := l.Peek() == '"' && len(l.Text)-l.At > 2 && l.Text[l.At+1] == '$' && l.Text[l.At+2] != '$'
	l.At = at
	return special
}

// begins reads c, a key and the colon if they are next.
func (l *loader) begins(c byte, key string) bool {
	at := l.At
	if l.Take(c) && l.Word(key) && l.Take(':') {
		return true
	}
	l.At = at
	return false
}

// plain refuses a value whose kind is not announced by "deep".
func (l *loader) plain() {
	if l.target >= 0 {
		l.Fail("a value of another kind than announced")
	}
}

// enter goes one level down, leave comes back.
func (l *loader) enter() {
	if l.depth++; l.depth > maxSavedDepth {
		l.Fail("nested deeper than %d levels", maxSavedDepth)
	}
}

func (l *loader) leave() { l.depth-- }

// create makes an empty object of a kind that "deep" may announce.
func (l *loader) create(kind byte) *goja.Object {
	if l.target >= 0 {
		if l.kinds[l.target] != kind {
			l.plain()
		}
		o := l.more[l.target]
		l.target = -1
		return o
	}
	return l.numberOf(l.empty(kind))
}

func (l *loader) empty(kind byte) *goja.Object {
	switch kind {
	case '[':
		return l.VM.NewArray()
	case '{':
		return l.VM.NewObject()
	case 'n':
		return l.VM.CreateObject(nil)
	case 'm':
		return native.Must1(l.VM.New(l.class("Map")))
	case 's':
		return native.Must1(l.VM.New(l.class("Set")))
	}
	l.Fail("an unknown kind of object")
	return nil
}

// numberOf gives o the next number.
func (l *loader) numberOf(o *goja.Object) *goja.Object {
	l.plain()
	l.numbered = append(l.numbered, o)
	return o
}

// class returns a constructor of the library.
func (l *loader) class(name string) *goja.Object {
	o := native.Class(l.VM, name)
	if o == nil {
		l.Fail("the constructor %s is missing", name)
	}
	return o
}

// properties reads properties of o.
func (l *loader) properties(o *goja.Object) {
	l.enter()
	l.Each('{', '}', func() {
		key := l.key()
		if strings.HasPrefix(key, "$") {
			if key = key[1:]; !strings.HasPrefix(key, "$") {
				l.Fail("%q cannot be the key of a property", "$"+key)
			}
		}
		l.SetProperty(o, key, l.value())
	})
	l.leave()
}

// items reads the items of an array, a Map or a Set, and adds them.
func (l *loader) items(o *goja.Object, kind byte) {
	l.enter()
	base := len(l.values)
	full := true
	l.Each('[', ']', func() {
		if kind == '[' && l.begins('{', `"$hole"`) {
			n := int(l.integer(int64(l.holes)))
			l.holes -= n
			l.values = append(l.values, make([]goja.Value, n)...)
			full = false
			l.Expect('}')
			return
		}
		v := l.value() // may use the stack above
		l.values = append(l.values, v)
	})
	items := l.values[base:]
	switch {
	case kind == 'm':
		if len(items)%2 != 0 {
			l.Fail("a map with a key that has no value")
		}
		set := l.in.Func("Map.prototype.set")
		for i := 0; i < len(items); i += 2 {
			set(goja.FunctionCall{This: o, Arguments: items[i : i+2]})
		}
	case kind == 's':
		add := l.in.Func("Set.prototype.add")
		for i := range items {
			add(goja.FunctionCall{This: o, Arguments: items[i : i+1]})
		}
	case full:
		l.in.Func("Array.prototype.push")(goja.FunctionCall{This: o, Arguments: items})
	default:
		for i, v := range items {
			if v != nil {
				native.Must(o.Set(strconv.Itoa(i), v))
			}
		}
		native.Must(o.Set("length", len(items)))
	}
	clear(items)
	l.values = l.values[:base]
	l.leave()
}

// special reads an object whose first key tells its kind.
func (l *loader) special() goja.Value {
	l.Expect('{')
	kind := l.key()
	if v := l.single(kind); v != nil {
		l.plain()
		l.Expect('}')
		return v
	}
	l.enter()
	b := l.begin(kind)
	for l.Take(',') {
		l.member(b, l.key())
	}
	l.Expect('}')
	l.leave()
	return l.complete(b)
}

// single reads a value that is not a new object, or returns nil.
func (l *loader) single(kind string) goja.Value {
	switch kind {
	case "$hole":
		l.Fail("a hole that is not in an array")
	case "$undefined":
		l.yes()
		return goja.Undefined()
	case "$number":
		f, ok := jsontext.Numbers[l.text()]
		if !ok {
			l.Fail("an unknown number")
		}
		return l.VM.ToValue(f)
	case "$bigint":
		n, err := jsontext.ParseBigInt(l.text())
		if err != nil {
			l.Fail("a BigInt %v", err)
		}
		return l.VM.ToValue(n)
	case "$symbol":
		symbol, ok := symbols[l.text()]
		if !ok {
			l.Fail("an unknown symbol")
		}
		return symbol
	case "$ref":
		o := l.numbered[l.index(len(l.numbered))]
		if o == nil {
			l.Fail("a reference to what is not there yet")
		}
		return o
	case "$more":
		return l.more[l.index(len(l.more))]
	case "$library":
		return l.library(l.text())
	case "$native":
		name := l.text()
		native := l.Natives.Find(name)
		if native == nil {
			l.Fail("the host no longer has a function %q", name)
		}
		return native.Object
	case "$system":
		name := l.text()
		if name != syntax.SysIO && name != syntax.SysPlatform && name != syntax.PredicateIn {
			l.Fail("%q is not of the system", name)
		}
		return l.SystemVariable(name)
	case "$processor":
		key := l.text()
		v := l.SystemVariable(syntax.SysIO).(*goja.Object).Get(key)
		if v == nil {
			l.Fail("the session no longer has an Event I/O Processor %q", key)
		}
		return v
	}
	return nil
}

func (l *loader) yes() {
	if !l.Word("true") {
		l.Fail("true expected")
	}
}
