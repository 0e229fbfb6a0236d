package graph

import (
	"encoding/base64"
	"encoding/binary"
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
	if s.usual(o) && !s.chart.symbols && s.in.countKeys(o) == length { // a sparse array may be very long
		if items := s.in.lib.Items(o); int64(len(items)) == length && !slices.ContainsFunc(items, mayBeHole) {
			s.items(items, ofArray)
			return
		}
	}
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

func mayBeHole(item goja.Value) bool { return item == nil || goja.IsUndefined(item) }

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
	v := of(s.in.Func(class+".prototype.valueOf"), o)
	s.text(`{"$boxed":`).primitive(v)
	text, ok := v.(goja.String)
	s.special(o, func(p property) bool { return ok && (p.key == "length" || isIndex(p.key, int64(text.Length()))) })
}

// regExpFlags are the flags of regular expressions, with the properties that have them.
var regExpFlags = [...]struct {
	letter   byte
	property string
}{{'g', "global"}, {'i', "ignoreCase"}, {'m', "multiline"}, {'s', "dotAll"}, {'u', "unicode"}, {'y', "sticky"}}

func (s *saver) regexp(o *goja.Object) {
	s.mustBe(o, "RegExp")
	get := func(property string) goja.Value { return of(s.in.Getter("RegExp.prototype", "'"+property+"'"), o) }
	source, ok := get("source").(goja.String)
	if !ok {
		s.refuse("a regular expression without source")
	}
	s.number(o)
	s.buf = append(appendString(append(s.buf, `{"$regexp":[`...), source), ',', '"')
	for _, flag := range regExpFlags {
		if get(flag.property).ToBoolean() {
			s.buf = append(s.buf, flag.letter)
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
		s.collection(o, "Map", ofMap, `{"$map":`)
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
		s.collection(o, "Set", ofSet, `{"$set":`)
	case t.Kind() == reflect.Slice:
		tag, ok := of(s.in.Getter(typedArray, "Symbol.toStringTag"), o).(goja.String)
		if !ok || !slices.Contains(native.TypedArrays, tag.String()) || !s.isInstance(o, tag.String()) {
			s.instance(o)
		}
		s.view(o, tag.String(), typedArray, "length")
	case t == native.TypeBigInt && s.isInstance(o, "BigInt"):
		s.boxed(o, "BigInt")
	case t == native.TypeString && s.isInstance(o, "Symbol"):
		s.boxed(o, "Symbol")
	case s.isInstance(o, "DataView"):
		s.view(o, "DataView", "DataView.prototype", "byteLength")
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
func (s *saver) collection(o *goja.Object, class string, n stepKind, begin string) {
	s.mustBe(o, class)
	s.number(o)
	x := s.ownProperties(o, nil)
	s.text(begin).items(s.in.items(o, class), n).end(o, &x)
}

// typedArray is the prototype of the prototypes of typed arrays.
const typedArray = "Object.getPrototypeOf(Int8Array.prototype)"

// ofBigEndian follows the class of a typed array whose elements have several bytes, in the snapshots of big-endian
// processors: goja has them in the buffer in the order of the processor.
const ofBigEndian = " of a big-endian processor"

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// isWide reports whether elements have several bytes. A DataView says itself in which order it reads them.
func isWide(class string) bool { return !strings.Contains(class, "8") && class != "DataView" }

// view writes a typed array or a DataView, whose prototype has the getters.
func (s *saver) view(o *goja.Object, class, prototype, length string) {
	s.number(o)
	get := func(property string) goja.Value { return of(s.in.Getter(prototype, "'"+property+"'"), o) }
	b := get("buffer").(*goja.Object)
	if b.Export().(goja.ArrayBuffer).Detached() {
		s.refuse("a view of a detached ArrayBuffer")
	}
	n := get(length).ToInteger()
	keys := o.Keys()
	if class != "DataView" {
		keys = keys[min(int(n), len(keys)):]
	}
	if len(keys) > 0 || !s.in.extensible(o) || s.chart.symbols && len(o.Symbols()) > 0 {
		s.refuse("a view of an ArrayBuffer with properties of its own")
	}
	if bigEndian && isWide(class) {
		class += ofBigEndian
	}
	s.text(`{"$view":["`).text(class).text(`",`).int(get("byteOffset").ToInteger()).text(",").int(n).text("]").member("$of", b).text("}")
}
