package graph

import (
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// An inspector looks at objects, and changes what only the library can change, with functions of a
// library that no chart has changed: those of its own runtime. They accept objects of any runtime.
// Only one goroutine at a time may use it.
type inspector struct {
	lib native.Library

	descriptors, descriptor            native.Func // Object.getOwnPropertyDescriptors and …Descriptor
	ownNames, keys, symbols            native.Func // Object.getOwnPropertyNames, keys and getOwnPropertySymbols
	isExtensible, isSealed, isFrozen   native.Func // of Object
	seal, freeze, fix                  native.Func // of Object; fix is preventExtensions
	text                               native.Func // Function.prototype.toString
	eachOfMap, eachOfSet               native.Func // forEach
	setInMap, addToSet, push           native.Func // Map.prototype.set, Set.prototype.add, Array.prototype.push
	source                             native.Func // of RegExp.prototype, the getters
	flags                              []native.Func
	buffer, offset, length, tag        native.Func            // of typed arrays, the getters
	viewBuffer, viewOffset, viewLength native.Func            // of DataView.prototype, the getters
	unbox                              map[string]native.Func // valueOf, by class
	collect, collectPair               goja.Value             // append to found their first argument, and the second and first
	found                              []goja.Value

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
	clear(in.found[:cap(in.found)])
	in.path, in.names, in.found, in.out = in.path[:0], in.names[:0], in.found[:0], in.out[:0]
	if cap(in.names) > most || cap(in.found) > most || cap(in.out) > 16*most || large {
		in.names, in.found, in.out, in.seen = nil, nil, nil, map[*goja.Object]int32{}
	}
}

// inspectors are reused, since a new one costs as much as a new session.
var inspectors = sync.Pool{New: func() any { return newInspector() }}

// flagLetters are the flags of regular expressions, in the order of inspector.flags.
const flagLetters = "gimsuy"

func newInspector() *inspector {
	vm := goja.New()
	in := &inspector{lib: native.Library{VM: vm}, unbox: map[string]native.Func{}, seen: map[*goja.Object]int32{}}
	get := func(code string) native.Func {
		f, ok := native.Must1(vm.RunString(code)).(*goja.Object).Export().(native.Func)
		if !ok {
			panic("not a function of the library: " + code)
		}
		return f
	}
	getter := func(of, name string) native.Func {
		return get("Object.getOwnPropertyDescriptor(" + of + ", " + name + ").get")
	}
	for name, f := range map[string]*native.Func{
		"getOwnPropertyDescriptors": &in.descriptors, "getOwnPropertyDescriptor": &in.descriptor,
		"getOwnPropertyNames": &in.ownNames, "getOwnPropertySymbols": &in.symbols, "keys": &in.keys,
		"isExtensible": &in.isExtensible, "isSealed": &in.isSealed, "isFrozen": &in.isFrozen,
		"preventExtensions": &in.fix, "seal": &in.seal, "freeze": &in.freeze,
	} {
		*f = get("Object." + name)
	}
	for name, f := range map[string]*native.Func{
		"Function.prototype.toString": &in.text, "Array.prototype.push": &in.push,
		"Map.prototype.forEach": &in.eachOfMap, "Map.prototype.set": &in.setInMap,
		"Set.prototype.forEach": &in.eachOfSet, "Set.prototype.add": &in.addToSet,
	} {
		*f = get(name)
	}
	in.source = getter("RegExp.prototype", "'source'")
	for _, name := range []string{"global", "ignoreCase", "multiline", "dotAll", "unicode", "sticky"} {
		in.flags = append(in.flags, getter("RegExp.prototype", "'"+name+"'"))
	}
	const typed = "Object.getPrototypeOf(Int8Array.prototype)"
	in.buffer, in.offset = getter(typed, "'buffer'"), getter(typed, "'byteOffset'")
	in.length, in.tag = getter(typed, "'length'"), getter(typed, "Symbol.toStringTag")
	in.viewBuffer, in.viewOffset = getter("DataView.prototype", "'buffer'"), getter("DataView.prototype", "'byteOffset'")
	in.viewLength = getter("DataView.prototype", "'byteLength'")
	for _, class := range []string{"Number", "String", "Boolean", "BigInt", "Symbol"} {
		in.unbox[class] = get(class + ".prototype.valueOf")
	}
	callback := func(f func(call goja.FunctionCall)) goja.Value {
		return vm.ToValue(func(call goja.FunctionCall) goja.Value {
			f(call)
			return goja.Undefined()
		})
	}
	in.collectPair = callback(func(call goja.FunctionCall) { in.found = append(in.found, call.Argument(1), call.Argument(0)) })
	in.collect = callback(func(call goja.FunctionCall) { in.found = append(in.found, call.Argument(0)) })
	return in
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
	for _, key := range in.lib.Items(in.on(in.keys, o)) {
		keys = append(keys, key.String())
	}
	return keys
}

// textOf returns the text of a function.
func (in *inspector) textOf(f *goja.Object) string { return of(in.text, f).String() }

// isNative reports whether a function has no text of a script.
func (in *inspector) isNative(f *goja.Object) bool {
	return strings.HasSuffix(in.textOf(f), nativeText)
}

// nativeText is how the text of such a function ends.
const nativeText = "{ [native code] }"

func (in *inspector) extensible(o *goja.Object) bool { return in.on(in.isExtensible, o).ToBoolean() }

func (in *inspector) symbolCount(o *goja.Object) int { return len(in.lib.Items(in.on(in.symbols, o))) }

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
