// Package basichttp is the Basic HTTP Event I/O Processor (REC C.2): sessions
// send events to URLs, and get a URL of their own at which they receive them.
//
//	processor := basichttp.New(basichttp.Config{BaseURL: "http://127.0.0.1:8080/scxml/"})
//	http.Handle("/scxml/", processor)
//	session, err := scxml.New(chart, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
//
// One [Processor] serves any number of sessions. The URL of a session ends in
// a random token of 128 bits, so that nobody can address it who was not told;
// it is the location in _ioprocessors.
//
// # Receiving
//
// The event is named by the parameter _scxmleventname of the query or the
// form, or else HTTP.METHOD, for example HTTP.POST. The other parameters of a
// form become the data, as an object of strings. A body that is no form
// becomes the data according to its media type: JSON, XML, or text, which it also
// is if it cannot be read as the others.
// _event.raw is the request as it came: request line, header and body. The
// answer is 204 when the event is in the queue, which says nothing about what
// the chart makes of it. A name that is illegal ([datamodel.CheckEventName]), or
// begins with "done." or "error.", which only the platform may use, is answered
// with 400 and the reason.
//
// # Sending
//
// An event goes out as a POST with a form of its name, namelist and params, each
// value as [datamodel.Text] writes it; if it has content, that is the body, and
// the name goes into the query. What is no 2xx answer is error.communication, as
// is a target that is missing or that the Config does not allow.
//
// # What untrusted charts, clients and web pages can do
//
// Nothing is reachable from other machines and no request goes to another
// machine unless the [Config] says so. A web page in a browser of this machine
// cannot reach a session either: a request is refused with 403 if its Host is
// not ours, which prevents DNS rebinding, or if its Origin is another web site.
// Messages, requests, connections, headers and bodies are bounded, exchanges
// have a time limit, and redirects are not followed.
package basichttp
