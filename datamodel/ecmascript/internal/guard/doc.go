// Package guard bounds what a script can do by mistake in one operation of the library, which no
// time limit interrupts: make a string, an array, a buffer or a BigInt of any size, iterate without end,
// or recurse with deep data on the Go stack. Guards replace such functions. They throw a RangeError, or
// a SyntaxError if text that becomes code is too long or too deep.
// Some guards mend what goja computes otherwise than ECMAScript.
//
// They do not keep a hostile script from ending its process, which only a process of its own can do.
//
// A guard costs time and memory, so it is put up before code runs that names what it guards: [Needs]
// says so of code, [Guards.Raise] does it. The list in guards.go has all of them.
package guard
