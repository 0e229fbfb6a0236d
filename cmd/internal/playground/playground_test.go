package playground

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// request answers a request as the page does.
func request[T any](t *testing.T, p *Playground, method, url, body string) (answer T) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "http://"+Host+url, strings.NewReader(body))
	if strings.HasPrefix(url, "/api/") {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: status %d: %s", method, url, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s: %v: %s", method, url, err, w.Body)
	}
	return answer
}

type ran struct{ Problems []Problem }

type list struct {
	Sessions []struct{ ID, Name, Clock, Status string }
}

// The examples are what people see first: nothing about them is worth a warning, and they run.
func TestExamples(t *testing.T) {
	p := New(func(err error) { t.Error(err) })
	defer p.Close()
	examples := request[[]Example](t, p, "GET", "/examples", "")
	if len(examples) < 6 {
		t.Errorf("got %d examples", len(examples))
	}
	for _, e := range examples {
		if e.Name == "" || e.Title == "" {
			t.Errorf("an example has the name %q and the title %q", e.Name, e.Title)
		}
		if got := request[ran](t, p, "POST", "/run?clock=virtual", e.Source); len(got.Problems) > 0 {
			t.Errorf("%s: %v", e.Name, got.Problems)
		}
		got := request[list](t, p, "GET", "/api/sessions", "").Sessions
		if len(got) != 1 || got[0].Name != e.Title || got[0].Status != "running" || got[0].Clock != "virtual" {
			t.Errorf("%s: got the sessions %v", e.Name, got)
		}
	}
}

const door = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Door">
  <state id="shut"><transition event="push" target="open"/></state>
  <final id="open"/>
</scxml>`

func TestRun(t *testing.T) {
	p := New(nil)
	defer p.Close()
	for _, clock := range []string{"real", "virtual"} {
		if got := request[ran](t, p, "POST", "/run?clock="+clock, door); len(got.Problems) > 0 {
			t.Fatal(got.Problems)
		}
		before := request[list](t, p, "GET", "/api/sessions", "").Sessions[0]
		if before.Clock != clock {
			t.Errorf("got the clock %s, want %s", before.Clock, clock)
		}
		// A document that is refused does not end the session.
		bad := strings.Replace(door, `target="open"`, `target="opened"`, 1)
		if got := request[ran](t, p, "POST", "/run", bad); len(got.Problems) == 0 || got.Problems[0].Line != 2 || got.Problems[0].Code != "unknown-target" {
			t.Errorf("got %v", got.Problems)
		}
		if after := request[list](t, p, "GET", "/api/sessions", "").Sessions; len(after) != 1 || after[0].ID != before.ID {
			t.Errorf("got the sessions %v, want %v", after, before)
		}
	}
}

// An event of the page reaches the session.
func TestSend(t *testing.T) {
	p := New(nil)
	defer p.Close()
	request[ran](t, p, "POST", "/run?clock=virtual", door)
	id := request[list](t, p, "GET", "/api/sessions", "").Sessions[0].ID
	request[any](t, p, "POST", "/api/sessions/"+id+"/send", `{"event":"push"}`)
	if got := request[list](t, p, "GET", "/api/sessions", "").Sessions[0]; got.Status != "final" {
		t.Errorf("got %v", got)
	}
}

func TestCheck(t *testing.T) {
	p := New(nil)
	defer p.Close()
	if got := request[[]Problem](t, p, "POST", "/check", door); got == nil || len(got) > 0 {
		t.Errorf("got %v, want an empty list", got)
	}
	got := request[[]Problem](t, p, "POST", "/check", strings.Replace(door, `"push"`, `"push" cond="x =="`, 1))
	if len(got) != 1 || got[0].Line != 2 || got[0].Column == 0 || got[0].Severity != "error" || got[0].Message == "" {
		t.Fatalf("got %v", got)
	}
	explained := request[map[string]string](t, p, "GET", "/explain/"+got[0].Code, "")
	if explained["title"] == "" {
		t.Errorf("got %v", explained)
	}
}

// A chart that never comes to rest fails, and the page hears of it.
func TestLimit(t *testing.T) {
	failed := make(chan error, 1)
	p := New(func(err error) { failed <- err })
	defer p.Close()
	request[ran](t, p, "POST", "/run", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><transition target="b"/></state><state id="b"><transition target="a"/></state>
	</scxml>`)
	select {
	case err := <-failed:
		if !strings.Contains(err.Error(), "Microsteps") {
			t.Errorf("got %v", err)
		}
	case <-t.Context().Done():
		t.Error("the session has not failed")
	}
}

// A clock or parameter that the playground does not know is refused, and not taken for the real clock.
func TestUnknownClock(t *testing.T) {
	p := New(nil)
	defer p.Close()
	for query, want := range map[string]string{
		"clock=Virtual":            "clock: \"Virtual\" is neither real nor virtual\n",
		"Clock=virtual":            "unknown parameter \"Clock\": want \"clock\", once\n",
		"clock=real&clock=virtual": "unknown parameter \"clock\": want \"clock\", once\n",
	} {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "http://"+Host+"/run?"+query, strings.NewReader(door)))
		if w.Code != 422 || w.Body.String() != want {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}
