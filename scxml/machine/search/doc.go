// Package search visits all states of a compiled chart, as package explore does with a session, many times as fast.
// Programs that "scxmlrun explore" and "scxmlrun gen scenarios" write, compile and run call [Main]; package compile writes the
// chart.
//
// A state is a few bytes, see [machine.Codec], and states are compared whole. The search visits them in the order of
// package explore, so that it finds the same paths, and counts the same.
package search
