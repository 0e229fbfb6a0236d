// Package fast evaluates simple expressions without the script engine, and keeps
// the data items of a session that needs no more than that.
//
// Most expressions of charts are as simple as count < 10 && _event.data.ok. To
// run a program costs more than to compute them, so [Compile] makes Go closures
// of them: that saves nine tenths of the time, and a session whose
// expressions are all of that kind needs no runtime, see [Items].
//
// The closures know less than the runtime, but what they know they do as it
// does, and they change nothing. Whenever they meet what they do not know, also
// when it is an error, they give up, and the program is run instead: that is
// why no closure has an error to report. FuzzFast, in package ecmascript, compares
// the two.
package fast
