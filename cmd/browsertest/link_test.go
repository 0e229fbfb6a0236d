package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// elsewhere serves a page of another web site with a body. Its host is localhost, which is another site than
// 127.0.0.1, or 127.0.0.1, where only the port differs.
func elsewhere(t *testing.T, host, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!DOCTYPE html><link rel="icon" href="data:,">%s`, body)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", host, 1) + "/"
}

// A link on another web site leads to the pages.
func TestLinkFromAnotherSite(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	d := newOperatorDesk(t)
	for _, host := range []string{"localhost", "127.0.0.1"} {
		for to, shows := range map[string]string{
			s.url:          active + ` === 'on light red shop open'`,
			d.url + "/":    `location.pathname === '/ui/' && !document.querySelector('#login').hidden`,
			d.url + "/ui/": `!document.querySelector('#login').hidden`,
		} {
			t.Run(host+" to "+to, func(t *testing.T) {
				p := open(t, elsewhere(t, host, `<a id="link" href="`+to+`">link</a>`), desk)
				p.allow("a request leaves the origin")
				p.click("#link")
				p.wait(shows)
			})
		}
	}
}

// Another web site reaches nothing else: it cannot show the page in a frame, nor load a script of it, and no
// request of the API is answered, not even for a link.
func TestOtherSitesReachNothing(t *testing.T) {
	s := show(t, "crossing", crossing).run(t)
	var mu sync.Mutex
	answers := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		s.in.ServeHTTP(recorder, r)
		mu.Lock()
		answers[r.Header.Get("Sec-Fetch-Dest")+" "+r.URL.Path] = recorder.Code
		mu.Unlock()
		w.WriteHeader(recorder.Code)
	}))
	t.Cleanup(server.Close)
	body := strings.ReplaceAll(`<iframe src="HERE/"></iframe><embed src="HERE/"><object data="HERE/"></object><img src="HERE/icon.svg">
		<script src="HERE/main.js"></script><script>fetch('HERE/', {mode: 'no-cors'})</script><a id="link" href="HERE/api/sessions">link</a>`, "HERE", server.URL)
	p := open(t, elsewhere(t, "localhost", body), desk)
	p.allow("a request leaves the origin")
	p.allow("on the console")
	has := func(what string) {
		t.Helper()
		for t.Context().Err() == nil {
			mu.Lock()
			status, ok := answers[what]
			mu.Unlock()
			if ok {
				if status != http.StatusForbidden {
					t.Errorf("%s: status %d, want 403", what, status)
				}
				return
			}
		}
	}
	for _, what := range []string{"iframe /", "embed /", "object /", "image /icon.svg", "script /main.js", "empty /"} {
		has(what)
	}
	p.click("#link")
	has("document /api/sessions")
}
