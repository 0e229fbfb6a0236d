// Package order is a compiled chart for the tests of package compiled.
package order

//go:generate go run github.com/scxmlrun/scxmlrun/cmd/scxmlrun gen go order.scxml -o order_gen.go
