// Package otlp exports spans to an OpenTelemetry collector, as the usual variables of the environment say. It
// speaks OTLP over HTTP with Protobuf. The SDK of OpenTelemetry does the rest: what is sampled, when batches are
// sent, and which resource they name.
package otlp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// New returns the provider that the environment asks for, which the caller shuts down, or nil if it asks for
// none. Console gets what OTEL_TRACES_EXPORTER=console writes. What cannot be exported is reported to failed.
func New(ctx context.Context, service string, console io.Writer, failed func(error)) (*sdk.TracerProvider, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	kind := os.Getenv("OTEL_TRACES_EXPORTER")
	if kind == "" && variable("ENDPOINT") != "" {
		kind = "otlp"
	}
	var exporter sdk.SpanExporter
	var err error
	switch kind {
	case "", "none":
		return nil, nil
	case "otlp":
		exporter, err = newSender()
	case "console":
		exporter = lines{console}
	default:
		err = fmt.Errorf("OTEL_TRACES_EXPORTER=%s: want otlp, console or none", kind)
	}
	if err != nil {
		return nil, err
	}
	described, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", service)), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(failed))
	return sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(described)), nil
}

// variable returns a variable of the exporter: the one for traces, or the one for all signals.
func variable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// lines writes a line for each span.
type lines struct{ w io.Writer }

func (l lines) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) (err error) {
	for _, s := range spans {
		var b strings.Builder
		fmt.Fprintf(&b, "span %s trace=%s id=%s", s.Name(), s.SpanContext().TraceID(), s.SpanContext().SpanID())
		if s.Parent().IsValid() {
			fmt.Fprintf(&b, " parent=%s", s.Parent().SpanID())
		}
		fmt.Fprintf(&b, " took=%v", s.EndTime().Sub(s.StartTime()))
		for _, a := range s.Attributes() {
			fmt.Fprintf(&b, " %s=%q", a.Key, a.Value.String())
		}
		_, failed := fmt.Fprintln(l.w, b.String())
		err = errors.Join(err, failed)
	}
	return err
}

func (lines) Shutdown(context.Context) error { return nil }
