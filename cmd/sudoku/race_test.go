//go:build race

package main

// With -race the tests build the command with it too.
func init() { buildFlags = append(buildFlags, "-race") }
