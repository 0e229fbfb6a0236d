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
// a bool. Every other one is a [js.Value]: one that can have several types, or that can be undefined.
// An item is undefined at first if its <data> has no value, is late, has an expression that can fail, or is
// read by an expression that comes before it. Items have the types of all that is assigned to them anywhere;
// the order of assignments does not count. Go fields have the zero value until they are initialised, which no
// expression sees.
//
// # Failures
//
// The code of an expression has no effect but one: if it fails it sets Names.Err, and yields a value that
// must not be used. [Code].Fails says whether that can happen at all; then the caller looks at Names.Err and
// empties it. What may not be evaluated, on the right of && for example, is not. The messages are those of
// the interpreter. Expressions with a syntax error, assignments to system variables and to names that are
// not declared fail when they are evaluated, as they do in the interpreter.
//
// # What can be compiled
//
//   - literals except BigInts, regular expressions, arrays, objects and functions; strings without half a
//     surrogate pair
//   - data items, undefined, NaN, Infinity
//   - the operators + - * / % ** & | ^ ~ << >> >>> == != === !== < <= > >= ! && || ?? ?: typeof void and the
//     comma, and templates
//   - In() with a constant id, or with a computed one where Names.Named is set
//   - _name, _sessionid, _event and its fields, _event.data and its members, ?. for these, and the location
//     in _ioprocessors under a constant name
//   - the length of a string, its trim, includes, startsWith, endsWith, indexOf, charAt, slice and substring
//     where it is known to be one, and toString() of what is a string, a number or a boolean
//   - Math.PI and the other constants of Math and Number; Math.abs, ceil, floor, max, min, pow, round, sign,
//     sqrt and trunc; Number, String, Boolean, isNaN, isFinite, parseInt and parseFloat; Number.isInteger,
//     isFinite, isNaN, parseInt and parseFloat
//   - in scripts: assignments to names with all operators, ++ and --, as statements; var; let and const at
//     the top level of global scripts; if, else, blocks and expressions
//
// Everything else is a [Problem]. So is reading a variable that only a script in executable content declares,
// in an expression outside of such scripts.
//
// # Fidelity
//
// Results are those of ECMAScript to the last bit, except for the last digit of **, which the language leaves
// open; where goja has other results, for 1e21|0 for example, ECMAScript's count. Operations on constants
// are done here, so that Go does not compute them exactly. A product is rounded before it is added to
// something, which Go does not do by itself on some processors.
//
// Strings are UTF-8. A part of a string that has half of a surrogate pair has U+FFFD in its place. Members of
// an event's data whose names all objects inherit, such as toString, cannot be read, and reading one that is
// an object fails. If the data are a string, a member with the name of a method of strings is undefined.
//
// Nothing of a chart gets into Go code but numbers, strings in quotes, and what the functions in [Names]
// return for names.
package es
