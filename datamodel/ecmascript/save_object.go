package ecmascript

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

var (
	typeInt     = reflect.TypeFor[int64]()
	typeFloat   = reflect.TypeFor[float64]()
	typeBool    = reflect.TypeFor[bool]()
	typeString  = reflect.TypeFor[string]()
	typePlain   = reflect.TypeFor[map[string]any]()
	typePromise = reflect.TypeFor[*goja.Promise]()
	typeEvent   = reflect.TypeFor[*eventObject]()
	typeFixed   = reflect.TypeFor[*fixedObject]()
)

// symbols are the symbols that there are in every runtime.
var symbols = map[string]*goja.Symbol{
	"hasInstance": goja.SymHasInstance, "isConcatSpreadable": goja.SymIsConcatSpreadable,
	"iterator": goja.SymIterator, "match": goja.SymMatch, "matchAll": goja.SymMatchAll, "replace": goja.SymReplace,
	"search": goja.SymSearch, "species": goja.SymSpecies, "split": goja.SymSplit, "toPrimitive": goja.SymToPrimitive,
	"toStringTag": goja.SymToStringTag, "unscopables": goja.SymUnscopables,
}

// errorOf are the constructors whose instances are errors.
var errorOf = []string{"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError", "AggregateError", "GoError"}

// contents writes the beginning of an object that has not been written, and
// puts what it contains on the stack.
func (s *saver) contents(o *goja.Object) error {
	s.mark = len(s.in.names)
	t := o.ExportType()
	switch t {
	case typePlain:
	case typeProxy:
		if s.library(o) {
			return nil
		}
		return s.refuse("a proxy")
	case typeDOM:
		s.number(o)
		return s.node(o.Export().(*domNode))
	case typeEvent:
		s.number(o)
		return s.event(o)
	case typeFixed:
		return s.fixedObject(o)
	case typeMap, typePromise, typeBuffer:
		return s.builtin(o, t)
	}
	switch class := o.ClassName(); class {
	case "Array":
		return s.array(o)
	case "Object":
		switch proto := o.Prototype(); {
		case t == typePlain && proto == s.objectProto:
			return s.plain(o, "")
		case t == typePlain && proto == nil:
			return s.plain(o, "$null")
		case t == typePlain && s.isPrototype(o):
			return s.prototype(o)
		}
		if _, callable := goja.AssertFunction(o); callable {
			return s.function(o)
		}
		return s.builtin(o, t)
	case "Function":
		return s.function(o)
	case "Date":
		if !s.isInstance(o, "Date") {
			return s.instance(o)
		}
		s.number(o)
		s.buf = append(s.buf, `{"$date":`...)
		if t, ok := o.Export().(time.Time); ok {
			s.buf = strconv.AppendInt(s.buf, t.UnixMilli(), 10)
		} else {
			s.buf = append(s.buf, "null"...)
		}
		return s.special(o, nil)
	case "RegExp":
		return s.regexp(o)
	case "Error":
		return s.error(o)
	case "Number", "String", "Boolean":
		if !s.isInstance(o, class) {
			return s.instance(o)
		}
		return s.boxed(o, class)
	case "Arguments":
		return s.refuse("an arguments object")
	default:
		if _, callable := goja.AssertFunction(o); callable {
			return s.function(o)
		}
		if s.library(o) {
			return nil
		}
		return s.refuse("an object of the class " + class)
	}
}

// isInstance reports whether o comes right from the constructor of that name.
func (s *saver) isInstance(o *goja.Object, class string) bool {
	proto := o.Prototype()
	return proto != nil && proto == s.st.prototype(class)
}

// instance refuses an object because of its prototype.
func (s *saver) instance(o *goja.Object) error {
	for proto := o.Prototype(); proto != nil && proto.ExportType() != typeProxy; proto = proto.Prototype() {
		d := s.descriptor(proto, "constructor")
		if d == nil {
			continue
		}
		if c, ok := d.value.(*goja.Object); ok {
			if d = s.descriptor(c, "name"); d != nil && !d.accessor && goja.IsString(d.value) {
				return s.refuse("an instance of " + d.value.String())
			}
		}
		break
	}
	return s.refuse("an object with a prototype of its own")
}

// plain writes an object that has nothing but properties.
func (s *saver) plain(o *goja.Object, kind string) error {
	if o == s.st.vm.GlobalObject() {
		s.buf = append(s.buf, `{"$library":"globalThis"}`...)
		return nil
	}
	careful := s.chart.library || s.chart.odd || s.chart.symbols
	if careful && s.tagged(o) && s.library(o) {
		return nil
	}
	keys, values, marks, err := s.ownProperties(o, nil)
	if err != nil {
		return err
	}
	if !careful && len(keys) == 0 && s.tagged(o) && s.library(o) {
		return nil // properties of the library are not listed
	}
	s.number(o)
	switch {
	case kind == "" && marks == "":
		if len(keys) == 0 {
			s.buf = append(s.buf, '{', '}')
			return nil
		}
		s.buf = append(s.buf, '{')
		s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: "}"})
		return nil
	case kind == "":
		kind = "$object"
	}
	s.buf = append(append(append(s.buf, `{"`...), kind...), '"', ':', '{')
	s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: "}" + marks + "}"})
	return nil
}

// tagged reports whether o may be an object of the library: one with a name or
// the prototype of a class.
func (s *saver) tagged(o *goja.Object) bool {
	if o.GetSymbol(goja.SymToStringTag) != nil || o == s.objectProto {
		return true
	}
	c := o.Get("constructor")
	return c != nil && c != s.objectProto.Get("constructor")
}

// usual reports whether all properties that o was given have all attributes.
// What has not been extended for ever is the one thing that tells about an
// object and not about the chart, since that costs next to nothing.
func (s *saver) usual(o *goja.Object) bool {
	return !s.chart.odd && on(s.in.isExtensible, o).ToBoolean()
}

// ownProperties returns the own properties of o but for those that skip says
// to leave out, and what is to be written about them besides: attributes and
// whether the object can be extended. Values are nil if they are to be asked for.
func (s *saver) ownProperties(o *goja.Object, skip func(p *property) bool) (keys []string, values []goja.Value, marks string, err error) {
	if s.chart.symbols && len(o.Symbols()) > 0 {
		return nil, nil, "", s.refuse("a property whose key is a symbol")
	}
	if skip == nil && s.usual(o) {
		if o.ExportType() == typePlain && o.ClassName() == "Object" {
			return o.GetOwnPropertyNames(), nil, "", nil
		}
		from := len(s.in.names)
		s.in.names = s.in.appendKeys(s.in.names, o)
		return s.in.names[from:], nil, "", nil
	}
	list, symbols := s.in.properties(o)
	if symbols {
		return nil, nil, "", s.refuse("a property whose key is a symbol")
	}
	return s.attributes(o, list, skip)
}

// attributes returns what ownProperties does, of the properties in list.
func (s *saver) attributes(o *goja.Object, list []property, skip func(p *property) bool) (keys []string, values []goja.Value, marks string, err error) {
	var b strings.Builder
	frozen := on(s.in.isFrozen, o).ToBoolean()
	sealed := frozen || on(s.in.isSealed, o).ToBoolean()
	for i := range list {
		p := &list[i]
		if skip != nil && skip(p) {
			continue
		}
		if p.accessor {
			s.push(frame{notion: ofObject, keys: []string{p.key}, next: 1})
			err := s.refuse("an accessor")
			s.pop()
			return nil, nil, "", err
		}
		keys, values = append(keys, p.key), append(values, p.value)
		usual := allFlags
		switch {
		case frozen:
			usual = "e"
		case sealed:
			usual = "we"
		}
		if p.flags != usual {
			if b.Len() == 0 {
				b.WriteString(`,"$attributes":{`)
			} else {
				b.WriteByte(',')
			}
			b.Write(appendKey(nil, p.key))
			b.WriteString(`"` + p.flags + `"`)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('}')
	}
	switch {
	case frozen:
		b.WriteString(`,"$frozen":true`)
	case sealed:
		b.WriteString(`,"$sealed":true`)
	case !on(s.in.isExtensible, o).ToBoolean():
		b.WriteString(`,"$fixed":true`)
	}
	return keys, values, b.String(), nil
}

// special writes the properties that an object has besides what is written
// already.
func (s *saver) special(o *goja.Object, skip func(p *property) bool) error {
	keys, values, marks, err := s.ownProperties(o, skip)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		s.buf = append(append(s.buf, marks...), '}')
		return nil
	}
	s.buf = append(s.buf, `,"$props":{`...)
	s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: "}" + marks + "}"})
	return nil
}

// array writes an array.
func (s *saver) array(o *goja.Object) error {
	if o.Prototype() != s.arrayProto {
		if s.library(o) { // Array.prototype is an array
			return nil
		}
		return s.instance(o)
	}
	s.number(o)
	length := o.Get("length").ToInteger()
	if !s.usual(o) {
		return s.oddArray(o, length)
	}
	if s.chart.symbols && len(o.Symbols()) > 0 {
		return s.refuse("a property whose key is a symbol")
	}
	from := len(s.in.names)
	s.in.names = s.in.appendKeys(s.in.names, o)
	keys := s.in.names[from:]
	items := 0 // how many keys are indexes; these come first
	for items < len(keys) && isIndex(keys[items], length) {
		items++
	}
	extra := keys[items:]
	if int64(items) < length/2 {
		return s.sparse(o, length, keys, nil, "")
	}
	list := s.in.items(o)
	if int64(items) < length {
		list = s.holes(list, keys[:items])
	}
	if len(extra) == 0 {
		return s.list(o, ofArray, "[", list, "]")
	}
	s.buf = append(s.buf, `{"$array":[`...)
	s.push(frame{object: o, notion: ofArray, items: nonNil(list), keys: extra, close: "}}"})
	return nil
}

// list writes an array of items.
func (s *saver) list(o *goja.Object, n notion, open string, items []goja.Value, close string) error {
	s.buf = append(s.buf, open...)
	s.push(frame{object: o, notion: n, items: nonNil(items), close: close})
	return nil
}

func nonNil(items []goja.Value) []goja.Value {
	if items == nil {
		return []goja.Value{}
	}
	return items
}

// holes returns items with nil for those that are not there.
func (s *saver) holes(items []goja.Value, keys []string) []goja.Value {
	out := make([]goja.Value, len(items))
	for _, key := range keys {
		i, _ := strconv.Atoi(key)
		out[i] = items[i]
	}
	return out
}

// sparse writes an array with few items as an object.
func (s *saver) sparse(o *goja.Object, length int64, keys []string, values []goja.Value, marks string) error {
	s.buf = append(s.buf, `{"$sparse":`...)
	s.buf = strconv.AppendInt(s.buf, length, 10)
	if len(keys) == 0 {
		s.buf = append(append(s.buf, marks...), '}')
		return nil
	}
	s.buf = append(s.buf, `,"$props":{`...)
	s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: "}" + marks + "}"})
	return nil
}

// oddArray writes an array whose properties may have any attributes.
func (s *saver) oddArray(o *goja.Object, length int64) error {
	fixedLength := false
	keys, values, marks, err := s.ownProperties(o, func(p *property) bool {
		if p.key == "length" {
			fixedLength = !strings.Contains(p.flags, "w")
			return true
		}
		return false
	})
	if err != nil {
		return err
	}
	if fixedLength && !strings.HasSuffix(marks, `"$frozen":true`) {
		marks += `,"$length":true`
	}
	items := 0
	for items < len(keys) && isIndex(keys[items], length) {
		items++
	}
	if int64(items) < length/2 {
		return s.sparse(o, length, keys, values, marks)
	}
	list := make([]goja.Value, length)
	for i, key := range keys[:items] {
		at, _ := strconv.Atoi(key)
		list[at] = values[i]
	}
	switch {
	case len(keys) == items && marks == "":
		return s.list(o, ofArray, "[", list, "]")
	case len(keys) == items:
		return s.list(o, ofArray, `{"$array":[`, list, marks+"}")
	}
	s.buf = append(s.buf, `{"$array":[`...)
	s.push(frame{object: o, notion: ofArray, items: list, keys: keys[items:], values: values[items:], close: "}" + marks + "}"})
	return nil
}

// isIndex reports whether key is the index of an item in an array.
func isIndex(key string, length int64) bool {
	if key == "" || key[0] < '0' || key[0] > '9' {
		return false
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && n < length && (key == "0" || key[0] != '0')
}

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
	if last.ExportType() != typeInt || last.ToInteger() != 0 {
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
	case t == typeMap:
		if !s.isInstance(o, "Map") {
			return s.instance(o)
		}
		return s.collection(o, s.in.eachOfMap, s.in.collect, ofMap, `{"$map":[`)
	case t == typePromise:
		return s.refuse("a promise")
	case t == typeBuffer:
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
	case t == typeSet:
		if !s.isInstance(o, "Set") {
			return s.instance(o)
		}
		return s.collection(o, s.in.eachOfSet, s.in.collectFirst, ofSet, `{"$set":[`)
	case t.Kind() == reflect.Slice:
		return s.typedArray(o)
	case t == typeBigInt && s.isInstance(o, "BigInt"):
		return s.boxed(o, "BigInt")
	case t == typeString && s.isInstance(o, "Symbol"):
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
func (s *saver) collection(o *goja.Object, each native, collect goja.Value, n notion, open string) error {
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
	if !ok || !slices.Contains(typedArrays, tag.String()) || !s.isInstance(o, tag.String()) {
		return s.instance(o)
	}
	return s.view(o, tag.String(), s.in.buffer, s.in.offset, s.in.length)
}

// view writes what shows a part of a buffer.
func (s *saver) view(o *goja.Object, class string, buffer, offset, length native) error {
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
	if len(keys) > 0 || !on(s.in.isExtensible, o).ToBoolean() || s.chart.symbols && len(o.Symbols()) > 0 {
		return s.refuse("a view of an ArrayBuffer with properties of its own")
	}
	s.buf = append(s.buf, `{"$view":["`...)
	s.buf = append(append(s.buf, class...), '"', ',')
	s.buf = append(strconv.AppendInt(s.buf, of(offset, o).ToInteger(), 10), ',')
	s.buf = append(strconv.AppendInt(s.buf, n, 10), ']')
	s.push(frame{object: o, notion: ofOther, keys: []string{"$of"}, values: []goja.Value{b}, close: "}"})
	return nil
}
