//go:build race

package scxml_test

// Some tests use more memory with the race detector.
func init() { racing = true }
