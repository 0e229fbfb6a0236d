package graph

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// array writes an array.
func (s *saver) array(o *goja.Object) {
	if o.Prototype() != s.arrayProto {
		if !s.library(o) { // Array.prototype is an array
			s.instance(o)
		}
		return
	}
	s.number(o)
	length := o.Get("length").ToInteger()
	fixed := false
	x := s.ownProperties(o, func(p property) bool {
		fixed = fixed || p.key == "length" && !p.has("w")
		return p.key == "length"
	})
	if fixed && !strings.HasSuffix(x.marks, `"$frozen":true`) {
		x.marks += `,"$length":true`
	}
	n := 0 // of the keys that are indexes: these come first
	for n < len(x.keys) && isIndex(x.keys[n], length) {
		n++
	}
	if int64(n) < length/2 {
		s.text(`{"$sparse":`).int(length).end(o, &x)
		return
	}
	items := s.arrayItems(o, length, &x, n)
	if x.keys = x.keys[n:]; x.values != nil {
		x.values = x.values[n:]
	}
	if len(x.keys) == 0 && x.marks == "" {
		s.items(items, ofArray)
		return
	}
	s.text(`{"$array":`).items(items, ofArray).end(o, &x)
}

// arrayItems returns the items of an array, whose indexes are the first n keys of x, with nil for
// those that are not there.
func (s *saver) arrayItems(o *goja.Object, length int64, x *own, n int) []goja.Value {
	values := x.values
	if values == nil {
		if values = s.in.lib.Items(o); int64(n) == length {
			return values
		}
	}
	items := make([]goja.Value, length)
	for i, key := range x.keys[:n] {
		at, _ := strconv.Atoi(key)
		if x.values == nil {
			i = at
		}
		items[at] = values[i]
	}
	return items
}

// isIndex reports whether key is the index of an item in an array.
func isIndex(key string, length int64) bool {
	if key == "" || key[0] < '0' || key[0] > '9' {
		return false
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n < length && (key == "0" || key[0] != '0')
}

func (s *saver) boxed(o *goja.Object, class string) {
	s.number(o)
	v := of(s.in.unbox[class], o)
	s.text(`{"$boxed":`).primitive(v)
	text, ok := v.(goja.String)
	s.special(o, func(p property) bool { return ok && (p.key == "length" || isIndex(p.key, int64(text.Length()))) })
}

func (s *saver) regexp(o *goja.Object) {
	s.mustBe(o, "RegExp")
	source, ok := of(s.in.source, o).(goja.String)
	if !ok {
		s.refuse("a regular expression without source")
	}
	s.number(o)
	s.buf = append(appendString(append(s.buf, `{"$regexp":[`...), source), ',', '"')
	for i, f := range s.in.flags {
		if of(f, o).ToBoolean() {
			s.buf = append(s.buf, flagLetters[i])
		}
	}
	s.text(`"`)
	last := o.Get("lastIndex")
	if _, ok := last.(*goja.Object); ok {
		s.refuse("a regular expression whose lastIndex is an object")
	}
	if last.ExportType() != native.TypeInt || last.ToInteger() != 0 {
		s.text(",").primitive(last)
	}
	s.text("]").special(o, func(p property) bool { return p.key == "lastIndex" })
}

// error writes an Error. All its properties are written with their attributes, which are never the
// usual ones.
func (s *saver) error(o *goja.Object) {
	for _, class := range errorOf {
		if s.isInstance(o, class) {
			s.number(o)
			x := s.described(o, nil)
			s.text(`{"$error":"`).text(class).text(`"`).end(o, &x)
			return
		}
	}
	s.instance(o)
}

// builtin writes an object of a class of the library that goja calls Object. The exported value or
// a function of the class tells which.
func (s *saver) builtin(o *goja.Object, t reflect.Type) {
	switch {
	case t == native.TypeMap:
		s.mustBe(o, "Map")
		s.collection(o, s.in.eachOfMap, s.in.collectPair, ofMap, `{"$map":`)
	case t == native.TypePromise:
		s.refuse("a promise")
	case t == native.TypeBuffer:
		s.mustBe(o, "ArrayBuffer")
		buffer := o.Export().(goja.ArrayBuffer)
		if buffer.Detached() {
			s.refuse("a detached ArrayBuffer")
		}
		s.number(o)
		s.buf = base64.StdEncoding.AppendEncode(append(s.buf, `{"$buffer":"`...), buffer.Bytes())
		s.text(`"`).special(o, nil)
	case t == native.TypeList:
		s.mustBe(o, "Set")
		s.collection(o, s.in.eachOfSet, s.in.collect, ofSet, `{"$set":`)
	case t.Kind() == reflect.Slice:
		tag, ok := of(s.in.tag, o).(goja.String)
		if !ok || !slices.Contains(native.TypedArrays, tag.String()) || !s.isInstance(o, tag.String()) {
			s.instance(o)
		}
		s.view(o, tag.String(), s.in.buffer, s.in.offset, s.in.length)
	case t == native.TypeBigInt && s.isInstance(o, "BigInt"):
		s.boxed(o, "BigInt")
	case t == native.TypeString && s.isInstance(o, "Symbol"):
		s.boxed(o, "Symbol")
	case s.isInstance(o, "DataView"):
		s.view(o, "DataView", s.in.viewBuffer, s.in.viewOffset, s.in.viewLength)
	case s.library(o):
	default:
		for _, class := range []string{"WeakMap", "WeakSet", "WeakRef"} {
			if s.isInstance(o, class) {
				s.refuse("a " + class)
			}
		}
		s.instance(o)
	}
}

// collection writes a Map or a Set.
func (s *saver) collection(o *goja.Object, each native.Func, collect goja.Value, n notion, begin string) {
	s.number(o)
	x := s.ownProperties(o, nil)
	each(goja.FunctionCall{This: o, Arguments: []goja.Value{collect}})
	items := slices.Clone(s.in.found)
	clear(s.in.found)
	s.in.found = s.in.found[:0]
	s.text(begin).items(items, n).end(o, &x)
}

// view writes a typed array or a DataView.
func (s *saver) view(o *goja.Object, class string, buffer, offset, length native.Func) {
	s.number(o)
	b := of(buffer, o).(*goja.Object)
	if b.Export().(goja.ArrayBuffer).Detached() {
		s.refuse("a view of a detached ArrayBuffer")
	}
	n := of(length, o).ToInteger()
	keys := o.Keys()
	if class != "DataView" {
		keys = keys[min(int(n), len(keys)):]
	}
	if len(keys) > 0 || !s.in.extensible(o) || s.chart.symbols && len(o.Symbols()) > 0 {
		s.refuse("a view of an ArrayBuffer with properties of its own")
	}
	s.text(`{"$view":["`).text(class).text(`",`).int(of(offset, o).ToInteger()).text(",").int(n).text("]").member("$of", b).text("}")
}
