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

// A building is an object that has more than properties or items, while it is read.
type building struct {
	object     *goja.Object
	view       func(of goja.Value) *goja.Object // makes the object of what $of says
	slot       int                              // of an object that view makes: its number
	data       *goja.Value                      // of an event
	function   *function
	length     bool        // of an array: the length cannot be changed
	bound      native.Func // freezes, seals or fixes it
	attributes []attribute
}

type attribute struct{ key, flags string }

// begin reads the first member, which tells the kind of an object.
func (l *loader) begin(kind string) *building {
	b := &building{}
	switch kind {
	case "$array", "$map", "$set":
		as := map[string]byte{"$array": '[', "$map": 'm', "$set": 's'}[kind]
		b.object = l.create(as)
		l.items(b.object, as)
	case "$object", "$null":
		b.object = l.create(map[string]byte{"$object": '{', "$null": 'n'}[kind])
		l.properties(b.object)
	case "$sparse":
		b.object = l.create('[')
		native.Must(b.object.Set("length", l.integer(math.MaxUint32)))
	case "$date":
		at := l.notObject()
		if goja.IsNull(at) {
			at = l.VM.ToValue(math.NaN())
		}
		b.object = l.numberOf(native.Must1(l.VM.New(l.Lib.Date, at)))
	case "$regexp":
		b.object = l.numberOf(l.regexp())
	case "$boxed":
		v := l.notObject()
		if goja.IsNull(v) || goja.IsUndefined(v) {
			l.Fail("a value that can be an object expected")
		}
		b.object = l.numberOf(v.ToObject(l.VM))
	case "$error":
		class := l.text()
		if !slices.Contains(errorOf, class) {
			l.Fail("%q is not a kind of error", class)
		}
		// The usual properties are saved like all others.
		b.object = l.numberOf(native.Must1(l.VM.New(l.class("Error"))))
		native.Must(b.object.Delete("stack"))
		if class != "Error" {
			proto, _ := l.class(class).Get("prototype").(*goja.Object)
			native.Must(b.object.SetPrototype(proto))
		}
	case "$buffer":
		data, err := base64.StdEncoding.DecodeString(l.text())
		if err != nil {
			l.Fail("the bytes of an ArrayBuffer are not base64")
		}
		b.object = l.numberOf(l.VM.ToValue(l.VM.NewArrayBuffer(data)).(*goja.Object))
	case "$view":
		l.view(b)
	case "$prototypeOf":
		l.yes()
		l.later(b, l.prototype)
	case "$function":
		l.function(b)
	case "$event":
		l.keptEvent(b)
	case "$xml":
		doc := l.Window().Document(l.xml(0))
		l.trees = append(l.trees, doc)
		b.object = l.node(doc)
	case "$node":
		b.object = l.node(l.trees[l.index(len(l.trees))])
	default:
		l.Fail("%q is an unknown kind of value", kind)
	}
	return b
}

// member reads a member of a special object.
func (l *loader) member(b *building, key string) {
	class := b.function != nil && b.function.Class
	switch {
	case key == "$props" && b.object != nil:
		l.properties(b.object)
	case key == "$attributes":
		b.attributes = l.attributes("$")
	case key == "$frozen" || key == "$sealed" || key == "$fixed":
		l.yes()
		b.bound = l.in.Func(map[string]string{"$frozen": "Object.freeze", "$sealed": "Object.seal", "$fixed": "Object.preventExtensions"}[key])
	case key == "$length":
		l.yes()
		b.length = b.object != nil && b.object.ClassName() == "Array"
	case key == "$proto" && class:
		l.classes = append(l.classes, extension{b.object, l.objectValue()})
	case key == "$proto" && b.object != nil:
		native.Must(b.object.SetPrototype(l.objectValue()))
	case key == "$instanceOf" && b.object != nil:
		native.Must(b.object.SetPrototype(l.prototype(l.value())))
	case key == "$prototype" && b.function != nil && !class:
		native.Must(b.object.DefineDataProperty("prototype", l.objectValue(), goja.FLAG_NOT_SET, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET))
	case key == "$name" && b.function != nil:
		if v := l.value(); goja.IsUndefined(v) {
			native.Must(b.object.Delete("name"))
		} else {
			l.nameFunction(b.object, v)
		}
	case key == "$of" && b.view != nil:
		b.object = b.view(l.value())
		l.numbered[b.slot] = b.object
		b.view = nil
	case key == "$data" && b.data != nil:
		*b.data = l.value()
	default:
		l.Fail("%q does not belong here", key)
	}
}

func (l *loader) nameFunction(f *goja.Object, name goja.Value) {
	native.Must(f.DefineDataProperty("name", name, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// objectValue reads a value that has to be an object.
func (l *loader) objectValue() *goja.Object {
	o, ok := l.value().(*goja.Object)
	if !ok {
		l.Fail("an object expected")
	}
	return o
}

// notObject reads a value that has to be a primitive one.
func (l *loader) notObject() goja.Value {
	v := l.value()
	if _, ok := v.(*goja.Object); ok {
		l.Fail("a primitive value expected")
	}
	return v
}

// attributes reads names, from which it removes a prefix, and attributes.
func (l *loader) attributes(prefix string) (list []attribute) {
	l.Each('{', '}', func() {
		a := attribute{strings.TrimPrefix(l.key(), prefix), l.text()}
		if strings.Trim(a.flags, allFlags) != "" {
			l.Fail("%q is not a list of attributes: want letters of \"wec\"", a.flags)
		}
		list = append(list, a)
	})
	return list
}

// complete adds what requires the rest of the object.
func (l *loader) complete(b *building) *goja.Object {
	o := b.object
	if o == nil {
		l.Fail("\"$of\" is missing")
	}
	for _, a := range b.attributes {
		native.Must(o.DefineDataProperty(a.key, nil, flagOf(a.flags, "w"), flagOf(a.flags, "c"), flagOf(a.flags, "e")))
	}
	if b.length {
		native.Must(o.DefineDataProperty("length", nil, goja.FLAG_FALSE, goja.FLAG_NOT_SET, goja.FLAG_NOT_SET))
	}
	if b.bound != nil {
		l.in.on(b.bound, o)
	}
	return o
}

func flagOf(flags, letter string) goja.Flag { return goja.ToFlag(strings.Contains(flags, letter)) }

func (l *loader) regexp() *goja.Object {
	l.Expect('[')
	source := l.stringValue()
	l.Expect(',')
	flags := l.text()
	if strings.Count(source.String(), "(") > maxSavedDepth {
		l.Fail("a regular expression has more than %d groups", maxSavedDepth)
	}
	o := native.Must1(l.VM.New(l.class("RegExp"), source, l.VM.ToValue(flags)))
	if l.Take(',') {
		native.Must(o.Set("lastIndex", l.notObject()))
	}
	l.Expect(']')
	return o
}

// later gives a number to an object that view makes of $of.
func (l *loader) later(b *building, view func(of goja.Value) *goja.Object) {
	b.slot, b.view = len(l.numbered), view
	l.numberOf(nil)
}

// view begins a view of a buffer, which follows.
func (l *loader) view(b *building) {
	l.Expect('[')
	class, big := strings.CutSuffix(l.text(), ofBigEndian)
	if class != "DataView" && !slices.Contains(native.TypedArrays, class) {
		l.Fail("%q is not a view of a buffer", class)
	}
	if isWide(class) && big != bigEndian {
		l.Fail("the bytes of a %s are in the order of another processor", class)
	}
	l.Expect(',')
	offset := l.integer(math.MaxInt32)
	l.Expect(',')
	length := l.integer(math.MaxInt32)
	l.Expect(']')
	l.later(b, func(buffer goja.Value) *goja.Object {
		if o, ok := buffer.(*goja.Object); !ok || o.ExportType() != native.TypeBuffer {
			l.Fail("an ArrayBuffer expected")
		}
		return native.Must1(l.VM.New(l.class(class), buffer, l.VM.ToValue(offset), l.VM.ToValue(length)))
	})
}

// function makes a function of the chart.
func (l *loader) function(b *building) {
	key := l.text()
	f := l.chart.byKey[key]
	if f == nil {
		l.Fail("the chart has no function %q", key)
	}
	code, err := f.Code()
	native.Must(err)
	// What the function can access must be guarded, as when the code around it ran.
	l.Admit(f.owner)
	global := l.VM.GlobalObject()
	if f.Class {
		native.Must(global.DefineDataProperty(syntax.RestoredSuper, l.Lib.Date, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	holder := native.Must1(l.VM.RunProgram(code)).(*goja.Object)
	b.object = l.numberOf(holder.Get(f.Property()).(*goja.Object))
	b.function = f
	if f.Class {
		native.Must(global.Delete(syntax.RestoredSuper))
	}
	if f.Property() != f.Name {
		l.nameFunction(b.object, l.VM.ToValue(f.Name))
	}
}

// prototype returns the prototype that a function has.
func (l *loader) prototype(f goja.Value) *goja.Object {
	if _, callable := goja.AssertFunction(f); callable {
		if o, ok := f.(*goja.Object).Get("prototype").(*goja.Object); ok {
			return o
		}
	}
	l.Fail("a function with a prototype expected")
	return nil
}

// extend makes a class extend another.
func (l *loader) extend(x extension) {
	native.Must(x.class.SetPrototype(x.super))
	proto, ok := x.class.Get("prototype").(*goja.Object)
	super, _ := x.super.Get("prototype").(*goja.Object)
	if !ok {
		l.Fail("a class without prototype")
	}
	native.Must(proto.SetPrototype(super))
}

// library returns an object of the library.
func (l *loader) library(path string) *goja.Object {
	if path != "globalThis" && !isLibraryPath(path) {
		l.Fail("%q is not of the library", path)
	}
	l.AdmitNames(strings.Split(path, "."))
	if path == "globalThis" {
		return l.VM.GlobalObject()
	}
	o := l.in.resolve(l.VM, path)
	if o == nil {
		l.Fail("the library no longer has %s", path)
	}
	return o
}

// keptEvent makes an event that a script has kept, or the present one.
func (l *loader) keptEvent(b *building) {
	if l.Word("true") {
		o, _ := l.presentEvent()
		b.object = l.numberOf(o)
		return
	}
	var ev datamodel.Event
	var kind string
	l.Expect('[')
	l.texts(&ev.Name, &kind, &ev.SendID, &ev.Origin, &ev.OriginType, &ev.InvokeID, &ev.Raw)
	l.Expect(']')
	for _, t := range []datamodel.EventType{datamodel.External, datamodel.Internal, datamodel.Platform} {
		if t.String() == kind {
			ev.Type = t
		}
	}
	o, data := l.NewEvent(&ev)
	b.object, b.data = l.numberOf(o), data
}

// node returns the node of a document that "$at" names, or the document.
func (l *loader) node(n *dom.Node) *goja.Object {
	if l.begins(',', `"$at"`) {
		l.Each('[', ']', func() { n = n.Children()[l.index(len(n.Children()))] })
	}
	return l.numberOf(n.Object())
}

// xml reads a node as saver.xml writes it.
func (l *loader) xml(depth int) *datamodel.Node {
	if depth > datamodel.MaxDepth {
		l.Fail("XML is nested deeper than %d levels", datamodel.MaxDepth)
	}
	if l.Peek() == '"' {
		return &datamodel.Node{Type: datamodel.TextNode, Text: l.text()}
	}
	l.Expect('[')
	first := l.text()
	if l.Take(']') {
		return &datamodel.Node{Type: datamodel.CommentNode, Text: first}
	}
	n := &datamodel.Node{Type: datamodel.ElementNode, Prefix: first}
	l.Expect(',')
	l.texts(&n.Local, &n.Space)
	l.Expect(',')
	l.Each('[', ']', func() {
		var a datamodel.Attr
		l.texts(&a.Prefix, &a.Local, &a.Space, &a.Value)
		n.Attrs = append(n.Attrs, a)
	})
	for l.Take(',') {
		n.Children = append(n.Children, l.xml(depth+1))
	}
	l.Expect(']')
	return n
}
