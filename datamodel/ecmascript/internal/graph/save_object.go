package graph

import (
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

var ()

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
	case native.TypePlain:
	case native.TypeProxy:
		if x := s.System(o); x != nil {
			return s.system(o, x)
		}
		if s.library(o) {
			return nil
		}
		return s.refuse("a proxy")
	case dom.Type:
		s.number(o)
		return s.node(dom.Of(o))
	case native.TypeMap, native.TypePromise, native.TypeBuffer:
		return s.builtin(o, t)
	}
	switch class := o.ClassName(); class {
	case "Array":
		return s.array(o)
	case "Object":
		if t == native.TypePlain && s.chart.odd && s.tagged(o) {
			if f := s.prototypeOf(o); f != nil {
				s.number(o)
				s.buf = append(s.buf, `{"$prototypeOf":true`...)
				s.push(frame{object: o, notion: ofOther, keys: []string{"$of"}, values: []goja.Value{f}, close: "}"})
				return nil
			}
		}
		switch proto := o.Prototype(); {
		case t == native.TypePlain && proto == s.objectProto:
			return s.plain(o, "")
		case t == native.TypePlain && proto == nil:
			return s.plain(o, "$null")
		case t == native.TypePlain && s.isPrototype(o):
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
	return proto != nil && proto == native.Prototype(s.VM, class)
}

// instance refuses an object because of its prototype.
func (s *saver) instance(o *goja.Object) error {
	for proto := o.Prototype(); proto != nil && proto.ExportType() != native.TypeProxy; proto = proto.Prototype() {
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
	if o == s.VM.GlobalObject() {
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
	return !s.chart.odd && s.in.on(s.in.isExtensible, o).ToBoolean()
}

// ownProperties returns the own properties of o but for those that skip says
// to leave out, and what is to be written about them besides: attributes and
// whether the object can be extended. Values are nil if they are to be asked for.
func (s *saver) ownProperties(o *goja.Object, skip func(p *property) bool) (keys []string, values []goja.Value, marks string, err error) {
	if s.chart.symbols && len(o.Symbols()) > 0 {
		return nil, nil, "", s.refuse("a property whose key is a symbol")
	}
	if skip == nil && s.usual(o) {
		if o.ExportType() == native.TypePlain && o.ClassName() == "Object" {
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
	frozen := s.in.on(s.in.isFrozen, o).ToBoolean()
	sealed := frozen || s.in.on(s.in.isSealed, o).ToBoolean()
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
	case !s.in.on(s.in.isExtensible, o).ToBoolean():
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
	s.props(o, keys, values, marks)
	return nil
}

// props ends what is written of an object with the given properties of it.
func (s *saver) props(o *goja.Object, keys []string, values []goja.Value, marks string) {
	if len(keys) == 0 {
		s.buf = append(append(s.buf, marks...), '}')
		return
	}
	s.buf = append(s.buf, `,"$props":{`...)
	s.push(frame{object: o, notion: ofObject, keys: keys, values: values, close: "}" + marks + "}"})
}
