package zone

import "embed"

// Source has the Go files of this package, as that of package machine.
//
//go:embed *.go
var Source embed.FS
