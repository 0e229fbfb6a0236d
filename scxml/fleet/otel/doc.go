// Package otel makes spans of OpenTelemetry of what a fleet does. It uses the API alone: the program
// brings the SDK, with an exporter.
//
//	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
//	f, err := fleet.New(store, fleet.Config{Observers: []fleet.Observer{otel.Observer(provider)}}, charts...)
//
// One trace follows an event wherever it leads, through restarts and across processes, because the
// fleet stores the traceparent and the tracestate of each span with what the span sets off:
//
//	scxml.accept   from the call of Send or Do, or the arrival of a message, to its answer. Its parent is
//	               the span of the context, or the trace of [fleet.WithTrace].
//	scxml.step     what the session does with the event, however much later: a child of scxml.accept,
//	               or of the step of the session that has sent the message. It covers the sessions
//	               that the session has invoked: they work in the same step.
//	scxml.deliver  an attempt to deliver a message: a child of the step that has sent it. The context of the
//	               processor has the span; [fleet.Trace] of it is the traceparent for a header, with
//	               the tracestate after a space if there is one.
//	scxml.service  a run of a service: a child of the step that has invoked it
//	scxml.load, scxml.commit  the store, within one of the others
//
// The step of a delayed event begins a trace of its own, with a link to the step that has sent the
// event: it may come months later.
//
// # Attributes
//
// They are scxml.session (the key), scxml.chart, scxml.event, scxml.kind (of a step), scxml.position,
// scxml.task, scxml.type, scxml.waited_ms (in the inbox, or after the time when a delayed event was
// due), scxml.entered, scxml.sent and scxml.duplicate. There is no data of events or sessions, and no
// error text: a span that has failed has the status Error, and the log of the fleet has the reason.
package otel
