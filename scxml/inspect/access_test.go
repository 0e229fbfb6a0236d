package inspect_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/inspect"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict/stricttest"
)

// request is a request with the token of the inspector, changed by change.
func request(t *testing.T, server *httptest.Server, method, path, body string, change func(*http.Request)) (status int, text string, header http.Header) {
	t.Helper()
	req, err := http.NewRequest(method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer full")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer), resp.Header
}

// A request needs a token. That of a link that only reads does not change anything.
func TestTokens(t *testing.T) {
	server := newServer(t, inspect.Config{}, lamp).server
	for _, test := range []struct {
		name, header, query string
		get, post           int
	}{
		{"none", "", "", 401, 401},
		{"wrong", "Bearer fool", "", 401, 401},
		{"longer", "Bearer fullfull", "", 401, 401},
		{"empty", "Bearer ", "?token=", 401, 401},
		{"without the scheme", "full", "", 401, 401},
		{"full", "Bearer full", "", 200, 200},
		{"reading", "Bearer read", "", 200, 403},
		{"full, in capitals", "BEARER full", "", 200, 200},
		{"full, in small letters", "bearer full", "", 200, 200},
		{"another scheme", "Basic full", "", 401, 401},
		{"in the query", "", "?token=full", 401, 401},
		{"reading, in the query", "", "?token=read", 401, 401},
		{"reading, and the other in the query", "Bearer read", "?token=full", 200, 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := func(r *http.Request) { r.Header.Set("Authorization", test.header) }
			if status, text, _ := request(t, server, "GET", "/api/sessions"+test.query, "", set); status != test.get {
				t.Errorf("GET: status %d, want %d: %s", status, test.get, text)
			} else if test.header == "" && test.query != "" && !strings.Contains(text, "send it in the header") {
				t.Errorf("GET with a token in the query: %s", text)
			}
			if status, text, _ := request(t, server, "POST", "/api/sessions/1/send"+test.query, `{"event":"push"}`, set); status != test.post {
				t.Errorf("POST: status %d, want %d: %s", status, test.post, text)
			}
		})
	}
}

// The page and its scripts contain no secrets and need no token, so that the token can be in the
// fragment of the address, which is sent to nobody.
func TestPageNeedsNoToken(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	files, err := os.ReadDir("page")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		path := "/" + strings.TrimSuffix(f.Name(), "index.html")
		status, text, header := request(t, x.server, "GET", path, "", func(r *http.Request) { r.Header.Del("Authorization") })
		if status != 200 {
			t.Errorf("%s: status %d", path, status)
		}
		if strings.Contains(text, "full") && strings.Contains(text, "Bearer full") {
			t.Errorf("%s contains the token", path)
		}
		if want := map[string]string{".js": "text/javascript", ".css": "text/css", "html": "text/html", ".svg": "image/svg+xml"}[regexp.MustCompile(`(\.js|\.css|html|\.svg)$`).FindString(f.Name())]; want == "" || !strings.HasPrefix(header.Get("Content-Type"), want) {
			t.Errorf("%s: content type %q, want %q", path, header.Get("Content-Type"), want)
		}
	}
}

// Every answer tells the browser to load nothing from elsewhere, to run no inline script, and to
// show the page in no other one.
func TestHeaders(t *testing.T) {
	server := newServer(t, inspect.Config{}, lamp).server
	for _, path := range []string{"/", "/api/sessions", "/api/sessions/1/picture.svg", "/api/nothing", "/nothing"} {
		_, _, header := request(t, server, "GET", path, "", nil)
		for name, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s: %q, want %q", path, name, got, want)
			}
		}
		if header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other web sites may read the answer", path)
		}
	}
}

// A page of another web site cannot reach the inspector: not by a name that it makes point here
// ("DNS rebinding"), and not from its own origin. The token does not help.
func TestSource(t *testing.T) {
	for _, test := range []struct {
		name, host string
		header     http.Header
		want       int
	}{
		{"own address", "HOST", nil, 200},
		{"localhost", "localhost:PORT", nil, 200},
		{"another port, forwarded", "127.0.0.1:99", nil, 200},
		{"rebound name", "evil.example:PORT", nil, 403},
		{"name that begins alike", "127.0.0.1.evil.example:PORT", nil, 403},
		{"another address", "192.0.2.1:PORT", nil, 403},
		{"no host", "", nil, 403},
		{"allowed name", "mine.example", nil, 200},
		{"own origin", "HOST", http.Header{"Origin": {"http://HOST"}}, 200},
		{"another origin", "HOST", http.Header{"Origin": {"http://evil.example"}}, 403},
		{"another port", "HOST", http.Header{"Origin": {"http://127.0.0.1:1"}}, 403},
		{"sandboxed page", "HOST", http.Header{"Origin": {"null"}}, 403},
		{"two origins", "HOST", http.Header{"Origin": {"http://HOST", "http://evil.example"}}, 403},
		{"allowed origin", "HOST", http.Header{"Origin": {"https://pages.example"}}, 200},
		{"image on another site", "HOST", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{"image on another port", "HOST", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{"typed address", "HOST", http.Header{"Sec-Fetch-Site": {"none"}}, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := newServer(t, inspect.Config{AllowHosts: []string{"mine.example"}, AllowOrigins: []string{"https://pages.example"}}, lamp).server
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fill := strings.NewReplacer("HOST", server.Listener.Addr().String(), "PORT", port).Replace
			for _, path := range []string{"/", "/api/sessions", "/api/events"} {
				conn, err := net.Dial("tcp", server.Listener.Addr().String())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				text := "GET " + path + " HTTP/1.1\r\nAuthorization: Bearer full\r\nHost: " + fill(test.host) + "\r\n"
				for key, values := range test.header {
					for _, value := range values {
						text += key + ": " + fill(value) + "\r\n"
					}
				}
				if _, err := io.WriteString(conn, text+"\r\n"); err != nil {
					t.Fatal(err)
				}
				var status int
				if _, err := fmt.Fscanf(conn, "HTTP/1.1 %d", &status); err != nil || status != test.want {
					t.Errorf("%s: status %d, want %d (%v)", path, status, test.want, err)
				}
			}
		})
	}
}

// Requests from other machines are refused unless Remote is set.
func TestRemote(t *testing.T) {
	for _, test := range []struct {
		remote bool
		from   string
		want   int
	}{
		{false, "127.0.0.1:1", 200}, {false, "[::1]:1", 200}, {false, "192.0.2.1:1", 403}, {false, "", 403}, {true, "192.0.2.1:1", 200},
	} {
		in := inspect.New(inspect.Config{Token: "full", Remote: test.remote, AllowHosts: []string{"mine.example"}})
		r := httptest.NewRequest("GET", "http://mine.example/api/sessions", nil)
		r.Header.Set("Authorization", "Bearer full")
		r.RemoteAddr = test.from
		w := httptest.NewRecorder()
		in.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("from %q with Remote %v: status %d, want %d", test.from, test.remote, w.Code, test.want)
		}
	}
}

// Serve refuses an address that other machines can reach unless Remote is set.
func TestServeIsLocal(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := inspect.New(inspect.Config{}).Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "not a loopback address") {
		t.Errorf("error %v", err)
	}
}

// Every request that is not a GET is refused with a read-only link, and no GET changes anything.
func TestReadOnlyLinksOnlyRead(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	before := x.history.Len()
	asReader := func(r *http.Request) { r.Header.Set("Authorization", "Bearer read") }
	for _, pattern := range inspect.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "1", "{n}", "0").Replace(path)
		for _, m := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			if strings.HasSuffix(path, "/events") && (m == "GET" || m == "HEAD") {
				continue // it does not end; TestStream
			}
			body := ""
			if m == "POST" {
				body = "{}"
			}
			status, text, _ := request(t, x.server, m, path, body, asReader)
			want := []int{http.StatusMethodNotAllowed}
			switch {
			case m == method && m == "GET", m == "HEAD" && method == "GET":
				want = []int{200}
			case m == method:
				want = []int{http.StatusForbidden}
			case m == "GET" || m == "HEAD": // the file server
				want = []int{404, 405}
			}
			if !slices.Contains(want, status) {
				t.Errorf("%s %s: status %d, want %d: %s", m, path, status, want, text)
			}
		}
	}
	x.settle()
	if got := x.history.Len(); got != before {
		t.Errorf("the session has %d positions, %d before", got, before)
	}
	_, list, _ := request(t, x.server, "GET", "/api/sessions", "", asReader)
	if strings.Contains(list, "full") || !strings.Contains(list, `"readonly":true`) || strings.Count(list, `"id"`) != 1 {
		t.Errorf("a reader gets %s", list)
	}
}

// A session that was added to be looked at only cannot be changed with the full token either.
func TestReadOnlySessions(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	remove := x.in.Add(inspect.Session{Name: "shown", History: x.history, ReadOnly: true})
	for _, pattern := range inspect.Patterns() {
		if path, ok := strings.CutPrefix(pattern, "POST "); ok {
			want := 403
			if strings.HasSuffix(path, "/branch") || strings.HasSuffix(path, "/try") { // of a copy
				want = 200
			}
			body := map[bool]string{true: `{"event":"push"}`, false: "{}"}[strings.HasSuffix(path, "try")]
			if status, text, _ := request(t, x.server, "POST", strings.Replace(path, "{id}", "2", 1), body, nil); status != want {
				t.Errorf("%s: status %d, want %d: %s", path, status, want, text)
			}
		}
	}
	remove()
	if status, text, _ := request(t, x.server, "GET", "/api/sessions/2/chart", "", nil); status != 404 {
		t.Errorf("after its removal: status %d %s", status, text)
	}
	if _, list, _ := request(t, x.server, "GET", "/api/sessions", "", nil); strings.Count(list, `"id"`) != 1 {
		t.Errorf("after its removal, with its branch: %s", list)
	}
}

// The host can decide who may do what.
func TestAccess(t *testing.T) {
	server := newServer(t, inspect.Config{Access: func(r *http.Request) inspect.Access {
		return map[string]inspect.Access{"ada": inspect.Full, "bob": inspect.Read}[r.Header.Get("X-User")]
	}}, lamp).server
	for user, want := range map[string][2]int{"ada": {200, 200}, "bob": {200, 403}, "eve": {401, 401}} {
		set := func(r *http.Request) { r.Header.Set("X-User", user) }
		get, list, _ := request(t, server, "GET", "/api/sessions", "", set)
		post, _, _ := request(t, server, "POST", "/api/sessions/1/send", `{"event":"push"}`, set)
		if got := [2]int{get, post}; got != want {
			t.Errorf("%s: %d, want %d", user, got, want)
		}
		if get == 200 && !strings.Contains(list, `"token":""`) {
			t.Errorf("%s gets a token: %s", user, list)
		}
	}
}

// A body with one key renamed, repeated, or moved up or down a level is refused.
func TestChangedBodiesAreRefused(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	for path, valid := range map[string]string{
		"send": `{"event":"push","data":{"a":1}}`, "try": `{"at":0,"event":"push","data":{"a":1}}`, "advance": `{"by_ms":5}`,
		"cancel": `{"sendid":"a"}`, "branch": `{"at":0}`,
	} {
		path = "/api/sessions/1/" + path
		if status, text, _ := request(t, x.server, "POST", path, valid, nil); status == 422 {
			t.Fatalf("%s: %s", path, text)
		}
		for _, body := range stricttest.Changes(valid) {
			if status, text, _ := request(t, x.server, "POST", path, body, nil); status != 422 || !strings.Contains(text, "cannot read the request: ") {
				t.Errorf("%s %s: status %d: %s", path, body, status, text)
			}
		}
	}
}

// Bad requests are refused with what is wrong, and change nothing.
func TestBadRequests(t *testing.T) {
	x := newServer(t, inspect.Config{}, lamp)
	asText := func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }
	for _, test := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		want                     int
		says                     string
	}{
		{"form of another site", "POST", "1/send", `{"event":"push"}`, asText, 415, "not application/json"},
		{"large body", "POST", "1/send", `{"event":"push","data":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, "1048576 bytes"},
		{"not JSON", "POST", "1/send", `push`, nil, 422, "bad JSON: 1:1: unexpected 'p'"},
		{"two values", "POST", "1/send", `{"event":"push"} {}`, nil, 422, "after the value"},
		{"name in another case", "POST", "1/send", `{"Event":"push"}`, nil, 422, `unknown field \"Event\" (did you mean \"event\"?)`},
		{"field twice", "POST", "1/send", `{"event":"a","event":"push"}`, nil, 422, `the key \"event\" is there twice`},
		{"large number", "POST", "1/send", `{"event":"push","data":1e400}`, nil, 422, "the number 1e400 is too large"},
		{"not UTF-8", "POST", "1/send", `{"event":"push","data":"` + "\xff" + `"}`, nil, 422, "a string is not UTF-8"},
		{"field of another request", "POST", "1/send", `{"at":0,"event":"push"}`, nil, 422, `unknown field \"at\"`},
		{"null for a text", "POST", "1/send", `{"event":null}`, nil, 422, `field \"event\": want a text, not null`},
		{"null for a number", "POST", "1/branch", `{"at":null}`, nil, 422, `field \"at\": want a whole number, not null`},
		{"two ways to advance", "POST", "1/advance", `{"by_ms":5,"next":true}`, nil, 422, "want by_ms or next"},
		{"field of a request without any", "POST", "1/stop", `{"at":1}`, nil, 422, `unknown field \"at\"`},
		{"unknown parameter", "GET", "1/rows?form=1", "", nil, 422, `unknown parameter \"form\" (did you mean \"from\"?)`},
		{"parameter twice", "GET", "1/rows?from=1&from=2", "", nil, 422, `the parameter \"from\" is there twice`},
		{"bad truth value", "GET", "1/find?text=a&back=yes", "", nil, 422, "want true or false"},
		{"unknown field", "POST", "1/send", `{"event":"push","dtaa":1}`, nil, 422, "dtaa"},
		{"no event", "POST", "1/send", `{}`, nil, 422, "cannot send the event"},
		{"bad name", "POST", "1/send", `{"event":"a b"}`, nil, 422, "a b"},
		{"bad data", "POST", "1/send", `{"event":"push","data":{"$what":1}}`, nil, 422, "$what"},
		{"no session", "POST", "9/send", `{"event":"push"}`, nil, 404, `no session \"9\"`},
		{"real clock", "POST", "1/advance", `{"by_ms":5}`, nil, 409, "make a branch"},
		{"negative time", "POST", "1/advance", `{"by_ms":-5}`, nil, 422, "-5"},
		{"not a branch", "POST", "1/close", `{}`, nil, 409, "not a branch"},
		{"branch of the future", "POST", "1/branch", `{"at":7}`, nil, 404, "no position 7"},
		{"trial in the future", "POST", "1/try", `{"at":7,"event":"push"}`, nil, 404, "no position 7"},
		{"no position", "GET", "1/positions/7", ``, nil, 404, "want 0 to"},
		{"negative position", "GET", "1/positions/-1", ``, nil, 404, "no position -1"},
		{"not a position", "GET", "1/positions/x", ``, nil, 422, `\"x\" is not a position`},
		{"not a number", "GET", "1/rows?from=x", ``, nil, 422, `\"x\" is not a number`},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := x.history.Len()
			status, text, header := request(t, x.server, test.method, "/api/sessions/"+test.path, test.body, test.change)
			if status != test.want || !strings.Contains(text, test.says) || !strings.HasPrefix(text, `{"error":"`) || header.Get("Content-Type") != "application/json" {
				t.Errorf("status %d: %s; want %d with %q", status, text, test.want, test.says)
			}
			x.settle()
			if after := x.history.Len(); after != before {
				t.Errorf("%d positions, %d before", after, before)
			}
		})
	}
}
