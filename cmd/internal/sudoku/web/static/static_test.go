package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func packed(t *testing.T, text string) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

func TestHandler(t *testing.T) {
	program := strings.Repeat("program ", 100)
	handler, err := New(fstest.MapFS{
		"build.js":              {},
		"index.html":            {Data: []byte("<p>game")},
		"both.wasm":             {Data: []byte(program)},
		"both.wasm.gz":          packed(t, program),
		"both.wasm.br":          {Data: []byte("brotli")},
		"packed.js.gz":          packed(t, program),
		"playground/index.html": {Data: []byte("<p>playground")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, url, accept     string
		status                  int
		contentType, enc, start string // "-": whatever it is
	}{
		{"GET", "/", "gzip, br", 200, "text/html; charset=utf-8", "", "<p>game"},
		{"GET", "/index.html", "", 200, "text/html; charset=utf-8", "", "<p>game"},
		{"GET", "/playground/", "", 200, "text/html; charset=utf-8", "", "<p>playground"},
		{"GET", "/playground", "", 301, "-", "", "-"},
		{"GET", "/both.wasm", "gzip, deflate, br, zstd", 200, "application/wasm", "br", "brotli"},
		{"GET", "/both.wasm", "gzip, br;q=0", 200, "application/wasm", "gzip", "\x1f\x8b"},
		{"GET", "/both.wasm", "br; q=0.000, GZIP;q=0.5", 200, "application/wasm", "gzip", "\x1f\x8b"},
		{"GET", "/both.wasm", "zstd", 200, "application/wasm", "", "program"},
		{"GET", "/both.wasm", "", 200, "application/wasm", "", "program"},
		{"GET", "/packed.js", "br, gzip", 200, "text/javascript; charset=utf-8", "gzip", "\x1f\x8b"},
		{"GET", "/packed.js", "", 200, "text/javascript; charset=utf-8", "", "program"},
		{"HEAD", "/both.wasm", "br", 200, "application/wasm", "br", ""},
		{"GET", "/both.wasm.gz", "", 404, "-", "", "-"},
		{"GET", "/../secret", "", 404, "-", "", "-"},
		{"GET", "/nothing", "", 404, "-", "", "-"},
		{"POST", "/", "", 405, "-", "", "-"},
	} {
		r := httptest.NewRequest(test.method, "http://localhost/", nil)
		r.URL.Path = test.url
		r.Header.Set("Accept-Encoding", test.accept)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		name := test.method + " " + test.url + " " + test.accept
		if w.Code != test.status {
			t.Errorf("%s: status %d, want %d", name, w.Code, test.status)
		}
		if got := w.Header().Get("Content-Type"); test.contentType != "-" && got != test.contentType {
			t.Errorf("%s: type %q, want %q", name, got, test.contentType)
		}
		if got := w.Header().Get("Content-Encoding"); got != test.enc {
			t.Errorf("%s: encoding %q, want %q", name, got, test.enc)
		}
		if got := w.Body.String(); test.start != "-" && (!strings.HasPrefix(got, test.start) || got != "" && test.start == "") {
			t.Errorf("%s: the body begins with %.10q, want %q", name, got, test.start)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != Policy {
			t.Errorf("%s: policy %q", name, got)
		}
	}
}

// What has not changed is not sent again, and each encoding is another entity (RFC 9110, 8.8.3).
func TestNotModified(t *testing.T) {
	handler, err := New(fstest.MapFS{"build.js": {}, "index.html": {Data: []byte("<p>")}, "index.html.gz": packed(t, "<p>")})
	if err != nil {
		t.Fatal(err)
	}
	get := func(encoding, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	tag := get("gzip", "").Header().Get("ETag")
	if w := get("gzip", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("again: status %d, %d bytes, header %v", w.Code, w.Body.Len(), w.Header())
	}
	if w := get("", tag); w.Code != http.StatusOK || w.Header().Get("ETag") == tag {
		t.Errorf("in another encoding: status %d, tag %s as of gzip", w.Code, tag)
	}
}

// The page of the game has the policy itself too, for servers that do not send it. There it cannot say
// who may frame it.
func TestPolicyOfPage(t *testing.T) {
	page, err := os.ReadFile("../page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(Policy, "frame-ancestors 'self'; ", "", 1); !strings.Contains(string(page), `<meta http-equiv="Content-Security-Policy" content="`+want+`">`) {
		t.Errorf("the page does not have the policy %s", want)
	}
}

func TestNoPage(t *testing.T) {
	if _, err := New(fstest.MapFS{"readme.txt": {}}); err == nil {
		t.Error("a folder without a page is served")
	}
}
