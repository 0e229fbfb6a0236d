package graph

import (
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// symbols are the symbols that every runtime has.
var symbols = map[string]*goja.Symbol{
	"hasInstance": goja.SymHasInstance, "isConcatSpreadable": goja.SymIsConcatSpreadable,
	"iterator": goja.SymIterator, "match": goja.SymMatch, "matchAll": goja.SymMatchAll, "replace": goja.SymReplace,
	"search": goja.SymSearch, "species": goja.SymSpecies, "split": goja.SymSplit, "toPrimitive": goja.SymToPrimitive,
	"toStringTag": goja.SymToStringTag, "unscopables": goja.SymUnscopables,
}

// errorOf are the constructors whose instances are errors.
var errorOf = []string{"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError", "AggregateError", "GoError"}

// contents writes an object that has not been written.
func (s *saver) contents(o *goja.Object) {
	names := len(s.in.names)
	s.write(o)
	s.in.names = s.in.names[:names]
}

func (s *saver) write(o *goja.Object) {
	t := o.ExportType()
	switch t {
	case native.TypePlain:
	case native.TypeProxy:
		if x := s.System(o); x != nil {
			s.system(o, x)
		} else if !s.library(o) {
			s.refuse("a proxy")
		}
		return
	case dom.Type:
		s.number(o)
		s.node(dom.Of(o))
		return
	case native.TypeMap, native.TypePromise, native.TypeBuffer:
		s.builtin(o, t)
		return
	}
	_, callable := goja.AssertFunction(o)
	switch class := o.ClassName(); {
	case class == "Array":
		s.array(o)
	case class == "Function" || callable:
		s.function(o)
	case class == "Object" && t == native.TypePlain:
		s.plainObject(o)
	case class == "Object":
		s.builtin(o, t)
	case class == "Arguments":
		s.refuse("an arguments object")
	case class == "RegExp":
		s.regexp(o)
	case class == "Error":
		s.error(o)
	case class == "Date":
		s.mustBe(o, class)
		s.number(o)
		if t, ok := o.Export().(time.Time); ok {
			s.text(`{"$date":`).int(t.UnixMilli())
		} else {
			s.text(`{"$date":null`)
		}
		s.special(o, nil)
	case class == "Number" || class == "String" || class == "Boolean":
		s.mustBe(o, class)
		s.boxed(o, class)
	case !s.library(o):
		s.refuse("an object of the class " + class)
	}
}

// plainObject writes an ordinary object with any prototype.
func (s *saver) plainObject(o *goja.Object) {
	if s.chart.odd && s.tagged(o) {
		if f := s.prototypeOf(o); f != nil {
			s.number(o)
			s.text(`{"$prototypeOf":true`).member("$of", f).text("}")
			return
		}
	}
	switch proto := o.Prototype(); {
	case proto == s.objectProto:
		s.plain(o, "")
	case proto == nil:
		s.plain(o, "$null")
	case s.isPrototype(o):
		s.prototype(o)
	case s.made(o):
		s.inherits(o)
	default:
		s.builtin(o, native.TypePlain)
	}
}

// made reports whether o inherits from classes and functions of the chart only, and has no private
// members, which nobody can see.
func (s *saver) made(o *goja.Object) bool {
	proto := o.Prototype()
	for ; proto != nil && proto != s.objectProto; proto = proto.Prototype() {
		f := s.constructorOf(proto)
		if f == nil || !s.chart.odd && s.prototypeOf(proto) == nil {
			return false
		}
		if l := s.chart.byText[s.in.textOf(f)]; l == nil || l.Private {
			return false
		}
	}
	return proto != nil
}

// inherits writes an object that was made by a class or function of the chart.
func (s *saver) inherits(o *goja.Object) {
	s.number(o)
	x := s.ownProperties(o, nil)
	s.text(`{"$object":{`).properties(o, &x).text("}")
	proto := o.Prototype()
	if f := s.prototypeOf(proto); f != nil {
		s.member("$instanceOf", f)
	} else {
		s.markPrototype(proto)
		s.member("$proto", proto)
	}
	s.text(x.marks).text("}")
}

// mustBe refuses an object that is not a direct instance of the class.
func (s *saver) mustBe(o *goja.Object, class string) {
	if !s.isInstance(o, class) {
		s.instance(o)
	}
}

// isInstance reports whether o is a direct instance of the class.
func (s *saver) isInstance(o *goja.Object, class string) bool {
	proto := o.Prototype()
	return proto != nil && proto == native.Prototype(s.VM, class)
}

// instance refuses an object because of its prototype.
func (s *saver) instance(o *goja.Object) {
	for proto := o.Prototype(); proto != nil && proto.ExportType() != native.TypeProxy; proto = proto.Prototype() {
		d := s.descriptor(proto, "constructor")
		if d == nil {
			continue
		}
		if c, ok := d.value.(*goja.Object); ok {
			if d = s.descriptor(c, "name"); d != nil && !d.accessor && goja.IsString(d.value) && d.value.String() != "Object" {
				s.refuse("an instance of " + d.value.String())
			}
		}
		break
	}
	s.refuse("an object with a prototype of its own")
}

// plain writes an object that has only properties.
func (s *saver) plain(o *goja.Object, kind string) {
	if o == s.VM.GlobalObject() {
		s.text(`{"$library":"globalThis"}`)
		return
	}
	careful := s.chart.library || s.chart.odd || s.chart.symbols
	if careful && s.tagged(o) && s.library(o) {
		return
	}
	p := s.ownProperties(o, nil)
	if !careful && len(p.keys) == 0 && s.tagged(o) && s.library(o) {
		return // properties of the library are not enumerable
	}
	s.number(o)
	if kind == "" && p.marks == "" {
		s.text("{").properties(o, &p).text("}")
		return
	}
	if kind == "" {
		kind = "$object"
	}
	s.text(`{"`).text(kind).text(`":{`).properties(o, &p).text("}").text(p.marks).text("}")
}

// tagged reports whether o may be an object of the library: one with a name, or the prototype of a
// class.
func (s *saver) tagged(o *goja.Object) bool {
	if o.GetSymbol(goja.SymToStringTag) != nil || o == s.objectProto {
		return true
	}
	c := o.Get("constructor")
	return c != nil && c != s.objectProto.Get("constructor")
}

// usual reports whether all properties that o was given have all attributes. Only whether o is
// extensible is asked of the object and not of the chart, since that costs next to nothing.
func (s *saver) usual(o *goja.Object) bool {
	return !s.chart.odd && s.in.extensible(o)
}

// An own is what an object has besides its kind: properties, and marks for attributes and
// extensibility.
type own struct {
	keys   []string
	values []goja.Value // of keys; nil if they were not read
	marks  string
}

// ownProperties returns the own properties of o, except those for which skip, which may be nil,
// returns true. Where attributes do not matter, these are the enumerable ones.
func (s *saver) ownProperties(o *goja.Object, skip func(p property) bool) (x own) {
	if !s.usual(o) {
		return s.described(o, skip)
	}
	s.checkSymbols(s.chart.symbols && len(o.Symbols()) > 0)
	if o.ExportType() == native.TypePlain && o.ClassName() == "Object" {
		x.keys = o.GetOwnPropertyNames()
	} else {
		from := len(s.in.names)
		s.in.names = s.in.appendKeys(s.in.names, o)
		x.keys = s.in.names[from:]
	}
	if skip != nil {
		kept := x.keys[:0]
		for _, key := range x.keys {
			if !skip(property{key: key, flags: allFlags}) {
				kept = append(kept, key)
			}
		}
		x.keys = kept
	}
	return x
}

func (s *saver) checkSymbols(symbols bool) {
	if symbols {
		s.refuse("a property whose key is a symbol")
	}
}

// described does the same, and always looks at the attributes.
func (s *saver) described(o *goja.Object, skip func(p property) bool) (x own) {
	list, symbols := s.in.properties(o)
	s.checkSymbols(symbols)
	var attributes []byte
	usual, bound := allFlags, ""
	switch {
	case s.in.on(s.in.Func("Object.isFrozen"), o).ToBoolean():
		usual, bound = "e", `,"$frozen":true`
	case s.in.on(s.in.Func("Object.isSealed"), o).ToBoolean():
		usual, bound = "we", `,"$sealed":true`
	case !s.in.extensible(o):
		bound = `,"$fixed":true`
	}
	for i := range list {
		p := &list[i]
		if skip != nil && skip(*p) {
			continue
		}
		if p.accessor {
			s.refuseAt(p.key, "an accessor")
		}
		x.keys, x.values = append(x.keys, p.key), append(x.values, p.value)
		if p.flags != usual {
			attributes = append(appendKey(append(attributes, ','), p.key), `"`+p.flags+`"`...)
		}
	}
	if attributes != nil {
		x.marks = `,"$attributes":{` + string(attributes[1:]) + "}"
	}
	x.marks += bound
	return x
}

// properties writes properties of o, without the braces.
func (s *saver) properties(o *goja.Object, x *own) *saver {
	at := len(s.path)
	s.path = append(s.path, step{kind: ofObject})
	for i, key := range x.keys {
		if i > 0 {
			s.text(",")
		}
		s.path[at].key = key
		s.buf = appendKey(s.buf, key)
		if x.values != nil {
			s.value(x.values[i])
		} else if v := o.Get(key); v != nil {
			s.value(v)
		} else {
			s.refuse("a property whose name has half of a surrogate pair")
		}
	}
	s.path = s.path[:at]
	return s
}

// items writes the items of an array, a Map or a Set; nil is a hole.
func (s *saver) items(list []goja.Value, n stepKind) *saver {
	at := len(s.path)
	s.path = append(s.path, step{kind: n})
	s.text("[")
	for i := 0; i < len(list); i++ {
		if i > 0 {
			s.text(",")
		}
		s.path[at].index = i
		if list[i] != nil {
			s.value(list[i])
			continue
		}
		from := i
		for i+1 < len(list) && list[i+1] == nil {
			i++
		}
		s.text(`{"$hole":`).int(int64(i - from + 1)).text("}")
	}
	s.path = s.path[:at]
	return s.text("]")
}

// member writes a member of a special object that is a value.
func (s *saver) member(key string, v goja.Value) *saver {
	s.path = append(s.path, step{kind: ofOther, key: key})
	s.text(`,"`).text(key).text(`":`).value(v)
	s.path = s.path[:len(s.path)-1]
	return s
}

// special ends a special object with its other properties.
func (s *saver) special(o *goja.Object, skip func(p property) bool) {
	x := s.ownProperties(o, skip)
	s.end(o, &x)
}

func (s *saver) end(o *goja.Object, x *own) {
	if len(x.keys) > 0 {
		s.text(`,"$props":{`).properties(o, x).text("}")
	}
	s.text(x.marks).text("}")
}
