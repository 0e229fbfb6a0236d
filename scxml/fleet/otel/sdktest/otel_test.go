package sdktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/otel"
)

const document = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<state id="a"><transition event="go" target="b"/></state>
	<state id="b">
	  <onentry>
	    <send event="late" delay="1h"/>
	    <send event="hello" target="#_scxml_other"/>
	    <send type="post" target="t" event="out"/>
	  </onentry>
	  <invoke><content><scxml version="1.0"><state id="x"><onentry><send target="#_parent" event="born"/></onentry></state></scxml></content></invoke>
	  <transition event="born" target="c"/>
	</state>
	<state id="c"><transition event="late" target="d"/></state>
	<state id="d"/></scxml>`

// A rig is a store with a fleet after another, whose spans are kept in memory.
type rig struct {
	*testing.T
	store    fleet.Store
	spans    *tracetest.InMemoryExporter
	provider *sdk.TracerProvider
	headers  []string // traceparents of deliveries
	fails    int      // deliveries that fail at first
}

func newRig(t *testing.T) *rig {
	spans := tracetest.NewInMemoryExporter()
	return &rig{T: t, store: fleet.NewMemory(), spans: spans, provider: sdk.NewTracerProvider(sdk.WithSyncer(spans))}
}

func (r *rig) open() *fleet.Fleet {
	r.Helper()
	chart, err := scxml.Parse("c.scxml", []byte(document))
	if err != nil {
		r.Fatal(err)
	}
	f, err := fleet.New(r.store, fleet.Config{
		Observers: []fleet.Observer{otel.Observer(r.provider)},
		Processors: map[string]fleet.Deliver{"post": func(ctx context.Context, _ fleet.Delivery) error {
			r.headers = append(r.headers, fleet.Trace(ctx))
			if r.fails--; r.fails >= 0 {
				return errors.New("nobody answers")
			}
			return nil
		}},
	}, fleet.Define("c", chart))
	if err != nil {
		r.Fatal(err)
	}
	return f
}

// run runs a new fleet for some time.
func (r *rig) run(d time.Duration) {
	f := r.open()
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	time.Sleep(d) // in a bubble
	cancel()
	<-done
	f.Close()
}

// find returns the spans with a name and an attribute.
func (r *rig) find(name, key, value string) (found []tracetest.SpanStub) {
	for _, s := range r.spans.GetSpans() {
		for _, a := range s.Attributes {
			if s.Name == name && string(a.Key) == "scxml."+key && a.Value.String() == value {
				found = append(found, s)
			}
		}
	}
	return found
}

func (r *rig) one(name, key, value string) tracetest.SpanStub {
	r.Helper()
	found := r.find(name, key, value)
	if len(found) != 1 {
		var all []string
		for _, s := range r.spans.GetSpans() {
			all = append(all, fmt.Sprintf("%s %v", s.Name, s.Attributes))
		}
		r.Fatalf("%d spans %s with %s=%s among %q", len(found), name, key, value, all)
	}
	return found[0]
}

// childOf checks that a span is a child of another one.
func (r *rig) childOf(child, parent tracetest.SpanStub) {
	r.Helper()
	if child.Parent.SpanID() != parent.SpanContext.SpanID() || child.SpanContext.TraceID() != parent.SpanContext.TraceID() {
		r.Errorf("%s %v is not a child of %s %v", child.Name, child.Attributes, parent.Name, parent.Attributes)
	}
}

// One trace follows an event through its queue and a restart, to what it sends; its timer links to it.
func TestSpansFollowAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.fails = 1
		f := r.open()
		for _, key := range []string{"k", "other"} {
			if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, call := r.provider.Tracer("test").Start(t.Context(), "call")
		if _, err := f.Send(ctx, "k", scxml.Event{Name: "go"}); err != nil {
			t.Fatal(err)
		}
		call.End()
		f.Close()
		time.Sleep(time.Minute) // in a bubble: the process is down
		r.run(10 * time.Second)
		r.run(2 * time.Hour)

		accept := r.one("scxml.accept", "event", "go")
		if accept.Parent.SpanID() != call.SpanContext().SpanID() || accept.SpanKind != trace.SpanKindProducer {
			t.Errorf("accept: %v", accept)
		}
		step := r.one("scxml.step", "event", "go")
		r.childOf(step, accept)
		if waited := r.find("scxml.step", "waited_ms", "60000"); len(waited) != 1 || step.SpanKind != trace.SpanKindConsumer {
			t.Errorf("step: %v", step)
		}
		r.childOf(r.one("scxml.step", "event", "hello"), step)
		r.childOf(r.one("scxml.accept", "event", "hello"), step)
		deliveries := r.find("scxml.deliver", "event", "out")
		if len(deliveries) != 2 || len(r.headers) != 2 {
			t.Fatalf("%d deliveries, %q", len(deliveries), r.headers)
		}
		for i, d := range deliveries {
			r.childOf(d, step)
			if want := "00-" + d.SpanContext.TraceID().String() + "-" + d.SpanContext.SpanID().String() + "-01"; r.headers[i] != want {
				t.Errorf("delivery %d has the header %s, want %s", i, r.headers[i], want)
			}
		}
		if deliveries[0].Status.Code.String() != "Error" || deliveries[1].Status.Code.String() == "Error" {
			t.Errorf("status %v, %v", deliveries[0].Status, deliveries[1].Status)
		}
		entered := r.one("scxml.step", "entered", `["b","c"]`) // the invoked session has answered in the same step
		if entered.SpanContext.SpanID() != step.SpanContext.SpanID() {
			t.Errorf("entered %v", entered)
		}
		timer := r.one("scxml.step", "kind", "timer")
		if timer.SpanContext.TraceID() == step.SpanContext.TraceID() || len(timer.Links) != 1 || timer.Links[0].SpanContext.SpanID() != step.SpanContext.SpanID() {
			t.Errorf("timer: %v, links %v", timer.SpanContext, timer.Links)
		}
	})
}

// Do is one span with its step, and what the store does is in it.
func TestSpansOfDo(t *testing.T) {
	r := newRig(t)
	f := r.open()
	defer f.Close()
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	r.spans.Reset()
	const remote = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	if _, err := f.Do(fleet.WithTrace(t.Context(), remote), "k", scxml.Event{Name: "none"}); err != nil {
		t.Fatal(err)
	}
	accept, step := r.one("scxml.accept", "event", "none"), r.one("scxml.step", "event", "none")
	if accept.Parent.SpanID().String() != "00f067aa0ba902b7" || !accept.Parent.IsRemote() {
		t.Errorf("the parent is %v", accept.Parent)
	}
	r.childOf(step, accept)
	r.childOf(r.one("scxml.commit", "session", "k"), accept)
}

// A tracestate is kept with the trace, and one that is too long or not one is left out.
func TestSpansKeepTheTracestate(t *testing.T) {
	const remote = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	synctest.Test(t, func(t *testing.T) {
		for state, want := range map[string]string{"a=b,c@d=e": "a=b,c@d=e", "nonsense": "", "": ""} {
			r := newRig(t)
			f := r.open()
			for _, key := range []string{"k", "other"} {
				if err := f.Create(t.Context(), key, fleet.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := f.Send(fleet.WithTrace(t.Context(), strings.TrimSpace(remote+" "+state)), "k", scxml.Event{Name: "go"}); err != nil {
				t.Fatal(err)
			}
			f.Close()
			r.run(time.Second)
			step := r.one("scxml.step", "event", "go")
			if got := step.SpanContext.TraceState().String(); got != want || step.SpanContext.TraceID().String() != remote[3:35] {
				t.Errorf("tracestate %q: the step has %q", state, got)
			}
			if len(r.headers) != 1 || strings.HasSuffix(r.headers[0], " "+want) != (want != "") {
				t.Errorf("tracestate %q: the delivery has %q", state, r.headers)
			}
		}
	})
}

// A session that nobody traces has spans of its own, with what has failed.
func TestSpansOfFailures(t *testing.T) {
	r := newRig(t)
	f := r.open()
	defer f.Close()
	if _, err := f.Do(t.Context(), "nobody", scxml.Event{Name: "go"}); !errors.Is(err, fleet.ErrNotFound) {
		t.Fatal(err)
	}
	span := r.one("scxml.accept", "session", "nobody")
	if span.Status.Code.String() != "Error" || span.Status.Description != "" || span.Parent.IsValid() {
		t.Errorf("%v", span)
	}
}

// What is not sampled is not sampled wherever it leads.
func TestUnsampledStaysUnsampled(t *testing.T) {
	r := newRig(t)
	r.provider = sdk.NewTracerProvider(sdk.WithSyncer(r.spans), sdk.WithSampler(sdk.ParentBased(sdk.AlwaysSample())))
	f := r.open()
	defer f.Close()
	if err := f.Create(t.Context(), "k", fleet.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	r.spans.Reset()
	if _, err := f.Do(fleet.WithTrace(t.Context(), "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"), "k", scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	if spans := r.spans.GetSpans(); slices.ContainsFunc(spans, func(s tracetest.SpanStub) bool { return s.Name == "scxml.step" }) {
		t.Errorf("%d spans", len(spans))
	}
}
