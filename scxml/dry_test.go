package scxml_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

const outgoing = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<state id="a">
		<onentry>
			<send type="urn:refuses" event="out" id="refused"/>
			<send event="out" target="#_scxml_other"/>
			<log label="hello"/>
		</onentry>
		<invoke type="service" id="x"/>
		<transition event="error.execution"><log label="refused"/></transition>
		<transition event="ask"><send event="question" target="#_x"/></transition>
		<transition event="done.invoke.x" cond="_event.type == 'platform' &amp;&amp; _event.data == 42" target="b"/>
		<transition event="error.communication" target="c"/>
	</state>
	<state id="b"><transition event="error" target="c"/></state>
	<state id="c"/>
</scxml>`

// forbidden is a surrounding that must not be used.
type forbidden struct{ t *testing.T }

func (f forbidden) Open(*scxml.Session) string { f.t.Error("a processor was opened"); return "" }
func (f forbidden) Close(*scxml.Session)       { f.t.Error("a processor was closed") }
func (f forbidden) Send(*scxml.Session, scxml.Message, func(error)) error {
	f.t.Error("a message was sent")
	return nil
}
func (f forbidden) Invoke(context.Context, *scxml.Invocation) (any, error) {
	f.t.Error("a service was started")
	return nil, nil
}

// A dry session starts no service and sends nothing out, and what these have answered can be given to it.
func TestDrySessionHasNoSurroundings(t *testing.T) {
	chart, err := scxml.Parse("outgoing.scxml", []byte(outgoing))
	if err != nil {
		t.Fatal(err)
	}
	f := forbidden{t}
	directory := new(scxml.Directory)
	other := newSession(t, chart, scxml.WithRouter(directory), scxml.WithSessionID("other"), scxml.WithInvoker("service", f), scxml.WithDry(scxml.Dry{}))
	var sent []string
	s := newSession(t, chart,
		scxml.WithRouter(directory), scxml.WithIOProcessor("urn:refuses", f), scxml.WithInvoker("service", f),
		scxml.WithWake(func(*scxml.Session) { t.Error("the host was woken") }),
		scxml.WithTrace(&scxml.Trace{Log: func(*scxml.Session, string, datamodel.Value) { t.Error("the trace of the session was called") }}),
		scxml.WithDry(scxml.Dry{
			Location: func(_ *scxml.Session, typ string) string { return "at " + typ },
			Refuse: func(_ *scxml.Session, m scxml.Message) error {
				if m.Type == "urn:refuses" {
					return errors.New("no")
				}
				return nil
			},
		}),
		scxml.WithTrace(&scxml.Trace{Send: func(_ *scxml.Session, m scxml.Message) { sent = append(sent, m.Type+m.Target) }}))
	clock, ctx := new(scxmltest.Clock), t.Context()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if want := []string{"urn:refuses", scxml.SCXMLEventProcessor + "#_scxml_other"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if got := scxml.ForReplay(s).Location("urn:refuses"); got != "at urn:refuses" {
		t.Errorf("location %q", got)
	}
	do := func(want ...string) {
		t.Helper()
		if err := s.Advance(ctx, clock.Now()); err != nil {
			t.Fatal(err)
		}
		if got := s.Configuration(); !slices.Equal(got, want) {
			t.Errorf("in %q, want %q", got, want)
		}
	}
	ask := func() {
		if err := s.Send(scxml.Event{Name: "ask"}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	do("a") // the service runs, as far as the session knows
	if s.Busy() {
		t.Error("a dry session is busy")
	}
	if err := scxml.ForReplay(s).Arrive(scxml.Event{Name: "done.invoke.x", Type: datamodel.Platform, InvokeID: "x", Data: int64(42)}); err != nil {
		t.Fatal(err)
	}
	do("b")
	if err := scxml.ForReplay(s).Fail(&scxml.ExecutionError{Event: "error.communication", Element: "send", Msg: "lost"}); err != nil {
		t.Fatal(err)
	}
	do("c")
	if err := scxml.ForServer(s).Abandon(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(other.Start(ctx), scxml.ForReplay(other).Arrive(scxml.Event{Name: "x"})); err != nil {
		t.Fatal(err)
	}
}

// A service that has answered a dry session cannot be reached any more.
func TestDryServiceEndsWithItsAnswer(t *testing.T) {
	for name, answer := range map[string]func(*scxml.Session) error{
		"done": func(s *scxml.Session) error {
			return scxml.ForReplay(s).Arrive(scxml.Event{Name: "done.invoke.x", Type: datamodel.Platform, InvokeID: "x"})
		},
		"failed": func(s *scxml.Session) error {
			return scxml.ForReplay(s).Fail(&scxml.ExecutionError{Event: "error.other", Element: "invoke", InvokeID: "x"})
		},
	} {
		chart, err := scxml.Parse("outgoing.scxml", []byte(outgoing))
		if err != nil {
			t.Fatal(err)
		}
		s := newSession(t, chart, scxml.WithRouter(new(scxml.Directory)), scxml.WithIOProcessor("urn:refuses", forbidden{t}),
			scxml.WithInvoker("service", forbidden{t}), scxml.WithDry(scxml.Dry{}))
		ctx, now := t.Context(), time.Now()
		if err := errors.Join(s.Start(ctx), answer(s), s.Advance(ctx, now), s.Send(scxml.Event{Name: "ask"}), s.Advance(ctx, now)); err != nil {
			t.Fatal(err)
		}
		if !s.In("c") {
			t.Errorf("%s: the service can still be reached, in %q", name, s.Configuration())
		}
	}
}

// Only a dry session takes what others have not sent.
func TestArriveNeedsDrySession(t *testing.T) {
	s, _ := start(t, `<state/>`)
	if err := scxml.ForReplay(s).Arrive(scxml.Event{Name: "a"}); err == nil {
		t.Error("an event with a type arrives")
	}
	if err := scxml.ForReplay(s).Fail(&scxml.ExecutionError{Event: "error.execution"}); err == nil {
		t.Error("a failure is told")
	}
}

// Trace.Step reports each step that does something, at a place where a snapshot can be taken.
func TestStepsAreTold(t *testing.T) {
	var told []string
	trace := &scxml.Trace{Step: func(s *scxml.Session, err error) {
		if _, snapErr := s.Snapshot(); snapErr != nil {
			t.Error(snapErr)
		}
		what := s.InvokeID() + " " + s.Status().String()
		if err != nil {
			what += " " + err.Error()
		}
		told = append(told, what)
	}}
	s, clock := start(t, `<state id="a">
		<onentry><send event="out" target="#_scxml_other" delay="1s"/></onentry>
		<invoke id="child"><content><scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml"><final/></scxml></content></invoke>
	</state>`, scxml.WithTrace(trace), scxml.WithRouter(new(scxml.Directory)), scxml.WithDry(scxml.Dry{}), scxml.WithTrace(trace))
	ctx := t.Context()
	step := func() {
		if _, err := s.Step(ctx, clock.Now()); err != nil && !errors.Is(err, scxml.ErrStopped) {
			t.Fatal(err)
		}
	}
	step() // the child
	step() // done.invoke.child
	step() // nothing
	if err := clock.Advance(ctx, s, time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(ctx, clock.Now(), scxml.Event{Name: "e"}); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	step()
	want := []string{" running", "child final", " running", " running", " running", " stopped " + scxml.ErrStopped.Error()}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
}

// A dry session is restored with the options of the session, those that Restore does not allow included.
func TestDrySessionIsRestored(t *testing.T) {
	chart, err := scxml.Parse("outgoing.scxml", []byte(outgoing))
	if err != nil {
		t.Fatal(err)
	}
	opts := scxml.Options{scxml.WithSeed(1), scxml.WithSessionID("s"), scxml.WithIOProcessor("urn:refuses", forbidden{t}), scxml.WithInvoker("service", forbidden{t}),
		scxml.WithDry(scxml.Dry{Location: func(*scxml.Session, string) string { return "somewhere" }})}
	s := newSession(t, chart, opts)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again, err := scxml.Restore(chart, before, opts)
	if err != nil {
		t.Fatal(err)
	}
	after, err := again.Snapshot()
	if err != nil || string(before) != string(after) {
		t.Errorf("%v\n%s\n%s", err, before, after)
	}
	if got := scxml.ForReplay(again).Location("urn:refuses"); got != "somewhere" {
		t.Errorf("location %q", got)
	}
}
