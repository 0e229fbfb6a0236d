// Package graph saves the data of a session, as the graph of objects that it is, and
// loads it. SNAPSHOT.md of package ecmascript tells what is kept, and the format.
//
// [Save] writes what a [World] holds, functions and closures included: those of the
// chart by a key that a [Chart] knows, those of the library by their paths. [Load] is
// the inverse. Neither runs code of the chart: objects are looked at with functions of
// a library that no chart has touched, those of an inspector.
package graph
