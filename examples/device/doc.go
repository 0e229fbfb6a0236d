// Device is the controller of an espresso machine: parallel regions, sensors that
// are polled, a history that remembers what was interrupted.
//
//	go run ./examples/device
//
// makes a coffee in a simulated machine, a hundred times as fast as a real one.
// The rules are in device.scxml, the controller is device.go.
//
// # How it works
//
// One goroutine owns the session: the loop that polls the sensors. A poll is one
// call of [scxml.Session.Do] with the present time and the readings, and so is a
// button. Do first delivers the timers that are due, each at its own time, so the
// loop needs no timer; they are late by one poll at most.
//
// The heater and the pump follow states, by [scxml.Session.OnState]: whatever leads
// out of brewing, a fault too, stops the pump. The display reads the chart's data
// with [scxml.Data], and asks with [scxml.Session.Try] which buttons would do
// something, so that only those are lit. The host repeats no rule of the chart.
package main
