package graph

import (
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// An inspector looks at objects, and changes what only the library can change, with functions of a
// library that no chart has changed. Only one goroutine at a time may use it.
type inspector struct {
	*native.Pristine
	lib native.Library

	descriptors, descriptor, ownNames, keys, isExtensible native.Func // of Object: getOwnPropertyDescriptors and the like
	text                                                  native.Func // Function.prototype.toString

	argument [1]goja.Value // of a call

	// Memory that savers reuse.
	names []string
	seen  map[*goja.Object]int32
	path  []step
	out   []byte
}

// reset drops the references to saved data.
func (in *inspector) reset() {
	const most = 1 << 16 // memory for more is not kept
	large := len(in.seen) > most
	clear(in.seen)
	in.argument[0] = nil
	clear(in.path[:cap(in.path)])
	clear(in.names[:cap(in.names)])
	in.path, in.names, in.out = in.path[:0], in.names[:0], in.out[:0]
	if cap(in.names) > most || cap(in.out) > 16*most || large {
		in.names, in.out, in.seen = nil, nil, map[*goja.Object]int32{}
	}
}

// inspectors are reused, since a new one costs as much as a new session.
var inspectors = sync.Pool{New: func() any { return newInspector() }}

func newInspector() *inspector {
	p := native.NewPristine()
	return &inspector{
		Pristine: p, lib: native.Library{VM: p.VM}, seen: map[*goja.Object]int32{},
		descriptors: p.Func("Object.getOwnPropertyDescriptors"), descriptor: p.Func("Object.getOwnPropertyDescriptor"),
		ownNames: p.Func("Object.getOwnPropertyNames"), keys: p.Func("Object.keys"), isExtensible: p.Func("Object.isExtensible"),
		text: p.Func("Function.prototype.toString"),
	}
}

// items returns the items of a Map, with keys before values, or of a Set.
func (in *inspector) items(o *goja.Object, class string) (found []goja.Value) {
	add := in.VM.ToValue(func(call goja.FunctionCall) goja.Value {
		if class == "Map" {
			found = append(found, call.Argument(1))
		}
		found = append(found, call.Argument(0))
		return goja.Undefined()
	})
	in.Func(class + ".prototype.forEach")(goja.FunctionCall{This: o, Arguments: []goja.Value{add}})
	return found
}

// of calls the method f of an object.
func of(f native.Func, this *goja.Object) goja.Value { return f(goja.FunctionCall{This: this}) }

// on calls f, a function of Object, with an object as its argument.
func (in *inspector) on(f native.Func, o *goja.Object) goja.Value {
	in.argument[0] = o
	return f(goja.FunctionCall{This: goja.Undefined(), Arguments: in.argument[:]})
}

// appendKeys appends the keys of the enumerable own properties of o.
func (in *inspector) appendKeys(keys []string, o *goja.Object) []string {
	list := in.on(in.keys, o).(*goja.Object)
	if lengthOf(list) == 0 {
		return keys // most functions, which are many
	}
	for _, key := range in.lib.Items(list) {
		keys = append(keys, key.String())
	}
	return keys
}

// countKeys returns how many keys appendKeys would append.
func (in *inspector) countKeys(o *goja.Object) int64 {
	return lengthOf(in.on(in.keys, o).(*goja.Object))
}

func lengthOf(array *goja.Object) int64 { return array.Get("length").ToInteger() }

// textOf returns the text of a function.
func (in *inspector) textOf(f *goja.Object) string { return of(in.text, f).String() }

// isNative reports whether a function has no text of a script.
func (in *inspector) isNative(f *goja.Object) bool {
	return strings.HasSuffix(in.textOf(f), nativeText)
}

// nativeText is how the text of such a function ends.
const nativeText = "{ [native code] }"

func (in *inspector) extensible(o *goja.Object) bool { return in.on(in.isExtensible, o).ToBoolean() }

func (in *inspector) symbolCount(o *goja.Object) int {
	return len(in.lib.Items(in.on(in.Func("Object.getOwnPropertySymbols"), o)))
}

// A property is an own property of an object.
type property struct {
	key      string
	value    goja.Value
	flags    string // the letters of those of "wec" that it has: writable, enumerable, configurable
	accessor bool
}

func (p property) has(flag string) bool { return strings.Contains(p.flags, flag) }

// properties returns the own properties of o with string keys, and whether there are others.
func (in *inspector) properties(o *goja.Object) (list []property, symbols bool) {
	all := in.on(in.descriptors, o).(*goja.Object)
	for _, key := range all.Keys() {
		d, ok := all.Get(key).(*goja.Object)
		if !ok {
			continue
		}
		list = append(list, *propertyOf(key, d))
	}
	return list, len(all.Symbols()) > 0
}

// propertyOf returns the property of a descriptor.
func propertyOf(key string, descriptor *goja.Object) *property {
	p := &property{key: key, value: descriptor.Get("value")}
	if p.value == nil {
		p.accessor = descriptor.Get("get") != nil || descriptor.Get("set") != nil
		p.value = goja.Undefined()
	}
	var flags [len(allFlags)]byte
	n := 0
	for i, name := range [...]string{"writable", "enumerable", "configurable"} {
		if v := descriptor.Get(name); v != nil && v.ToBoolean() {
			flags[n] = allFlags[i]
			n++
		}
	}
	p.flags = string(flags[:n])
	return p
}

const allFlags = "wec"
