// Package ecmascript is the ECMAScript data model (REC B.2), on the script
// engine goja.
//
// [New] returns the language; the engine does the rest. Whoever wants to know
// what a chart may write reads on.
//
// # Data and scripts
//
// All data items and all variables of scripts live in one global scope (REC
// B.2: "The SCXML Processor MUST place all variables in a single global
// ECMAScript scope"). Scripts are ECMAScript 5.1 and most of what came after it, run as
// sloppy code unless they say otherwise; what goja lacks is said at
// https://github.com/dop251/goja. There is no console, no timer, no module
// loader and no access to files or the network. Promises are settled at the
// end of the evaluation that made them. Date and Math.random follow the
// session's clock and seed.
//
// No Go value is ever in reach of a script. What a function of the host returns
// as an error is an Error with the same text.
//
// A condition, value or location is exactly one expression. It may have a
// comment, and one semicolon at its end, which is left out. {a: 1} is an
// object. A location is a name or a property: x, a.b, a[i].b. Assigning to a
// name that is not declared, to a constant or to what is read-only is an error.
//
// Top-level let, const and class of a script hide a data item of that name.
// A script in executable content that declares let x fails when it runs again,
// since x is there already; var x does not.
//
// A data item may have any name that strict code allows for a variable, also
// one that the library uses, which it then hides.
//
// # System variables
//
// _event, _sessionid, _name, _ioprocessors and _x are there as REC 5.10 has
// them, and every attempt to change them, a field of theirs or their prototype,
// throws, unless the language has it report false: delete, Reflect.set. _event
// is undefined until the first event; its data is the session's own copy, which
// scripts may change. _ioprocessors also knows the types by their short names
// scxml and basichttp, which are not listed. In(id) wants a string.
//
// # Content
//
// The content of <data>, <assign> and <content>, and of files, is JSON if it
// can be read as that, an XML document, or text with its white space normalised.
// It is never evaluated: {a: 1} without quotes is text. Blank content is the
// empty string. Several elements, or text beside an element, are no document
// and so are text, with the markup.
//
// XML is a Document of the DOM that can be read: node, element, attribute and
// text properties, getElementsByTagName(NS), getAttribute(NS), hasAttribute,
// toString. Of changes it knows setAttribute and removeAttribute. Lists of
// nodes are arrays and not live. A document answers for its root element when
// it is asked for an attribute.
//
// # What leaves and enters
//
// Values cross the border as copies, see [datamodel.Value]. Leaving: own
// enumerable properties with string keys, in order; a Set and a typed array
// become arrays, a Map an array of pairs, a RegExp its source, an Error its
// name and message, an invalid Date null, a symbol undefined, a function its
// name. Data that contains itself, is nested deeper than
// [datamodel.MaxDepth], has more than ten million items or a BigInt larger than
// [datamodel.MaxBigInt] allows is an error that names the place.
//
// # Saving
//
// A store is a [datamodel.Saver]. It keeps the graph of all data, with cycles and
// what is shared, and functions, since their text stands in the chart, that
// capture no variables but constants. Closures with a state of their own, instances of classes,
// accessors, promises, proxies and the like are
// [datamodel.ErrNotSerializable]. SNAPSHOT.md beside this package tells all of
// it, and the format.
//
// # Errors
//
// Every failure is a *[datamodel.EvalError] with the place in the document, or
// in the file that a script came from, and the stack of script calls. Text that
// was given to eval has no place of its own.
//
// # Limits
//
// An evaluation that takes longer than [datamodel.Host].ScriptTime is broken
// off with [datamodel.ErrScriptTime] as the cause, one whose context is done
// with that of the context, and a call stack deeper than CallDepth ends as
// well; none of these can be caught by the script, nor is finally run, and the
// session goes on. The timer that this takes exists only while a script runs
// between Begin and End. What takes no script engine is not broken off, since it
// takes no time, but it does not begin either when the time is up.
//
// Scripts that are longer than [DefaultMaxScript] or absurdly deep are refused
// as syntax errors. Text that becomes code at run time has the same limits, with
// a RangeError, and may not use eval itself. Nor can a chart declare the name
// eval, or use it in a with statement.
//
// Functions of the library throw a RangeError rather than nest deeper than
// 1,000 levels: JSON.parse and stringify, the ways of arrays and errors to become
// strings, generators that delegate, bound functions and proxies that stand one
// before the other. Array.prototype.flat takes away 1,000 levels at most, and a
// regular expression made of a string may have 100. Strings and buffers that one
// of repeat, padStart, padEnd, concat, join, JSON.stringify and the constructors
// of buffers makes are bounded to 256 MB. Arrays, and what is like one, may have
// 50,000,000 items where map, sort, toSorted, fill, flat, concat, join, from or
// Function.prototype.apply reads or makes them, and where another method of arrays
// goes through them if the code of the session has a way to a length without items:
// call, apply, Reflect, Proxy, a prototype, Array, or an assignment to length. The
// bounds of strings and arrays hold where a script spells these names; who computes
// them goes round them.
//
// What can not be broken off is a single operation of the library: a regular
// expression that backtracks (one with lookahead or backreferences; all others
// take linear time), sorting or searching a large array, also one that an index
// such as a[4e9] has made long, or 2n ** 1000000000n.
// Nor is there a limit of memory: a script may use up what the process has, most
// simply with s += s in a loop, or at a stroke with [...Array(4e9)] or 1n << 2n ** 40n.
// And a script can still overflow the stack of Go, which ends the process: with
// a chain of millions of prototypes, and with a method of the library that it
// gets by a computed name, a symbol or a property descriptor and makes the
// toString, the valueOf or a getter of an object which that method then asks for it.
// Run charts of strangers in a process that may be lost.
//
// When an asynchronous function or a generator has been broken off by a limit,
// promises of that session settle no more.
//
// # Cost
//
// Expressions are compiled once, for all sessions of a chart. Simple ones take no
// script engine: those made of literals, names, properties whose names are
// constants, comparisons, arithmetic, ! && || ?? ?: ?. typeof and In(), as long as
// the values are numbers, short strings in ASCII, booleans, null, undefined, or
// parts of _event.data that no script has looked at. They take 15 to 40 ns each,
// and an assignment of such a value to a data item as well.
//
// A store costs nothing to speak of until something else is evaluated, or a data
// item gets another value. Then it takes 1 µs and 4 KB for a runtime, and an
// evaluation about 100 ns at least. What is simple stays quick for data items,
// unless scripts use this or globalThis, Proxy or setPrototypeOf, make code of
// text, or delete a variable; for properties of objects also unless they compute
// names of properties or make accessors.
//
// The guards of the library are put up when code is run for the first time that can reach what they guard: a few µs for
// code that calls functions, 20 µs and 25 KB for scripts that compute names of
// properties, as a[i] does, 150 µs and 150 KB for a session that makes code at
// run time. Saving a game of Sudoku with 81 moves to take back takes 80 µs, for
// 3 KB; a chart that uses words like defineProperty or prototype pays up to ten
// times as much, since each property and the library are looked at.
//
// # Reading the source
//
// Here are the core: compile.go, store.go, values in (import.go) and out (export.go),
// the system variables (system.go) and the watchdog. What has a trick of its own is in
// a room below internal/: code is read in syntax, simple expressions are evaluated in
// fast, XML is shown in dom, scripts are kept within bounds in guard, data is saved in
// graph, and native has what all of them need of goja.
package ecmascript
