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
//	POST draw           {"svg", "states", "transitions"}: the picture, and what can be changed; with
//	                    ?of=STATE, the picture is of a part
//	POST edit           of {"source", "op"}, see [editor.Operation]: {"source", "at", "drawing"}, the
//	                    last as that of draw, or {"error", "uses"} with what would dangle
//	POST copy?of=NAME   the text of a state or a transition
//	POST complete?argument=A&at=N   of {"source", "op"}: {"from", "to", "items"}, what may be written at
//	                    an offset of the argument
//	POST explore        of {"source", "never", "always", "leads_to"}: {"verdict", "bound", "states",
//	                    "left_out", "violations"}, each of them with the steps that lead there
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
