// Package guard keeps scripts within bounds.
//
// The library of the script engine recurses on the Go stack with the data that it is given, and a
// stack of half a gigabyte ends the process. It also makes strings and arrays of any size in one
// operation, which no time limit can stop. Guards replace those of its functions with which a
// script can easily do that. They throw a RangeError.
//
// A guard costs time and memory, so it is installed before code runs for the first time that can
// reach what it guards: [Needs] says so of code, [Guards.Raise] does it. To find what bounds a
// function of the library, look for its name in guards.go.
package guard
