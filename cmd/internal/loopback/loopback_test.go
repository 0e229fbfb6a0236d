package loopback

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Other names of this machine and pages of other origins are refused.
func TestGuard(t *testing.T) {
	handler := guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, test := range []struct {
		host, origin string
		want         int
	}{
		{"127.0.0.1:8080", "", http.StatusOK},
		{"localhost:8080", "http://localhost:8080", http.StatusOK},
		{"[::1]:8080", "http://[::1]:8080", http.StatusOK},
		{"example.com", "", http.StatusForbidden},
		{"127.0.0.1:8080", "http://127.0.0.1:8081", http.StatusForbidden},
		{"127.0.0.1:8080", "https://example.com", http.StatusForbidden},
		{"127.0.0.1:8080", "null", http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://"+test.host+"/", nil)
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("host %s, origin %q: status %d, want %d", test.host, test.origin, w.Code, test.want)
		}
	}
}
