// Package rest offers the sessions of a fleet over HTTP. The command scxmlrun serve is made of it; a
// program that has a fleet can serve it too:
//
//	server := rest.New(rest.Config{
//		Fleet:  f,
//		Tokens: []rest.Token{rest.NewToken("checkout", secret, rest.Read|rest.Send)},
//	})
//	err := server.Serve(ctx, listener, 30*time.Second) // or http.Handle("/", server)
//
// A client creates a session, sends it events, and looks at it:
//
//	POST /v1/sessions              {"key":"order-17","chart":"order"}
//	POST /v1/sessions/order-17/events   {"name":"pay","data":{"amount":7}}
//	GET  /v1/sessions/order-17
//	GET  /v1/sessions/order-17/changes  server-sent events
//
// openapi.json in this directory describes all requests and answers; the server has it at
// /v1/openapi.json. A test checks each answer of each test against it.
//
// # What an answer means
//
// An answer with a status below 300 is given after the store has written what it says: an event with a
// position will be processed, whatever happens to the process. A client that gets no answer, or status
// 429 or 503, repeats the request. With the same Idempotency-Key the session takes the event once, and
// the answer is the same. Creating a session again is status 409.
//
// # What is refused
//
// Nothing that a client says is dropped in silence. A request with an unknown field or parameter, or
// the same one twice, with text that is not UTF-8, half of a surrogate pair, or a number beyond a
// double is status 422, with the nearest name, and changes nothing. Case counts in names.
//
// # Security
//
// Each request needs a token with the scope of its route, except those for the health of the server
// and for openapi.json. Only connections from this machine are served unless [Config].Remote is set;
// use TLS then. A request is refused if its Host is not one of this server, or its Origin is another
// web site. Bodies, headers, times and the numbers of requests, streams and connections are bounded.
//
// A token with the scope read sees all data of all sessions. [Config].Logger gets no data: keys of
// sessions, names of charts and of tokens, and what the store reports.
package rest
