// Package graph saves the data of a session, as a graph of objects, and loads it. SNAPSHOT.md of
// package ecmascript describes what is kept, and the format.
//
// [Save] writes what a [World] holds, functions and closures included: functions of the chart by a
// key that a [Chart] knows, those of the library by their paths. [Load] is the inverse. Neither
// runs code of the chart: an inspector looks at objects with functions of a library that no chart
// has changed.
package graph
