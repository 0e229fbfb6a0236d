// Shop is a web shop with one SCXML session for each visitor: a cart, a checkout
// that reserves it for ten minutes, and an order. The sessions are stored in a
// file. The process may be killed at any moment: after a restart every visitor
// continues after the last answered request, and reservations expire in time.
//
//	go run ./examples/shop        # then open http://127.0.0.1:8080/
//
// The rules are in shop.scxml. To read the code, begin with store.go.
//
// # How it works
//
// Sessions exist only during a request. Each event is one transaction of a bbolt
// database: it restores the visitor's session, calls Do with the present time and
// the event, and saves the session. The request is answered after the
// transaction has been written to disk, so that an answered event is never lost.
//
// If an answer is lost, the visitor sends the request again; a double click does
// so too. Therefore the form has a field with an id for each event. The same
// transaction stores the ids of the last 64 events with the session. An event
// with a stored id is acknowledged but not processed. So every event is processed
// exactly once if the client repeats it until there is an answer.
//
// The same transaction puts the orders that a session sends into a bucket, the
// outbox. An order is removed from the outbox after it has been delivered. A
// crash in between delivers an order twice; the receiver has to compare numbers.
// A single process cannot do better.
//
// A snapshot contains delayed events with their due times (scxml.KeepDue). The
// next request first processes those that are due, at their own times, which is
// enough for what only the visitor sees. For everything else a sweeper checks an
// index of due times once a second. It also ends abandoned visits.
//
// Showing the page does not write anything. It advances a copy of the session to
// the present and discards it. The saved session will later do the same, because
// the result depends only on the snapshot and the time.
//
// # Pitfalls
//
// Changed charts. A snapshot belongs to one version of its chart, and Restore
// rejects other versions with scxml.ErrChartChanged unless it is given a migration.
// This shop's function migrate supports additions to the chart. A visit that does
// not fit is answered with status 500 and kept unchanged until there is a better
// migration. Try a migration on a copy of the database before you deploy it. New
// data items are undefined in existing visits.
//
// Data that cannot be saved. Snapshot fails with scxml.ErrNotSerializable if the
// data contains a closure, a promise or an instance of a class; package ecmascript
// has the full list. The event's transaction is rolled back then, each time it is
// tried. Write a test that takes a Snapshot in every state of the chart.
//
// Side effects. bbolt's Batch may roll a transaction back and run it again, and
// the session then does everything twice. A chart may compute and send. Host
// functions (scxml.WithFunc), Event I/O Processors and services with side effects
// do not belong here.
//
// Time. Sessions use the machine's clock. If it is set back, delayed events wait
// until it has caught up.
//
// One writer at a time. One process owns the file, and bbolt runs one writing
// transaction after the other. Concurrent requests share a transaction and its
// fsync, but are restored and saved one after the other. If that is too slow,
// restore before the transaction and check in it that the visit has not changed,
// or distribute the visitors over several files.
//
// # What it costs
//
// On two cores of an AMD EPYC (go test -bench . ./examples/shop), with ten pieces
// in the cart, a snapshot has 0.8 KB. Restoring it, processing an event and saving
// it takes 0.2 ms. With the database an event takes 1 ms, most of which it waits
// for others to share its transaction. With 64 concurrent visitors the shop
// processes 4,000 events per second. Showing the page takes 0.2 ms. The time of an
// fsync depends on the disk.
//
// # What a real shop needs
//
// The shop listens on this machine only and speaks plain HTTP. Put TLS in front of
// it and add Secure to the cookie, which is all that identifies a visitor. Payments
// are not checked. The total number of visits is limited, but not the number per
// address.
package main
