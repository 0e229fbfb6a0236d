// Package errand is a chart with services and messages to Event I/O Processors, compiled in both ways, for the tests of
// package compiled.
package errand

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go errand.scxml -o errand_gen.go
//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go errand.scxml --type Dynamic --dynamic -o dynamic_gen.go
