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
// An order is a session that exists only while something happens to it. Its file has
// a snapshot, the tasks that the order has asked for and that are not done yet, and
// the ids of the last requests. All three are replaced together, so a crash loses
// nothing. At worst a task is done again, with the same number. Package shop does the
// same in a database, for many visitors at once.
//
// Each turn is one call of [scxml.Session.Do] with the present time and the event. Do
// first does what is due by now: a customer who pays after the deadline is refused,
// even if nobody looked at the order at the deadline. A program calls sweep once in a
// while for the orders that nobody asks for.
//
// What the chart sends comes back in the Effect of Do. Events whose names begin with
// "ask." become tasks, which are done after the file is written.
//
// Two rules say what is let in. Customers may send pay and cancel. Partners may send
// everything that the chart does not send itself: no partner can forge a timer, and
// no customer a payment.
//
// A payment that arrives late, after a cancellation or for another attempt, is one
// transition of the outermost state: it is given back.
package main
