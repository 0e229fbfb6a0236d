package inspect_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// record returns a session of a chart that has taken n events e, at one a millisecond, and its
// inspector.
func recorded(b *testing.B, chart string, n int) (*inspect.Inspector, *history.History, *scxml.Session) {
	b.Helper()
	c, err := scxml.Parse("chart.scxml", []byte(chart))
	if err != nil {
		b.Fatal(err)
	}
	h, err := history.New(history.Config{Chart: c})
	if err != nil {
		b.Fatal(err)
	}
	s, err := scxml.New(c, h.Option())
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	for range n {
		if _, err := s.Do(b.Context(), s.Now().Add(time.Millisecond), scxml.Event{Name: "e"}); err != nil {
			b.Fatal(err)
		}
	}
	in := inspect.New(inspect.Config{Token: "full", AllowHosts: []string{"example.com"}})
	in.Add(inspect.Session{Name: "counter", History: h})
	return in, h, s
}

// answer serves a request without a connection.
func answer(b *testing.B, in *inspect.Inspector, path string) int {
	r := httptest.NewRequest("GET", path, nil)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Authorization", "Bearer full")
	w := httptest.NewRecorder()
	if in.ServeHTTP(w, r); w.Code != 200 {
		b.Fatalf("%s: status %d: %s", path, w.Code, w.Body)
	}
	return w.Body.Len()
}

// BenchmarkPosition looks at any of 100,000 positions.
func BenchmarkPosition(b *testing.B) {
	in, h, _ := recorded(b, counter, 100_000)
	n := 0
	for b.Loop() {
		n = (n + 31_337) % h.Len()
		answer(b, in, "/api/sessions/1/positions/"+strconv.Itoa(n))
	}
}

// BenchmarkRows asks for a page of rows.
func BenchmarkRows(b *testing.B) {
	in, h, _ := recorded(b, counter, 100_000)
	n := 0
	for b.Loop() {
		n = (n + 31_337) % h.Len()
		answer(b, in, "/api/sessions/1/rows?count=100&from="+strconv.Itoa(n))
	}
}

// BenchmarkEvents sends events to a session, without an inspector, with one, and with pages that are
// open.
func BenchmarkEvents(b *testing.B) {
	for _, pages := range []int{-1, 0, 1, 8} {
		b.Run("pages="+strconv.Itoa(pages), func(b *testing.B) {
			in, _, s := recorded(b, counter, 0)
			if pages < 0 {
				var err error
				if s, err = scxml.New(s.Chart()); err != nil {
					b.Fatal(err)
				}
				if err := s.Start(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			server := httptest.NewServer(in)
			defer server.Close()
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			for range pages {
				req, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/events?session=1", nil)
				if err != nil {
					b.Fatal(err)
				}
				req.Header.Set("Authorization", "Bearer full")
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					b.Fatal(err)
				}
				go io.Copy(io.Discard, resp.Body) // until ctx is done
			}
			for b.Loop() {
				if _, err := s.Do(ctx, s.Now().Add(time.Microsecond), scxml.Event{Name: "e"}); err != nil {
					b.Fatal(err)
				}
			}
			in.Close()
		})
	}
}

// BenchmarkNewest asks for the newest rows, as a page that is open does.
func BenchmarkNewest(b *testing.B) {
	in, h, s := recorded(b, counter, 10_000)
	for b.Loop() {
		for range 300 {
			if _, err := s.Do(b.Context(), s.Now().Add(time.Millisecond), scxml.Event{Name: "e"}); err != nil {
				b.Fatal(err)
			}
		}
		answer(b, in, "/api/sessions/1/rows?from="+strconv.Itoa(h.Len()-64))
	}
}
