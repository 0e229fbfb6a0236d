// Shop is a web shop with one SCXML session for each visitor: a cart, a checkout
// that reserves it for ten minutes, a payment and an order. The sessions are stored
// in a folder. The process may be killed at any moment: after a restart every visitor
// continues after the last answered request, payments are completed, and reservations
// expire in time.
//
//	go run ./examples/shop        # then open http://127.0.0.1:8080/
//
// The rules are in shop.scxml. Package fleet keeps the sessions, and shop.go connects
// it with the web page (server.go), the bank and those who pack (main.go).
//
// # How it works
//
// Each request is one call of [fleet.Fleet.Do], which answers after the session is
// stored. If an answer is lost, the visitor sends the request again; a double click
// does so too. Therefore the form has a field with an id for each event, and the
// session accepts an event with a known id only once.
//
// The chart collects payments and orders by <send type="shop">. Such messages are
// delivered by [fleet.Fleet.Run] after the step that sends them was stored, and again
// until they have arrived: after a crash the bank may be asked twice, and an order may
// come twice, with the same id each time. The receiver has to compare ids. A single
// process cannot do better. The bank's answer becomes an event with the same id, which
// the session accepts once.
//
// While a payment is under way the reservation holds, however long the bank takes.
//
// Run also lets reservations expire and ends abandoned visits. Their charts send the
// shop the message "over", on which it deletes the session.
//
// Showing the page does not store anything. [fleet.Fleet.View] advances a copy of the
// session to the present and discards it. The session will later do the same, because
// the result depends only on what is stored and on the time.
//
// The cookie is a secret. The key of the session is a hash of it, so that neither
// orders nor logs nor the store tell the cookie.
//
// # Changed charts
//
// A session belongs to one version of its chart. At the start the shop moves all visits
// to the present version, or none: if one does not fit, it names the visit and does not
// start. Added states and transitions fit; for states with another id, see renamed in
// shop.go. New data items are undefined in existing visits. Try a new version with a
// copy of the store before you deploy it.
//
// # What it costs
//
// On two cores of a virtual machine that did other things besides (go test -bench .
// ./examples/shop), with ten pieces in the cart, an event of one visitor took 3 ms, of
// which most was waiting for the disk. With 64 concurrent visitors, who share that, the
// shop processed 3,600 events per second. Showing the page took 0.3 ms.
//
// # What a real shop needs
//
// The shop listens on this machine only and speaks plain HTTP. Put TLS in front of
// it and add Secure to the cookie, which is all that identifies a visitor. The bank is
// a function that declines what is more than 300 €. The total number of visits is
// limited, but not the number per address.
package main
