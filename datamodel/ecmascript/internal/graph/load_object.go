package graph

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// object begins an object of the given kind, which may have contents, and
// properties besides.
func (l *loader) object(kind string) {
	vm := l.VM
	b := building{state: inSpecial}
	list := func(of listOf, create byte) {
		b.object = l.create(create)
		l.expect('[')
		l.push(b)
		l.push(building{object: b.object, state: inList, part: true, from: len(l.values), list: of})
	}
	switch kind {
	case "$array":
		b.array = true
		list(listArray, '[')
		return
	case "$map":
		list(listMap, 'm')
		return
	case "$set":
		list(listSet, 's')
		return
	case "$object", "$null":
		create := byte('{')
		if kind == "$null" {
			create = 'n'
		}
		b.object = l.create(create)
		l.expect('{')
		l.push(b)
		l.push(building{object: b.object, state: inObject, part: true})
		return
	case "$sparse":
		b.array = true
		b.object = l.create('[')
		native.Must(b.object.Set("length", l.integer(math.MaxUint32)))
	case "$date":
		at := vm.ToValue(math.NaN())
		if !l.word("null") {
			n, f, isInt := l.number()
			if !isInt {
				at = vm.ToValue(f)
			} else {
				at = vm.ToValue(n)
			}
		}
		b.object = l.numberOf(native.Must1(vm.New(l.Lib.Date, at)))
	case "$regexp":
		b.object = l.numberOf(l.regexp())
	case "$boxed":
		v := l.value()
		if v == nil || goja.IsNull(v) || goja.IsUndefined(v) {
			l.damaged("a value that can be an object expected")
		}
		if _, ok := v.(*goja.Object); ok {
			l.damaged("a primitive value expected")
		}
		b.object = l.numberOf(v.ToObject(vm))
	case "$error":
		class := l.text()
		if !slices.Contains(errorOf, class) {
			l.damaged("%q is not a kind of error", class)
		}
		// The usual properties are saved like all others.
		b.object = l.numberOf(native.Must1(vm.New(l.class("Error"))))
		native.Must(b.object.Delete("stack"))
		if class != "Error" {
			proto, _ := l.class(class).Get("prototype").(*goja.Object)
			native.Must(b.object.SetPrototype(proto))
		}
	case "$buffer":
		data, err := base64.StdEncoding.DecodeString(l.text())
		if err != nil {
			l.damaged("the bytes of an ArrayBuffer are not base64")
		}
		b.object = l.numberOf(vm.ToValue(vm.NewArrayBuffer(data)).(*goja.Object))
	case "$view":
		l.view(&b)
	case "$prototypeOf":
		l.yes()
		b.slot = len(l.numbered)
		l.numberOf(nil)
		b.view = func(f goja.Value) *goja.Object {
			if _, callable := goja.AssertFunction(f); callable {
				if o, ok := f.(*goja.Object).Get("prototype").(*goja.Object); ok {
					return o
				}
			}
			l.damaged("a function with a prototype expected")
			return nil
		}
	case "$function":
		l.function(&b)
	case "$event":
		l.keptEvent(&b)
	case "$xml":
		root := l.xml(0)
		doc := l.Window().Document(root)
		l.trees = append(l.trees, doc)
		b.object = l.node(doc)
	case "$node":
		b.object = l.node(l.trees[l.integerBelow(len(l.trees))])
	default:
		l.damaged("%q is an unknown kind of value", kind)
	}
	l.push(b)
}

// member reads a member of a special object.
func (l *loader) member(b *building, key string) goja.Value {
	b.key = key
	switch key {
	case "$props":
		if b.object == nil {
			break
		}
		l.expect('{')
		l.push(building{object: b.object, state: inObject, part: true})
		return nil
	case "$attributes":
		l.readAttributes(b, "$")
		return nil
	case "$frozen":
		l.yes()
		b.frozen = true
		return nil
	case "$sealed":
		l.yes()
		b.sealed = true
		return nil
	case "$fixed":
		l.yes()
		b.fixed = true
		return nil
	case "$length":
		l.yes()
		b.length = b.array
		return nil
	case "$proto", "$prototype", "$of", "$data", "$name":
		return l.value()
	}
	l.damaged("%q does not belong here", key)
	return nil
}

// readAttributes reads names, from which a prefix is taken, and attributes.
func (l *loader) readAttributes(b *building, prefix string) {
	l.expect('{')
	for first := true; first || l.take(','); first = false {
		name := strings.TrimPrefix(l.text(), prefix)
		l.expect(':')
		flags := l.text()
		if strings.Trim(flags, allFlags) != "" {
			l.damaged("%q are no attributes", flags)
		}
		b.attributes = append(b.attributes, attribute{name, flags})
	}
	l.expect('}')
}

// acceptMember gives a special object the value of the member that was read.
func (l *loader) acceptMember(b *building, v goja.Value) {
	o, isObject := v.(*goja.Object)
	switch {
	case b.key == "$proto" && isObject && b.literal != nil && b.literal.Class:
		l.classes = append(l.classes, extension{b.object, o})
	case b.key == "$proto" && isObject && b.object != nil:
		native.Must(b.object.SetPrototype(o))
	case b.key == "$prototype" && isObject && b.literal != nil && !b.literal.Class:
		native.Must(b.object.DefineDataProperty("prototype", o, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET))
	case b.key == "$name" && b.literal != nil:
		if goja.IsUndefined(v) {
			native.Must(b.object.Delete("name"))
			return
		}
		native.Must(b.object.DefineDataProperty("name", v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	case b.key == "$of" && b.view != nil:
		b.object = b.view(v)
		l.numbered[b.slot] = b.object
		b.view = nil
	case b.key == "$data" && b.data != nil:
		*b.data = v
	default:
		l.damaged("%q does not belong here", b.key)
	}
}

// complete gives an object what can only be given when all else is there.
func (l *loader) complete(b *building) {
	o := b.object
	if o == nil {
		l.damaged("\"$of\" is missing")
	}
	for _, a := range b.attributes {
		native.Must(o.DefineDataProperty(a.key, nil, flagOf(a.flags, "w"), flagOf(a.flags, "c"), flagOf(a.flags, "e")))
	}
	if b.length {
		native.Must(o.DefineDataProperty("length", nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET))
	}
	switch {
	case b.frozen:
		l.in.on(l.in.freeze, o)
	case b.sealed:
		l.in.on(l.in.seal, o)
	case b.fixed:
		l.in.on(l.in.fix, o)
	}
}

func flagOf(flags, letter string) goja.Flag { return goja.ToFlag(strings.Contains(flags, letter)) }

func (l *loader) regexp() *goja.Object {
	l.expect('[')
	source := l.stringValue(l.VM)
	l.expect(',')
	flags := l.text()
	l.Guards.CheckPattern(source.String())
	o := native.Must1(l.VM.New(l.class("RegExp"), source, l.VM.ToValue(flags)))
	if l.take(',') {
		last := l.value()
		if _, ok := last.(*goja.Object); last == nil || ok {
			l.damaged("a primitive value expected")
		}
		native.Must(o.Set("lastIndex", last))
	}
	l.expect(']')
	return o
}

// view begins a view of a buffer, which follows.
func (l *loader) view(b *building) {
	l.expect('[')
	class := l.text()
	if class != "DataView" && !slices.Contains(native.TypedArrays, class) {
		l.damaged("%q is not a view of a buffer", class)
	}
	l.expect(',')
	offset := l.integer(math.MaxInt32)
	l.expect(',')
	length := l.integer(math.MaxInt32)
	l.expect(']')
	b.slot = len(l.numbered)
	l.numberOf(nil)
	vm := l.VM
	b.view = func(buffer goja.Value) *goja.Object {
		if o, ok := buffer.(*goja.Object); !ok || o.ExportType() != native.TypeBuffer {
			l.damaged("an ArrayBuffer expected")
		}
		return native.Must1(vm.New(l.class(class), buffer, vm.ToValue(offset), vm.ToValue(length)))
	}
}

// function makes a function of the chart.
func (l *loader) function(b *building) {
	key := l.text()
	lit := l.chart.byKey[key]
	if lit == nil {
		l.damaged("the chart has no function %q", key)
	}
	code, err := lit.Code()
	native.Must(err)
	// What the function can get hold of has to be guarded, as it was when the
	// code around it ran.
	l.Admit(lit.owner)
	global := l.VM.GlobalObject()
	if lit.Class {
		native.Must(global.DefineDataProperty(syntax.RestoredSuper, l.Lib.Date, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	holder := native.Must1(l.VM.RunProgram(code)).(*goja.Object)
	b.object = l.numberOf(holder.Get(lit.Property()).(*goja.Object))
	b.literal = lit
	if lit.Class {
		native.Must(global.Delete(syntax.RestoredSuper))
	}
	if lit.Property() != lit.Name {
		native.Must(b.object.DefineDataProperty("name", l.VM.ToValue(lit.Name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
}

// extend makes a class extend another.
func (l *loader) extend(x extension) {
	native.Must(x.class.SetPrototype(x.super))
	proto, ok := x.class.Get("prototype").(*goja.Object)
	super, _ := x.super.Get("prototype").(*goja.Object)
	if !ok {
		l.damaged("a class without prototype")
	}
	native.Must(proto.SetPrototype(super))
}

// library returns an object of the library.
func (l *loader) library(path string) *goja.Object {
	if path != "globalThis" && !isLibraryPath()[path] {
		l.damaged("%q is not of the library", path)
	}
	l.AdmitNames(strings.Split(path, "."))
	if path == "globalThis" {
		return l.VM.GlobalObject()
	}
	o := l.in.resolve(l.VM, path)
	if o == nil {
		l.damaged("the library has no %s any more", path)
	}
	return o
}

// keptEvent makes an event that a script has kept, or the present one.
func (l *loader) keptEvent(b *building) {
	if l.word("true") {
		o, _ := l.presentEvent()
		b.object = l.numberOf(o)
		return
	}
	var fields [7]string
	l.expect('[')
	for i := range fields {
		if i > 0 {
			l.expect(',')
		}
		fields[i] = l.text()
	}
	l.expect(']')
	ev := datamodel.Event{Name: fields[0], SendID: fields[2], Origin: fields[3], OriginType: fields[4], InvokeID: fields[5], Raw: fields[6]}
	for _, t := range []datamodel.EventType{datamodel.External, datamodel.Internal, datamodel.Platform} {
		if t.String() == fields[1] {
			ev.Type = t
		}
	}
	o, data := l.NewEvent(&ev)
	b.object, b.data = l.numberOf(o), data
}

// node returns the node of a document that "$at" names, or the document.
func (l *loader) node(n *dom.Node) *goja.Object {
	if l.peek() == ',' {
		l.at++
		if l.text() != "$at" {
			l.damaged(`"$at" expected`)
		}
		l.expect(':')
		l.expect('[')
		for first := true; first || l.take(','); first = false {
			n = n.Children()[l.integerBelow(len(n.Children()))]
		}
		l.expect(']')
	}
	return l.numberOf(n.Object())
}

// xml reads a node as saver.xml writes it.
func (l *loader) xml(depth int) *datamodel.Node {
	if depth > datamodel.MaxDepth {
		l.damaged("XML is nested deeper than %d levels", datamodel.MaxDepth)
	}
	if l.peek() == '"' {
		return &datamodel.Node{Type: datamodel.TextNode, Text: l.text()}
	}
	l.expect('[')
	first := l.text()
	if l.take(']') {
		return &datamodel.Node{Type: datamodel.CommentNode, Text: first}
	}
	n := &datamodel.Node{Type: datamodel.ElementNode, Prefix: first}
	l.expect(',')
	n.Local = l.text()
	l.expect(',')
	n.Space = l.text()
	l.expect(',')
	l.expect('[')
	for !l.take(']') {
		if n.Attrs != nil {
			l.expect(',')
		}
		var a datamodel.Attr
		for i, field := range []*string{&a.Prefix, &a.Local, &a.Space, &a.Value} {
			if i > 0 {
				l.expect(',')
			}
			*field = l.text()
		}
		n.Attrs = append(n.Attrs, a)
	}
	for l.take(',') {
		n.Children = append(n.Children, l.xml(depth+1))
	}
	l.expect(']')
	return n
}
