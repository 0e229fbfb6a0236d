package machine

import "embed"

// Source has the Go files of this package, and of js and search below it, for a command that compiles charts where there
// may be no module proxy. A program that does not use it does not have it.
//
//go:embed *.go js/*.go search/*.go
var Source embed.FS
