// Package guides has a test that does what the README and the guides say: it
// writes their files, types their commands and compares what they print.
//
// A block of code in a guide that has a file name after its language is a file:
//
//	```go main.go
//
// and one whose file name begins with + adds to the file:
//
//	```go +main.go
//
// Code in other languages, and Go for other libraries (golang), is not run.
//
// A block of the language console is a terminal. A line that begins with "$ " is
// a command, the lines after it are what the command prints, and those of them
// that begin with "> " are also typed into it. "…" matches any text within a line,
// and a line "…" any lines. A command whose output is not shown must succeed.
//
//	```console
//	$ go run .
//	opened, coins: 1
//
// All files and commands of a guide share a folder, in the order of the guide and
// of the pages that continue it.
// The modules that they install come from a module proxy that has this module as
// it is now; so "go install …@latest" does what it will do for a reader.
//
//	go test ./cmd/internal/guides -update
//
// writes into the guides what the commands print.
package guides
