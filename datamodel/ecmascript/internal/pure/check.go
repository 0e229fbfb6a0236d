package pure

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// check stops unless a value is of a kind, and returns what a function of the library is to get
// for it. Primitive values are of every kind but the last ones. Of this, n is the number of
// arguments.
//
//	v _  any value, which the function does not look into
//	p n s  a primitive value
//	c    what can be converted to a primitive value
//	f    a callback, or (k) one whose result is converted
//	o    an object whose keys are looked at
//	e    an object whose properties are read
//	a    an array whose items are read, and (A) a new one of its class is made
//	d    data that is read as a whole, and (D) an array of this kind, of whose class a new one is made
//	l    data that is read as a whole and may be iterated
//	t    a Date
//	r    a regular expression, or (x) a primitive value
//	C    the class Array
//	F    a new array that is changed, or (P) gets more items, or (S) whose items may be converted
//	W    another new object that is changed
func (w *Watch) check(kind byte, v goja.Value, n int) goja.Value {
	o, object := v.(*goja.Object)
	switch kind {
	case 'F', 'P', 'S', 'W':
		if !object || !w.fresh[o] {
			w.stop("changes something that it has not made")
		}
		if kind != 'W' {
			w.settable(o, n, kind == 'P')
		}
		if kind == 'S' {
			w.deep(v, map[*goja.Object]bool{})
		}
		return v
	}
	if !object {
		return v
	}
	ok := true
	switch kind {
	case 'v', '_':
	case 'c':
		w.convert(v, nil)
	case 'f', 'k':
		if _, callable := goja.AssertFunction(o); callable {
			return w.callback(o, kind == 'k')
		}
		w.convert(v, nil)
	case 'o', 'e':
		w.own(o, kind == 'e')
	case 'a', 'A':
		ok = w.array(o, kind == 'A')
	case 'd', 'D':
		w.deep(v, map[*goja.Object]bool{})
		ok = kind == 'd' || w.array(o, true)
	case 'l':
		w.deep(v, map[*goja.Object]bool{})
		w.iterate(v)
	case 't':
		ok = o.ClassName() == "Date"
	case 'r', 'x':
		ok = w.pattern(o)
	case 'C':
		ok = w.isArrayClass(o)
	default:
		ok = false
	}
	if !ok {
		w.stop("gives a function of the library an object that may have methods of its own")
	}
	return v
}

// callback returns what a function of the library may call for a function, and whose result it may
// convert.
func (w *Watch) callback(o *goja.Object, converts bool) goja.Value {
	if c := w.callee(o); c.listed == nil && c.via == 0 && !converts {
		return c.object
	}
	return w.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		v := w.apply(o, call.This, call.Arguments)
		if converts {
			w.convert(v, nil)
		}
		return v
	})
}

// convert stops if to convert a value to a primitive one may run code of the chart.
func (w *Watch) convert(v goja.Value, within []*goja.Object) {
	o, ok := v.(*goja.Object)
	if !ok || slices.Contains(within, o) {
		return
	}
	if len(within) > 100 {
		w.stop("converts data that is nested too deep")
	}
	within = append(within, o)
	own := func(method goja.Value, of ...string) {
		if !goja.IsUndefined(method) && !w.is(method, of...) {
			w.stop("converts an object that has its own way to become a primitive value")
		}
	}
	own(w.property(o, goja.SymToPrimitive), datePrimitive)
	own(w.named(o, "valueOf"), valueOf...)
	switch text := w.named(o, "toString"); {
	case w.is(text, objectText):
		w.property(o, goja.SymToStringTag)
	case w.is(text, errorText):
		w.convert(w.named(o, "name"), within)
		w.convert(w.named(o, "message"), within)
	case w.is(text, arrayText):
		own(w.named(o, "join"), arrayJoin)
		if !w.array(o, false) {
			w.stop("converts an object that is like an array")
		}
		for i := range w.length(o) {
			w.convert(w.property(o, w.vm.ToValue(i)), within)
		}
	case w.is(text, functionText) && w.text(o) == watched:
		w.stop("converts a function to its text")
	default:
		own(text, texts...)
	}
}

// own stops if to look at the keys of o, or to read its properties, may run code of the chart.
func (w *Watch) own(o *goja.Object, read bool) {
	if o == w.vm.GlobalObject() {
		w.stop("uses the global object")
	}
	if o.ClassName() == "Error" {
		w.convert(o, nil) // see property
	}
	if o = w.target(o); !read || w.plain {
		return
	}
	check := func(key goja.Value) {
		if d := w.describe(o, key); d != nil && d.Get("value") == nil {
			w.stop("reads %s, which has a getter", key)
		}
	}
	for _, key := range o.GetOwnPropertyNames() {
		check(w.vm.ToValue(key))
	}
	for _, key := range o.Symbols() {
		check(key)
	}
}

// chain stops if o or one of its prototypes is a proxy.
func (w *Watch) chain(o *goja.Object) {
	for ; o != nil; o = w.target(o).Prototype() {
		w.own(o, false)
	}
}

func (w *Watch) length(o *goja.Object) int {
	v := w.named(o, "length")
	w.convert(v, nil)
	n := v.ToInteger()
	if n > native.MaxItems {
		w.stop("reads an array of %d items", n)
	}
	return int(n)
}

// array reports whether o is an array whose items can be read and, if another is made of it, is of
// the class Array.
func (w *Watch) array(o *goja.Object, another bool) bool {
	if o.ClassName() != "Array" || o.ExportType() == native.TypeProxy {
		return false
	}
	if !w.plain {
		w.settable(o, 0, false)
	}
	if !another {
		return true
	}
	class, ok := w.named(o, "constructor").(*goja.Object)
	return ok && w.isArrayClass(class)
}

// settable stops if an item of an array is an accessor, or if one of n that are added may be.
func (w *Watch) settable(o *goja.Object, n int, add bool) {
	from, to := 0, w.length(o)
	if add {
		from = to
	}
	if w.plain {
		return
	}
	for i := from; i < to+n; i++ {
		if d, _ := w.find(o, w.vm.ToValue(i)); d != nil && d.Get("value") == nil {
			w.stop("uses item %d of an array, which has a getter or setter", i)
		}
		w.alive()
	}
}

// isArrayClass reports whether o is Array, and makes arrays of methods.
func (w *Watch) isArrayClass(o *goja.Object) bool {
	if !w.is(o, arrayClass) || o.Get("prototype") != w.vm.NewArray().Prototype() {
		return false
	}
	d, _ := w.find(w.target(o), goja.SymSpecies)
	return d != nil && w.is(d.Get("get"), species)
}

// deep stops if to read data as a whole, as JSON.stringify does, may run code of the chart.
func (w *Watch) deep(v goja.Value, seen map[*goja.Object]bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		if v.ExportType() == native.TypeBigInt { // may have a toJSON
			w.stop("gives a BigInt to a function of the library")
		}
		return
	}
	if seen[o] {
		return
	}
	seen[o] = true
	w.alive()
	w.own(o, true)
	w.convert(v, nil)
	w.property(o, goja.SymToStringTag)
	json := w.named(o, "toJSON")
	if !goja.IsUndefined(json) && !(w.is(json, dateJSON) && w.is(w.named(o, "toISOString"), dateISO)) {
		w.stop("uses an object with a method toJSON")
	}
	if _, object := w.property(o, goja.SymIsConcatSpreadable).(*goja.Object); object || o.ClassName() == "Array" && !w.array(o, true) {
		w.stop("uses an array of another class")
	}
	for _, key := range o.Keys() {
		w.deep(o.Get(key), seen)
	}
}

// iterate stops if to iterate over a value may run code of the chart.
func (w *Watch) iterate(v goja.Value) {
	o, object := v.(*goja.Object)
	if !object {
		if _, ok := v.(goja.String); !ok {
			return // it throws
		}
		o = v.ToObject(w.vm)
	}
	method := w.property(o, goja.SymIterator)
	if goja.IsUndefined(method) || goja.IsNull(method) { // it throws, or only has a length
		w.settable(o, 0, false)
		return
	}
	if !w.is(method, iterators...) {
		w.stop("iterates over an object that has its own way to do that")
	}
	if object && !w.array(o, false) {
		w.own(o, true)
		w.settable(o, 0, false)
	}
	iterator, ok := method.(*goja.Object).Export().(native.Func)(goja.FunctionCall{This: v}).(*goja.Object)
	switch {
	case !ok || iterator == o && !w.fresh[o]:
		w.stop("uses an iterator that it has not made")
	case !w.is(w.named(iterator, "next"), nexts...) || !goja.IsUndefined(w.named(iterator, "return")):
		w.stop("iterates in a way that the chart has changed")
	}
}

// pattern reports whether o is a regular expression whose methods can be used.
func (w *Watch) pattern(o *goja.Object) bool {
	if o.ClassName() != "RegExp" || o.ExportType() == native.TypeProxy || len(o.GetOwnPropertyNames()) > 1 {
		return false
	}
	w.convert(o.Get("lastIndex"), nil)
	for _, key := range []*goja.Symbol{goja.SymMatch, goja.SymReplace, goja.SymSearch, goja.SymSplit} {
		if !w.is(w.property(o, key), matches...) {
			return false
		}
	}
	for _, key := range []string{"source", "flags", "global", "sticky", "unicode"} {
		d, _ := w.find(o, w.vm.ToValue(key))
		if d == nil || !w.is(d.Get("get"), getters...) {
			return false
		}
	}
	if (w.named(o, "global").ToBoolean() || w.named(o, "sticky").ToBoolean()) && !w.fresh[o] {
		w.stop("uses a regular expression that remembers where it has found something (flag g or y)")
	}
	class, ok := w.named(o, "constructor").(*goja.Object)
	if !ok || !w.is(class, regExpClass) || !w.is(w.named(o, "exec"), regExpExec) {
		return false
	}
	d, _ := w.find(class, goja.SymSpecies)
	return d != nil && w.is(d.Get("get"), regExpSpecies)
}
