package graph

import (
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// A building is an object, or a part of one, of which the contents are being read.
type building struct {
	object *goja.Object
	state  buildState
	part   bool   // it is a part of the special object below it on the stack
	begun  bool   // something was read
	from   int    // of a list: where its items begin in values
	list   listOf // of a list
	key    string // which property or member is being read
	extras
}

type buildState uint8

const (
	inObject  buildState = iota // properties
	inList                      // items
	inSpecial                   // an object whose first key tells what it is
)

type listOf uint8

const (
	listArray listOf = iota
	listMap
	listSet
)

// Extras are what a special object has, and is given once it has all its properties.
type extras struct {
	view       func(of goja.Value) *goja.Object // makes the object of what $of says
	slot       int                              // of an object that view makes: its number
	data       *goja.Value                      // of an event
	literal    *function
	array      bool
	frozen     bool
	sealed     bool
	fixed      bool
	length     bool // of an array: the length cannot be changed
	attributes []attribute
}

type attribute struct{ key, flags string }

// read reads a value with all that belongs to it.
func (l *loader) read() goja.Value {
	base := len(l.stack)
	v := l.value()
	for {
		if v != nil {
			if len(l.stack) == base {
				return v
			}
			l.accept(v)
		}
		v = l.next()
	}
}

// value reads a value. Of an object that has contents it reads the beginning,
// puts the rest on the stack and returns nil.
func (l *loader) value() goja.Value {
	vm := l.VM
	switch c := l.peek(); c {
	case '{':
		l.at++
		switch l.peek() {
		case '}':
			l.at++
			return l.create('{')
		case '"':
			if rest := l.data[l.at:]; len(rest) > 2 && rest[1] == '$' && rest[2] != '$' {
				return l.special()
			}
		}
		l.push(building{object: l.create('{'), state: inObject})
		return nil
	case '[':
		l.at++
		l.push(building{object: l.create('['), state: inList, from: len(l.values)})
		return nil
	}
	l.plain()
	switch c := l.peek(); {
	case c == '"':
		return l.stringValue(vm)
	case c == '-' || c-'0' <= 9:
		n, f, isInt := l.number()
		if isInt {
			return vm.ToValue(n)
		}
		return vm.ToValue(f)
	case l.word("true"):
		return vm.ToValue(true)
	case l.word("false"):
		return vm.ToValue(false)
	case l.word("null"):
		return goja.Null()
	}
	l.damaged("a value expected")
	return nil
}

// plain says that what is read is none of those that "deep" announced.
func (l *loader) plain() {
	if l.target >= 0 {
		l.damaged("a value of another kind than announced")
	}
}

func (l *loader) push(b building) {
	if len(l.stack) >= maxSavedDepth {
		l.damaged("nested deeper than %d levels", maxSavedDepth)
	}
	l.stack = append(l.stack, b)
}

// create makes an empty object of a kind that may be announced.
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
	vm := l.VM
	switch kind {
	case '[':
		return vm.NewArray()
	case '{':
		return vm.NewObject()
	case 'n':
		return vm.CreateObject(nil)
	case 'm':
		return native.Must1(vm.New(l.class("Map")))
	case 's':
		return native.Must1(vm.New(l.class("Set")))
	}
	l.damaged("an unknown kind of object")
	return nil
}

// deep makes the objects that are read later.
func (l *loader) deep() {
	l.kinds = l.text()
	for i := range len(l.kinds) {
		l.more = append(l.more, l.empty(l.kinds[i]))
	}
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
		l.damaged("there is no constructor %s", name)
	}
	return o
}

// next reads on in what is on top of the stack. It returns an object that is
// complete, or nil.
func (l *loader) next() goja.Value {
	b := &l.stack[len(l.stack)-1]
	switch b.state {
	case inObject:
		if l.take('}') {
			return l.finish()
		}
		l.comma(b)
		key := l.text()
		if strings.HasPrefix(key, "$") {
			if key = key[1:]; !strings.HasPrefix(key, "$") {
				l.damaged("%q cannot be the key of a property", "$"+key)
			}
		}
		b.key = key
		l.expect(':')
		return l.value()
	case inList:
		if l.take(']') {
			return l.finish()
		}
		l.comma(b)
		return l.value()
	}
	if l.take('}') {
		return l.finish()
	}
	l.expect(',')
	key := l.text()
	l.expect(':')
	return l.member(b, key)
}

func (l *loader) comma(b *building) {
	if b.begun {
		l.expect(',')
	}
	b.begun = true
}

// accept gives a value to what is on top of the stack.
func (l *loader) accept(v goja.Value) {
	b := &l.stack[len(l.stack)-1]
	switch b.state {
	case inObject:
		l.SetProperty(b.object, b.key, v)
	case inList:
		l.values = append(l.values, v)
	case inSpecial:
		l.acceptMember(b, v)
	}
}

// finish ends what is on top of the stack.
func (l *loader) finish() goja.Value {
	b := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	switch b.state {
	case inList:
		l.fill(b.object, b.list, l.values[b.from:])
		clear(l.values[b.from:])
		l.values = l.values[:b.from]
	case inSpecial:
		l.complete(&b)
	}
	if b.part {
		return nil
	}
	return b.object
}

// fill puts items into an array, a Map or a Set.
func (l *loader) fill(o *goja.Object, kind listOf, items []goja.Value) {
	switch kind {
	case listMap:
		if len(items)%2 != 0 {
			l.damaged("a map with a key that has no value")
		}
		for i := 0; i < len(items); i += 2 {
			l.in.setInMap(goja.FunctionCall{This: o, Arguments: items[i : i+2]})
		}
		return
	case listSet:
		for i := range items {
			l.in.addToSet(goja.FunctionCall{This: o, Arguments: items[i : i+1]})
		}
		return
	}
	full := true
	for _, v := range items {
		full = full && v != nil
	}
	if full {
		l.in.push(goja.FunctionCall{This: o, Arguments: items})
		return
	}
	for i, v := range items {
		if v != nil {
			native.Must(o.Set(strconv.Itoa(i), v))
		}
	}
	native.Must(o.Set("length", len(items)))
}

// numberNames are the numbers that JSON does not know.
var numberNames = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0": math.Copysign(0, -1)}

// special reads an object whose first key says what it is.
func (l *loader) special() goja.Value {
	vm := l.VM
	kind := l.text()
	l.expect(':')
	switch kind {
	case "$hole":
		if n := len(l.stack); n == 0 || l.stack[n-1].state != inList || l.stack[n-1].list != listArray {
			l.damaged("a hole that is not in an array")
		}
		n := int(l.integer(int64(l.holes)))
		l.holes -= n
		l.values = append(l.values, make([]goja.Value, n)...)
		l.expect('}')
		return nil
	case "$undefined":
		l.yes()
		return l.single(goja.Undefined())
	case "$number":
		f, ok := numberNames[l.text()]
		if !ok {
			l.damaged("an unknown number")
		}
		return l.single(vm.ToValue(f))
	case "$bigint":
		n, err := jsontext.ParseBigInt(l.text())
		if err != nil {
			l.damaged("a BigInt %w", err)
		}
		return l.single(vm.ToValue(n))
	case "$symbol":
		symbol, ok := symbols[l.text()]
		if !ok {
			l.damaged("an unknown symbol")
		}
		return l.single(symbol)
	case "$ref":
		o := l.numbered[l.integerBelow(len(l.numbered))]
		if o == nil {
			l.damaged("a reference to what is not there yet")
		}
		return l.single(o)
	case "$more":
		return l.single(l.more[l.integerBelow(len(l.more))])
	case "$library":
		return l.single(l.library(l.text()))
	case "$native":
		name := l.text()
		o, ok := l.Natives[name]
		if !ok {
			l.damaged("the host has no function %q any more", name)
		}
		return l.single(o)
	case "$system":
		name := l.text()
		if name != syntax.SysIO && name != syntax.SysPlatform && name != syntax.PredicateIn {
			l.damaged("%q is not of the system", name)
		}
		return l.single(l.SystemVariable(name))
	case "$processor":
		key := l.text()
		v := l.SystemVariable(syntax.SysIO).(*goja.Object).Get(key)
		if v == nil {
			l.damaged("there is no Event I/O Processor %q any more", key)
		}
		return l.single(v)
	}
	l.object(kind)
	return nil
}

// single returns a value that the end of its object has to follow.
func (l *loader) single(v goja.Value) goja.Value {
	l.plain()
	l.expect('}')
	return v
}

func (l *loader) yes() {
	if !l.word("true") {
		l.damaged("true expected")
	}
}

func (l *loader) integerBelow(n int) int {
	if n == 0 {
		l.damaged("a reference to what is not there")
	}
	return int(l.integer(int64(n - 1)))
}
