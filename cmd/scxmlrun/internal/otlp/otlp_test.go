package otlp

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// clean removes the variables of OpenTelemetry, and sets others.
func clean(t *testing.T, variables map[string]string) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
	for name, value := range variables {
		t.Setenv(name, value)
	}
}

// fields returns the values at a path of field numbers in a message of Protobuf.
func fields(t *testing.T, m []byte, path ...uint64) (all []string) {
	t.Helper()
	for len(m) > 0 {
		key, n := binary.Uvarint(m)
		m = m[n:]
		var value []byte
		text := ""
		switch key & 7 {
		case 0:
			v, n := binary.Uvarint(m)
			text, m = fmt.Sprint(v), m[n:]
		case 1:
			text, m = fmt.Sprint(binary.LittleEndian.Uint64(m)), m[8:]
		case 2:
			size, n := binary.Uvarint(m)
			value, m = m[n:n+int(size)], m[n+int(size):]
			text = string(value)
		case 5:
			text, m = fmt.Sprint(binary.LittleEndian.Uint32(m)), m[4:]
		default:
			t.Fatalf("wire type %d", key&7)
		}
		switch {
		case key>>3 != path[0]:
		case len(path) == 1:
			all = append(all, text)
		default:
			all = append(all, fields(t, value, path[1:]...)...)
		}
	}
	return all
}

// A batch reaches the collector as the variables say, again after it could not take it, and has all that a
// span says.
func TestSpansReachTheCollector(t *testing.T) {
	var bodies [][]byte
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := gzip.NewReader(r.Body)
		if err != nil || r.URL.Path != "/base/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" || r.Header.Get("Api-Key") != "a b" {
			t.Errorf("%s %v: %v", r.URL, r.Header, err)
			return
		}
		text, _ := io.ReadAll(body)
		if bodies = append(bodies, text); len(bodies) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer collector.Close()
	clean(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL + "/base/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b",
		"OTEL_EXPORTER_OTLP_TRACES_COMPRESSION": "gzip", "OTEL_RESOURCE_ATTRIBUTES": "zone=north", "OTEL_SERVICE_NAME": "orders",
	})
	provider, err := New(t.Context(), "scxmlrun", nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	state, _ := trace.ParseTraceState("k=v")
	parent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true})
	_, span := provider.Tracer("fleet").Start(trace.ContextWithRemoteSpanContext(t.Context(), parent), "step",
		trace.WithSpanKind(trace.SpanKindConsumer), trace.WithLinks(trace.Link{SpanContext: parent}),
		trace.WithAttributes(attribute.String("s", "x"), attribute.Int64("n", -1), attribute.Bool("b", true), attribute.StringSlice("l", []string{"p", "q"})))
	span.SetStatus(codes.Error, "")
	span.End()
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(bodies) != 2 || string(bodies[0]) != string(bodies[1]) {
		t.Fatalf("%d batches", len(bodies))
	}
	body := bodies[1]
	id := span.SpanContext().SpanID()
	for _, want := range []struct {
		path   string
		fields []uint64
		values []string
	}{
		{"scope", []uint64{1, 2, 1, 1}, []string{"fleet"}},
		{"trace", []uint64{1, 2, 2, 1}, []string{string(append([]byte{1}, make([]byte, 15)...))}},
		{"span", []uint64{1, 2, 2, 2}, []string{string(id[:])}},
		{"state", []uint64{1, 2, 2, 3}, []string{"k=v"}},
		{"parent", []uint64{1, 2, 2, 4}, []string{string(append([]byte{2}, make([]byte, 7)...))}},
		{"name", []uint64{1, 2, 2, 5}, []string{"step"}},
		{"kind", []uint64{1, 2, 2, 6}, []string{"5"}},
		{"attributes", []uint64{1, 2, 2, 9, 1}, []string{"s", "n", "b", "l"}},
		{"text", []uint64{1, 2, 2, 9, 2, 1}, []string{"x"}},
		{"number", []uint64{1, 2, 2, 9, 2, 3}, []string{"18446744073709551615"}},
		{"truth", []uint64{1, 2, 2, 9, 2, 2}, []string{"1"}},
		{"list", []uint64{1, 2, 2, 9, 2, 5, 1, 1}, []string{"p", "q"}},
		{"link", []uint64{1, 2, 2, 13, 3}, []string{"k=v"}},
		{"status", []uint64{1, 2, 2, 15, 3}, []string{"2"}},
		{"flags", []uint64{1, 2, 2, 16}, []string{"769"}},
	} {
		if got := fields(t, body, want.fields...); !slices.Equal(got, want.values) {
			t.Errorf("%s %q, want %q", want.path, got, want.values)
		}
	}
	if got := fields(t, body, 1, 1, 1, 2, 1); !slices.Contains(got, "orders") || !slices.Contains(got, "north") {
		t.Errorf("the resource has %q", got)
	}
}

// Nothing is exported unless a variable asks for it, and a variable that cannot be followed is refused.
func TestVariables(t *testing.T) {
	for _, c := range []struct {
		variables map[string]string
		exports   bool
		err       string
	}{
		{nil, false, ""},
		{map[string]string{"OTEL_SERVICE_NAME": "x"}, false, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:1/x"}, true, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1", "OTEL_SDK_DISABLED": "true"}, false, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1", "OTEL_TRACES_EXPORTER": "none"}, false, ""},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true, ""},
		{map[string]string{"OTEL_TRACES_EXPORTER": "console"}, true, ""},
		{map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, false, "OTEL_TRACES_EXPORTER=zipkin: want otlp, console or none"},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc: want http/protobuf"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"}, false, "is not a URL"},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_HEADERS": "secret"}, false, "OTEL_EXPORTER_OTLP_HEADERS: want NAME=VALUE"},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_TIMEOUT": "10s"}, false, "want milliseconds"},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_COMPRESSION": "zstd"}, false, "want gzip or none"},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_CERTIFICATE": "nowhere.pem"}, false, "OTEL_EXPORTER_OTLP_CERTIFICATE: open nowhere.pem"},
	} {
		t.Run(fmt.Sprint(c.variables), func(t *testing.T) {
			clean(t, c.variables)
			provider, err := New(t.Context(), "scxmlrun", io.Discard, func(error) {})
			if (provider != nil) != c.exports || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("provider %v, error %v", provider, err)
			}
			if provider != nil {
				provider.Shutdown(t.Context())
			}
		})
	}
}

// A refusal that stays is an error at once, and a collector that is not there one after the time.
func TestSpansThatCannotBeSent(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	defer refusing.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for address, want := range map[string]string{refusing.URL: "404 Not Found", gone.URL: "refused"} {
		clean(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_EXPORTER_OTLP_TIMEOUT": "100"})
		var failed error
		provider, err := New(t.Context(), "scxmlrun", nil, func(err error) { failed = errors.Join(failed, err) })
		if err != nil {
			t.Fatal(err)
		}
		_, span := provider.Tracer("fleet").Start(t.Context(), "step")
		span.End()
		if err := errors.Join(provider.Shutdown(context.WithoutCancel(t.Context())), failed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
