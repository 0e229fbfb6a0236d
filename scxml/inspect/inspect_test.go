package inspect_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp">
	<datamodel><data id="pushes" expr="0"/></datamodel>
	<state id="off"><transition event="push" target="on"><assign location="pushes" expr="pushes + 1"/></transition></state>
	<state id="on">
		<onentry><send event="timeout" delay="5s" id="t"/></onentry>
		<transition event="push timeout" target="off"/>
		<onexit><cancel sendid="t"/></onexit>
	</state>
</scxml>`

// A fixture is a session that an inspector shows at a server. A goroutine runs it.
type fixture struct {
	t       *testing.T
	in      *inspect.Inspector
	server  *httptest.Server
	history *history.History
	session *scxml.Session
	ended   chan struct{} // closed when the session has ended
}

// newServer serves a running session of a chart with the tokens full and read.
func newServer(t *testing.T, cfg inspect.Config, chart string, options ...scxml.Option) *fixture {
	t.Helper()
	cfg.Token, cfg.ReadToken = "full", "read"
	c, err := scxml.Parse("chart.scxml", []byte(chart))
	if err != nil {
		t.Fatal(err)
	}
	h := newHistory(t, c, options...)
	s, err := scxml.New(c, append(options, h.Option())...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	x := &fixture{t: t, in: inspect.New(cfg), history: h, session: s, ended: make(chan struct{})}
	x.in.Add(inspect.Session{Name: "lamp", History: h})
	x.server = httptest.NewServer(x.in)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(x.ended)
		_ = s.Run(ctx) // the test looks at what the page shows
	}()
	t.Cleanup(func() {
		x.in.Close()
		x.server.Close()
		cancel()
		<-x.ended
	})
	return x
}

func newHistory(t *testing.T, chart *scxml.Chart, options ...scxml.Option) *history.History {
	t.Helper()
	h, err := history.New(history.Config{Chart: chart, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// unstarted returns the history of a session that has not started.
func unstarted(t *testing.T, chart string) *history.History {
	t.Helper()
	c, err := scxml.Parse("chart.scxml", []byte(chart))
	if err != nil {
		t.Fatal(err)
	}
	return newHistory(t, c)
}

// settle returns when the session has done what was sent to it.
func (x *fixture) settle() {
	x.t.Helper()
	for range 2 { // the second call comes after the step that serves the first
		if err := x.session.Call(x.t.Context(), func(*scxml.Session) {}); err != nil {
			x.t.Fatal(err)
		}
	}
}

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<datamodel><data id="n" expr="0"/></datamodel>
	<state id="s"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>
</scxml>`
