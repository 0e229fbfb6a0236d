package browsertest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A shown is a session that an inspector shows.
type shown struct {
	in      *inspect.Inspector
	session *scxml.Session
	history *history.History
	server  *httptest.Server
	serve   atomic.Pointer[inspect.Inspector]
	url     string // of the page, with the token
	readURL string
}

// show makes a session of a chart and serves it. Nothing drives it yet.
func show(t *testing.T, name, document string) *shown {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	s := &shown{}
	s.start(t, name, document)
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve.Load().ServeHTTP(w, r) }))
	t.Cleanup(func() {
		s.in.Close()
		s.server.Close()
	})
	s.url, s.readURL = s.in.URL(s.server.URL+"/"), s.in.ReadURL(s.server.URL+"/")
	return s
}

// start makes an inspector with a session, which takes the place of the one before.
func (s *shown) start(t *testing.T, name, document string) {
	t.Helper()
	s.in = inspect.New(inspect.Config{Token: "full", ReadToken: "read"})
	s.session, s.history = s.add(t, name, document)
	s.serve.Store(s.in)
}

// add adds a session to the list.
func (s *shown) add(t *testing.T, name, document string) (*scxml.Session, *history.History) {
	t.Helper()
	chart, err := scxml.Parse(name+".scxml", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var options []scxml.Option
	h, err := history.New(history.Config{Chart: chart, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	session, err := scxml.New(chart, append(options, h.Option(), scxml.WithMissing())...)
	if err != nil {
		t.Fatal(err)
	}
	s.in.Add(inspect.Session{Name: name, History: h})
	return session, h
}

// run drives the session in real time until the test ends.
func (s *shown) run(t *testing.T) *shown {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.session.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, scxml.ErrStopped) {
			t.Error(err)
		}
	})
	return s
}

// read returns the text of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// crossing is a chart with a bit of everything that the page shows.
const crossing = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Crossing">
  <datamodel>
    <data id="count" expr="0"/>
    <data id="prices" expr="({tea: 3, milk: 2})"/>
    <data id="seats" expr="[[0, 0, 0], [0, 0, 0]]"/>
  </datamodel>
  <parallel id="on">
    <transition event="end" target="over"/>
    <transition event="fail"><assign location="count" expr="nobody.knows"/></transition>
    <state id="light" initial="red">
      <state id="red">
        <transition event="go" target="green"><assign location="count" expr="count + 1"/></transition>
      </state>
      <state id="green">
        <onentry><send event="warn" delay="1h" id="w"/></onentry>
        <onexit><cancel sendid="w"/></onexit>
        <transition event="halt" target="red"/>
        <transition event="warn" target="red"/>
      </state>
    </state>
    <state id="shop" initial="open">
      <state id="open">
        <transition event="order" cond="_event.data.item in prices" target="busy">
          <log label="order" expr="_event.data.item"/>
          <send event="done"/>
        </transition>
        <transition event="take" cond="seats[_event.data.row][_event.data.column] === 0">
          <assign location="seats[_event.data.row][_event.data.column]" expr="1"/>
        </transition>
      </state>
      <state id="busy">
        <transition event="done" target="open"/>
      </state>
    </state>
  </parallel>
  <final id="over"/>
</scxml>`
