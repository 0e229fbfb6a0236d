package graph

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

func (s *saver) boxed(o *goja.Object, class string) error {
	s.number(o)
	v := of(s.in.unbox[class], o)
	s.buf = append(s.buf, `{"$boxed":`...)
	if err := s.primitive(v); err != nil {
		return err
	}
	if text, ok := v.(goja.String); ok {
		n := int64(text.Length())
		return s.special(o, func(p *property) bool { return p.key == "length" || isIndex(p.key, n) })
	}
	return s.special(o, nil)
}

func (s *saver) regexp(o *goja.Object) error {
	if !s.isInstance(o, "RegExp") {
		return s.instance(o)
	}
	source, ok := of(s.in.source, o).(goja.String)
	if !ok {
		return s.refuse("a regular expression without source")
	}
	s.number(o)
	s.buf = append(appendString(append(s.buf, `{"$regexp":[`...), source), ',', '"')
	for i, f := range s.in.flags {
		if of(f, o).ToBoolean() {
			s.buf = append(s.buf, flagLetters[i])
		}
	}
	s.buf = append(s.buf, '"')
	last := o.Get("lastIndex")
	if _, ok := last.(*goja.Object); ok {
		return s.refuse("a regular expression whose lastIndex is an object")
	}
	if last.ExportType() != native.TypeInt || last.ToInteger() != 0 {
		s.buf = append(s.buf, ',')
		if err := s.primitive(last); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, ']')
	return s.special(o, func(p *property) bool { return p.key == "lastIndex" })
}

// error writes an Error. All its properties are written with their attributes,
// since none of the usual ones has all.
func (s *saver) error(o *goja.Object) error {
	for _, class := range errorOf {
		if s.isInstance(o, class) {
			s.number(o)
			s.buf = append(append(append(s.buf, `{"$error":"`...), class...), '"')
			return s.special(o, func(*property) bool { return false })
		}
	}
	return s.instance(o)
}

// builtin writes an object of a class of the library that goja calls just
// Object, which only what it exports, or a function of its class, tells.
func (s *saver) builtin(o *goja.Object, t reflect.Type) error {
	switch {
	case t == native.TypeMap:
		if !s.isInstance(o, "Map") {
			return s.instance(o)
		}
		return s.collection(o, s.in.eachOfMap, s.in.collect, ofMap, `{"$map":[`)
	case t == native.TypePromise:
		return s.refuse("a promise")
	case t == native.TypeBuffer:
		if !s.isInstance(o, "ArrayBuffer") {
			return s.instance(o)
		}
		buffer := o.Export().(goja.ArrayBuffer)
		if buffer.Detached() {
			return s.refuse("a detached ArrayBuffer")
		}
		s.number(o)
		s.buf = base64.StdEncoding.AppendEncode(append(s.buf, `{"$buffer":"`...), buffer.Bytes())
		s.buf = append(s.buf, '"')
		return s.special(o, nil)
	case t == native.TypeList:
		if !s.isInstance(o, "Set") {
			return s.instance(o)
		}
		return s.collection(o, s.in.eachOfSet, s.in.collectFirst, ofSet, `{"$set":[`)
	case t.Kind() == reflect.Slice:
		return s.typedArray(o)
	case t == native.TypeBigInt && s.isInstance(o, "BigInt"):
		return s.boxed(o, "BigInt")
	case t == native.TypeString && s.isInstance(o, "Symbol"):
		return s.boxed(o, "Symbol")
	case s.isInstance(o, "DataView"):
		return s.view(o, "DataView", s.in.viewBuffer, s.in.viewOffset, s.in.viewLength)
	}
	if s.library(o) {
		return nil
	}
	for _, class := range []string{"WeakMap", "WeakSet", "WeakRef"} {
		if s.isInstance(o, class) {
			return s.refuse("a " + class)
		}
	}
	return s.instance(o)
}

// collection writes a Map or a Set.
func (s *saver) collection(o *goja.Object, each native.Func, collect goja.Value, n notion, open string) error {
	s.number(o)
	keys, values, marks, err := s.ownProperties(o, nil)
	if err != nil {
		return err
	}
	each(goja.FunctionCall{This: o, Arguments: []goja.Value{collect}})
	items := slices.Clone(s.in.found)
	clear(s.in.found)
	s.in.found = s.in.found[:0]
	if n == ofMap { // forEach tells the value first
		for i := 0; i < len(items); i += 2 {
			items[i], items[i+1] = items[i+1], items[i]
		}
	}
	close := marks + "}"
	if len(keys) > 0 {
		close = "}" + close
	}
	s.buf = append(s.buf, open...)
	s.push(frame{object: o, notion: n, items: nonNil(items), keys: keys, values: values, close: close})
	return nil
}

func (s *saver) typedArray(o *goja.Object) error {
	tag, ok := of(s.in.tag, o).(goja.String)
	if !ok || !slices.Contains(native.TypedArrays, tag.String()) || !s.isInstance(o, tag.String()) {
		return s.instance(o)
	}
	return s.view(o, tag.String(), s.in.buffer, s.in.offset, s.in.length)
}

// view writes what shows a part of a buffer.
func (s *saver) view(o *goja.Object, class string, buffer, offset, length native.Func) error {
	s.number(o)
	b := of(buffer, o).(*goja.Object)
	if b.Export().(goja.ArrayBuffer).Detached() {
		return s.refuse("a view of a detached ArrayBuffer")
	}
	n := of(length, o).ToInteger()
	keys := o.Keys()
	if class != "DataView" {
		keys = keys[min(int(n), len(keys)):]
	}
	if len(keys) > 0 || !s.in.on(s.in.isExtensible, o).ToBoolean() || s.chart.symbols && len(o.Symbols()) > 0 {
		return s.refuse("a view of an ArrayBuffer with properties of its own")
	}
	s.buf = append(s.buf, `{"$view":["`...)
	s.buf = append(append(s.buf, class...), '"', ',')
	s.buf = append(strconv.AppendInt(s.buf, of(offset, o).ToInteger(), 10), ',')
	s.buf = append(strconv.AppendInt(s.buf, n, 10), ']')
	s.push(frame{object: o, notion: ofOther, keys: []string{"$of"}, values: []goja.Value{b}, close: "}"})
	return nil
}
