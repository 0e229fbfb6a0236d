package pure

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// listed are the functions of the library that have no effect as long as their this and their
// arguments are of certain kinds, see [Watch.check]: the holder, the kind of this, those of the
// arguments, of which the last stands for all that follow, and * where the result is a new object.
const listed = `
Array _ v : isArray
Array C v* : of
Array C lf* : from
Array.prototype a fv : every some find findIndex findLast findLastIndex forEach reduce reduceRight
Array.prototype a vp : includes indexOf lastIndexOf
Array.prototype a p : at
Array.prototype a p* : keys values entries toReversed with
Array.prototype d k* : toSorted
Array.prototype A fv* : map filter
Array.prototype A p* : slice
Array.prototype D p* : flat
Array.prototype D d* : concat
Array.prototype d p : join toString
Array.prototype P v : push
Array.prototype F v : unshift
Array.prototype F vp : fill
Array.prototype F p : pop shift reverse
Array.prototype S k : sort
String.prototype s p : at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare normalize padEnd padStart repeat slice startsWith substr substring toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimStart trimEnd toString valueOf
String.prototype s xp* : split
String.prototype s xk : replace replaceAll
String.prototype s r* : match
String.prototype s r : search
String _ c : fromCharCode fromCodePoint
Number.prototype n p : toFixed toPrecision toExponential toString valueOf
Boolean.prototype n p : toString valueOf
Number _ v : isInteger isFinite isNaN isSafeInteger
Number _ c : parseFloat parseInt
Math _ c : abs acos acosh asin asinh atan atanh atan2 cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log1p log10 log2 max min pow round sign sin sinh sqrt tan tanh trunc
Object _ v : is
Object _ oc : hasOwn isFrozen isSealed isExtensible
Object _ o* : keys getOwnPropertyNames
Object _ e* : values entries
Object _ l* : fromEntries
Object.prototype o c : hasOwnProperty propertyIsEnumerable
Object.prototype d p : toString
Object.prototype v p : valueOf
JSON _ dp : stringify
JSON _ pp* : parse
Date _ c : now parse UTC
Date.prototype t p : getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds toISOString toString toDateString toTimeString toUTCString valueOf
RegExp.prototype r p : test toString
RegExp.prototype r p* : exec
Map.prototype v v : get has
Map.prototype v fv : forEach
Map.prototype v v* : keys values entries
Map.prototype W v : set delete clear
Set.prototype v v : has
Set.prototype v fv : forEach
Set.prototype v v* : keys values entries
Set.prototype W v : add delete clear
Error.prototype d p : toString
globalThis _ c : parseInt parseFloat isNaN isFinite String Number encodeURIComponent decodeURIComponent encodeURI decodeURI
globalThis _ v : Boolean
`

// A function is one of those listed.
type function struct {
	this  byte
	args  string
	fresh bool
}

// What else is to be told from what a chart may have put in its place, as code in a new runtime.
const (
	arrayClass    = "Array"
	species       = "Object.getOwnPropertyDescriptor(Array, Symbol.species).get"
	callMethod    = "Function.prototype.call"
	applyMethod   = "Function.prototype.apply"
	arrayJoin     = "Array.prototype.join"
	arrayText     = "Array.prototype.toString"
	objectText    = "Object.prototype.toString"
	errorText     = "Error.prototype.toString"
	errorClass    = "Error"
	dateClass     = "Date"
	dateJSON      = "Date.prototype.toJSON"
	dateISO       = "Date.prototype.toISOString"
	datePrimitive = "Date.prototype[Symbol.toPrimitive]"
	objectClass   = "Object"
	stringClass   = "String"
	numberClass   = "Number"
	booleanClass  = "Boolean"
	regExpClass   = "RegExp"
	regExpExec    = "RegExp.prototype.exec"
	regExpSpecies = "Object.getOwnPropertyDescriptor(RegExp, Symbol.species).get"
	functionText  = "Function.prototype.toString"
	hasInstance   = "Function.prototype[Symbol.hasInstance]"
	mapClass      = "Map"
	mapSet        = "Map.prototype.set"
	setAdd        = "Set.prototype.add"
)

var (
	getters = []string{
		"Object.getOwnPropertyDescriptor(Map.prototype, 'size').get", "Object.getOwnPropertyDescriptor(Set.prototype, 'size').get",
		"Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get", "Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get",
		"Object.getOwnPropertyDescriptor(RegExp.prototype, 'global').get", "Object.getOwnPropertyDescriptor(RegExp.prototype, 'sticky').get",
		"Object.getOwnPropertyDescriptor(RegExp.prototype, 'unicode').get", "Object.getOwnPropertyDescriptor(RegExp.prototype, 'ignoreCase').get",
		"Object.getOwnPropertyDescriptor(RegExp.prototype, 'multiline').get", "Object.getOwnPropertyDescriptor(RegExp.prototype, 'dotAll').get",
	}
	iterators = []string{
		"Array.prototype[Symbol.iterator]", "String.prototype[Symbol.iterator]", "Map.prototype[Symbol.iterator]", "Set.prototype[Symbol.iterator]",
		"Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))[Symbol.iterator]",
	}
	nexts   = []string{"[][Symbol.iterator]().next", "''[Symbol.iterator]().next", "new Map()[Symbol.iterator]().next", "new Set()[Symbol.iterator]().next"}
	valueOf = []string{"Object.prototype.valueOf", "Date.prototype.valueOf", "Number.prototype.valueOf", "String.prototype.valueOf", "Boolean.prototype.valueOf"}
	texts   = []string{"Date.prototype.toString", "Number.prototype.toString", "String.prototype.toString", "Boolean.prototype.toString", functionText, "RegExp.prototype.toString"}
	matches = []string{"RegExp.prototype[Symbol.match]", "RegExp.prototype[Symbol.replace]", "RegExp.prototype[Symbol.search]", "RegExp.prototype[Symbol.split]"}
	others  = []string{
		arrayClass, species, callMethod, applyMethod, arrayJoin, arrayText, objectText, errorText, errorClass, dateClass, dateJSON, dateISO, datePrimitive,
		objectClass, stringClass, numberClass, booleanClass, regExpClass, regExpExec, regExpSpecies, hasInstance, mapClass, mapSet, setAdd,
	}
)

// A library knows the functions of the library by their code, which a chart cannot change: neither
// a name nor a place in a prototype proves anything. Some of them have the same code; of these
// none is listed but constructors.
type library struct {
	functions map[uintptr]*function
	code      map[string]uintptr
}

var theLibrary = sync.OnceValue(func() *library {
	l := &library{functions: map[uintptr]*function{}, code: map[string]uintptr{}}
	vm := goja.New()
	code := func(path string) uintptr {
		p := codeOf(native.Must1(vm.RunString(path)))
		if p == 0 {
			panic("not a function of the library: " + path)
		}
		return p
	}
	for line := range strings.Lines(strings.TrimSpace(listed)) {
		head, names, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		args, fresh := strings.CutSuffix(words[2], "*")
		for name := range strings.FieldsSeq(names) {
			l.functions[code(words[0]+"."+name)] = &function{this: words[1][0], args: args, fresh: fresh}
		}
	}
	for _, path := range slices.Concat(others, getters, iterators, nexts, valueOf, texts, matches) {
		l.code[path] = code(path)
	}
	return l
})

// codeOf returns what tells the code of a function that Go has made from others, or 0.
func codeOf(v goja.Value) uintptr {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Function" {
		return 0
	}
	f, ok := o.Export().(native.Func)
	if !ok {
		return 0
	}
	return reflect.ValueOf(f).Pointer()
}

// pristines look at the objects of a chart.
var pristines = sync.Pool{New: func() any { return native.NewPristine() }}
