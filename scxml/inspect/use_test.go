package inspect_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// The handler can be mounted below another path. The page has relative addresses only.
func TestMounted(t *testing.T) {
	in := inspect.New(inspect.Config{Token: "full"})
	mux := http.NewServeMux()
	mux.Handle("/debug/chart/", http.StripPrefix("/debug/chart", in))
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, want := range map[string]string{"/debug/chart/": "<html lang", "/debug/chart": "<html lang", "/debug/chart/api/sessions": `"sessions":[]`} {
		status, text, _ := request(t, server, "GET", path, "", nil)
		if status != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, %.100s", path, status, text)
		}
		for _, absolute := range []string{`src="/`, `href="/`} {
			if strings.Contains(text, absolute) {
				t.Errorf("%s has an address that begins with a slash", path)
			}
		}
	}
}

// Many pages can do everything at the same time while the session runs. Run it with -race.
func TestManyAtOnce(t *testing.T) {
	x := newServer(t, inspect.Config{}, everything)
	var b struct{ ID string }
	post(t, x, "1/branch", `{"at":0}`, &b)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			r := newReader(t, open(t, x.server.URL, "read", "/api/events?session=1").Body)
			for range 3 {
				r.next("tick")
			}
		})
	}
	for i := range 4 {
		all.Go(func() {
			for n := range 10 {
				for _, request := range []struct{ method, path, body string }{
					{"POST", "1/send", fmt.Sprintf(`{"event":"go","data":{"by":%d}}`, n)},
					{"POST", b.ID + "/send", `{"event":"go","data":{"by":1}}`},
					{"POST", b.ID + "/advance", `{"by_ms":10}`},
					{"POST", "1/try", `{"event":"call"}`},
					{"POST", "1/branch", `{"at":0}`},
					{"GET", "1/positions/last", ""}, {"GET", "1/rows?from=0&count=50", ""}, {"GET", b.ID + "/positions/last", ""}, {"GET", "1/find?text=go", ""},
				} {
					req, err := http.NewRequest(request.method, x.server.URL+"/api/sessions/"+request.path, strings.NewReader(request.body))
					if err != nil {
						panic(err)
					}
					req.Header.Set("Authorization", "Bearer full")
					req.Header.Set("Content-Type", "application/json")
					resp, err := http.DefaultClient.Do(req)
					if err != nil {
						t.Error(err)
						return
					}
					text, _ := io.ReadAll(resp.Body) // for the message
					resp.Body.Close()
					if resp.StatusCode != 200 && (resp.StatusCode != 409 || request.path != "1/branch") {
						t.Errorf("%d: %s: status %d: %s", i, request.path, resp.StatusCode, text)
					}
				}
			}
		})
	}
	all.Wait()
}
