// Shop is a web handler with one SCXML session for each visitor: a cart, a
// checkout that reserves it for ten minutes, and an order. The sessions live in
// a file. Kill the process at any moment, start it again, and every visitor goes
// on where the last answer left off; reservations expire when they should.
//
//	go run ./examples/shop        # then open http://127.0.0.1:8080/
//
// The rules are in shop.scxml. Start reading in store.go.
//
// # How it works
//
// No session outlives a request. An event is one transaction of a bbolt
// database: restore the session of the visitor, let it catch up with the time,
// send it the event, save it. Only once the transaction is on the disk is the
// request answered, so what a visitor has seen the answer of is not lost.
//
// A request whose answer is lost is sent again, by its visitor or by a double
// click. Therefore each event has an id, which is a field of the form. The ids
// of the last 64 events are kept with the session, in the same transaction, and
// an event whose id is there is acknowledged and not processed. Together that
// is exactly once, for everybody who tries until there is an answer.
//
// What a session sends to the outside, the orders, goes into a bucket in this
// same transaction, the outbox. From there they are delivered, and taken out
// afterwards. A crash in between delivers an order a second time: whoever gets it
// has to look at its number. No process can do better alone.
//
// A delayed event is a part of the snapshot and keeps the time at which it is
// due (scxml.KeepDue). Nobody has to wait for it: the next request works it off
// first, at its own time. That is enough for what only the visitor would see.
// For the rest a sweeper looks once a second at an index of what is due next,
// and so do visits end that nobody comes back to.
//
// Showing the page writes nothing. It brings a copy of the session up to the
// present and throws it away: what happened to the copy is a function of the
// snapshot and the time, and will happen to the session likewise.
//
// # What to take care of
//
// The chart changes. A snapshot belongs to one version of its chart, and Restore
// refuses any other with scxml.ErrChartChanged, unless it is given a migration.
// That of this shop, migrate, is for charts that only grew; a visit that does not
// fit is answered with status 500 and kept as it is, until a better migration
// comes. Try yours on a copy of the database before you deploy it. A data item
// that was added is undefined in the visits that are there.
//
// Data that cannot be saved. Snapshot fails with scxml.ErrNotSerializable when
// the data hold a closure, a promise or an instance of a class; package
// ecmascript says what else. The event is not processed then and its transaction
// is rolled back, so that it fails each time: let a test go through the chart and
// take a Snapshot in every state.
//
// Side effects. What a session does happens again when its transaction is rolled
// back and tried anew, as bbolt's Batch does it. A chart may compute and send; a
// function of the host (scxml.WithFunc), an Event I/O Processor or a service
// that reaches out by itself does not belong here.
//
// Time. Sessions are driven with the clock of the machine. If it is turned back,
// delayed events wait until it has caught up.
//
// One writer at a time. bbolt runs one writing transaction after the other, and
// one process has the file. Requests that come at the same time share a
// transaction, hence an fsync, but restore and save one after the other in it.
// When that is too slow, restore before the transaction and compare in it that
// nobody was faster, or give each part of the visitors a file of its own.
//
// # What it costs
//
// On two cores of an AMD EPYC (go test -bench . ./examples/shop): with ten pieces in
// the cart a snapshot has 0.8 KB, and to restore it, process an event and save it takes
// 0.2 ms. With the database an event takes 1 ms, which is how long it waits for others
// to share its transaction with; of 64 visitors at once 4,000 events get through in a second.
// To show the page takes 0.2 ms. How long an fsync takes is up to the disk.
//
// # Before it is a real shop
//
// It listens on this machine only and speaks plain HTTP: put TLS before it, and
// Secure on the cookie, which is all that tells who a visitor is. Nobody checks
// that payments arrive. New visitors are let in up to a number, but not by how
// many come from one address.
package main
