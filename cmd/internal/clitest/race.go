//go:build race

package clitest

// With -race the tests build the command with it too.
func init() { Race, buildFlags = true, append(buildFlags, "-race") }
