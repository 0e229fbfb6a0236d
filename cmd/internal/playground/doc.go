// Package playground tries out charts: it checks documents, runs them, and shows what they do with
// the page of package inspect. A [Playground] is an http.Handler, but nothing else in it needs a
// network: command playground-web is the same in a page of the browser, where requests are messages to
// a worker.
//
// # Requests
//
// A body is the document. Answers are JSON:
//
//	GET  examples       [EXAMPLE]: name, title, source
//	POST check          [PROBLEM]: line, column, severity, code, message, see [scxml.Lint]
//	POST run            {"problems":[PROBLEM]}. Without an error among them, a session of the chart has
//	                    taken the place of the one before. With ?clock=virtual time advances only
//	                    on command
//	     api/…          those of the inspector, see its PROTOCOL.md. They need no token
//
// # What a chart may do
//
// It has the limits for untrusted charts ([scxml.Strict]), no files but those of package charts, and
// no network. Only the time of its scripts is not bounded where the program cannot be interrupted, as
// in a browser: there the page ends the worker.
package playground
