package js

// Known reports whether ECMAScript has a property, and whether this package has it: the methods of a value of the kind
// "string", "number", "boolean", "array", "function" or "object", what the objects "Array", "JSON", "Math", "Number",
// "Object" and "String" have, and for the kind "" functions with a name of their own, such as parseInt. Kinds of
// values have the properties that all objects inherit, and an array and a string have "length".
//
// It knows ECMAScript 2020, and what the interpreter has of its successors.
func Known(kind, name string) (exists, compiled bool) {
	switch kind {
	case "":
		return global(name)
	case "Array", "JSON", "Math", "Number", "Object", "String":
		return static(kind, name)
	case "array":
		exists, compiled = ofArray(name)
	case "string":
		exists, compiled = ofText(name)
	case "number":
		switch name {
		case "toExponential", "toFixed", "toPrecision":
			return true, true
		}
	case "function":
		switch name {
		case "apply", "arguments", "bind", "call", "caller", "length", "name", "prototype":
			return true, false
		}
	}
	if exists {
		return exists, compiled
	}
	switch name {
	case "hasOwnProperty", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf":
		return true, kind != "function"
	}
	return inherited(name), false
}

func ofArray(name string) (exists, compiled bool) {
	switch name {
	case "at", "concat", "copyWithin", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat", "flatMap",
		"forEach", "includes", "indexOf", "join", "lastIndexOf", "length", "map", "pop", "push", "reduce", "reduceRight", "reverse", "shift",
		"slice", "some", "sort", "splice", "toReversed", "toSorted", "toSpliced", "unshift", "with":
		return true, true
	case "entries", "keys", "values":
		return true, false
	}
	return false, false
}

func ofText(name string) (exists, compiled bool) {
	switch name {
	case "at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "length", "localeCompare",
		"padEnd", "padStart", "repeat", "replace", "replaceAll", "slice", "split", "startsWith", "substr", "substring",
		"toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase", "trim", "trimEnd", "trimLeft", "trimRight", "trimStart":
		return true, true
	case "match", "matchAll", "normalize", "search":
		return true, false
	}
	return false, false
}

func global(name string) (exists, compiled bool) {
	switch name {
	case "Array", "Boolean", "Number", "Object", "String", "isFinite", "isNaN", "parseFloat", "parseInt":
		return true, true
	case "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval", "unescape":
		return true, false
	}
	return false, false
}

func static(object, name string) (exists, compiled bool) {
	switch object + "." + name {
	case "Array.from", "Array.isArray", "Array.of",
		"JSON.parse", "JSON.stringify",
		"Math.E", "Math.LN10", "Math.LN2", "Math.LOG10E", "Math.LOG2E", "Math.PI", "Math.SQRT1_2", "Math.SQRT2",
		"Math.abs", "Math.acos", "Math.acosh", "Math.asin", "Math.asinh", "Math.atan", "Math.atan2", "Math.atanh", "Math.cbrt", "Math.ceil",
		"Math.clz32", "Math.cos", "Math.cosh", "Math.exp", "Math.expm1", "Math.floor", "Math.fround", "Math.hypot", "Math.imul", "Math.log",
		"Math.log10", "Math.log1p", "Math.log2", "Math.max", "Math.min", "Math.pow", "Math.random", "Math.round", "Math.sign", "Math.sin", "Math.sinh",
		"Math.sqrt", "Math.tan", "Math.tanh", "Math.trunc",
		"Number.EPSILON", "Number.MAX_SAFE_INTEGER", "Number.MAX_VALUE", "Number.MIN_SAFE_INTEGER", "Number.MIN_VALUE", "Number.NEGATIVE_INFINITY",
		"Number.NaN", "Number.POSITIVE_INFINITY", "Number.isFinite", "Number.isInteger", "Number.isNaN", "Number.isSafeInteger",
		"Number.parseFloat", "Number.parseInt",
		"Object.assign", "Object.entries", "Object.fromEntries", "Object.hasOwn", "Object.is", "Object.keys",
		"Object.values",
		"String.fromCharCode", "String.fromCodePoint":
		return true, true
	case "JSON.isRawJSON", "JSON.rawJSON",
		"Object.create", "Object.defineProperties", "Object.defineProperty", "Object.freeze", "Object.getOwnPropertyDescriptor",
		"Object.getOwnPropertyDescriptors", "Object.getOwnPropertyNames", "Object.getOwnPropertySymbols", "Object.getPrototypeOf", "Object.isExtensible", "Object.isFrozen",
		"Object.isSealed", "Object.preventExtensions", "Object.seal", "Object.setPrototypeOf", "String.raw",
		"Array.prototype", "Number.prototype", "Object.prototype", "String.prototype":
		return true, false
	}
	return inherited(name), false
}

// kind returns the kind that v has for [Known].
func (v Value) kind() string {
	o := v.object()
	switch {
	case o == nil:
		return v.TypeOf()
	case o.class == array:
		return "array"
	case o.class == function:
		return "function"
	}
	return "object"
}

// inherits reports whether v has a property that is not one of its own.
func (v Value) inherits(name string) bool {
	if o := v.object(); o != nil && o.class < array {
		return inherited(name) || o.class == errorObject && name == "stack"
	}
	exists, _ := Known(v.kind(), name)
	return exists
}
