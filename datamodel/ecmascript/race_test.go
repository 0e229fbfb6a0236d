//go:build race

package ecmascript_test

// With the race detector everything takes much longer.
func init() { racing = true }
