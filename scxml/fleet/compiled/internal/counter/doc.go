// Package counter is the chart of package killtest, compiled.
package counter

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go ../../../internal/killtest/counter.scxml -o counter_gen.go
