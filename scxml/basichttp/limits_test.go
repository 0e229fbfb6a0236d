package basichttp_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
)

// The number of messages in flight is limited: one more is error.communication at once.
func TestMaxSends(t *testing.T) {
	const most = 3
	release := make(chan struct{})
	arrived := make(chan struct{}, most+1)
	peer := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	defer peer.Close()
	letGo := sync.OnceFunc(func() { close(release) })
	defer letGo()
	s := start(t, basichttp.New(basichttp.Config{MaxSends: most}), `<datamodel><data id="errors" expr="[]"/></datamodel>
		<state id="s">
			<onentry><foreach array="[1, 2, 3, 4]" item="i"><send type="basichttp" event="e" target="`+peer.URL+`"/></foreach></onentry>
			<transition event="error.communication"><script>errors.push(_event.data.message)</script></transition>
			<transition event="again"><send type="basichttp" event="e" target="`+peer.URL+`"/></transition>
		</state>`)
	failures := func() string {
		t.Helper()
		v, err := s.Eval(t.Context(), "errors.join()")
		if err != nil {
			t.Fatal(err)
		}
		return v.(string)
	}
	for range 10 { // nothing waits for them
		if _, err := s.Step(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := failures(), "3 messages are already in flight"; !strings.Contains(got, want) {
		t.Errorf("errors %q, want %q", got, want)
	}
	for range most {
		<-arrived
	}
	letGo()
	if err := s.Advance(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	before := failures()
	// A message that has arrived frees its place.
	for range 2 * most {
		if err := s.Send(scxml.Event{Name: "again"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Advance(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		<-arrived
	}
	if got := failures(); got != before {
		t.Errorf("errors %q, want %q", got, before)
	}
}

// A waitingBody reports when it is read, and ends when it is released.
type waitingBody struct{ reading, release chan struct{} }

func (b waitingBody) Read([]byte) (int, error) {
	close(b.reading)
	<-b.release
	return 0, io.EOF
}

// The number of requests served at the same time is limited.
func TestMaxRequests(t *testing.T) {
	p := basichttp.New(basichttp.Config{BaseURL: "http://127.0.0.1/", MaxRequests: 1})
	at := location(t, start(t, p, `<state id="s"/>`))
	status := func(body io.Reader) int {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest("POST", at, body))
		return w.Code
	}
	body := waitingBody{make(chan struct{}), make(chan struct{})}
	first := make(chan int)
	go func() { first <- status(body) }()
	<-body.reading
	if got := status(nil); got != http.StatusServiceUnavailable {
		t.Errorf("a request during another: status %d, want 503", got)
	}
	close(body.release)
	if got := <-first; got != http.StatusNoContent {
		t.Errorf("the first request: status %d", got)
	}
	if got := status(nil); got != http.StatusNoContent {
		t.Errorf("a request after another: status %d", got)
	}
}

// The server does not wait for a body that does not arrive.
func TestBodyHasTimeLimit(t *testing.T) {
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer server.Close()
	p := basichttp.New(basichttp.Config{BaseURL: server.URL, Timeout: 10 * time.Millisecond})
	handler = p
	u, err := url.Parse(location(t, start(t, p, `<state id="s"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "POST "+u.Path+" HTTP/1.1\r\nHost: "+u.Host+"\r\nContent-Length: 10\r\n\r\n12345")
	answer, err := io.ReadAll(c)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || err != nil {
		t.Errorf("answer %q, %v; want status 408", answer, err)
	}
}

// A page of another web site must not reach a session, neither by a name that it makes point to
// this machine (DNS rebinding) nor by this machine's own name.
func TestHostAndOriginAreChecked(t *testing.T) {
	const base = "http://charts.example:8080/scxml/"
	for _, test := range []struct {
		name   string
		host   string // HOST means the listening address, PORT its port
		header http.Header
		want   int
	}{
		{"address", "HOST", nil, 204},
		{"localhost", "localhost:PORT", nil, 204},
		{"another port, as behind ssh -L", "localhost:1", nil, 204},
		{"base URL", "charts.example", nil, 204},
		{"upper case", "CHARTS.EXAMPLE:8080", nil, 204},
		{"allowed name", "allowed.example:PORT", nil, 204},
		{"rebound name", "evil.example:PORT", nil, 403},
		{"another address", "127.0.0.2:PORT", nil, 403},
		{"IPv6", "[::1]:PORT", nil, 403},
		{"own page", "HOST", http.Header{"Origin": {"http://HOST"}}, 204},
		{"page of the base URL", "HOST", http.Header{"Origin": {"http://charts.example:8080"}}, 204},
		{"page of an allowed site", "HOST", http.Header{"Origin": {"https://pages.example"}}, 204},
		{"page of another site", "HOST", http.Header{"Origin": {"https://evil.example"}}, 403},
		{"page of two sites", "HOST", http.Header{"Origin": {"http://HOST", "https://evil.example"}}, 403},
		{"page of another port", "HOST", http.Header{"Origin": {"http://127.0.0.1:1"}}, 403},
		{"page of a rebound name", "evil.example:PORT", http.Header{"Origin": {"http://evil.example:PORT"}}, 403},
		{"page from a file", "HOST", http.Header{"Origin": {"null"}}, 403},
		{"image of another site", "HOST", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{"image, in capitals", "HOST", http.Header{"Sec-Fetch-Site": {"Cross-Site"}}, 403},
		{"address that is typed", "HOST", http.Header{"Sec-Fetch-Site": {"none"}}, 204},
		{"image of an own page", "HOST", http.Header{"Sec-Fetch-Site": {"same-origin"}}, 204},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := basichttp.New(basichttp.Config{BaseURL: base, AllowHosts: []string{"allowed.example"}, AllowOrigins: []string{"https://pages.example"}})
			server := httptest.NewServer(p)
			defer server.Close()
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fill := strings.NewReplacer("HOST", server.Listener.Addr().String(), "PORT", port).Replace
			path := strings.TrimPrefix(location(t, start(t, p, `<state id="s"/>`)), base)
			req, err := http.NewRequest("GET", server.URL+"/scxml/"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = fill(test.host)
			for key, values := range test.header {
				for _, value := range values {
					req.Header.Add(key, fill(value))
				}
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != test.want {
				t.Errorf("status %d, want %d", resp.StatusCode, test.want)
			}
		})
	}
}
