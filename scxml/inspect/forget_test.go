package inspect_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// A session whose history forgets its oldest positions is shown as far as it is known.
func TestForgottenPositions(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(counter))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: chart, Bytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, h.Option())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for h.First() == 0 {
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "e"}); err != nil {
			t.Fatal(err)
		}
	}
	in := inspect.New(inspect.Config{Token: "full"})
	in.Add(inspect.Session{Name: "counter", History: h})
	server := httptest.NewServer(in)
	defer server.Close()
	first := h.First()
	for _, test := range []struct {
		path   string
		status int
	}{
		{fmt.Sprintf("positions/%d", first), 200},
		{fmt.Sprintf("positions/%d", first-1), 404},
		{fmt.Sprintf("rows?from=%d", max(0, first-10)), 200},
		{fmt.Sprintf("rows?from=%d", first), 200},
		{fmt.Sprintf("find?text=nothing&back=true&from=%d", h.Len()-1), 200},
	} {
		if status, text, _ := request(t, server, "GET", "/api/sessions/1/"+test.path, "", nil); status != test.status {
			t.Errorf("%s: status %d, want %d: %s", test.path, status, test.status, text)
		}
	}
	want := fmt.Sprintf(`"first":%d,"length":%d`, first, h.Len())
	if _, text, _ := request(t, server, "GET", "/api/sessions", "", nil); !strings.Contains(text, want) {
		t.Errorf("the list of sessions lacks %s: %s", want, text)
	}
}
