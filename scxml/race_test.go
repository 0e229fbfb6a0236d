//go:build race

package scxml_test

// With the race detector some things take more memory.
func init() { racing = true }
