// Orders is an order service: customers order and pay, a bank and a warehouse
// answer late, twice or never, and the process may stop at any moment.
//
//	go run ./examples/orders
//
// plays a day of it on a virtual clock. The rules are in orders.scxml, the service
// is service.go.
//
// # How it works
//
// An order is a session of a fleet (package scxml/fleet): it is in a store, and in
// memory only while something happens to it. What a call has accepted survives any
// crash. Fleet.Run, which the program starts once, does what orders do by themselves:
// it closes those that are not paid in time, and asks partners.
//
// What the chart sends to partners is a <send> with the type x-partner. The fleet
// stores it together with the new state of the order, and calls the function for
// partners after that, again and again until it succeeds. After a crash it may be
// asked twice, under the same Delivery.ID; the key of a charge makes this harmless.
//
// A customer who pays after the deadline is refused, even if nobody looked at the
// order at the deadline, and a customer who paid before it is not, even if the server
// was down: an event counts as of the time when it was accepted.
//
// Two rules say what is let in. Customers may send pay and cancel. Partners may send
// everything that the chart does not send itself: no partner can forge a timer, and
// no customer a payment. A request that is repeated, and an answer that comes twice,
// count once.
//
// A payment that arrives late, after a cancellation or for another attempt, is one
// transition of the outermost state: it is given back.
package main
