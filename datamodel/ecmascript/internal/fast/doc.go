// Package fast evaluates simple expressions without the script engine, and keeps the data items of
// a session that needs only these.
//
// Most expressions of charts are as simple as count < 10 && _event.data.ok. Running a program costs
// more than computing them, so [Compile] makes Go closures of them. That saves nine tenths of the
// time, and a session with only such expressions needs no runtime, see [Items].
//
// The closures do what the runtime does, or nothing: they have no side effects but those of functions
// of the host, and give up on values that they do not know, and on errors. Then the program is run
// instead, with the results that functions have returned, see [Functions]. A closure reports no error
// but a [Failure] of such a function. FuzzFast and TestFastCalls, in package ecmascript, compare the two.
package fast
