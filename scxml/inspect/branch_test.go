package inspect_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A branch is not added to the list if its session is removed while it is made: nothing would remove it.
func TestSessionIsRemovedDuringBranch(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="s"><transition event="e"><script>step()</script></transition></state>
	</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	options := []scxml.Option{scxml.WithFunc("step", func() {})}
	var remove func()
	removed := false
	h, err := history.New(history.Config{Chart: chart, Options: options, Copies: []scxml.Option{
		scxml.WithFunc("step", func() { removed = true; remove() }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, append(options, h.Option())...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	in := inspect.New(inspect.Config{Token: "full"})
	remove = in.Add(inspect.Session{Name: "steps", History: h})
	server := httptest.NewServer(in)
	defer server.Close()
	for n := 1; !removed; n++ { // a position with a snapshot needs no steps
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "e"}); err != nil {
			t.Fatal(err)
		}
		status, text, _ := request(t, server, "POST", "/api/sessions/1/branch", fmt.Sprintf(`{"at":%d}`, n), nil)
		if removed && status != 404 {
			t.Errorf("branch: status %d: %s", status, text)
		}
	}
	if _, text, _ := request(t, server, "GET", "/api/sessions", "", nil); text != `{"readonly":false,"token":"`+in.ReadURL("")[len("#token="):]+`","sessions":[]}` {
		t.Errorf("the list is %s", text)
	}
}
