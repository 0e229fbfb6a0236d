package otel

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// Observer returns an observer for the [fleet.Config] of a fleet. Its spans are of the provider.
func Observer(provider trace.TracerProvider) fleet.Observer {
	tracer := provider.Tracer("github.com/scxmlrun/scxmlrun/scxml/fleet")
	return fleet.Observer{Begin: func(ctx context.Context, w fleet.Work) (context.Context, func(fleet.Ending)) {
		present := trace.SpanContextFromContext(ctx)
		options := []trace.SpanStartOption{trace.WithSpanKind(kind(w)), trace.WithAttributes(attributes(w)...)}
		cause, caused := parse(w.Cause)
		switch {
		case w.Kind == "load" || w.Kind == "commit":
			if !present.IsValid() {
				return ctx, nil
			}
		case w.Step.Kind == "timer":
			options = append(options, trace.WithNewRoot())
			if caused {
				options = append(options, trace.WithLinks(trace.Link{SpanContext: cause}))
			}
		case w.Kind == "accept" && w.Step.Kind == "event" && present.IsValid(), caused && format(present) == w.Cause:
			// a child of what calls
		case caused:
			ctx = trace.ContextWithRemoteSpanContext(ctx, cause)
		default:
			options = append(options, trace.WithNewRoot())
		}
		ctx, span := tracer.Start(ctx, "scxml."+w.Kind, options...)
		if now := span.SpanContext(); now.IsValid() && w.Kind != "load" && w.Kind != "commit" {
			ctx = fleet.WithTrace(ctx, format(now))
		}
		return ctx, func(e fleet.Ending) { end(span, e) }
	}}
}

func kind(w fleet.Work) trace.SpanKind {
	switch {
	case w.Kind == "accept":
		return trace.SpanKindProducer
	case w.Kind == "step" && (w.Step.Kind == "event" || w.Step.Kind == "message"):
		return trace.SpanKindConsumer
	case w.Kind == "step":
		return trace.SpanKindInternal
	}
	return trace.SpanKindClient // of the store, a receiver or a service
}

func attributes(w fleet.Work) []attribute.KeyValue {
	all := append(make([]attribute.KeyValue, 0, 8), attribute.String("scxml.session", w.Key))
	text := func(name, value string) {
		if value != "" {
			all = append(all, attribute.String(name, value))
		}
	}
	number := func(name string, value int64) {
		if value != 0 {
			all = append(all, attribute.Int64(name, value))
		}
	}
	text("scxml.chart", w.Chart)
	text("scxml.kind", w.Step.Kind)
	text("scxml.event", w.Step.Event)
	text("scxml.type", w.Type)
	number("scxml.position", int64(w.Step.Position))
	number("scxml.task", int64(w.Step.Task))
	number("scxml.waited_ms", w.After.Milliseconds())
	return all
}

func end(span trace.Span, e fleet.Ending) {
	if e.Duplicate {
		span.SetAttributes(attribute.Bool("scxml.duplicate", true))
	}
	if len(e.Effect.Entered) > 0 {
		span.SetAttributes(attribute.StringSlice("scxml.entered", e.Effect.Entered))
	}
	if len(e.Effect.Sent) > 0 {
		names := make([]string, len(e.Effect.Sent))
		for i, m := range e.Effect.Sent {
			names[i] = m.Event.Name
		}
		span.SetAttributes(attribute.StringSlice("scxml.sent", names))
	}
	if e.Err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// format writes a traceparent, with a space and the tracestate if there is one.
func format(sc trace.SpanContext) string {
	if !sc.IsValid() {
		return ""
	}
	text := fmt.Sprintf("00-%s-%s-%s", sc.TraceID(), sc.SpanID(), sc.TraceFlags()&trace.FlagsSampled)
	if state := sc.TraceState().String(); state != "" && len(state) <= maxState {
		text += " " + state
	}
	return text
}

// maxState is the size of a tracestate up to which W3C Trace Context wants it to be passed on.
const maxState = 512

// parse reads what format writes, and traceparents of other versions. A tracestate that is not one is
// left out.
func parse(text string) (trace.SpanContext, bool) {
	text, list, _ := strings.Cut(text, " ")
	if len(text) < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-' {
		return trace.SpanContext{}, false
	}
	id, err := trace.TraceIDFromHex(text[3:35])
	if err != nil {
		return trace.SpanContext{}, false
	}
	span, err := trace.SpanIDFromHex(text[36:52])
	if err != nil {
		return trace.SpanContext{}, false
	}
	flags, err := hex.DecodeString(text[53:55])
	if err != nil {
		return trace.SpanContext{}, false
	}
	state, _ := trace.ParseTraceState(list)
	sc := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: id, SpanID: span, TraceFlags: trace.TraceFlags(flags[0]) & trace.FlagsSampled, TraceState: state, Remote: true,
	})
	return sc, sc.IsValid()
}
