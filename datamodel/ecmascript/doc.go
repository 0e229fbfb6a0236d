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
// them, and every attempt to change them, or a field of theirs, throws. _event
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
// [datamodel.MaxDepth] or has more than ten million items is an error that
// names the place.
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
// between Begin and End.
//
// What can not be broken off is a single operation of the library: a regular
// expression that backtracks (one with lookahead or backreferences; all others
// take linear time), or sorting, joining and filling a huge array. Nor is
// there a limit of memory: a script may use up what the process has, at once
// with 'x'.repeat(1e9). Run charts of strangers in a process that may be lost.
//
// Scripts that are longer than [DefaultMaxScript] or absurdly deep are refused
// as syntax errors.
//
// # Cost
//
// Expressions are compiled once, for all sessions of a chart. A store costs
// nothing until the first expression is evaluated or the first data item is
// declared, then about 10 µs and 12 KB.
package ecmascript
