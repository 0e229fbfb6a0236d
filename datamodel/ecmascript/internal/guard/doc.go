// Package guard keeps scripts within bounds.
//
// The library of the script engine goes down the Go stack with the data that it
// is given, and a stack that reaches half a gigabyte ends the process. It also
// makes strings and arrays of any size at one stroke, during which no time limit
// can stop it. Guards stand before those of its functions that a script
// can bring to that with little effort. They throw a RangeError.
//
// A guard costs time and memory, and so it is put up before code runs for the first
// time that can get hold of what it guards: [Needs] says so of code, [Guards.Raise]
// does it. What bounds a function of the library is found by its name in guards.go.
package guard
