// Package basichttp is the Basic HTTP Event I/O Processor (REC C.2). With it sessions send events
// to URLs, and get their own URL at which they receive events.
//
//	processor := basichttp.New(basichttp.Config{BaseURL: "http://127.0.0.1:8080/scxml/"})
//	http.Handle("/scxml/", processor)
//	session, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
//
// One [Processor] serves any number of sessions. The URL of a session is its location in
// _ioprocessors. It ends with a random token of 128 bits, so only those who were told the URL can
// send to it.
//
// # Receiving
//
// The parameter _scxmleventname of the query or the form is the name of the event. Without it the
// name is HTTP.METHOD, for example HTTP.POST. The other parameters become the data, an object of
// strings. A body that is not a form becomes the data according to its media type: JSON, XML or
// text. A body that does not match its media type is text. _event.raw is the whole request: request
// line, header and body.
//
// The answer is 204 as soon as the event is in the queue, whatever the chart does with it. The
// answer is 400 with the reason if the name is illegal ([datamodel.CheckEventName]) or begins with
// "done." or "error.", which are reserved for the platform.
//
// # Sending
//
// An event is sent as a POST. The body is a form with the name, namelist and params, each value
// written by [datamodel.Text]. If the <send> has content, the body is the content and the name goes
// into the query. An answer other than 2xx, and a target that is missing or not allowed by the
// Config, is error.communication.
//
// # Security
//
// By default nothing can be reached from other machines, and no request is sent to them; the
// [Config] can change this. A web page in a browser on this machine cannot reach a session either.
// A request is refused with 403 if its Host is not one of this server, which prevents DNS
// rebinding, or if its Origin is another web site. Messages, requests, connections, headers and
// bodies are bounded, exchanges have a time limit, and redirects are not followed.
package basichttp
