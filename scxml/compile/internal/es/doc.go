// Package es makes Go code of the ECMAScript expressions of a chart, for package compile.
//
// [New] gets the data items of the chart, and [Chart.Add], [Chart.AddScript], [Chart.AddAssign] and
// [Chart.AddValue] everything else that is evaluated or assigned. [Chart.Solve] then finds out what types
// each data item can have, over all of the chart, and returns everything that cannot be compiled, with
// places and reasons. After it, [Chart.Cond], [Chart.Value], [Chart.Text], [Chart.Init], [Chart.Assign] and
// [Chart.Script] return Go code. All of it is deterministic. A Chart may be used by one goroutine at a time.
//
// # Types
//
// A data item that is always a number is a float64; one that is always a string or a boolean, a string or
// a bool. Every other one is a [js.Value]: an array, an object, one that can have several types, or that can be
// undefined. So are parameters, results and local variables of functions. An item is undefined at first if its <data>
// has no value, is late, has an expression that can fail, or is read by an expression that comes before it; a local
// variable, if it may be read before it gets a value. Types are those of all that is assigned anywhere; the order of
// assignments does not count. A function that is called with several scalar types is made for each of them, up to four times, and once more for all others, see [Chart.Divide].
// Go variables have the zero value until they are initialised, which no expression sees.
//
// # Failures
//
// An expression without effects sets Names.Err if it fails, and yields a value that must not be used. [Code].Fails
// says whether that can happen at all; then the caller looks at Names.Err and empties it. All other code, which is called
// rich, panics where it fails, and is in a function that turns this into Names.Err. What may not be evaluated, on the
// right of && for example, is not. The messages are those of the interpreter. Expressions with a syntax error, assignments
// to system variables and to names that are not declared fail when they are evaluated, as they do in the interpreter.
//
// # What can be compiled
//
//   - literals except BigInts, regular expressions and accessors; strings without half a surrogate pair
//   - all operators but new, of which there are arrays, objects and errors, and instanceof, of which there are the same
//   - functions: those that global scripts declare, and others as local variables and arguments. They are not
//     kept as data, and have no properties.
//   - all statements but with, and break and continue out of what is not a loop or a switch
//   - the methods of strings, numbers and arrays, and the functions of Math, Number, Object, Array, String and JSON, that
//     package js has ([js.Known]); Date.now() and Math.random()
//   - In(), the system variables, and the location in _ioprocessors under a constant name
//   - var; let and const at the top of global scripts, and in functions and blocks
//
// Everything else is a [Problem]. So is reading a variable that only executable content declares, in an expression outside
// of it.
//
// # Fidelity
//
// Results are those of ECMAScript to the last bit, except for the last digit of **, which the language leaves
// open; where goja has other results, for 1e21|0 for example, ECMAScript's count. Operations on constants
// are done here, so that Go does not compute them exactly. A product is rounded before it is added to
// something, which Go does not do by itself on some processors. Operands are evaluated in their order, where one can
// change another, see inOrder.
//
// Strings are UTF-8. A part of a string that has half of a surrogate pair has U+FFFD in its place. Properties whose names
// all objects inherit, such as toString, cannot be set, and data that have them are refused.
//
// Nothing of a chart gets into Go code but numbers, strings in quotes, checked names of local variables, and what the
// functions in [Names] return for names.
package es
