// Package ecmascript is the ECMAScript data model (REC B.2), on the script engine goja.
//
// [New] returns the language; pass it to the engine. The rest of this text is about what a chart
// may write.
//
// # Data and scripts
//
// All data items and all variables of scripts are in one global scope (REC B.2: "The SCXML
// Processor MUST place all variables in a single global ECMAScript scope"). Scripts are ECMAScript
// 5.1 and most of its successors, in sloppy mode unless they choose strict mode;
// conformance/SUPPORTED.md lists what is missing or different. There is neither a console nor timers,
// module loaders, files or network. Promises are settled at the end of the evaluation that made
// them. Date and Math.random follow the clock and the seed of the session.
//
// Scripts cannot reach Go values. An error that a function of the host returns is an Error with the
// same text.
//
// A condition, value or location is exactly one expression. It may have a comment, and one
// semicolon at its end, which is ignored. {a: 1} is an object. A location is a name or a property:
// x, a.b, a[i].b. Assigning to an undeclared name, a constant or a read-only property is an error.
//
// Top-level let, const and class of a script hide a data item of that name. A script in executable
// content that declares let x fails when it runs again, since x exists; var x does not.
//
// A data item may have any name that strict code allows for a variable. It hides a name of the
// library.
//
// # System variables
//
// _event, _sessionid, _name, _ioprocessors and _x are as in REC 5.10. Every attempt to change them,
// their fields or their prototypes throws, or returns false where the language says so (delete,
// Reflect.set). _event is undefined until the first event. Its data is a copy for the session,
// which scripts may change. _ioprocessors has the short names scxml and basichttp too, but does not
// list them. In(id) wants a string.
//
// # Content
//
// The content of <data>, <assign> and <content>, and of files, is JSON if it parses as JSON, or an
// XML document, or text with normalized white space. It is never evaluated: {a: 1} without quotes
// is text. Blank content is the empty string. Several elements, or elements mixed with text, are
// text with the markup.
//
// XML is a read-only Document of the DOM: node, element, attribute and text properties,
// getElementsByTagName(NS), getAttribute(NS), hasAttribute, toString. Only setAttribute and
// removeAttribute change it. Lists of nodes are arrays and not live. A document that is asked for
// an attribute answers for its root element.
//
// # What leaves and enters
//
// Values enter and leave a session as copies, see [datamodel.Value]. Own enumerable properties with
// string keys leave, in order. A Set and a typed array become arrays, a Map an array of pairs, a
// RegExp its source, an Error its name and message, an invalid Date null, a symbol undefined, a
// function its name. Data that contains itself, is nested deeper than [datamodel.MaxDepth], has
// more than ten million items or a BigInt beyond [datamodel.MaxBigInt] is an error that names the
// place.
//
// # Saving
//
// A store is a [datamodel.Saver]. It keeps the graph of all data, with cycles and shared parts, and
// the functions and classes in the text of the chart that capture only constants, with their
// instances. Closures with state, private members, accessors, promises, proxies and the like are
// [datamodel.ErrNotSerializable]. SNAPSHOT.md has the details and the format.
//
// # Errors
//
// Every failure is a *[datamodel.EvalError] with the place in the document, or in the file of the
// script, and the stack of script calls. The text of an eval has no place.
//
// A script that reads the message of an error that it has caught reads the words of goja. What is
// reported or leaves the session is worded by this package. One message is different in each run:
// for an object that has no primitive value ("Could not convert … to primitive"), goja prints
// addresses. A chart whose runs are to be repeated must not keep it.
//
// # Limits
//
// An evaluation is interrupted when it takes longer than [datamodel.Host].ScriptTime (the cause is
// [datamodel.ErrScriptTime]), when its context is done (the cause of the context), and when its
// call stack is deeper than CallDepth. Scripts cannot catch this, finally does not run, and the
// session continues. The timer exists only while a script runs between Begin and End. Expressions
// that need no script engine are not interrupted, but do not start after the time is up.
//
// Scripts that are longer than [DefaultMaxScript] or nested too deeply are syntax errors.
//
// What a script may do by mistake in one operation, which no time limit interrupts, throws a
// RangeError instead:
//
//	repeat, padStart, padEnd, concat, replace,       make a string of at most 256 M characters,
//	replaceAll, join, JSON.stringify                 or what [WithMaxString] says
//	fill, map, sort, toSorted, toSpliced, with,      take at most 10,000,000 items, or what
//	toReversed, concat, join, split by a string,     [WithMaxItems] says; an iterator without end
//	keys, values, entries of arrays, Array.from,     is one with more
//	String.raw, apply, Reflect, [...x], f(...x),
//	new Set(x), new Map(x), typed arrays
//	ArrayBuffer                                      has at most 8 bytes for each of those items
//	**, << and BigInt.asIntN, asUintN                make a BigInt of at most 4,194,304 bits
//	JSON.parse and stringify, arrays and generators  nest at most 1,000 levels deep
//	that become strings or delegate
//
// Text for eval and for the constructors of functions obeys the limits of scripts; otherwise it is a
// SyntaxError.
//
// These bounds apply where code spells the names (for ** and <<: in code with a BigInt), not where it
// puts them together at run time. In text made at run time the operators and [...x] have no bounds, and
// eval sees only global variables.
//
// They do not stop a script that is meant to do harm. A single operation of the library cannot be
// interrupted: a regular expression that backtracks (one with lookahead or backreferences; others
// take linear time), or searching a long array (an index such as a[4e9] makes one). Memory is not
// limited: s += s in a loop can use up what the process has. And a script can overflow the stack of
// Go, which ends the process: with a chain of millions of prototypes, or with a method of the library that it makes the toString, the valueOf or a getter of an
// object which the method then asks for it. Run untrusted charts in a process of their own, see package
// scxml/isolate.
//
// After a limit has interrupted an asynchronous function or a generator, promises of that session
// settle no more.
//
// # Cost
//
// Expressions are compiled once, for all sessions of a chart. Simple ones do not need the script
// engine: literals, names, properties with constant names, comparisons, arithmetic, ! && || ?? ?:
// ?. typeof and In(), as long as the values are numbers, short ASCII strings, booleans, null,
// undefined, or parts of _event.data that no script has looked at. They take 15 to 40 ns each, and
// so does assigning such a value to a data item.
//
// A store costs almost nothing until something else is evaluated, or a data item gets another
// value. Then a runtime takes 1 µs and 4 KB, and an evaluation at least 100 ns. Simple expressions
// stay fast for data items, unless scripts use this, globalThis, Proxy or setPrototypeOf, make code
// of text, or delete a variable; and for properties of objects, unless they also compute names of
// properties or make accessors.
//
// The guards of the library are put up before code runs that spells what they guard, which takes a
// microsecond and 2 KB each. Saving a game of Sudoku with 81 moves to undo takes 80 µs, for 3 KB. A
// chart with words like defineProperty or prototype pays up to ten times as much, since each property
// and the library are examined.
//
// # Reading the source
//
// This package is the core: compile.go, store.go, values in (import.go) and out (export.go), the
// system variables (system.go) and the watchdog. The packages below internal/ each do one thing:
// syntax reads code, uses tells tools what code does with values, fast evaluates simple expressions,
// dom shows XML, guard bounds scripts, graph saves data, and native has what all of them need of goja.
package ecmascript
