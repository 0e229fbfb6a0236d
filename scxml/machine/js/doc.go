// Package js is ECMAScript for compiled charts: values, operators, and the functions of its library that
// expressions use. Of its names a program needs [Value], [From], [Fields] and [Null] only; the others are for
// generated code.
//
//	v, err := js.From(js.Fields{{Name: "item", Value: "tea"}, {Name: "price", Value: 3}})
//
// Results are those of ECMA-262 to the last bit, except for the last digit of ** and of some functions of Math, which
// the language leaves open. A function without a text of its own is that of Math of the same name, or described at
// the one above it in the source.
//
// Exceptions are panics that [Catch] and [Try] end. Their messages are those of the interpreter. What a compiled
// chart cannot do throws a TypeError that ends in "is not compiled": reading a method as a value, a property with a
// name that all objects inherit, the text of a function, and what [Known] does not know to be compiled.
//
// Strings are UTF-8, and places in them are UTF-16 code units: a part that begins or ends inside of a surrogate pair
// has U+FFFD there. Arrays have at most ten million items.
//
// Functions of an array's method, such as [Map], take one that is written in place; [Method] takes one that is a value.
package js
