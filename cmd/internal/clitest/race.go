//go:build race

package clitest

// With -race the tests build the command with it too.
func init() { buildFlags = append(buildFlags, "-race") }
